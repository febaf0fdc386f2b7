// The removal of files from a cache that is too large: the entries that were used longest ago, and
// no other files.

import Bytes
import Foundation
import Host
import Support
import Testing

@testable import CatalogCompiler

@Suite struct CacheFolderTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Writes an entry of 1,000 bytes that was used this number of hours ago.
  private func entry(_ number: Int, hoursAgo: Double, in part: String = "ab") throws -> String {
    let digits = String(number)
    let length = part == "runs" ? 32 : 30
    let name = String(repeating: "0", count: length - digits.count) + digits
    let path = try folder.write([UInt8](repeating: 7, count: 1_000), to: "kept/\(part)/\(name)")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600 * hoursAgo)], ofItemAtPath: path)
    return path
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func entriesThatWereNotUsedForLongestAreRemovedFirst() throws {
    let old = try entry(1, hoursAgo: 50)
    let older = try entry(2, hoursAgo: 90, in: "runs")
    let read = try entry(3, hoursAgo: 80)
    let new = try entry(4, hoursAgo: 1)
    let other = try folder.write([UInt8](repeating: 7, count: 9_000), to: "kept/ab/notes")
    #expect(CacheFile.read(ByteString(read))?.count == 1_000)
    let cache = try #require(CacheFolder(ByteString(folder.path("kept")), limit: 3_000))
    cache.grow(by: 1_000)
    // A fifth must be free afterwards, so two of four entries are left.
    #expect(!exists(older) && !exists(old))
    #expect(exists(read) && exists(new) && exists(other))
    #expect(cache.contents().byteCount == 2_000)
  }

  @Test(arguments: ["", "1234567", "\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}"])
  func aMalformedSizeIsCountedAnew(_ text: String) throws {
    for number in 0..<4 { _ = try entry(number, hoursAgo: Double(9 - number)) }
    try folder.write(text, to: "kept/size")
    let cache = try #require(CacheFolder(ByteString(folder.path("kept")), limit: 3_000))
    cache.grow(by: 1)
    #expect(cache.contents().byteCount == 2_000)
    #expect(try folder.read("kept/size").count == 8)
    #expect(try folder.read("kept/size").number(at: 0) == 2_000)
  }

  @Test func addedBytesAreCountedWithoutReadingTheFolder() throws {
    let cache = try #require(CacheFolder(ByteString(folder.path("kept")), limit: 3_000))
    cache.grow(by: 1_000)
    cache.grow(by: 500)
    #expect(try folder.read("kept/size").count == 16)
    cache.grow(by: 0)
    #expect(try folder.read("kept/size").count == 16)
  }

  @Test func aLinkIsNoEntryAndIsNotFollowed() throws {
    let place = try folder.write([UInt8](repeating: 7, count: 1_000), to: "elsewhere/a")
    _ = try entry(1, hoursAgo: 1)
    let name = String(repeating: "0", count: 30)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("kept/ab/\(name)"), withDestinationPath: place)
    let cache = try #require(CacheFolder(ByteString(folder.path("kept"))))
    #expect(cache.clear().count == 1)
    #expect(exists(place))
  }
  /// A link in place of an entry would give the bytes and the time of another file.
  @Test func aLinkIsNotReadAndItsFileKeepsItsTime() throws {
    let entry = try entry(1, hoursAgo: 50)
    let before = try #require(FileIdentity(ByteString(entry)))
    let link = folder.path("kept/ab/\(String(repeating: "0", count: 30))")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: entry)
    #expect(CacheFile.read(ByteString(link)) == nil)
    #expect(FileIdentity(ByteString(entry)) == before)
    #expect(CacheFile.read(ByteString(entry))?.count == 1_000)
    #expect(FileIdentity(ByteString(entry)) != before)
  }

  /// The times are the first and last ones that a file system can store.
  @Test(arguments: [Int.max / 4, -(Int.max / 4), 0])
  func wildTimesAreNoTrap(_ seconds: Int) throws {
    let entry = try entry(1, hoursAgo: 1)
    let unfinished = try folder.write("half", to: "kept/ab/.carve-half")
    for path in [entry, unfinished] {
      var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      utimensat(AT_FDCWD, path, &times, 0)
    }
    let cache = try #require(CacheFolder(ByteString(folder.path("kept")), limit: 3_000))
    #expect(cache.contents().byteCount == 1_000)
    #expect(CacheFile.read(ByteString(entry))?.count == 1_000)
  }
}
