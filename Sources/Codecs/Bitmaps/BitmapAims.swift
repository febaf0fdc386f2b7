// The requirements on a writer of bitmaps, the systems that must read them, and its input.

/// The aim of a writer of bitmaps.
package enum Optimization: Sendable, CaseIterable {
  /// The choice of Apple's tool, without the methods that are unlikely to be chosen.
  case standard
  /// Exactly the bytes of Apple's tool.
  case identical
  /// The fewest bytes.
  case space
  /// The fastest encoding.
  case time
}

/// The oldest system that must be able to read the result.
package enum OldestReader: Int, Sendable, Comparable, CaseIterable {
  /// iOS 7, macOS 10.9: neither LZVN nor LZFSE.
  case plain
  /// iOS 8, macOS 10.10.
  case lzvn
  /// iOS 9 to 11, macOS 10.11 to 10.13.
  case lzfse
  /// iOS 12, macOS 10.14.
  case palette
  /// iOS 13, macOS 10.15 and later.
  case deepMap2

  package static func < (a: OldestReader, b: OldestReader) -> Bool { a.rawValue < b.rawValue }

  /// Returns the reader of an iOS, tvOS or Catalyst of this version.
  package static func iOS(_ major: Int) -> OldestReader {
    major >= 13
      ? .deepMap2 : major == 12 ? .palette : major >= 9 ? .lzfse : major == 8 ? .lzvn : .plain
  }

  /// Returns the reader of a macOS of this version.
  package static func macOS(_ major: Int, _ minor: Int) -> OldestReader {
    if major > 10 || minor >= 15 { return .deepMap2 }
    if minor == 14 { return .palette }
    return minor >= 11 ? .lzfse : minor == 10 ? .lzvn : .plain
  }

  /// Returns the bytes of a row of pixels with its padding: none for the oldest systems, then to a
  /// multiple of 32.
  package func bytesPerRow(width: Int, bytesPerPixel: Int) -> Int {
    self < .lzfse
      ? width * bytesPerPixel : paddedRowBytes(width: width, bytesPerPixel: bytesPerPixel)
  }
}

/// Returns the bytes of a row of pixels with the padding that systems since iOS 9 expect: to a
/// multiple of 32.
package func paddedRowBytes(width: Int, bytesPerPixel: Int) -> Int {
  (width * bytesPerPixel + 31) & ~31
}

/// The rows of one bitmap, as its payload stores them: `bytesPerRow` apart, with zero padding.
package struct BitmapRows {
  package let pixels: UnsafeRawBufferPointer
  package let format: PixelFormat
  package let width: Int
  package let height: Int
  package let bytesPerRow: Int
  /// Whether every pixel has full alpha.
  package let isOpaque: Bool
  /// Whether pixels of grey and 16-bit alpha are half floats.
  package let isHalfGray: Bool

  /// Creates the rows. `pixels` has at least `height` times `bytesPerRow` bytes.
  package init(
    _ pixels: UnsafeRawBufferPointer, format: PixelFormat, width: Int, height: Int,
    bytesPerRow: Int, isOpaque: Bool, isHalfGray: Bool = false
  ) {
    precondition(bytesPerRow >= width * format.bytesPerPixel && width >= 0 && height >= 0)
    precondition(pixels.count >= bytesPerRow * height)
    self.pixels = UnsafeRawBufferPointer(rebasing: pixels[..<(bytesPerRow * height)])
    self.format = format
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    self.isOpaque = isOpaque
    self.isHalfGray = isHalfGray
  }
}

/// The requirements of one bitmap.
package struct BitmapDemands: Sendable, Hashable {
  /// Whether the bitmap is an icon. Systems read icons in fewer kinds of compression than images.
  package var isIcon: Bool
  /// Whether every pixel must be kept exactly, although Apple's tool would round colours.
  package var isExact: Bool

  package init(isIcon: Bool = false, isExact: Bool = false) {
    self.isIcon = isIcon
    self.isExact = isExact
  }
}

extension Compression {
  /// Reads the compression from a payload; nil if the bytes are not a payload.
  package init?(of payload: [UInt8]) {
    let parsed = payload.withUnsafeBytes { try? BitmapPayload($0).compression }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Returns the bytes of a row that a rendition states for a bitmap in this compression. For
  /// deepmaps, whose rows have no padding, Apple's tool states the size of the decoded rows.
  package func statedBytesPerRow(
    _ format: PixelFormat, width: Int, isOpaque: Bool, padded: Int
  ) -> Int {
    guard self == .deepMap2 else { return padded }
    let bytesPerPixel =
      switch format.kind {
      case .ga8: isOpaque ? 1 : 4
      case .ga16: 8
      default: format.bytesPerPixel
      }
    return paddedRowBytes(width: width, bytesPerPixel: bytesPerPixel)
  }
}
