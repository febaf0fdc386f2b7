// Big-endian numbers in the tables of fonts and in JPEG files.

/// Bytes with big-endian numbers. Bytes outside of the file read as 0, because tables of fonts are
/// often wrong, and one wrong glyph is better than no page.
public struct BigEndianBytes {
  public let bytes: [UInt8]

  @inlinable package init(_ bytes: [UInt8]) { self.bytes = bytes }

  @inlinable package var count: Int { bytes.count }

  @inlinable package func u8(_ offset: Int) -> Int {
    offset >= 0 && offset < bytes.count ? Int(bytes[offset]) : 0
  }

  @inlinable package func u16(_ offset: Int) -> Int { u8(offset) << 8 | u8(offset &+ 1) }
  @inlinable package func i16(_ offset: Int) -> Int { Int(Int16(truncatingIfNeeded: u16(offset))) }
  @inlinable package func u32(_ offset: Int) -> Int { u16(offset) << 16 | u16(offset &+ 2) }

  /// Reads a number of one to four bytes.
  @inlinable package func number(_ offset: Int, size: Int) -> Int {
    var value = 0
    for index in 0..<min(size, 4) { value = value << 8 | u8(offset &+ index) }
    return value
  }

  /// Returns the part of a range that lies inside of the bytes.
  @inlinable package func clamped(_ start: Int, count: Int) -> Range<Int> {
    let low = min(max(start, 0), bytes.count)
    return low..<low + min(max(count, 0), bytes.count - low)
  }
}
