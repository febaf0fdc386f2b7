// Computes the decoded size of a stream from its block headers alone.

extension LZFSE {
  /// Returns the number of bytes to which the stream decodes, and the number of bytes of the
  /// stream.
  package static func sizes(
    _ source: UnsafeRawBufferPointer
  ) throws(CodecError) -> (decoded: Int, encoded: Int) {
    var reader = ByteReader(source)
    var decoded = 0
    while true {
      let start = reader.offset
      let mark = try reader.u32()
      if mark == LZFSEBlock.end { return (decoded, reader.offset) }
      decoded += Int(try reader.u32())
      switch mark {
      case LZFSEBlock.raw:
        reader.offset = start + 4
        _ = try reader.take(Int(try reader.u32()))
      case LZFSEBlock.lzvn:
        _ = try reader.take(Int(try reader.u32()))
      case LZFSEBlock.plainTables:
        _ = try reader.take(12)
        let literalBytes = Int(try reader.u32())
        let matchBytes = Int(try reader.u32())
        _ = try reader.take(LZFSEBlock.plainHeaderSize - 28)
        _ = try reader.take(literalBytes)
        _ = try reader.take(matchBytes)
      case LZFSEBlock.packedTables:
        let literalBytes = Int(try reader.u64() >> 20 & 0xF_FFFF)
        let matchBytes = Int(try reader.u64() >> 40 & 0xF_FFFF)
        let headerBytes = Int(try reader.u64() & 0xFFFF_FFFF)
        guard headerBytes >= LZFSEBlock.packedHeaderSize else { throw .corrupt(at: start) }
        _ = try reader.take(headerBytes - LZFSEBlock.packedHeaderSize)
        _ = try reader.take(literalBytes)
        _ = try reader.take(matchBytes)
      default: throw .corrupt(at: start)
      }
    }
  }
}
