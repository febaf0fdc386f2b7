// Several outputs of one run: all or nothing, and untouched where nothing changed.

import Bytes
import CPosix
import Foundation
import Support
import Testing

@testable import Host

@Suite struct OutputSetTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private var left: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test func nothingIsSeenBeforeAllAreWhole() throws {
    let set = OutputSet()
    try set.write(Array("one".utf8), to: ByteString(folder.path("one")))
    try set.write(Array("two".utf8), to: ByteString(folder.path("two")))
    #expect(!FileManager.default.fileExists(atPath: folder.path("one")))
    try set.commit()
    #expect(try left == ["one", "two"])
    #expect(try folder.read("two") == Array("two".utf8))
  }

  @Test func oneThatCannotBeWrittenKeepsAllAway() throws {
    try folder.write("old", to: "one")
    #expect(mkdir(folder.path("two"), 0o777) == 0)
    let set = OutputSet()
    try set.write(Array("new".utf8), to: ByteString(folder.path("one")))
    try set.write(Array("new".utf8), to: ByteString(folder.path("two")))
    #expect(
      throws: OutputError(operation: "replace", path: ByteString(folder.path("two")), code: EISDIR)
    ) {
      try set.commit()
    }
    #expect(try folder.read("one") == Array("old".utf8))
    #expect(try left == ["one", "two"])
  }

  @Test func whatWasDroppedLeavesNothing() throws {
    let set = OutputSet()
    try set.write(Array("new".utf8), to: ByteString(folder.path("one")))
    #expect(set.paths == [folder.path("one")])
    #expect(try left.filter { !$0.hasPrefix(".") } == [])
  }

  @Test func staleFilesGoAndFoldersCome() throws {
    try folder.write("old", to: "stale")
    let set = OutputSet()
    set.remove(ByteString(folder.path("stale")))
    set.remove(ByteString(folder.path("never")))
    try set.makeFolder(ByteString(folder.path("a/b/c")))
    try set.write([1], to: ByteString(folder.path("a/b/c/d")))
    try set.commit()
    #expect(try left == ["a"])
    #expect(try folder.read("a/b/c/d") == [1])
  }

  @Test func sameBytesAreNotTouched() throws {
    let place = try folder.write("same", to: "one")
    let before = try FileManager.default.attributesOfItem(atPath: place)[.systemFileNumber] as? Int
    let set = OutputSet()
    try set.write(Array("same".utf8), to: ByteString(place))
    try set.write([], to: "/dev/null")
    try set.commit()
    let after = try FileManager.default.attributesOfItem(atPath: place)[.systemFileNumber] as? Int
    #expect(before == after)
  }
}
