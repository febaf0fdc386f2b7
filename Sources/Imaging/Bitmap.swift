// Pixels as an archive stores them: the layouts, and one picture in one of them. PictureDecoder
// reads them from a file, and Codecs compresses and decompresses them.

import CRows
import Codecs

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

  /// The format of the pixels for Codecs.
  package var coded: PixelFormat {
    switch self {
    case .bgra8: .argb
    case .ga8: .ga8
    case .rgbw: .rgbw
    case .ga16, .ga16Half: .ga16
    }
  }

  /// Returns the bytes of a row of `width` pixels, with the padding that systems since iOS 9
  /// expect.
  package func bytesPerRow(width: Int) -> Int {
    paddedRowBytes(width: width, bytesPerPixel: bytesPerPixel)
  }
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
  /// Whether the file has a wide profile and visible colours outside of sRGB. They are kept if the
  /// file is decoded again for the P3 gamut.
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

  package static func == (one: Bitmap, other: Bitmap) -> Bool {
    one.shows(other) && one.bytesPerRow == other.bytesPerRow && one.isOpaque == other.isOpaque
      && one.isGray == other.isGray && one.hasWiderSource == other.hasWiderSource
  }

  /// Returns whether both have the same size, layout and pixels. `==` of arrays would compare the
  /// bytes one by one.
  package func shows(_ other: Bitmap) -> Bool {
    width == other.width && height == other.height && layout == other.layout
      && pixels.withUnsafeBytes { mine in other.pixels.withUnsafeBytes { mine.isSame(as: $0) } }
  }

  /// Creates a bitmap of `bgra8` whose rows have the usual padding. The pixels decide whether it is
  /// opaque and whether it is grey.
  package init(surveying pixels: [UInt8], width: Int, height: Int) {
    let survey = Bitmap.survey(pixels, width: width, height: height)
    self.init(
      width: width, height: height, layout: .bgra8, isOpaque: survey.isOpaque,
      isGray: survey.isGray, pixels: pixels)
  }

  /// Returns whether all pixels are opaque, and whether all are grey.
  private static func survey(
    _ pixels: [UInt8], width: Int, height: Int
  ) -> (isOpaque: Bool, isGray: Bool) {
    let stride = BitmapLayout.bgra8.bytesPerRow(width: width)
    var opaque: UInt32 = 0xff00_0000
    var unequal: UInt32 = 0
    pixels.withUnsafeBytes { pixels in
      guard let base = pixels.baseAddress else { return }
      for y in 0..<height {
        let row = (base + y * stride).assumingMemoryBound(to: UInt32.self)
        for x in 0..<width {
          let pixel = row[x].littleEndian
          opaque &= pixel
          unequal |= (pixel ^ pixel &>> 8) & 0xffff
        }
      }
    }
    return (opaque == 0xff00_0000, unequal == 0)
  }
}

extension Bitmap {
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

  /// Returns a part of the picture; nil if it is empty or leaves the picture. The place counts from
  /// the lower left corner, as the links into an atlas do.
  package func cut(x left: Int, y below: Int, width columns: Int, height rows: Int) -> Bitmap? {
    guard columns > 0, rows > 0, columns <= width, left <= width - columns, rows <= height,
      below <= height - rows
    else { return nil }
    let stride = layout.bytesPerRow(width: columns)
    let top = height - below - rows
    var part: [UInt8] = []
    part.reserveCapacity(stride * rows)
    for row in top..<top + rows {
      let start = row * bytesPerRow + left * layout.bytesPerPixel
      part += pixels[start..<start + columns * layout.bytesPerPixel]
      part += repeatElement(0, count: stride - columns * layout.bytesPerPixel)
    }
    return Bitmap(
      width: columns, height: rows, layout: layout, isOpaque: isOpaque, isGray: isGray,
      pixels: part)
  }

  /// Whether every pixel has full alpha. Unlike `isOpaque`, this reads the pixels.
  package var hasFullAlpha: Bool {
    (0..<height).allSatisfy { y in (0..<width).allSatisfy { x in hasFullAlpha(x, y) } }
  }

  /// Returns whether a pixel has full alpha.
  package func hasFullAlpha(_ x: Int, _ y: Int) -> Bool {
    let end = y * bytesPerRow + (x + 1) * layout.bytesPerPixel
    switch layout {
    case .bgra8, .ga8: return pixels[end - 1] == 255
    // The bytes of 1 as a half float, or the largest number of 16 bits.
    case .rgbw, .ga16Half: return pixels[end - 2] == 0 && pixels[end - 1] == 0x3C
    case .ga16: return pixels[end - 2] == 255 && pixels[end - 1] == 255
    }
  }
}

extension Bitmap {
  /// Returns whether a payload of this length can hold a picture of this size. No device draws more
  /// than 2²⁸ pixels, and no codec makes more than some ten thousand bytes out of one. For larger
  /// claims no memory is allocated.
  package static func isJustified(width: Int, height: Int, bytesPerPixel: Int, payload: Int) -> Bool
  {
    guard width > 0, height > 0, width <= 1 << 28 / height else { return false }
    // The padding of the rows counts, too: it is most of a picture that is one pixel wide.
    let size = paddedRowBytes(width: width, bytesPerPixel: bytesPerPixel) * height
    return size <= 1 << 31 && size >> 18 <= payload
  }

  /// Decodes the pixels of a payload; nil if it does not decode to a bitmap of this size.
  package init?(
    payload stored: UnsafeRawBufferPointer, layout: BitmapLayout, width: Int, height: Int,
    statedBytesPerRow stated: Int
  ) {
    guard let payload = try? BitmapPayload(stored),
      Bitmap.isJustified(
        width: width, height: height, bytesPerPixel: layout.bytesPerPixel, payload: stored.count)
    else { return nil }
    let stride = layout.bytesPerRow(width: width)
    var pixels = [UInt8](repeating: 0, count: stride * height)
    let isDecoded = pixels.withUnsafeMutableBytes { target in
      (try? payload.decode(
        format: layout.coded, width: width, height: height, bytesPerRow: stated,
        into: target, rowStride: stride)) != nil
    }
    if !isDecoded { return nil }
    self.init(
      width: width, height: height, layout: layout, isOpaque: payload.isOpaque,
      isGray: layout.isGray, pixels: pixels)
    clearPadding()
  }

  /// Sets the padding to zero. Codecs may have written to it.
  private mutating func clearPadding() {
    let used = width * layout.bytesPerPixel
    guard used < bytesPerRow else { return }
    for row in 0..<height {
      for offset in row * bytesPerRow + used..<(row + 1) * bytesPerRow { pixels[offset] = 0 }
    }
  }
}

/// Returns a channel that is not premultiplied; 0 if the alpha is 0.
package func straightChannel(_ channel: UInt8, alpha: UInt8) -> UInt8 {
  if alpha == 0 || alpha == 255 { return alpha == 0 ? 0 : channel }
  let whole = Int(alpha)
  return UInt8(min(255, (Int(channel) * 255 + whole / 2) / whole))
}

extension UnsafeRawBufferPointer {
  /// Returns whether all bytes are equal.
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return carve_are_equal(mine, theirs, count)
  }
}
