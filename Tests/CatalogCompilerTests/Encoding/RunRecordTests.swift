// Records of runs: the files that their times prove to be unchanged, and bytes that are not a
// record.

import Bytes
import Codecs
import Glibc
import Host
import Support
import Synchronization
import Testing

@testable import CatalogCompiler

@Suite struct RunRecordTests {
  private static let key = Digest128(first: 1, second: 2)
  private let folder: TemporaryDirectory
  private let file: String

  init() throws {
    folder = try TemporaryDirectory()
    file = try folder.write("contents", to: "a")
  }

  private func record(digestOf text: String, isSettled: Bool) throws -> RunRecord {
    let identity = try #require(FileIdentity(ByteString(file)))
    let row = Observation(
      kind: .file, path: ByteString(file), identity: identity,
      digest: Digest128(ofBytes: Array(text.utf8)),
      isSettled: isSettled)
    return RunRecord([row], of: RunRecordTests.key, answer: Array("{}".utf8))
  }

  private func isUnchanged(_ record: RunRecord, comparesContents: Bool = false) -> Bool {
    if case .unchanged = record.check(comparesContents: comparesContents, jobs: 1) {
      true
    } else {
      false
    }
  }

  @Test func aSettledFileIsBelievedByItsTimes() throws {
    #expect(try isUnchanged(record(digestOf: "other", isSettled: true)))
    #expect(try !isUnchanged(record(digestOf: "other", isSettled: true), comparesContents: true))
    #expect(try isUnchanged(record(digestOf: "contents", isSettled: true), comparesContents: true))
  }

  @Test func aFileThatMayHaveChangedInTheSameMomentIsRead() throws {
    #expect(try !isUnchanged(record(digestOf: "other", isSettled: false)))
    #expect(try isUnchanged(record(digestOf: "contents", isSettled: false)))
  }

  @Test func timesSettleWhenTheClockHasMovedOn() throws {
    let second: Int64 = 1_000_000_000
    func identity(_ modified: Int64, _ changed: Int64) -> FileIdentity {
      FileIdentity(device: 1, inode: 1, size: 1, modified: modified, changed: changed)
    }
    let now = 100 * second + 5
    #expect(identity(50 * second + 1, 50 * second + 1).isSettled(at: now))
    #expect(!identity(now - 10, now - 10).isSettled(at: now))
    #expect(!identity(50 * second + 1, now - 10).isSettled(at: now))
    // Every program can set a modification time in the future. A change time in the future means
    // that the clock was set back.
    #expect(identity(200 * second + 1, 50 * second + 1).isSettled(at: now))
    #expect(!identity(50 * second + 1, 200 * second + 1).isSettled(at: now))
    // The file system stores only whole seconds.
    #expect(!identity(99 * second, 99 * second).isSettled(at: now))
    #expect(identity(97 * second, 97 * second).isSettled(at: now))
  }

  @Test func onlyWholeRecordsAreRead() throws {
    let bytes = try record(digestOf: "contents", isSettled: true).bytes
    let whole = try #require(RunRecord(bytes))
    #expect(whole.count == 1 && whole.answer == Array("{}".utf8))
    #expect(whole.path(of: whole.row(0)) == file)
    for count in 0..<bytes.count { #expect(RunRecord(Array(bytes[..<count])) == nil) }
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(RunRecord(damaged) == nil, "byte \(index)")
    }
    #expect(RunRecord(bytes + [0]) == nil)
  }

  @Test func filesThatChangeWhileTheyAreReadAreNotRecorded() throws {
    let recorder = InputRecorder(.disk)
    let tree = recorder.watchedTree
    #expect(try tree.read(ByteString(file), 100) == Array("contents".utf8))
    #expect(recorder.observations(jobs: 1)?.count == 1)
    try folder.write("contentz", to: "a")
    #expect(recorder.observations(jobs: 1) == nil)
    #expect(try tree.read(ByteString(file), 100) == Array("contentz".utf8))
    #expect(recorder.observations(jobs: 1) == nil)
  }

