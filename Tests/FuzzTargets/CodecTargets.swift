// Decoders of compressed bytes.

import Codecs

extension FuzzTarget {
  /// The first byte chooses the format of the others.
  static let codecs = FuzzTarget("codecs") { bytes in
    guard let choice = bytes.first else { return }
    let source = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    withOutput(1 << 16) { target in
      switch choice % 5 {
      case 0: _ = try? LZFSE.decode(source, into: target)
      case 1: _ = try? LZVN.decode(source, into: target)
      case 2: _ = try? Inflate.decode(source, wrapper: .raw, into: target)
      case 3: _ = try? Inflate.decode(source, wrapper: .zlib, into: target)
      default: _ = try? Inflate.decode(source, wrapper: .gzip, into: target)
      }
    }
  }

  /// The first three bytes are the pixel format, the width and the height of the payload.
  static let bitmap = FuzzTarget("bitmap") { bytes in
    guard bytes.count > 3 else { return }
    let kinds: [PixelFormat.Kind] = [.argb, .ga8, .rgbw, .ga16, .rgb5, .gray]
    let format = PixelFormat(kinds[Int(bytes[0]) % kinds.count])
    let width = Int(bytes[1])
    let height = Int(bytes[2])
    let stride = width * format.bytesPerPixel
    let payload = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3))
    withOutput(stride * height) { target in
      try? BitmapPayload.decode(
        payload, format: format, width: width, height: height, bytesPerRow: stride, into: target,
        rowStride: stride)
    }
  }
}

private func withOutput(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
  // A block of its own, so that the sanitizer sees one byte too many.
  let target = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
  body(target)
  target.deallocate()
}
