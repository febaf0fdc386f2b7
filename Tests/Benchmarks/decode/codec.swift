// The codecs of the run time without the run time: finds the compressed bytes of a picture, and
// decodes them. Used by decode.c.

// The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Archive
import Bytes
import Codecs

/// Returns the block of the rendition whose file name begins with `name`.
@c public func codec_find(
  _ file: UnsafeRawPointer, _ size: Int, _ name: UnsafePointer<CChar>,
  _ length: UnsafeMutablePointer<Int>, _ facts: UnsafeMutablePointer<UInt32>
) -> UnsafeRawPointer? {
  let wanted = ByteString(cString: name)
  guard let archive = try? Archive(UnsafeRawBufferPointer(start: file, count: size)),
    let entries = try? archive.renditions()
  else { return nil }
  for entry in entries {
    guard let rendition = try? archive.rendition(entry), rendition.header.name.hasPrefix(wanted),
      let payload = try? BitmapPayload(rendition.payload.buffer),
      let row = try? rendition.bytesPerRow()
    else { continue }
    facts[0] = rendition.header.width
    facts[1] = rendition.header.height
    facts[2] = row
    facts[3] = payload.compression.rawValue
    length.pointee = rendition.payload.count
    return rendition.payload.buffer.baseAddress
  }
  return nil
}

/// Decodes one chunk; returns the number of bytes written, or -1 for damage.
@c public func codec_decode(
  _ compression: UInt32, _ source: UnsafeRawPointer, _ count: Int,
  _ target: UnsafeMutableRawPointer, _ room: Int
) -> Int {
  let source = UnsafeRawBufferPointer(start: source, count: count)
  let target = UnsafeMutableRawBufferPointer(start: target, count: room)
  let written =
    switch Compression(rawValue: compression) {
    case .lzfse: try? LZFSE.decode(source, into: target)
    case .lzvn: try? LZVN.decode(source, into: target)
    default: Int?.none
    }
  return written ?? -1
}

/// Decodes run lengths, which are stored row by row.
@c public func codec_decode_runs(
  _ source: UnsafeRawPointer, _ count: Int, _ target: UnsafeMutableRawPointer, _ pixel: UInt32,
  _ width: UInt32, _ height: UInt32, _ stride: UInt32
) -> Int {
  let room = Int(stride) * Int(height)
  do throws(CodecError) {
    try RunLength.decode(
      UnsafeRawBufferPointer(start: source, count: count), bytesPerPixel: Int(pixel),
      width: Int(width), height: Int(height),
      into: UnsafeMutableRawBufferPointer(start: target, count: room), rowStride: Int(stride))
    return room
  } catch { return -1 }
}

/// Decodes a payload of deepmap2, which states the tiles of its chunks itself.
@c public func codec_decode_map(
  _ source: UnsafeRawPointer, _ count: Int, _ target: UnsafeMutableRawPointer, _ pixel: UInt32,
  _ width: UInt32, _ height: UInt32, _ stride: UInt32
) -> Int {
  let format: PixelFormat = pixel == 8 ? .rgbw : pixel == 2 ? .ga8 : .argb
  let room = Int(stride) * Int(height)
  do throws(CodecError) {
    try BitmapPayload.decode(
      UnsafeRawBufferPointer(start: source, count: count), format: format, width: Int(width),
      height: Int(height), bytesPerRow: Int(stride),
      into: UnsafeMutableRawBufferPointer(start: target, count: room), rowStride: Int(stride))
    return room
  } catch { return -1 }
}
