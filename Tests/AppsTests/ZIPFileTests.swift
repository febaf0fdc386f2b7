// ZIPFile reads what correct tools write, and refuses each entry that lies, with the reason.

import Bytes
import Support
import Testing

@testable import Apps

@Suite struct ZIPFileTests {
  private func read(_ file: [UInt8]) throws -> (ZIPFile, [ByteString: [UInt8]]) {
    try file.withUnsafeBytes { bytes in
      let zip = try ZIPFile(bytes)
      var contents: [ByteString: [UInt8]] = [:]
      for entry in zip.entries { contents[entry.path] = try zip.contents(of: entry) }
      return (zip, contents)
    }
  }

  /// Returns the reasons for which the entries of a file are refused when they are listed or read.
  private func reasons(_ members: [ZIPMember]) throws -> [String] {
    try zip(members).withUnsafeBytes { bytes in
      let zip = try ZIPFile(bytes)
      var reasons = zip.refused.map(\.reason)
      for entry in zip.entries {
        do throws(RefusedEntry) { _ = try zip.contents(of: entry) } catch {
          reasons.append(error.reason)
        }
      }
      return reasons
    }
  }

  private let star = ZIPMember("Payload/A.app/star.txt", "a star")

  @Test func storedAndDeflatedEntriesAreRead() throws {
    let long = ZIPMember("b/long.txt", [UInt8](repeating: 7, count: 100_000)).deflated()
    let (zip, contents) = try read(zip([long, star, ZIPMember("b/", ""), ZIPMember("e", "")]))
    #expect(zip.entries.map(\.path) == ["Payload/A.app/star.txt", "b/long.txt", "e"])
    #expect(contents["b/long.txt"] == long.contents)
    #expect(contents["Payload/A.app/star.txt"] == star.contents)
    #expect(contents["e"] == [])
    #expect(zip.refused.isEmpty)
  }

  @Test func numbersOfSixtyFourBitsAreRead() throws {
    var large = star
    large.isLarge = true
    for isLarge in [false, true] {
      let (_, contents) = try read(zip([ZIPMember("a", "b"), large], isLarge: isLarge))
      #expect(contents["Payload/A.app/star.txt"] == star.contents)
    }
  }

  /// A file with more than 65,535 entries has both ends, and the small one states a size and an
  /// offset that are right.
  @Test func theLargeEndCountsIfTheSmallOneFits() throws {
    var file = zip([star], isLarge: true)
    file.replaceSubrange((file.count - 22)..., with: zip([star]).suffix(22))
    let (found, contents) = try read(file)
    #expect(found.refused.isEmpty && contents["Payload/A.app/star.txt"] == star.contents)
  }

