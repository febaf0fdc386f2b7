// The layouts of pixels in bitmap payloads.

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
