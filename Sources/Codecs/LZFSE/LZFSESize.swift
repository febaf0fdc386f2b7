// How large what a stream holds is, from its block headers alone.

extension LZFSE {
  /// The number of bytes that the stream decodes to, and the number of bytes that it takes up.
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
