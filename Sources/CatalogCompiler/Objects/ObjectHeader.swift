// Reads the header of an object: checks that the file is a complete object of this format, and
// finds its parts.

import Documents

struct ObjectHeader: Sendable {
  let checksum: UInt64
  let head: Int
  let answers: Int
  let index: Int

  /// Reads the header of a file, whose bytes are all given.
  init(_ bytes: UnsafeRawBufferPointer, isTrusted: Bool) throws(ObjectError) {
    guard ObjectFormat.begins(bytes) else {
      let isArchive = bytes.starts(with: "BOMStore".utf8)
      let what =
        bytes.isEmpty ? "it is empty" : isArchive ? "it is an archive" : "it is not an object"
      throw ObjectError("\(what); 'carve compile --object' makes an object from a catalogue")
    }
    guard bytes.count >= ObjectFormat.headerSize else {
      throw ObjectError("it is cut short; compile it again")
    }
    let words = (0..<8).map {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
    }
    guard words[1] == ObjectFormat.version else {
      throw ObjectError(
        "it was made by another version of Carve; compile it again with this version")
    }
    let sum = ObjectFormat.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<56]))
    guard isTrusted || words[7] == sum,
      let size = isTrusted ? bytes.count : Int(exactly: words[2])
    else { throw .damaged }
    if size > bytes.count {
      throw ObjectError(
        "it is cut short: \(grouped(bytes.count)) of \(grouped(size)) bytes are there; "
          + "compile it again")
    }
    let body = UnsafeRawBufferPointer(rebasing: bytes[ObjectFormat.headerSize...])
    guard size == bytes.count, isTrusted || words[3] == ObjectFormat.checksum(body),
      let head = Int(exactly: words[4]), let answers = Int(exactly: words[5]),
      let index = Int(exactly: words[6]), ObjectFormat.headerSize <= head, head <= answers,
      answers <= index, index <= size, (size - index) % ObjectFormat.rowSize == 0
    else { throw .damaged }
    (checksum, self.head, self.answers, self.index) = (words[3], head, answers, index)
  }
}

extension ObjectError {
  static let damaged = ObjectError("it is damaged; compile it again")
}
