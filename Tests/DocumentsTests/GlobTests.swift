// Tests of the patterns of names and paths.

import Bytes
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

  /// A pattern for which a naive matcher would take exponential time.
  @Test func manyStarsTakeLittleTime() {
    let glob = String(repeating: "*a", count: 60)
    let name = String(repeating: "a", count: 5000) + "b"
    #expect(!matches(glob: ByteString(glob), ByteString(name)))
  }
}
