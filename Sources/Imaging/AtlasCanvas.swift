// Draws pictures into an atlas, at the frames that packing chose.

/// The pixels of an atlas while pictures are drawn into it.
package struct AtlasCanvas {
  private let width: Int
  private let height: Int
  private let layout: BitmapLayout
  private let isOpaque: Bool
  private let bytesPerRow: Int
  private var pixels: [UInt8]

  package init(width: Int, height: Int, layout: BitmapLayout, isOpaque: Bool) {
    self.width = width
    self.height = height
    self.layout = layout
    self.isOpaque = isOpaque
    bytesPerRow = layout.bytesPerRow(width: width)
    pixels = [UInt8](repeating: 0, count: bytesPerRow * height)
  }

  /// Draws a picture of the same layout with its lower left corner at `x` and `y`, which count from
  /// the left and from the bottom, at least one pixel from the sides of the atlas. The pixels of
  /// its edges are repeated around it, as Apple's tool does, so that a program that scales the
  /// picture mixes its edges with no other colours.
  package mutating func draw(_ picture: Bitmap, x: Int, y: Int) {
    let size = layout.bytesPerPixel
    let length = picture.width * size
    let top = height - y - picture.height
    precondition(picture.layout == layout)
    precondition(x >= 1 && x + picture.width < width && y >= 1 && top >= 1)
    pixels.withUnsafeMutableBytes { canvas in
      picture.pixels.withUnsafeBytes { source in
        func copy(_ count: Int, from start: Int, to target: Int) {
          UnsafeMutableRawBufferPointer(rebasing: canvas[target..<target + count]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: source[start..<start + count]))
        }
        for row in -1...picture.height {
          let start = min(max(row, 0), picture.height - 1) * picture.bytesPerRow
          let target = (top + row) * bytesPerRow + x * size
          copy(length, from: start, to: target)
          copy(size, from: start, to: target - size)
          copy(size, from: start + length - size, to: target + length)
        }
      }
    }
  }

  package var bitmap: Bitmap {
    Bitmap(
      width: width, height: height, layout: layout, isOpaque: isOpaque, isGray: layout.isGray,
      pixels: pixels)
  }
}
