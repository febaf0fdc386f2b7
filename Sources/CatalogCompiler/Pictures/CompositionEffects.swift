// The shadows of layers, and the shape to which a canvas is cut.

extension CompositionCanvas {
  /// Draws the shadow of a layer: a black, blurred copy of it, a little lower.
  mutating func addShadow(of painted: PaintedLayer) {
    let radius = max(1, width / 96)
    var shape = Shape(width: width, height: height)
    painted.forEachPixel(down: radius / 2) { shape.covered[$0] = Double($1.w) / 255 }
    for _ in 0..<2 {
      shape.blurRows(radius)
      shape.blurColumns(radius)
    }
    pixels.withUnsafeMutableBytes { pixels in
      for place in shape.covered.indices where shape.covered[place] > 0 {
        let shade = UInt8(min(1, shape.covered[place] * painted.layer.shadow * 0.5) * 255 + 0.5)
        let below = pixels.loadUnaligned(fromByteOffset: place * 4, as: SIMD4<UInt8>.self)
        pixels.storeBytes(
          of: SIMD4(0, 0, 0, shade).over(below), toByteOffset: place * 4, as: SIMD4<UInt8>.self)
      }
    }
  }

  /// Removes the pixels outside of a plate.
  mutating func cut(to plate: RoundedPlate) {
    let (width, height) = (width, height)
    pixels.withUnsafeMutableBytes { pixels in
      var upper = plate.corners(ofRow: 0, of: width)
      for y in 0..<height {
        let lower = plate.corners(ofRow: y + 1, of: width)
        for x in 0..<width {
          // A plate has no dents, so a pixel whose four corners are on the plate is completely on
          // it.
          if upper[x] && upper[x + 1] && lower[x] && lower[x + 1] { continue }
          let covered = plate.coverage(x, y, of: width)
          let place = (y * width + x) * 4
          for channel in place..<place + 4 {
            pixels[channel] = UInt8(Double(pixels[channel]) * covered + 0.5)
          }
        }
        upper = lower
      }
    }
  }
}

extension RoundedPlate {
  fileprivate func contains(_ x: Double, _ y: Double, of side: Int) -> Bool {
    let middle = Double(side) / 2
    let half = middle - inset
    let (dx, dy) = (abs(x - middle), abs(y - middle))
    if dx > half || dy > half { return false }
    let (cx, cy) = (dx - (half - radius), dy - (half - radius))
    return cx <= 0 || cy <= 0 || cx * cx + cy * cy <= radius * radius
  }

  /// Returns, for each corner on the upper edge of a row of pixels, whether it is on the plate.
  fileprivate func corners(ofRow y: Int, of side: Int) -> [Bool] {
    (0...side).map { contains(Double($0), Double(y), of: side) }
  }

  /// Returns the share of a pixel that is on the plate, from sixteen samples.
  fileprivate func coverage(_ x: Int, _ y: Int, of side: Int) -> Double {
    let (left, top) = (Double(x), Double(y))
    let middle = Double(side) / 2
    let beside = max(left - middle, middle - left - 1, top - middle, middle - top - 1)
    if beside > middle - inset { return 0 }
    var count = 0
    for row in 0..<4 {
      for column in 0..<4
      where contains(
        left + (Double(column) + 0.5) / 4, top + (Double(row) + 0.5) / 4, of: side)
      {
        count += 1
      }
    }
    return Double(count) / 16
  }
}

/// The share of each pixel of a canvas that is covered, from 0 to 1.
private struct Shape {
  let width: Int
  let height: Int
  var covered: [Double]
  /// The values that the next step fills.
  private var blurred: [Double]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    covered = [Double](repeating: 0, count: width * height)
    blurred = covered
  }

  /// Replaces each value by the mean of its neighbours, `radius` to the left and to the right.
  mutating func blurRows(_ radius: Int) {
    let share = 1 / Double(2 * radius + 1)
    var line = [Double](repeating: 0, count: width + 2 * radius + 1)
    for start in stride(from: 0, to: covered.count, by: width) {
      line.replaceSubrange(radius..<radius + width, with: covered[start..<start + width])
      var sum = line[...(2 * radius)].reduce(0, +)
      for place in 0..<width {
        covered[start + place] = max(0, sum * share)
        sum += line[place + 2 * radius + 1] - line[place]
      }
    }
  }

  /// Replaces each value by the mean of its neighbours, `radius` up and down. Adds whole rows,
  /// because rows are contiguous in memory.
  mutating func blurColumns(_ radius: Int) {
    let share = 1 / Double(2 * radius + 1)
    var sums = [Double](repeating: 0, count: width)
    for row in 0...min(radius, height - 1) {
      for x in 0..<width { sums[x] += covered[row * width + x] }
    }
    for y in 0..<height {
      for x in 0..<width { blurred[y * width + x] = max(0, sums[x] * share) }
      let (above, below) = (y - radius, y + radius + 1)
      for x in 0..<width {
        let comes = below < height ? covered[below * width + x] : 0
        let goes = above >= 0 ? covered[above * width + x] : 0
        sums[x] += comes - goes
      }
    }
    swap(&covered, &blurred)
  }
}
