// Tests the temporary names of an output, and that none of them stays.

import Bytes
import CPosix
import Foundation
import Support
import Testing

@testable import Host

@Suite struct OutputFileTests {
  private let folder: TemporaryDirectory
  private let place: String
  private let name: UnfinishedName

  init() throws {
    folder = try TemporaryDirectory()
    place = folder.path("out.car")
    name = UnfinishedName(of: ByteString(place))
  }

  private func write(_ text: String) throws {
    var file = try OutputFile(path: ByteString(place))
    try file.append(Array(text.utf8))
    try file.commit()
  }

  private var left: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
  }

  @Test func theNextRunTakesWhatAKilledOneLeft() throws {
    try folder.write("old", to: "out.car")
    for path in [name.path(0), name.path(0) + ".part"] {
      #expect(FileManager.default.createFile(atPath: path.text, contents: Data("left".utf8)))
    }
    try write("new")
    #expect(try folder.read("out.car") == Array("new".utf8))
    let created = try #require(name.create())
    #expect(created.path == name.path(0) + ".part")
    #expect(try #require(FileManager.default.contents(atPath: created.path.text)).isEmpty)
    close(created.descriptor)
    unlink(created.path.text)
    #expect(try left == ["out.car"])
  }

  @Test func theFileOfALivingRunIsLeftAlone() throws {
    let first = try #require(name.create())
    let second = try #require(name.create())
    #expect(first.path == name.path(0) + ".part")
    #expect(second.path == name.path(1) + ".part")
    #expect(carve_is_same(first.descriptor, first.path.text))
    close(first.descriptor)
    close(second.descriptor)
  }

  @Test func aNewFileNeedsNoOtherName() throws {
    try takeAllNames()
    try write("new")
    #expect(try folder.read("out.car") == Array("new".utf8))
  }

  @Test func anInputThatCannotBeReadIsNotCalledUnwritable() throws {
    let input = open(folder.path, O_RDONLY)
    defer { close(input) }
    #expect(throws: OutputError(operation: "read", path: ByteString(place), code: EISDIR)) {
      var file = try OutputFile(path: ByteString(place))
      try file.append(0..<10, of: input)
    }
  }

  @Test func theOldFileStaysIfAllNamesAreTaken() throws {
    try folder.write("old", to: "out.car")
    try takeAllNames()
    #expect(throws: OutputError(operation: "replace", path: ByteString(place), code: EEXIST)) {
      try write("new")
    }
    #expect(try folder.read("out.car") == Array("old".utf8))
  }

  /// Occupies all temporary names with folders, which cannot be removed like files.
  private func takeAllNames() throws {
    for number in 0..<100 {
      for path in [name.path(number), name.path(number) + ".part"] {
        #expect(mkdir(path.text, 0o777) == 0)
      }
    }
  }

  @Test func runsThatReplaceOneFileLeaveOneOfTheirs() async throws {
    try folder.write("old", to: "out.car")
    let place = place
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for round in 0..<50 {
            var file = try OutputFile(path: ByteString(place), survivesPowerCut: false)
            try file.append(Array("\(writer).\(round) ".utf8) + [UInt8](repeating: 1, count: 5000))
            try file.commit()
          }
        }
      }
      try await group.waitForAll()
    }
    let bytes = try folder.read("out.car")
    #expect(bytes.dropFirst(bytes.count - 5000).allSatisfy { $0 == 1 } && bytes.contains(0x2E))
    #expect(try left == ["out.car"])
  }
}
