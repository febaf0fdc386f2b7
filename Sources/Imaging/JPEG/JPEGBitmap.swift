// Converts decoded JPEG files into bitmaps: upright, and in sRGB.

import CRows
import Codecs
import Colors

extension Bitmap {
  /// Creates an opaque bitmap of a JPEG file, whose profile is converted to sRGB. `orientation` is
  /// that of the EXIF data, by which the pixels are turned.
  package init(_ picture: JPEGPicture, orientation: Int) {
    let place = UprightPlaces(
      orientation, width: picture.width, height: picture.height)
    let stride = BitmapLayout.bgra8.bytesPerRow(width: place.width)
    var pixels = [UInt8](repeating: 0, count: stride * place.height)
    let profile = picture.profile.withUnsafeBytes { ColorProfile($0) }
    let colors = profile.flatMap { SourceColors($0, depth: 8) }
    let count = picture.components
    let (second, third) = count == 3 ? (1, 2) : (0, 0)
    // A row of straight RGBA.
    var row = [UInt8](repeating: 255, count: 4 * picture.width)
    pixels.withUnsafeMutableBytes { pixels in
      for y in 0..<picture.height {
        for x in 0..<picture.width {
          let source = (y * picture.width + x) * count
          row[4 * x] = picture.samples[source]
          row[4 * x + 1] = picture.samples[source + second]
          row[4 * x + 2] = picture.samples[source + third]
        }
        row.withUnsafeMutableBytes { row in
          if let colors, let base = row.baseAddress {
            _ = colors.convertToSRGB(base, count: picture.width, wide: false)
          }
          for x in 0..<picture.width {
            let (column, line) = place.of(x, y)
            let target = line * stride + column * 4
            pixels[target] = row[4 * x + 2]
            pixels[target + 1] = row[4 * x + 1]
            pixels[target + 2] = row[4 * x]
            pixels[target + 3] = 255
          }
        }
      }
    }
    self.init(
      width: place.width, height: place.height, layout: .bgra8, isOpaque: true, isGray: count == 1,
      pixels: pixels)
  }
}

/// The places of stored pixels in the upright picture.
private struct UprightPlaces {
  /// The size of the upright picture.
  let width: Int
  let height: Int
  private let lastColumn: Int
  private let lastRow: Int
  private let swapsAxes: Bool
  private let reversesColumns: Bool
  private let reversesRows: Bool

  /// `width` and `height` are those of the stored picture.
  init(_ orientation: Int, width: Int, height: Int) {
    swapsAxes = (5...8).contains(orientation)
    reversesColumns = [2, 3, 7, 8].contains(orientation)
    reversesRows = [3, 4, 6, 7].contains(orientation)
    (lastColumn, lastRow) = (width - 1, height - 1)
    (self.width, self.height) = swapsAxes ? (height, width) : (width, height)
  }

  func of(_ x: Int, _ y: Int) -> (column: Int, row: Int) {
    let column = reversesColumns ? lastColumn - x : x
    let row = reversesRows ? lastRow - y : y
    return swapsAxes ? (row, column) : (column, row)
  }
}
