// Helpers of the tests of drawings: pages of a few pixels, and their pixels as numbers.

@testable import Vectors

/// A drawn page: premultiplied pixels, with blue in the lowest byte.
struct Picture {
  let width: Int
  let height: Int
  let pixels: [UInt32]

  init(_ drawing: Drawing, scale: Double = 1, _ source: PagePlacement.Source = .svg) throws {
    var rasterizer = Rasterizer()
    try self.init(drawing, scale: scale, source, &rasterizer)
  }

  init(
    _ drawing: Drawing, scale: Double = 1, _ source: PagePlacement.Source = .svg,
    _ rasterizer: inout Rasterizer
  ) throws {
    let placement = try PagePlacement(
      source, width: drawing.width, height: drawing.height, scale: scale)
    var pixels = [UInt32](repeating: 0xDEAD_BEEF, count: placement.width * placement.height)
    try pixels.withUnsafeMutableBytes { bytes in
      try rasterizer.draw(drawing, placement, into: bytes, bytesPerRow: placement.width * 4)
    }
    width = placement.width
    height = placement.height
    self.pixels = pixels
  }

  func pixel(_ x: Int, _ y: Int) -> UInt32 { pixels[y * width + x] }

  /// The alphas, row by row.
  var alphas: [[UInt8]] {
    (0..<height).map { y in (0..<width).map { x in UInt8(pixel(x, y) >> 24) } }
  }
}

extension Drawing {
  /// Returns a path of straight lines through the points.
  mutating func polygon(_ points: [(Double, Double)], isClosed: Bool = true) -> Path {
    for (i, point) in points.enumerated() {
      let p = Point(point.0, point.1)
      if i == 0 { paths.move(to: p) } else { paths.line(to: p) }
    }
    if isClosed { paths.close() }
    return paths.end()
  }

  mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Path {
    paths.rect(Rect(x: x, y: y, width: width, height: height))
    return paths.end()
  }
}
