// What is asked of a writer of bitmaps, who must be able to read them, and what it is given.

/// What a writer of bitmaps strives for.
package enum Optimization: Sendable, CaseIterable {
  /// What Apple's tool chooses, without what has little chance to be chosen.
  case standard
  /// The very bytes of Apple's tool.
  case identical
  /// The fewest bytes.
  case space
  /// The fastest encoding.
  case time
}

/// Which systems must be able to read what is written, by what the oldest of them understands.
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

  /// The reader in an iOS, tvOS or Catalyst of this version.
  package static func iOS(_ major: Int) -> OldestReader {
    major >= 13
      ? .deepMap2 : major == 12 ? .palette : major >= 9 ? .lzfse : major == 8 ? .lzvn : .plain
  }

  /// The reader in a macOS of this version.
  package static func macOS(_ major: Int, _ minor: Int) -> OldestReader {
    if major > 10 || minor >= 15 { return .deepMap2 }
    if minor == 14 { return .palette }
    return minor >= 11 ? .lzfse : minor == 10 ? .lzvn : .plain
  }

  /// The bytes of a row of pixels with their padding: none in the oldest systems, to 32 later.
  package func bytesPerRow(width: Int, bytesPerPixel: Int) -> Int {
    let pixels = width * bytesPerPixel
    return self < .lzfse ? pixels : (pixels + 31) & ~31
  }
}

/// The rows of one bitmap, as its payload holds them: `bytesPerRow` apart, the padding zero.
package struct BitmapRows {
  package let pixels: UnsafeRawBufferPointer
  package let format: PixelFormat
  package let width: Int
  package let height: Int
  package let bytesPerRow: Int
  /// Whether every pixel has full alpha.
  package let isOpaque: Bool
  /// Whether pixels of grey and alpha of 16 bits are half floats.
  package let isHalfGray: Bool

  /// `pixels` has at least `height` times `bytesPerRow` bytes.
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

/// What one bitmap demands of its writer.
package struct BitmapDemands: Sendable, Hashable {
  /// Systems read icons in fewer kinds of compression than images.
  package var isIcon: Bool
  /// Whether every pixel is to come back as it was, where Apple's tool would round colours.
  package var isExact: Bool

  package init(isIcon: Bool = false, isExact: Bool = false) {
    self.isIcon = isIcon
    self.isExact = isExact
  }
}

extension Compression {
  /// How a payload says that it is compressed; nil where it is none.
  package init?(of payload: [UInt8]) {
    let parsed = payload.withUnsafeBytes { try? BitmapPayload($0).compression }
    guard let parsed else { return nil }
    self = parsed
  }

  /// The bytes of a row that a rendition states of a bitmap in this compression. Of deepmaps, whose
  /// rows have no padding, Apple's tool states what it decodes them to.
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
    return (width * bytesPerPixel + 31) & ~31
  }
}
