// Reads the answers in an object: what the disk answered to each question of the compilation.

import Archive
import Bytes
import Host

/// The answers in an object. The bytes of files are not copied; they stay in the object.
struct HeldAnswers: Sendable {
  var folders: [ByteString: Result<[FileEntry], FileError>] = [:]
  var entries: [ByteString: Result<FileEntry, FileError>] = [:]
  var files: [ByteString: Result<Bytes, FileError>] = [:]
  var realPaths: [ByteString: Result<ByteString, FileError>] = [:]
  var parts: [FilePlace: Result<(bytes: Bytes, size: Int), FileError>] = [:]

  init() {}

  init(_ bytes: UnsafeRawBufferPointer) throws(ObjectDamage) {
    var cursor = ObjectCursor(bytes)
    for _ in 0..<(try cursor.number()) {
      folders[try cursor.name()] = try cursor.answer { (cursor) throws(ObjectDamage) in
        let count = try cursor.number()
        var list: [FileEntry] = []
        for _ in 0..<count { list.append(try cursor.entry()) }
        return list
      }
    }
    for _ in 0..<(try cursor.number()) {
      entries[try cursor.name()] = try cursor.answer { (cursor) throws(ObjectDamage) in
        try cursor.entry()
      }
    }
    for _ in 0..<(try cursor.number()) {
      files[try cursor.name()] = try cursor.answer { (cursor) throws(ObjectDamage) in
        Bytes(try cursor.run())
      }
    }
    for _ in 0..<(try cursor.number()) {
      realPaths[try cursor.name()] = try cursor.answer { (cursor) throws(ObjectDamage) in
        try cursor.name()
      }
    }
    for _ in 0..<(try cursor.number()) {
      let place = FilePlace(
        path: try cursor.name(), offset: try cursor.number(), count: try cursor.number())
      parts[place] = try cursor.answer { (cursor) throws(ObjectDamage) in
        let size = try cursor.number()
        return (Bytes(try cursor.run()), size)
      }
    }
    guard cursor.isAtEnd else { throw ObjectDamage() }
  }
}

extension ObjectCursor {
  fileprivate mutating func answer<Answer>(
    _ read: (inout ObjectCursor) throws(ObjectDamage) -> Answer
  ) throws(ObjectDamage) -> Result<Answer, FileError> {
    try byte() == 1 ? .success(try read(&self)) : .failure(try failure())
  }
}
