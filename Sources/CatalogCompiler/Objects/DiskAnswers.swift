// Records the answers of the disk during the compilation of an object. The link gives the same
// answers to the same reader, without the disk.
//
//   reader ── list("A.xcassets") ──▶ AnswerRecorder.tree ── list ──▶ disk
//                                         │
//                                   notes: "A.xcassets" has the entries …, or the error …

import Archive
import Bytes
import Host
import Synchronization

/// A part of a file that the reader requested.
struct FileRange: Sendable, Hashable {
  var path: ByteString
  var offset: Int
  var count: Int
}

/// The answers to each kind of request. The keys are the requested paths.
struct RecordedAnswers: Sendable {
  var folders: [ByteString: Result<[FileEntry], FileError>] = [:]
  var entries: [ByteString: Result<FileEntry, FileError>] = [:]
  var files: [ByteString: Result<[UInt8], FileError>] = [:]
  var parts: [FileRange: Result<FilePart, FileError>] = [:]
  var realPaths: [ByteString: Result<ByteString, FileError>] = [:]
}

/// A recorder of the answers of another tree.
final class AnswerRecorder: Sendable {
  private let answers = Mutex(RecordedAnswers())
  let scope: ObjectScope
  private let base: FileTree
  /// The folder in which the tool runs, and the catalogue, both without links.
  private let here: ByteString
  private let root: ByteString

  init(_ scope: ObjectScope, over base: FileTree) {
    self.scope = scope
    self.base = base
    here = (try? base.realPath(".")) ?? "/"
    root = (try? base.realPath(scope.catalog)) ?? scope.catalog
  }

  /// The tree that the reader must use in place of `base`.
  var tree: FileTree {
    base.observed { path, answer in
      let known = self.scope.known(path)
      self.answers.withLock { answers in
        switch answer {
        case .list(let result): answers.folders[known] = result
        case .status(let result): answers.entries[known] = result
        case .read(let result): answers.files[known] = result
        case .readPart(let offset, let count, let result):
          answers.parts[FileRange(path: known, offset: offset, count: count)] = result
        case .realPath(let result): answers.realPaths[known] = result.map(self.everywhere)
        }
      }
    }
  }

  /// Returns a real path as if the tool ran in the folder "/." and the rest of the disk were
  /// unknown. The relations between the catalogue, the paths in it and the folders around it stay
  /// the same.
  private func everywhere(_ path: ByteString) -> ByteString {
    if path == root { return joined("/.", scope.name) }
    if let rest = path.relative(to: root) { return joined(joined("/.", scope.name), rest) }
    if path == here { return "/." }
    if let rest = path.relative(to: here) { return joined("/.", rest) }
    return here.isInside(path) || path == "/" ? "" : "/elsewhere"
  }

  /// Returns the answers as an object stores them.
  func stored() -> [UInt8] { answers.withLock { $0.stored } }
}

extension RecordedAnswers {
  /// The answers as an object stores them, in the order of the paths.
  var stored: [UInt8] {
    var bytes: [UInt8] = []
    func add<Key, Answer>(
      _ answers: [Key: Result<Answer, FileError>], by path: (Key) -> (ByteString, Int, Int),
      _ addAnswer: (Answer) -> Void
    ) {
      bytes.append(number: UInt64(answers.count))
      let keys = answers.keys.map { (path: path($0), key: $0) }.sorted { a, b in
        a.path.0 == b.path.0
          ? (a.path.1, a.path.2) < (b.path.1, b.path.2)
          : a.path.0 < b.path.0
      }
      for (path, key) in keys {
        bytes.append(name: path.0)
        if key is FileRange {
          bytes.append(number: UInt64(path.1))
          bytes.append(number: UInt64(path.2))
        }
        switch answers[key] {
        case .success(let answer):
          bytes.append(1)
          addAnswer(answer)
        case .failure(let error):
          bytes.append(0)
          bytes.add(error)
        case nil: break
        }
      }
    }
    add(folders, by: { ($0, 0, 0) }) { entries in
      bytes.append(number: UInt64(entries.count))
      for entry in entries { bytes.add(entry) }
    }
    add(entries, by: { ($0, 0, 0) }) { entry in bytes.add(entry) }
    add(files, by: { ($0, 0, 0) }) { contents in bytes.append(run: contents) }
    add(realPaths, by: { ($0, 0, 0) }) { path in bytes.append(name: path) }
    add(parts, by: { ($0.path, $0.offset, $0.count) }) { part in
      bytes.append(number: UInt64(part.fileSize))
      bytes.append(run: part.bytes)
    }
    return bytes
  }
}

// MARK: - Reading

// Reads the answers in an object: the answer of the disk to each request of the compilation.

/// The answers in an object. The bytes of files are not copied; they stay in the object.
struct StoredAnswers: Sendable {
  var folders: [ByteString: Result<[FileEntry], FileError>] = [:]
  var entries: [ByteString: Result<FileEntry, FileError>] = [:]
  var files: [ByteString: Result<FileBytes, FileError>] = [:]
  var realPaths: [ByteString: Result<ByteString, FileError>] = [:]
  var parts: [FileRange: Result<(bytes: FileBytes, size: Int), FileError>] = [:]

  init() {}

  init(_ bytes: UnsafeRawBufferPointer) throws(RecordDamage) {
    var cursor = RecordReader(bytes)
    for _ in 0..<(try cursor.count()) {
      folders[try cursor.name()] = try cursor.answer { (cursor) throws(RecordDamage) in
        let count = try cursor.count()
        var list: [FileEntry] = []
        for _ in 0..<count { list.append(try cursor.entry()) }
        return list
      }
    }
    for _ in 0..<(try cursor.count()) {
      entries[try cursor.name()] = try cursor.answer { (cursor) throws(RecordDamage) in
        try cursor.entry()
      }
    }
    for _ in 0..<(try cursor.count()) {
      files[try cursor.name()] = try cursor.answer { (cursor) throws(RecordDamage) in
        FileBytes(try cursor.run())
      }
    }
    for _ in 0..<(try cursor.count()) {
      realPaths[try cursor.name()] = try cursor.answer { (cursor) throws(RecordDamage) in
        try cursor.name()
      }
    }
    for _ in 0..<(try cursor.count()) {
      let range = FileRange(
        path: try cursor.name(), offset: try cursor.count(), count: try cursor.count())
      parts[range] = try cursor.answer { (cursor) throws(RecordDamage) in
        let size = try cursor.count()
        return (FileBytes(try cursor.run()), size)
      }
    }
    guard cursor.isAtEnd else { throw RecordDamage() }
  }
}

extension RecordReader {
  fileprivate mutating func answer<Answer>(
    _ read: (inout RecordReader) throws(RecordDamage) -> Answer
  ) throws(RecordDamage) -> Result<Answer, FileError> {
    try byte() == 1 ? .success(try read(&self)) : .failure(try failure())
  }
}
