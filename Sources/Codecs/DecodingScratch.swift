// The memory that decoders need beside source and destination, kept from one bitmap to the next.

/// Taken when it is first needed: 52 KB for entropy-coded blocks, and rows where those of the payload
/// lie otherwise than the caller's. It grows to what the largest bitmap needed and goes with its owner.
/// Public, because Embedded Swift does not see how values end that are the package's alone.
public struct DecodingScratch: ~Copyable {
  private var tables: UnsafeMutableRawPointer?
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var lent = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  package init() {}

  /// Memory of the owner's for rows, used where it is large enough (see `BitmapPayload.scratchSize`).
  /// It stays valid until other memory is lent or the scratch is released.
  package mutating func lend(_ memory: UnsafeMutableRawBufferPointer) { lent = memory }

  deinit {
    tables?.deallocate()
    room.deallocate()
  }

  /// Room for the tables and literals of an entropy-coded block.
  mutating func entropyTables() -> UnsafeMutableRawPointer {
    if let tables { return tables }
    let made = UnsafeMutableRawPointer.allocate(
      byteCount: LZFSE.scratchSize, alignment: 16)
    tables = made
    return made
  }

  /// Room for `size` bytes and the slack of wide copies; what was in it before may be gone.
  mutating func rows(_ size: Int) -> UnsafeMutableRawBufferPointer {
    if lent.count >= size + wideCopySlack { return lent }
    if room.count < size + wideCopySlack {
      room.deallocate()
      room = .allocate(byteCount: size + wideCopySlack, alignment: 16)
    }
    return room
  }

  /// Gives all memory back.
  package mutating func release() {
    tables?.deallocate()
    tables = nil
    lent = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    room.deallocate()
    room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }
}
