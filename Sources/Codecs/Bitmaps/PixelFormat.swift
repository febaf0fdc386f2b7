// The layouts of pixels in bitmap payloads.

/// How one pixel of a rendition lies in memory.
package struct PixelFormat: Sendable, Hashable {
  package enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// 8-bit B, G, R, A, premultiplied (`BGRA` in the file).
    case argb
    /// 8-bit gray, alpha, premultiplied.
    case ga8
    /// R, G, B, A as half floats, premultiplied.
    case rgbw
    /// Gray, alpha of 16 bits.
    case ga16
    /// x1R5G5B5, opaque.
    case rgb5
    /// 8-bit gray without alpha.
    case gray
  }

  package let kind: Kind
  /// What the kind implies, except for textures, which hold wide pixels under a narrow name.
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

  /// nil where no pixel has that many bytes.
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
