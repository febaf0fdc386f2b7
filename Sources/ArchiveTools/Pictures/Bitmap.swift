// Pixels as an archive stores them: the layouts, and one picture in one of them. PictureDecoder
// reads them from a file, and Codecs compresses them.

/// The layout of a rendition's pixels in memory. Colours are premultiplied in all layouts.
package enum BitmapLayout: UInt8, Sendable, Hashable, CaseIterable {
  /// Blue, green, red, alpha: a byte each.
  case bgra8
  /// Grey, alpha: a byte each.
  case ga8
  /// Red, green, blue, alpha: half floats in extended sRGB.
  case rgbw
  /// Grey, alpha: 16 bits each.
  case ga16
  /// Grey, alpha: half floats.
  case ga16Half

  package var bytesPerPixel: Int {
    switch self {
    case .bgra8, .ga16, .ga16Half: 4
    case .ga8: 2
    case .rgbw: 8
    }
  }

  /// Whether the layout has no channels for colour.
  package var isGray: Bool {
    switch self {
    case .bgra8, .rgbw: false
    case .ga8, .ga16, .ga16Half: true
    }
  }

  /// Returns the bytes of a row of `width` pixels, with the padding that systems since iOS 9
  /// expect.
  package func bytesPerRow(width: Int) -> Int { (width * bytesPerPixel + 31) & ~31 }
}

/// A decoded picture. Its rows are stored from the top down. The bytes between the last pixel of a
/// row and `bytesPerRow` are zero.
package struct Bitmap: Sendable, Equatable {
  package var width: Int
  package var height: Int
  package var layout: BitmapLayout
  package var bytesPerRow: Int
  /// Whether every pixel has full alpha.
  package var isOpaque: Bool
  /// Whether red, green and blue are equal in every premultiplied pixel.
  package var isGray: Bool
  /// Whether the file has colours outside sRGB. They are kept if it is decoded again for the P3
  /// gamut.
  package var hasWiderSource: Bool
  /// `bytesPerRow` × `height` bytes.
  package var pixels: [UInt8]

  package init(
    width: Int, height: Int, layout: BitmapLayout, bytesPerRow: Int? = nil, isOpaque: Bool,
    isGray: Bool, hasWiderSource: Bool = false, pixels: [UInt8]
  ) {
    self.width = width
    self.height = height
    self.layout = layout
    self.bytesPerRow = bytesPerRow ?? layout.bytesPerRow(width: width)
    self.isOpaque = isOpaque
    self.isGray = isGray
    self.hasWiderSource = hasWiderSource
    self.pixels = pixels
    precondition(pixels.count == self.bytesPerRow * height, "the pixels do not fill the bitmap")
  }
}

extension Bitmap {
  /// Copies the picture to a place in an atlas of the same layout, at least one pixel from the
  /// sides of the atlas. The pixels of its edges are repeated around it, as Apple's tool does, so
  /// that a program that scales the picture mixes its edges with no other colours.
  package func draw(intoAtlas atlas: inout [UInt8], bytesPerRow atlasRow: Int, x: Int, y: Int) {
    let size = layout.bytesPerPixel
    let length = width * size
    for row in -1...height {
      let source = min(max(row, 0), height - 1) * bytesPerRow
      let place = (y + row) * atlasRow + x * size
      atlas.replaceSubrange(place..<place + length, with: pixels[source..<source + length])
      for byte in 0..<size {
        atlas[place - size + byte] = pixels[source + byte]
        atlas[place + length + byte] = pixels[source + length - size + byte]
      }
    }
  }

  /// Returns the same picture without padding between its rows, as the oldest systems expect it.
  package func withoutPadding() -> Bitmap {
    let length = width * layout.bytesPerPixel
    if length == bytesPerRow { return self }
    var rows: [UInt8] = []
    rows.reserveCapacity(length * height)
    for row in 0..<height {
      rows += pixels[row * bytesPerRow..<row * bytesPerRow + length]
    }
    return Bitmap(
      width: width, height: height, layout: layout, bytesPerRow: length, isOpaque: isOpaque,
      isGray: isGray, hasWiderSource: hasWiderSource, pixels: rows)
  }
}
