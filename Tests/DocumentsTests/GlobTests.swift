// Tests of the patterns of names and paths.

import Bytes
import Support
import Testing

@testable import Documents

@Suite struct GlobTests {
  @Test(arguments: [
    ("*", "", true), ("*", "Star", true), ("Star", "Star", true), ("Star", "Stars", false),
    ("St*r", "Star", true), ("St*r", "Stir/Star", true), ("S?ar", "Star", true),
    ("S?ar", "Sar", false), ("*a*", "Star", true), ("*b*", "Star", false), ("", "Star", false),
    ("Icons/*", "Icons/Bell", true), ("Icons/*", "Bell", false), ("**", "", true),
  ])
  func globsMatchNames(glob: String, name: String, isMatch: Bool) {
    #expect(matches(glob: ByteString(glob), ByteString(name)) == isMatch)
  }

  /// Compares with a matcher that tries every length of a star.
  @Test func matchesAreThoseOfASearch() {
    var random = SeededGenerator(seed: 7)
    var count = 0
    for round in 0..<3000 {
      // The search takes long for many stars and a long name.
      let isLong = round % 8 == 0
      let glob = (0..<Int.random(in: 0..<(isLong ? 4 : 9), using: &random)).map { _ in
        Array("ab?*".utf8).randomElement(using: &random) ?? 0
      }
      let name = (0..<Int.random(in: 0..<(isLong ? 200 : 12), using: &random)).map { _ in
        Array("ab/".utf8).randomElement(using: &random) ?? 0
      }
      let length = Int.random(in: 0...name.count, using: &random)
      let (isMatch, isPart) = (search(glob[...], name[...]), search(glob[...], name[..<length]))
      var text = GlobText(ByteString(bytes: name), orPartsOf: [length])
      #expect(matches(glob: ByteString(bytes: glob), ByteString(bytes: name)) == isMatch)
      #expect(text.matches(ByteString(bytes: glob)) == (isMatch || isPart))
      if isMatch { count += 1 }
    }
    #expect(count > 300)
  }

  private func search(_ glob: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    guard let first = glob.first else { return name.isEmpty }
    let rest = glob.dropFirst()
    if first == UInt8(ascii: "*") {
      return (name.startIndex...name.endIndex).contains { search(rest, name[$0...]) }
    }
    guard let byte = name.first, first == UInt8(ascii: "?") || first == byte else { return false }
    return search(rest, name.dropFirst())
  }

  /// A pattern for which a naive matcher would take exponential time.
  @Test func manyStarsTakeLittleTime() {
    let glob = String(repeating: "*a", count: 60)
    let name = String(repeating: "a", count: 5000) + "b"
    #expect(!matches(glob: ByteString(glob), ByteString(name)))
  }
}
