// Tests that a folder appears whole or not at all.

import Bytes
import CPosix
import Foundation
import Support
import Testing

@testable import Host

@Suite struct OutputFolderTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private var left: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private var place: ByteString { ByteString(folder.path("out")) }

  @Test func nothingIsSeenBeforeTheEnd() throws {
    let output = try OutputFolder(place)
    try output.write([1, 2], to: "a/b/c")
    try output.write([], to: "a/d")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    try output.commit()
    #expect(try left == ["out"])
    #expect(try folder.read("out/a/b/c") == [1, 2])
  }

  @Test func droppedOutputsLeaveNothing() throws {
    do {
      let output = try OutputFolder(place)
      try output.write([1], to: "a/b")
    }
    #expect(try left == [])
  }

  @Test func theFilesOfOthersStay() throws {
    try folder.write("mine", to: "out/file")
    #expect(
      throws: OutputError(operation: "create the folder", path: place, code: ENOTEMPTY)
    ) { _ = try OutputFolder(place) }
    try folder.write("mine", to: "plain")
    #expect(throws: OutputError.self) { _ = try OutputFolder(ByteString(folder.path("plain"))) }
    #expect(try folder.read("out/file") == Array("mine".utf8))
  }

  @Test func anEmptyFolderIsFilled() throws {
    #expect(mkdir(folder.path("out"), 0o777) == 0)
    let output = try OutputFolder(place)
    try output.write([1], to: "a")
    try output.commit()
    #expect(try left == ["out"] && folder.read("out/a") == [1])
  }

  @Test func aLeftoverIsRemovedAndARunningRunIsNot() throws {
    let name = UnfinishedName(of: place).path(0) + ".folder"
    #expect(name.withCString { mkdir($0, 0o777) } == 0)
    #expect(joined(name, "old").withCString { mkdir($0, 0o777) } == 0)
    let output = try OutputFolder(place)
    #expect(throws: OutputError.self) { _ = try OutputFolder(place) }
    try output.write([1], to: "new")
    try output.commit()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == ["new"])
  }

  @Test func noPathLeadsOut() throws {
    let output = try OutputFolder(place)
    for path: ByteString in ["../x", "a/../../x", "", "a\u{0}b"] {
      #expect(throws: OutputError.self) { try output.write([1], to: path) }
    }
  }
}
