// Names and paths as bytes: tests of equality, of the order, and of dividing paths.

import Testing

@testable import Bytes

/// Pairs that String treats as equal: "é" in its two forms, and others.
private let equivalents: [(ByteString, ByteString)] = [
  ("\u{E9}", "e\u{301}"), ("\u{212A}", "K"), ("\u{37E}", ";"), ("\u{AC00}", "\u{1100}\u{1161}"),
  ("a\u{323}\u{307}", "a\u{307}\u{323}"), ("\u{212B}", "\u{C5}"),
]

/// Names whose first character combines with the character before it.
private let joining = [
  "\u{301}", "\u{301}a", "\u{200D}", "\u{200D}\u{1F469}", "\u{FE0F}x", "\u{20E3}", "\u{1F3FD}",
  "\u{1161}", "\n", "\u{93F}",
]

@Suite struct ByteStringTests {
  @Test(arguments: equivalents) func equivalentNamesAreTwo(one: ByteString, other: ByteString) {
    #expect(one != other)
    #expect(Set([one, other]).count == 2)
    #expect((one < other) != (other < one))
    #expect([one: 1, other: 2][one] == 1)
    #expect(one.canonicalForm == other.canonicalForm)
    #expect(!one.hasPrefix(other) && !(one + "x").hasPrefix(other))
    #expect(one == ByteString(bytes: one.bytes))
  }

  @Test(arguments: joining) func aSlashSeparatesAnyNames(start: String) {
    let name = ByteString(start)
    let path = joined("A.xcassets", name)
    #expect(path.bytes == Array("A.xcassets/".utf8) + name.bytes)
    #expect(path.components == ["A.xcassets", name])
    #expect(lastComponent(path) == name)
    #expect(parentFolder(path) == "A.xcassets")
    #expect(path.isInside("A.xcassets") && path.relative(to: "A.xcassets") == name)
    #expect(!("A.xcassets" + name).isInside("A.xcassets"))
    #expect(path.hasPrefix("A.xcassets/"))
    #expect(("." + name).isHidden && ("." + name).dropFirst() == name)
    #expect(("a" + name + ".png").hasSuffix(".png"))
    #expect(pathExtension("a." + name) == name.lowercased())
    #expect(withoutExtension("a" + name + ".png") == "a" + name)
    #expect(withoutExtension("a." + name) == "a")
    #expect(("--key=" + name).after("=") == name && ("--key=" + name).before("=") == "--key")
  }

  @Test func partsOfPathsAreFound() {
    #expect(
      lastComponent("a/b.c") == "b.c" && lastComponent("b") == "b" && lastComponent("a/") == "")
    #expect(parentFolder("a") == "." && parentFolder("/a") == "/" && parentFolder("/a/b") == "/a")
    #expect(joined("", "a") == "a" && joined("a/", "b") == "a/b" && joined("/", "b") == "/b")
    #expect(pathExtension("x/.png") == "" && pathExtension("x.d/a") == "")
    #expect(pathExtension("a.B.PNG") == "png" && pathExtension("..a") == "a")
    #expect(withoutExtension(".a") == ".a" && withoutExtension("a.b.c") == "a.b")
    #expect(withoutTrailingSlashes("a//") == "a" && withoutTrailingSlashes("//") == "/")
    #expect(ByteString("/a//b/").components == ["a", "b"])
    #expect(ByteString("a//b").split(separator: "/", omittingEmptySubsequences: false).count == 3)
    #expect(ByteString("/a").relative(to: "/") == "a" && ByteString("/").relative(to: "/") == nil)
    #expect(ByteString("ab/c").relative(to: "a") == nil && ByteString("a").relative(to: "a") == nil)
    #expect(["a", "b"].joined(separator: "/") as ByteString == "a/b")
  }

  private static let bytes: [[UInt8]] = [
    [], [0x61], [0xFF], [0xFE], [0x61, 0xFF], [0x61, 0xFE], [0xC3], [0xC3, 0xA9], [0x80],
    [0xEF, 0xBF, 0xBD], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F, 0xBC, 0x80],
    [0xF4, 0x8F, 0xBB, 0xBF],
    [0xFF, 0xFF], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98, 0x80], [0xF0, 0x9F], [0x61, 0xF4], [0xEE],
    Array("abcdefgh\u{E9}ijklmnopq".utf8), Array("abcdefgh\u{E8}ijklmnopq".utf8),
  ]

  /// Names that are not UTF-8 are kept, too: no byte is lost, and different names stay different.
  @Test func anyBytesAreKept() {
    for one in Self.bytes {
      let name = ByteString(bytes: one)
      #expect(name.bytes == one && name.count == one.count)
      #expect(name.isUTF8 == (String(validating: one, as: UTF8.self) != nil))
      name.withCString { text in #expect(ByteString(cString: text) == name) }
      for other in Self.bytes {
        #expect((name == ByteString(bytes: other)) == (one == other))
        #expect((name < ByteString(bytes: other)) == one.lexicographicallyPrecedes(other))
        let path = joined(name, ByteString(bytes: other))
        #expect(path.bytes == (one.isEmpty ? other : one + [0x2F] + other))
      }
    }
    #expect(ByteString(bytes: [0x61, 0xFF]).text == "a\\xFF")
    #expect(ByteString(bytes: [0xF4, 0x8F, 0xBF, 0xBF]).text == "\u{10FFFF}")
  }

  /// Searching takes eight bytes at a time, so names of every length are searched.
  @Test func bytesAreFoundAtEveryPlace() {
    for count in 0..<20 {
      for place in 0..<count {
        for byte: UInt8 in [0x2F, 0x41, 0xE9, 0xF4, 0xFF] {
          for other: UInt8 in [0x30, 0x40, 0x7F] {
            var bytes = [UInt8](repeating: other, count: count)
            bytes[place] = byte
            let name = ByteString(bytes: bytes)
            #expect(name.bytes == bytes && name.isUTF8 == (byte < 0x80))
            #expect(name.contains(byte) && !name.contains(other ^ 2))
            #expect(name.contains(other) == (count > 1))
            if byte == 0x2F {
              #expect(name.afterLast(byte)?.bytes == Array(bytes[(place + 1)...]))
              #expect(name.beforeLast(byte)?.bytes == Array(bytes[..<place]))
              #expect(name.afterLast(0x2E) == nil)
            }
            if byte < 0x80 {
              let text = String(decoding: bytes, as: UTF8.self)
              #expect(name.equals(ascii: text) && !name.equals(ascii: text + "a"))
              #expect(!name.equals(ascii: String(text.dropLast())))
            }
          }
        }
      }
    }
    #expect(!ByteString("\u{212A}").equals(ascii: "K") && !ByteString("\u{37E}").equals(ascii: ";"))
  }

  @Test func literalsTakeNamesAsTheyAre() {
    let odd = ByteString(bytes: [0xFF])
    #expect(("\(odd)/\(1)\("a")" as ByteString).bytes == [0xFF, 0x2F, 0x31, 0x61])
    #expect("\(["a, b", "c"] as [ByteString])" != "\(["a", "b", "c"] as [ByteString])")
  }
}