  @Test(arguments: [true, false]) func aFileThatTheEarlierRunKnowsIsNotComparedAgain(
    isReadInPart: Bool
  ) throws {
    let earlier = EarlierRun(
      try record(digestOf: "contents", isSettled: true), .none, trustsTimes: true)
    let recorder = InputRecorder(.disk, after: earlier)
    let tree = recorder.watchedTree
    if isReadInPart { _ = try tree.readPart(ByteString(file), 0, 4) }
    #expect(tree.digest(ByteString(file)) == Digest128(ofBytes: Array("contents".utf8)))
    try folder.write("contentz", to: "a")
    let observations = recorder.observations(jobs: 1)
    #expect((observations == nil) == isReadInPart)
    guard let observations else { return }
    #expect(!isUnchanged(RunRecord(observations, of: RunRecordTests.key, answer: [])))
  }

  /// The peculiarity of a folder in the second of two runs.
  enum Special: CaseIterable { case nothing, changedFile, newFile, newLink, unreadFile }

  @Test(arguments: Special.allCases) func anUnchangedFolderIsNotListedAgain(_ special: Special)
    throws
  {
    let path = ByteString(folder.path("set"))
    try folder.write("contents", to: "set/a")
    try folder.write("x", to: "set/b/c")
    if special == .unreadFile { try folder.write("unread", to: "set/d") }
    func read(_ tree: FileTree) throws -> [FileEntry] {
      let entries = try tree.list(path)
      _ = try tree.list(joined(path, "b"))
      for file in ["set/a", "set/b/c", "a"] {
        _ = try tree.read(ByteString(folder.path(file)), 100)
      }
      return entries
    }
    // The folders get their times one after the other.
    for written in ["set", "set/b", "set/b/c"] {
      #expect(FileIdentity(ByteString(folder.path(written)))?.settles() == true)
    }
    let recorder = InputRecorder(.disk)
    _ = try read(recorder.watchedTree)
    let observations = try #require(recorder.observations(jobs: 1))
    let record = RunRecord(observations, of: RunRecordTests.key, answer: Array("{}".utf8))
    // A record of which nothing changed would be the answer.
    try folder.write("other contents", to: "a")
    switch special {
    case .nothing, .unreadFile: break
    case .changedFile: try folder.write("longer contents", to: "set/a")
    case .newFile: try folder.write("new", to: "set/new")
    case .newLink: #expect(symlink("a", folder.path("set/new")) == 0)
    }
    let unchanged: UnchangedRows
    switch record.check(comparesContents: false, jobs: 1) {
    case .changed(_, let rows), .files(_, _, let rows): unchanged = rows
    case .unchanged: unchanged = .none
    }
    let counted = Mutex([ByteString]())
    let disk = FileTree.disk.observed { path, answer in
      if case .list = answer { counted.withLock { $0.append(path) } }
    }
    let earlier = EarlierRun(record, unchanged, trustsTimes: true)
    let again = InputRecorder(disk, after: earlier)
    let entries = try read(again.watchedTree)
    #expect(try entries == FileTree.disk.list(path))
    let isListed = [.newFile, .newLink, .unreadFile].contains(special)
    #expect(counted.withLock { $0 } == (isListed ? [path] : []))
    let now = try #require(again.observations(jobs: 1))
    #expect(isUnchanged(RunRecord(now, of: RunRecordTests.key, answer: Array("{}".utf8))))
  }

  @Test func missingFilesAreRecorded() throws {
    let recorder = InputRecorder(.disk)
    #expect(throws: FileError.notFound) {
      try recorder.watchedTree.read(ByteString(folder.path("b")), 100)
    }
    let record = RunRecord(
      try #require(recorder.observations(jobs: 1)), of: RunRecordTests.key, answer: [])
    #expect(isUnchanged(record))
    try folder.write("x", to: "b")
    #expect(!isUnchanged(record))
  }
}
