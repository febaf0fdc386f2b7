// The serialiser of Carve's own files: objects, entries of caches, records of runs. A record is a
// sequence of these values, which the reader must read in the order in which they were written:
//
//   number    8 bytes, least significant first
//   word      4 bytes, least significant first
//   digest    two numbers
//   run       the number of bytes, and the bytes
//   name      a run that is a name: at most 16,384 bytes, none of them zero
//
// The reader checks every length against the bytes that are left, so that no file can make a
// caller read or allocate more than the file contains.

/// The error of bytes that cannot be part of a record.
public struct RecordDamage: Error {
  @inlinable package init() {}
}

/// A reader of the values that the `append` functions below wrote.
public struct RecordReader {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var offset = 0

  @inlinable package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var isAtEnd: Bool { offset == bytes.count }

  @inlinable package mutating func take(_ count: Int) throws(RecordDamage) -> UnsafeRawBufferPointer
  {
    guard count >= 0, count <= bytes.count - offset else { throw RecordDamage() }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  @inlinable package mutating func byte() throws(RecordDamage) -> UInt8 { try take(1)[0] }

  @inlinable package mutating func word() throws(RecordDamage) -> UInt32 {
    UInt32(littleEndian: try take(4).loadUnaligned(as: UInt32.self))
  }

  @inlinable package mutating func number() throws(RecordDamage) -> UInt64 {
    UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
  }

  /// Reads a number that is not negative and small enough to be added to others.
  package mutating func count() throws(RecordDamage) -> Int {
    guard let count = Int(exactly: try number()), count <= 1 << 56 else { throw RecordDamage() }
    return count
  }

  package mutating func digest() throws(RecordDamage) -> Digest128 {
    Digest128(first: try number(), second: try number())
  }

  package mutating func run() throws(RecordDamage) -> UnsafeRawBufferPointer {
    try take(try count())
  }

  /// Reads a name. No path is longer than the limit. A path with a zero byte would be another path
  /// to the system.
  package mutating func name() throws(RecordDamage) -> ByteString {
    let bytes = try run()
    guard bytes.count <= 1 << 14, !bytes.contains(0) else { throw RecordDamage() }
    return ByteString(bytes: bytes)
  }
}

extension [UInt8] {
  @inlinable package mutating func append(number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  @inlinable package mutating func append(word: UInt32) {
    Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0) }
  }

  package mutating func append(digest: Digest128) {
    append(number: digest.first)
    append(number: digest.second)
  }

  package mutating func append(run bytes: [UInt8]) {
    append(number: UInt64(bytes.count))
    append(contentsOf: bytes)
  }

  package mutating func append(name: ByteString) { append(run: name.bytes) }

  /// Returns the number in the eight bytes at an offset that is known to be valid. It is meant for
  /// tables of rows, which are read in place.
  @inlinable package func number(at offset: Int) -> UInt64 {
    withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// Overwrites the eight bytes at an offset that is known to be valid.
  package mutating func replace(number: UInt64, at offset: Int) {
    Swift.withUnsafeBytes(of: number.littleEndian) {
      replaceSubrange(offset..<offset + 8, with: $0)
    }
  }
}
