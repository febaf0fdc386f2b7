// Decodes the pixels of a rendition for code that looks into pictures: packing atlases again,
// proving that a picture did not change, comparing archives. Codecs contains the decoders.

import Archive
import Codecs
import Imaging

extension Bitmap {
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

  /// Returns the picture to which a link into this atlas leads; nil if it leaves the atlas.
  func cut(_ link: InternalLink) -> Bitmap? {
    cut(x: Int(link.x), y: Int(link.y), width: Int(link.width), height: Int(link.height))
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
