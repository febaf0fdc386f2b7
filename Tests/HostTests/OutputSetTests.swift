// Tests several outputs of one run: all or none is placed, and unchanged files are not touched.

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

  @Test func anOutputThatCannotBeWrittenKeepsAllAway() throws {
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

  @Test func droppedOutputsLeaveNothing() throws {
    let set = OutputSet()
    try set.write(Array("new".utf8), to: ByteString(folder.path("one")))
    #expect(set.paths == [folder.path("one")])
    #expect(try left.filter { !$0.hasPrefix(".") } == [])
  }

  @Test func outputsThatAreGivenUpLeaveNoFolder() throws {
    try folder.write("old", to: "kept/old")
    let set = OutputSet()
    for path in ["a/b/c", "kept/new"] { try set.makeFolder(ByteString(folder.path(path))) }
    try set.write([1], to: ByteString(folder.path("a/b/c/d")))
    set.discard()
    #expect(try left == ["kept"])
    #expect(try folder.files(below: "kept") == ["kept/old"])
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

  /// make takes a new archive as a sign that all other outputs are there, so the archive is placed
  /// last.
  @Test(arguments: [false, true])
  func theArchiveComesLastAndWhatIsStaleGoesThen(replaces: Bool) throws {
    for name in ["stale.car", "old.car"] { try folder.write("old", to: name) }
    if replaces {
      for name in ["a.car", "pack.car", "a.swift", "a.d"] { try folder.write("old", to: name) }
    }
    let log = try NameLog([folder.path])
    let set = OutputSet()
    set.remove(ByteString(folder.path("stale.car")))
    for name in ["a.car", "pack.car"] {
      var file = try OutputFile(path: ByteString(folder.path(name)))
      try file.append(Array("new".utf8))
      set.add(file, isArchive: true)
    }
    try set.write(Array("new".utf8), to: ByteString(folder.path("a.swift")))
    set.remove(ByteString(folder.path("old.car")))
    try set.write(Array("new".utf8), to: ByteString(folder.path("a.d")))
    try set.commit()
    #expect(
      log.events() == [
        "+ a.swift", "+ a.d", "+ pack.car", "+ a.car", "- stale.car", "- old.car",
      ])
  }

  @Test func theFolderOfARemovedFileIsSyncedAfterwards() throws {
    let path = try folder.write("old", to: "deep/stale.car")
    var synced: [String] = []
    func remove(_ survives: Bool) throws {
      try removeOutput(ByteString(path), survives) { place in
        synced.append(place.text)
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }
    try remove(true)
    #expect(synced == [folder.path("deep")])
    // No folder changes if the file does not exist. A folder is not synced if a power cut may undo
    // the removal.
    try remove(true)
    try folder.write("old", to: "deep/stale.car")
    try remove(false)
    #expect(synced.count == 1)
  }

  @Test func twoOutputsForOnePlaceAreRefused() throws {
    try folder.write("old", to: "one")
    let set = OutputSet()
    try set.write(Array("first".utf8), to: ByteString(folder.path("one")))
    try set.write(Array("second".utf8), to: ByteString(folder.path("./one")))
    #expect(throws: OutputError.self) { try set.commit() }
    #expect(try folder.read("one") == Array("old".utf8))
    let devices = OutputSet()
    for _ in 0..<2 { try devices.write([1], to: "/dev/null") }
    try devices.commit()
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
