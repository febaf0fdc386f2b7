// Reads little-endian fields and byte ranges of a buffer and checks each against its end. It is
// meant for headers; the hot loops of the codecs check once for each block and then use pointers.

struct ByteReader {
  let bytes: UnsafeRawBufferPointer
  var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var remaining: Int { bytes.count - offset }

  mutating func byte() throws(CodecError) -> UInt8 { try integer() }
  mutating func u16() throws(CodecError) -> UInt16 { try integer() }
  mutating func u32() throws(CodecError) -> UInt32 { try integer() }
  mutating func u64() throws(CodecError) -> UInt64 { try integer() }

  mutating func integer<T: FixedWidthInteger & BitwiseCopyable>() throws(CodecError) -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw .truncated(at: bytes.count) }
    let value = bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
    offset += size
    return T(littleEndian: value)
  }

  /// Returns the next `count` bytes. `count` may be any number that a file states.
  mutating func take(_ count: Int) throws(CodecError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else { throw .truncated(at: bytes.count) }
    let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    offset += count
    return part
  }
}

extension Array where Element == UInt8 {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Overwrites bytes that already exist.
  mutating func store(_ value: UInt32, at offset: Int) {
    for index in 0..<4 { self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}
