// The layouts of pixels in bitmap payloads, and rows of such pixels in the caller's memory.

/// The layout of one pixel of a rendition in memory.
package struct PixelFormat: Sendable, Hashable {
  package enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// 8-bit B, G, R, A, premultiplied (`BGRA` in the file).
    case argb
    /// 8-bit gray, alpha, premultiplied.
    case ga8
    /// R, G, B, A as half floats, premultiplied.
    case rgbw
    /// Gray and alpha, 16 bits each.
    case ga16
    /// x1R5G5B5, opaque.
    case rgb5
    /// 8-bit gray without alpha.
    case gray
  }

  package let kind: Kind
  /// The size of a pixel. The kind determines it, except in textures, which store wide pixels under
  /// a narrow format name.
  package let bytesPerPixel: Int

  package init(_ kind: Kind) {
    self.kind = kind
    switch kind {
    case .argb, .ga16: bytesPerPixel = 4
    case .ga8, .rgb5: bytesPerPixel = 2
    case .rgbw: bytesPerPixel = 8
    case .gray: bytesPerPixel = 1
    }
  }

  /// Creates a format with another pixel size. Returns nil if no pixel has that many bytes.
  package init?(_ kind: Kind, bytesPerPixel: Int) {
    guard (1...16).contains(bytesPerPixel) else { return nil }
    self.kind = kind
    self.bytesPerPixel = bytesPerPixel
  }

  package static let argb = PixelFormat(.argb)
  package static let ga8 = PixelFormat(.ga8)
  package static let rgbw = PixelFormat(.rgbw)
  package static let ga16 = PixelFormat(.ga16)
  package static let rgb5 = PixelFormat(.rgb5)
  package static let gray = PixelFormat(.gray)
}

// MARK: - Rows of pixels

// Rows of pixels in the caller's memory: the destination of a decoder, the source of an encoder.

/// The destination of a decoder. It was checked that the memory holds all rows.
struct PixelRows {
  let base: UnsafeMutableRawPointer
  let bytesPerPixel: Int
  let width: Int
  let height: Int
  let stride: Int

  /// Throws if `memory` cannot hold `height` rows of `width` pixels at the given distance.
  init(
    _ memory: UnsafeMutableRawBufferPointer, bytesPerPixel: Int, width: Int, height: Int,
    stride: Int
  ) throws(CodecError) {
    let needed = try extent(
      bytesPerPixel: bytesPerPixel, width: width, height: height, stride: stride)
    guard let base = memory.baseAddress, memory.count >= needed else {
      throw .outputTooSmall(needed: needed)
    }
    self.base = base
    self.bytesPerPixel = bytesPerPixel
    self.width = width
    self.height = height
    self.stride = stride
  }

  var rowBytes: Int { width * bytesPerPixel }

  /// Returns a tile inside these rows.
  func tile(x: Int, y: Int, width: Int, height: Int) -> PixelRows {
    PixelRows(
      base: base + y * stride + x * bytesPerPixel, bytesPerPixel: bytesPerPixel, width: width,
      height: height, stride: stride)
  }

  private init(
    base: UnsafeMutableRawPointer, bytesPerPixel: Int, width: Int, height: Int, stride: Int
  ) {
    self.base = base
    self.bytesPerPixel = bytesPerPixel
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// All bytes from the first pixel to the last pixel of the last row.
  var memory: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: base, count: height == 0 ? 0 : stride * (height - 1) + rowBytes)
  }
}

/// Returns the bytes that rows take up; the last row ends after its pixels.
func extent(bytesPerPixel: Int, width: Int, height: Int, stride: Int) throws(CodecError) -> Int {
  let limit = Int(Int32.max)
  guard (1...16).contains(bytesPerPixel), (0...limit).contains(width),
    (0...limit).contains(height), (0...limit).contains(stride),
    width * bytesPerPixel <= stride
  else { throw .unsupported("a bitmap of that size") }
  return height == 0 ? 0 : stride * (height - 1) + width * bytesPerPixel
}
