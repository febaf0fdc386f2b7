// A picture of an icon in the size that its file has to have: as its author made it where that is the
// size, else scaled by the mean of the area that each pixel covers.

import ArchiveTools
import CatalogCompiler
import CatalogModel
import Codecs
import Host

struct IconPixels {
  /// The PNG file: the author's own bytes where nothing had to be scaled.
  private(set) var png: [UInt8]
  private let bitmap: Bitmap

  /// Larger files are no icons.
  private static let fileLimit = 1 << 28

  /// Nil where the file is no picture that can be read, which compiling speaks of.
  init?(_ source: SourceFile, width: Int, height: Int, in tree: FileTree) {
    guard width > 0, height > 0, width <= 4096, height <= 4096,
      let file = try? tree.read(source.path, IconPixels.fileLimit)
    else { return nil }
    var decoder = PictureDecoder()
    let options = PictureOptions(gamut: .sRGB, allowsGray: false)
    guard
      let decoded = try? file.withUnsafeBytes({ try decoder.decode($0, options: options) }),
      decoded.layout == .bgra8
    else { return nil }
    if decoded.width == width, decoded.height == height {
      png = file
      bitmap = decoded
    } else {
      bitmap = decoded.scaled(width: width, height: height)
      png = bitmap.pngFile()
    }
  }

  /// Red, green, blue and alpha, each for all pixels; colours not premultiplied.
  func straightPlanes() -> [[UInt8]] {
    var planes = [[UInt8]](repeating: [], count: 4)
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let place = y * bitmap.bytesPerRow + x * 4
        let alpha = Int(bitmap.pixels[place + 3])
        for (plane, channel) in [2, 1, 0].enumerated() {
          let value = Int(bitmap.pixels[place + channel])
          planes[plane].append(alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha)))
        }
        planes[3].append(UInt8(alpha))
      }
    }
    return planes
  }
}
