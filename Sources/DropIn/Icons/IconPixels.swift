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

extension Bitmap {
  /// The same picture of another size; for pixels of four bytes.
  func scaled(width target: Int, height targetHeight: Int) -> Bitmap {
    let columns = AreaWeights(from: width, to: target)
    let rows = AreaWeights(from: height, to: targetHeight)
    // First each row, then each column of what that gives.
    var narrow = [Float](repeating: 0, count: target * height * 4)
    for y in 0..<height {
      for x in 0..<target {
        for (source, weight) in columns.parts[x] {
          let place = y * bytesPerRow + source * 4
          for channel in 0..<4 {
            narrow[(y * target + x) * 4 + channel] += weight * Float(pixels[place + channel])
          }
        }
      }
    }
    let stride = BitmapLayout.bgra8.bytesPerRow(width: target)
    var bytes = [UInt8](repeating: 0, count: stride * targetHeight)
    for y in 0..<targetHeight {
      for x in 0..<target * 4 {
        var sum: Float = 0
        for (source, weight) in rows.parts[y] { sum += weight * narrow[source * target * 4 + x] }
        bytes[y * stride + x] = UInt8(max(0, min(255, sum.rounded())))
      }
    }
    return Bitmap(
      width: target, height: targetHeight, layout: .bgra8, isOpaque: isOpaque, isGray: isGray,
      pixels: bytes)
  }
}

/// Which source pixels a target pixel covers, and by how much. The weights of a pixel sum to one.
private struct AreaWeights {
  private(set) var parts: [[(source: Int, weight: Float)]] = []

  init(from count: Int, to target: Int) {
    let step = Double(count) / Double(target)
    for pixel in 0..<target {
      let start = Double(pixel) * step
      let end = start + step
      var own: [(Int, Float)] = []
      var source = Int(start)
      while source < count, Double(source) < end {
        let covered = min(end, Double(source + 1)) - max(start, Double(source))
        if covered > 0 { own.append((source, Float(covered / step))) }
        source += 1
      }
      parts.append(own)
    }
  }
}
