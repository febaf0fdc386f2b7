// Pictures that are made from several files: the layers of a stack without glass, drawn over each
// other in premultiplied bytes.

import CatalogModel
import Imaging

/// Layers from the back to the front, at the upper left corner of a transparent canvas.
package struct Composition: Sendable, Hashable {
  package var width: Int
  package var height: Int
  package var layers: [CompositionLayer] = []

  /// The limit for the number of layers, a multiple of that of real stacks.
  static let mostLayers = 128
  /// The limits of the sides and of the pixels of a canvas. No display has more.
  private static let longestSide = 16_384
  static let mostPixels = 1 << 25

  /// Returns whether a canvas or a layer of this size is drawn. The header of a file can state any
  /// numbers.
  static func canDraw(_ width: Int, _ height: Int) -> Bool {
    let sides = 1...longestSide
    return sides.contains(width) && sides.contains(height) && width * height <= mostPixels
  }

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The pixels for each unit of a vector's page: the scale of the bitmap divided by the scale of the
/// slot that has the file.
package struct DrawingScale: Sendable, Hashable {
  package var bitmap: UInt8
  package var slot: UInt8

  package var factor: Double { Double(bitmap) / Double(slot) }
}

package struct CompositionLayer: Sendable, Hashable {
  package var file: SourceFile
  package var width = 0
  package var height = 0
  /// The scale at which a vector with a size of its own is drawn.
  package var drawingScale: DrawingScale?

  package init(_ file: SourceFile) { self.file = file }
}

/// The pixels of a canvas: premultiplied blue, green, red and alpha, in rows without padding.
struct CompositionCanvas {
  let width: Int
  let height: Int
  var pixels: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: width * height * 4)
  }

  /// Draws a picture with premultiplied bytes over the canvas, at its upper left corner.
  mutating func add(_ picture: Bitmap) {
    guard picture.layout == .bgra8 else { return }
    let (columns, rows) = (min(width, picture.width), min(height, picture.height))
    let width = width
    pixels.withUnsafeMutableBytes { pixels in
      picture.pixels.withUnsafeBytes { source in
        for y in 0..<rows {
          for x in 0..<columns {
            let above = source.loadUnaligned(
              fromByteOffset: y * picture.bytesPerRow + x * 4, as: SIMD4<UInt8>.self)
            let offset = (y * width + x) * 4
            let below = pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
            pixels.storeBytes(of: above.over(below), toByteOffset: offset, as: SIMD4<UInt8>.self)
          }
        }
      }
    }
  }

  func bitmap() -> Bitmap {
    let stride = BitmapLayout.bgra8.bytesPerRow(width: width)
    var rows = [UInt8](repeating: 0, count: stride * height)
    for y in 0..<height {
      let start = y * width * 4
      rows.replaceSubrange(
        y * stride..<y * stride + width * 4, with: pixels[start..<start + width * 4])
    }
    return Bitmap(surveying: rows, width: width, height: height)
  }
}

extension SIMD4<UInt8> {
  /// Returns this pixel over another premultiplied pixel.
  @inline(__always)
  fileprivate func over(_ below: SIMD4<UInt8>) -> SIMD4<UInt8> {
    let rest = 255 - UInt32(w)
    if rest == 255 { return below }
    if rest == 0 { return self }
    // Division by 255, as a multiplication that is exact for 16 bits.
    let parts = SIMD4<UInt32>(truncatingIfNeeded: below) &* rest &+ 127
    let shining = (parts &* 0x8081) &>> 23
    let both = SIMD4<UInt32>(truncatingIfNeeded: self) &+ shining
    return SIMD4(truncatingIfNeeded: pointwiseMin(both, SIMD4<UInt32>(repeating: 255)))
  }
}
