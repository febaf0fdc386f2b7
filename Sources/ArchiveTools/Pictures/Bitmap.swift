// Pixels as an archive stores them: the layouts, and one picture in one of them. How they come out
// of a file is PictureDecoder's business, how they are compressed that of Codecs.

/// How the pixels of a rendition lie in memory. Colour is premultiplied in all of them.
package enum BitmapLayout: UInt8, Sendable, Hashable, CaseIterable {
  /// Blue, green, red, alpha; a byte each.
  case bgra8
  /// Grey, alpha; a byte each.
  case ga8
  /// Red, green, blue, alpha; half floats in extended sRGB.
  case rgbw
  /// Grey, alpha; 16 bits each.
  case ga16
  /// Grey, alpha; half floats.
  case ga16Half

  package var bytesPerPixel: Int {
    switch self {
    case .bgra8, .ga16, .ga16Half: 4
    case .ga8: 2
    case .rgbw: 8
    }
  }

  /// Whether it has no place for colour.
  package var isGray: Bool {
    switch self {
    case .bgra8, .rgbw: false
    case .ga8, .ga16, .ga16Half: true
    }
  }

  /// The bytes of a row of `width` pixels, padded as every system from iOS 9 on wants it.
  package func bytesPerRow(width: Int) -> Int { (width * bytesPerPixel + 31) & ~31 }
}

/// One decoded picture. Rows go from the top down; the bytes between the last pixel of a row and
/// `bytesPerRow` are zero.
package struct Bitmap: Sendable, Equatable {
  package var width: Int
  package var height: Int
  package var layout: BitmapLayout
  package var bytesPerRow: Int
  /// Every pixel has full alpha.
  package var isOpaque: Bool
  /// Red, green and blue are equal in every premultiplied pixel.
  package var isGray: Bool
  /// The file's colours go beyond sRGB: decoding it once more for the P3 gamut keeps them.
  package var hasWiderSource: Bool
  /// bytesPerRow × height bytes.
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
  /// Copies the picture to a place in an atlas of the same layout, at least a pixel from its sides,
  /// and the pixels of its edges once more around it, as Apple's tool does: who scales the picture
  /// then mixes its edges with nothing else.
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

  /// The same picture with its rows close together, as the oldest systems want them.
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
