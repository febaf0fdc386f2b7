// The decoded pixels of a rendition, for what has to look into pictures: rebuilding atlases, proving
// that a picture did not change, comparing archives. Decoding itself is Codecs' business.

import Archive
import Codecs

/// Pixels in the format in which the archive stores them, rows without padding, from the top down.
struct RenditionPixels: Equatable {
  var width: Int
  var height: Int
  var bytesPerPixel: Int
  var bytes: [UInt8]

  /// Nil where the rendition holds no bitmap, or one that Codecs do not decode.
  init?(_ rendition: Rendition) throws(FormatError) {
    guard let format = rendition.header.codecFormat,
      let payload = try? BitmapPayload(rendition.payload.buffer)
    else { return nil }
    width = Int(rendition.header.width)
    height = Int(rendition.header.height)
    bytesPerPixel = format.bytesPerPixel
    let stride = width * bytesPerPixel
    let stated = try rendition.bytesPerRow().map { Int($0) } ?? stride
    guard width > 0, height > 0, width <= RenditionPixels.mostPixels / height else { return nil }
    var pixels = [UInt8](repeating: 0, count: stride * height)
    let (width, height) = (width, height)
    let isDecoded = pixels.withUnsafeMutableBytes { target in
      (try? payload.decode(
        format: format, width: width, height: height, bytesPerRow: stated, into: target,
        rowStride: stride)) != nil
    }
    if !isDecoded { return nil }
    bytes = pixels
  }

  /// A quarter of what four bytes a pixel can address; no device draws larger pictures.
  static let mostPixels = 1 << 28

  /// The pixels of a frame whose y counts from below; nil where it leaves the picture.
  func cut(x: UInt32, y: UInt32, width: UInt32, height: UInt32) -> RenditionPixels? {
    let (left, below, columns, rows) = (Int(x), Int(y), Int(width), Int(height))
    guard columns <= self.width, left <= self.width - columns, rows <= self.height,
      below <= self.height - rows
    else { return nil }
    let top = self.height - below - rows
    var part = RenditionPixels(width: columns, height: rows, bytesPerPixel: bytesPerPixel)
    for row in 0..<rows {
      let start = ((top + row) * self.width + left) * bytesPerPixel
      part.bytes += bytes[start..<start + columns * bytesPerPixel]
    }
    return part
  }

  private init(width: Int, height: Int, bytesPerPixel: Int) {
    self.width = width
    self.height = height
    self.bytesPerPixel = bytesPerPixel
    bytes = []
    bytes.reserveCapacity(width * height * bytesPerPixel)
  }
}

extension RenditionPixels {
  func cut(_ link: InternalLink) -> RenditionPixels? {
    cut(x: link.x, y: link.y, width: link.width, height: link.height)
  }
}

extension CSIHeader {
  /// How Codecs call the pixels; nil where there are none.
  var codecFormat: Codecs.PixelFormat? {
    switch pixelFormat {
    case .argb: .argb
    case .grayAlpha8: .ga8
    case .grayAlpha16: .ga16
    case .wide: .rgbw
    case .rgb5: .rgb5
    default: nil
    }
  }
}
