// Decodes deflate streams, bare or wrapped as zlib or gzip, and verifies the wrapper's check value.
// InflateBlocks.swift decodes the blocks.

package enum Inflate {
  package enum Wrapper: Sendable {
    case raw, zlib, gzip

    /// Detects the wrapper from the first bytes: gzip, or zlib if they are not gzip's.
    package init(detectedIn source: UnsafeRawBufferPointer) {
      self = source.count >= 2 && source[0] == 0x1F && source[1] == 0x8B ? .gzip : .zlib
    }
  }

  /// Decodes one stream and returns the number of bytes written. The rest of `destination` may have
  /// been used as scratch memory; bytes of `source` after the stream are ignored.
  package static func decode(
    _ source: UnsafeRawBufferPointer, wrapper: Wrapper,
    into destination: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    var reader = ByteReader(source)
    switch wrapper {
    case .raw: break
    case .zlib: try skipZlibHeader(&reader)
    case .gzip: try skipGzipHeader(&reader)
    }
    let start = reader.offset
    let body = try reader.take(reader.remaining)
    var written = 0
    do throws(CodecError) {
      reader.offset = start + (try inflateBlocks(body, into: destination, written: &written))
    } catch {
      throw error.moved(by: start)
    }
    let output = UnsafeRawBufferPointer(rebasing: destination[..<written])
    let check = reader.offset
    switch wrapper {
    case .raw: break
    case .zlib:
      let stated = try reader.u32().byteSwapped
      guard stated == Checksum.adler32(output) else { throw .corrupt(at: check) }
    case .gzip:
      guard try reader.u32() == Checksum.crc32(output) else { throw .corrupt(at: check) }
      guard try reader.u32() == UInt32(truncatingIfNeeded: output.count) else {
        throw .corrupt(at: check + 4)
      }
    }
    return written
  }

  /// Decodes as much as possible of a zlib stream that may be cut or damaged, and ignores its check
  /// value, for formats whose readers have always done so. `needsMore` means that the destination
  /// was too small.
  package static func salvage(
    zlib source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer
  ) -> (written: Int, needsMore: Bool) {
    var written = 0
    do throws(CodecError) {
      var reader = ByteReader(source)
      try skipZlibHeader(&reader)
      _ = try inflateBlocks(
        try reader.take(reader.remaining), into: destination, written: &written)
    } catch .outputTooSmall {
      return (written, true)
    } catch {}
    return (written, false)
  }

  private static func skipZlibHeader(_ reader: inout ByteReader) throws(CodecError) {
    let method = try reader.byte()
    let flags = try reader.byte()
    guard method & 15 == 8, method >> 4 <= 7, (UInt(method) << 8 | UInt(flags)) % 31 == 0 else {
      throw .corrupt(at: 0)
    }
    if flags & 0x20 != 0 { throw .unsupported("a zlib stream with a preset dictionary") }
  }

  private static func skipGzipHeader(_ reader: inout ByteReader) throws(CodecError) {
    guard try reader.u16() == 0x8B1F, try reader.byte() == 8 else { throw .corrupt(at: 0) }
    let flags = try reader.byte()
    guard flags & 0xE0 == 0 else { throw .corrupt(at: 3) }
    _ = try reader.take(6)
    if flags & 4 != 0 { _ = try reader.take(Int(try reader.u16())) }
    if flags & 8 != 0 { while try reader.byte() != 0 {} }
    if flags & 16 != 0 { while try reader.byte() != 0 {} }
    if flags & 2 != 0 { _ = try reader.u16() }
  }
}