  @Test func aListThatIsDamagedInTheMiddleIsNamed() throws {
    var file = zip([ZIPMember("a", "b"), star])
    let second = try #require(
      file.indices.last { file[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    file[second] = 0
    let found = try read(file).0
    #expect(found.entries.map(\.path) == ["a"])
    #expect(found.refused.map(\.path) == ["the list of entries"])
  }

  @Test func bytesInFrontOfTheFileAreSkipped() throws {
    for isLarge in [false, true] {
      let program = [UInt8](repeating: 0x50, count: 1000)
      let (_, contents) = try read(zip([star], prefix: program, isLarge: isLarge))
      #expect(contents["Payload/A.app/star.txt"] == star.contents)
    }
  }

  @Test func linksAreMarked() throws {
    var link = ZIPMember("l", "target")
    link.mode = 0o120777
    #expect(try read(zip([link])).0.entries[0].isLink)
  }

  @Test(arguments: [
    ("../up", "its name leads out of the folder, or is not a plain path"),
    ("a/../../up", "its name leads out of the folder, or is not a plain path"),
    ("a//b", "its name leads out of the folder, or is not a plain path"),
    ("./a", "its name leads out of the folder, or is not a plain path"),
    ("/etc/passwd", "its name is not a relative path"),
    ("a\\b", "its name is not a relative path"),
    ("a\0b", "its name contains a zero byte"),
    ("", "it has no name"),
    (String(repeating: "n", count: 5000), "its name has 5000 bytes; 4096 are possible"),
  ])
  func namesThatLeadElsewhereAreRefused(name: String, reason: String) throws {
    #expect(try reasons([ZIPMember(name, "x"), star]) == [reason])
  }

  @Test func namesThatAreNotUTF8AreKept() throws {
    var odd = ZIPMember("", "x")
    odd.path = [0x61, 0xFF]
    #expect(try read(zip([odd])).1[ByteString(bytes: [0x61, 0xFF])] == [0x78])
  }

  @Test func encryptedEntriesAndOtherMethodsAreRefused() throws {
    var secret = star
    secret.flags = 1
    #expect(try reasons([secret]) == ["it is encrypted"])
    var lzma = star
    lzma.method = 14
    #expect(try reasons([lzma]) == ["it is compressed by method 14; only deflate (8) is read"])
  }

  @Test func sizesThatCannotBeRightAreRefused() throws {
    var huge = star.deflated()
    huge.statedSize = 1 << 30
    #expect(try reasons([huge]) == ["it states 1073741824 bytes, but has only 11"])
    var long = star
    long.statedSize = 7
    #expect(try reasons([long]) == ["it states 7 bytes, but has only 6"])
    var beyond = star
    beyond.statedStoredSize = 1 << 20
    beyond.statedSize = 1 << 20
    #expect(try reasons([beyond]) == ["its bytes extend beyond the file"])
    var wrong = star.deflated()
    wrong.statedSize = 5
    #expect(try reasons([wrong]) == ["its compressed bytes are damaged"])
  }

  @Test func damagedBytesAreNoticed() throws {
    var damaged = star
    damaged.statedChecksum = 1
    #expect(try reasons([damaged]) == ["its checksum is wrong, so its bytes are damaged"])
    var elsewhere = star
    elsewhere.statedOffset = 3
    #expect(try reasons([elsewhere]) == ["it does not lie where the list of entries says"])
  }

  /// The sum of the offset and of the bytes in front of the file would overflow.
  @Test func aPlaceBehindTheLastNumberIsRefused() throws {
    var far = star
    far.isLarge = true
    far.statedOffset = .max
    let file = zip([far], prefix: [0x50, 0x50], isLarge: true)
    try file.withUnsafeBytes { bytes in
      let reasons = try ZIPFile(bytes).refused.map(\.reason)
      #expect(reasons == ["it does not lie where the list of entries says"])
    }
  }

  /// A bomb: many entries that name the same bytes.
  @Test func entriesThatOverlapAreRefused() throws {
    let first = ZIPMember("a", [UInt8](repeating: 0, count: 1000)).deflated()
    var again = first
    again.path = Array("b".utf8)
    again.statedOffset = 0
    let reasons = try reasons([first, again, star])
    #expect(reasons == ["its bytes overlap those of another entry"])
    #expect(try self.reasons([star, star]) == ["another entry has the same path"])
  }

  @Test func aFileThatIsCutIsNotRead() throws {
    let whole = zip([star, ZIPMember("b", "c")])
    for count in [0, 10, whole.count / 2, whole.count - 1] {
      #expect(throws: ZIPError.notAZIPFile) { try read(Array(whole.prefix(count))) }
    }
  }

  @Test func aDirectoryThatIsNotThereIsAnError() throws {
    var file = zip([star])
    // The offset of the list.
    file[file.count - 6] = 0xFF
    file[file.count - 5] = 0xFF
    #expect(throws: ZIPError.self) { try read(file) }
  }

  @Test func changedBytesNeverTrapAndNeverInventContents() throws {
    let whole = zip(
      [star, star.deflated(), ZIPMember("b", "c")].enumerated().map { number, member in
        var member = member
        member.path += Array("\(number)".utf8)
        return member
      }, isLarge: true)
    let known: Set<[UInt8]> = [star.contents, Array("c".utf8)]
    var random = SeededGenerator.forTest(31)
    var found = 0
    for _ in 0..<400 {
      var file = whole
      for _ in 0..<random.pick(1...6) {
        file[random.pick(0...file.count - 1)] = UInt8(truncatingIfNeeded: random.next())
      }
      let comment = random
      file.withUnsafeBytes { bytes in
        guard let zip = try? ZIPFile(bytes) else { return }
        for entry in zip.entries {
          guard let contents = try? zip.contents(of: entry), !contents.isEmpty else { continue }
          #expect(known.contains(contents), "\(comment)")
          found += 1
        }
      }
    }
    #expect(found > 0)
  }
}
