// Tests the functions that other tests depend on.

import Foundation
import Support
import Testing

@Suite struct SupportTests {
  @Test func theSameSeedGivesTheSameNumbers() {
    var one = SeededGenerator(seed: 7)
    var two = SeededGenerator(seed: 7)
    var other = SeededGenerator(seed: 8)
    let first = one.bytes(16)
    #expect(first == two.bytes(16))
    #expect(first != other.bytes(16))
    #expect(one.description == "CARVE_SEED=7")
  }

  @Test func aTemporaryDirectoryGoesWithItsValue() throws {
    var folder: TemporaryDirectory? = try TemporaryDirectory()
    let file = try #require(folder).write("text", to: "a/b.txt")
    #expect(try #require(folder).read("a/b.txt") == Array("text".utf8))
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func pngChecksumsAreThoseOfTheStandard() {
    #expect(crc32(Array("IEND".utf8)) == 0xAE42_6082)
    let picture = png(width: 2, height: 1, red: 1, green: 2, blue: 3)
    #expect(picture.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
    #expect(picture.count == 8 + 25 + 12 + 2 + 5 + 9 + 4 + 12)
  }

  @Test func theToolIsFoundBesideTheTests() throws {
    let result = try runTool(["--version"])
    #expect(result.stdout.hasPrefix("carve "))
    #expect(result.stderr.isEmpty)
    #expect(result.code == 0)
  }
}
