// Unchecked loads from the bytes that a search compresses. Each search keeps its positions within
// the bytes.

protocol ByteLoads {
  /// The first byte.
  var base: UnsafeRawPointer { get }
}

extension ByteLoads {
  @inline(__always)
  func byte(_ position: Int) -> UInt8 { base.load(fromByteOffset: position, as: UInt8.self) }

  @inline(__always)
  func word32(_ position: Int) -> UInt32 {
    UInt32(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt32.self))
  }

  @inline(__always)
  func word64(_ position: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }
}
