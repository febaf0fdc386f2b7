// Decodes the pixels of a rendition for code that looks into pictures: packing atlases again,
// proving that a picture did not change, comparing archives. Codecs contains the decoders.

import Archive
import Codecs

extension Bitmap {
  /// Returns whether a payload of this length can hold a picture of this size. No device draws more
  /// than 2²⁸ pixels, and no codec makes more than some ten thousand bytes out of one. For larger
  /// claims no memory is allocated.
  package static func isJustified(width: Int, height: Int, bytesPerPixel: Int, payload: Int) -> Bool
  {
    guard width > 0, height > 0, width <= 1 << 28 / height else { return false }
    // The padding of the rows counts, too: it is most of a picture that is one pixel wide.
    let size = ((width * bytesPerPixel + 31) & ~31) * height
    return size <= 1 << 31 && size >> 18 <= payload
  }

  /// Returns the bytes of a rendition as a bitmap and as a file of it; 0 if it holds no bitmap that
  /// is decoded.
  static func memory(of rendition: Rendition) -> Int {
    let (width, height) = (Int(rendition.header.width), Int(rendition.header.height))
    let isRead = isJustified(
      width: width, height: height, bytesPerPixel: 8, payload: rendition.payload.count)
    // The pixels, the rows of the file, and the file.
    return isRead ? 3 * BitmapLayout.bgra8.bytesPerRow(width: width) * height : 0
  }

  /// Decodes the pixels of a rendition; nil if it holds no bitmap, or one that Codecs does not
  /// decode.
  init?(_ rendition: Rendition) throws(FormatError) {
    let header = rendition.header
    let stored = rendition.payload.buffer
    guard let payload = try? BitmapPayload(stored),
      let layout = try BitmapLayout(stored: rendition, payload.compression)
    else { return nil }
    let width = Int(header.width)
    let stated = try rendition.bytesPerRow().map { Int($0) } ?? width * layout.bytesPerPixel
    self.init(
      payload: stored, layout: layout, width: width, height: Int(header.height),
      statedBytesPerRow: stated)
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
      for place in row * bytesPerRow + used..<(row + 1) * bytesPerRow { pixels[place] = 0 }
    }
  }

  /// Returns the picture to which a link into this atlas leads; nil if it leaves the atlas.
  func cut(_ link: InternalLink) -> Bitmap? {
    let (left, below, columns, rows) = (
      Int(link.x), Int(link.y), Int(link.width), Int(link.height)
    )
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
}

extension BitmapLayout {
  /// Returns the layout of a rendition's pixels; nil if it has no pixels, or pixels of an obsolete
  /// format.
  init?(stored rendition: Rendition, _ compression: Compression) throws(FormatError) {
    let header = rendition.header
    switch header.pixelFormat {
    case .argb: self = try rendition.holdsWideTexture() ? .rgbw : .bgra8
    case .grayAlpha8: self = .ga8
    case .grayAlpha16: self = compression.holdsHalfGray ? .ga16Half : .ga16
    case .wide: self = .rgbw
    default: return nil
    }
  }
}

extension Rendition {
  /// Returns whether the rendition is a texture of half floats. Its format is that of 8-bit
  /// colours, but its rows are longer.
  fileprivate func holdsWideTexture() throws(FormatError) -> Bool {
    guard header.layout == .textureImage, let row = try bytesPerRow() else { return false }
    return Int(row) >= 8 * Int(header.width)
  }
}

extension BitmapLayout {
  package var archived: StoredFormat {
    switch self {
    case .bgra8: .argb
    case .ga8: .grayAlpha8
    case .rgbw: .wide
    case .ga16, .ga16Half: .grayAlpha16
    }
  }

  package var coded: PixelFormat {
    switch self {
    case .bgra8: .argb
    case .ga8: .ga8
    case .rgbw: .rgbw
    case .ga16, .ga16Half: .ga16
    }
  }

  package var colorSpace: ColorSpaceID {
    switch self {
    case .bgra8: .sRGB
    case .ga8: .grayGamma22
    case .rgbw: .extendedSRGB
    case .ga16, .ga16Half: .extendedGray
    }
  }
}
