// Makes an icon picture of a given size. A picture of that size keeps its file; another is scaled,
// and each new pixel is the mean of the area that it covers.

import CatalogCompiler
import Imaging

struct IconPixels {
  /// The PNG file; the author's own bytes if they are a PNG of this size.
  private(set) var png: [UInt8]
  private let bitmap: Bitmap
  /// The limit for the sides of a picture that is made, in pixels.
  static let mostSide = 4096

  /// Returns nil if the file cannot be decoded, or if a side is above the limit.
  init?(_ file: [UInt8], width: Int, height: Int) {
    let sides = 1...IconPixels.mostSide
    guard sides.contains(width), sides.contains(height) else { return nil }
    if let picture = try? Bitmap.ofJPEG(file) {
      self.init(picture.scaled(width: width, height: height))
      return
    }
    var decoder = PictureDecoder()
    let options = PictureOptions(gamut: .sRGB, allowsGray: false)
    guard
      let decoded = try? file.withUnsafeBytes({ try decoder.decode($0, options: options) }),
      decoded.layout == .bgra8
    else { return nil }
    self.init(decoded.scaled(width: width, height: height))
    if decoded.width == width, decoded.height == height { png = file }
  }

  init(_ drawn: Bitmap) {
    png = drawn.pngFile()
    bitmap = drawn
  }

  /// Returns one plane for each of red, green, blue and alpha. The colours are not premultiplied.
  func straightPlanes() -> [[UInt8]] {
    var planes = [[UInt8]](repeating: [], count: 4)
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let place = y * bitmap.bytesPerRow + x * 4
        let alpha = bitmap.pixels[place + 3]
        for (plane, channel) in [2, 1, 0].enumerated() {
          planes[plane].append(straightChannel(bitmap.pixels[place + channel], alpha: alpha))
        }
        planes[3].append(alpha)
      }
    }
    return planes
  }
}
