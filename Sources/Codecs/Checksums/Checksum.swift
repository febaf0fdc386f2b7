// The check values of gzip, zlib and PNG.

package enum Checksum {
  /// Returns the CRC-32 of gzip and PNG. Handles eight bytes at a time with eight tables in one
  /// array.
  package static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    crcTables.withUnsafeBufferPointer { tables in
      guard let table = tables.baseAddress, let base = bytes.baseAddress else { return 0 }
      var crc = ~UInt32(0)
      var offset = 0
      // The tables have 8 × 256 entries; every index is a byte plus a multiple of 256 below 2048.
      while bytes.count - offset >= 8 {
        let word = UInt64(
          littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let mixed = word ^ UInt64(crc)
        crc = 0
        for lane in 0..<8 {
          let byte = Int(truncatingIfNeeded: mixed >> UInt64(8 &* lane) & 0xFF)
          crc ^= table[(7 &- lane) &* 256 &+ byte]
        }
        offset &+= 8
      }
      while offset < bytes.count {
        crc = table[Int((crc ^ UInt32(bytes[offset])) & 0xFF)] ^ crc >> 8
        offset &+= 1
      }
      return ~crc
    }
  }

  static func adler32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    var offset = 0
    while offset < bytes.count {
      // After 5552 bytes, and not more, the sums are still below 2^32.
      let end = min(offset + 5552, bytes.count)
      while offset < end {
        low &+= UInt32(bytes[offset])
        high &+= low
        offset &+= 1
      }
      low %= 65521
      high %= 65521
    }
    return high << 16 | low
  }

  private static let crcTables: [UInt32] = {
    var table: [UInt32] = []
    for index in 0..<256 {
      var value = UInt32(index)
      for _ in 0..<8 {
        let shifted = value >> 1
        value = value & 1 == 1 ? shifted ^ 0xEDB8_8320 : shifted
      }
      table.append(value)
    }
    for index in 256..<2048 {
      let before = table[index - 256]
      table.append(table[Int(before & 0xFF)] ^ before >> 8)
    }
    return table
  }()
}
