// The memory that decoders need beside source and destination, kept from one bitmap to the next.

/// Scratch memory, allocated on first use: 52 KB for entropy-coded blocks, and rows if the layout
/// of the payload's rows differs from the caller's. It grows to the need of the largest bitmap and
/// is freed with its owner. The type is public because Embedded Swift does not see the end of life
/// of values whose types are visible in the package only.
public struct DecodingScratch: ~Copyable {
  private var tables: UnsafeMutableRawPointer?
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var lent = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  package init() {}

  /// Lends memory of the owner for rows, which is used if it is large enough (see
  /// `BitmapPayload.scratchSize`). The memory must stay valid until other memory is lent or the
  /// scratch is released.
  package mutating func lend(_ memory: UnsafeMutableRawBufferPointer) { lent = memory }

  deinit {
    tables?.deallocate()
    room.deallocate()
  }

  /// Returns room for the tables and literals of an entropy-coded block.
  mutating func entropyTables() -> UnsafeMutableRawPointer {
    if let tables { return tables }
    let made = UnsafeMutableRawPointer.allocate(
      byteCount: LZFSE.scratchSize, alignment: 16)
    tables = made
    return made
  }

  /// Returns room for `size` bytes and the slack of wide copies. Its earlier content may be lost.
  mutating func rows(_ size: Int) -> UnsafeMutableRawBufferPointer {
    if lent.count >= size + wideCopySlack { return lent }
    if room.count < size + wideCopySlack {
      room.deallocate()
      room = .allocate(byteCount: size + wideCopySlack, alignment: 16)
    }
    return room
  }

  /// Frees all memory.
  package mutating func release() {
    tables?.deallocate()
    tables = nil
    lent = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    room.deallocate()
    room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }
}
