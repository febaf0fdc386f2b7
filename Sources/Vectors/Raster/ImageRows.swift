// The rows of pictures. A picture that is made smaller gives each pixel the mean of the area that
// the pixel covers. A picture that is made larger is mixed between neighbours if it asks for
// interpolation; otherwise each pixel takes the nearest colour.

struct ImageRows {
  private let index: Int32
  private let width: Int
  private let height: Int
  /// The bytes of a pixel: 4, or 1 for a stencil.
  private let pixelSize: Int
  /// The transform from pixels of the bitmap to pixels of the picture.
  private let inverse: Transform
  /// The size of the area of the picture that contributes to one pixel of the bitmap, at least one
  /// pixel of the picture (two thirds if the picture asks for interpolation). 0 if each pixel takes
  /// the nearest colour.
  private let reachX: Double
  private let reachY: Double
  private var isNearest: Bool { reachX == 0 }
  private var isStencil: Bool { pixelSize == 1 }

  init?(_ index: Int32, _ image: Image, _ transform: Transform) {
    guard image.width > 0, image.height > 0, let unit = transform.inverse else { return nil }
    self.index = index
    width = image.width
    height = image.height
    pixelSize = image.kind == .stencil ? 1 : 4
    inverse = unit.then(.scale(Double(image.width), Double(image.height)))
    guard inverse.isFinite else { return nil }
    let across = magnitude(inverse.a) + magnitude(inverse.c)
    let down = magnitude(inverse.b) + magnitude(inverse.d)
    let isNearest = !image.interpolates && max(across, down) <= 1 && min(across, down) < 1
    // Apple's enlargements of pictures that ask for interpolation change more steeply between
    // neighbours.
    let least = image.interpolates ? 2.0 / 3 : 1
    reachX = isNearest ? 0 : across < 1 ? least : min(across, Double(width))
    reachY = isNearest ? 0 : down < 1 ? least : min(down, Double(height))
  }

  /// Returns the number of samples of the picture that are read for `count` pixels of a row.
  func cost(_ count: Int) -> Int { count * Int(reachX + 1) * Int(reachY + 1) }

  /// Writes a part of a row. A stencil writes its value into every channel.
  func fill(
    _ pixels: UnsafeMutablePointer<UInt32>, x: Int, y: Int, count: Int, drawing: Drawing
  ) {
    drawing.images[Int(index)].pixels.withUnsafeBufferPointer { source in
      for i in 0..<count {
        let center = inverse.apply(Point(Double(x + i) + 0.5, Double(y) + 0.5))
        pixels[i] =
          isNearest
          ? nearest(tame(center), source)
          : mean(
            Footprint(center: center.x, reach: reachX, count: width),
            Footprint(center: center.y, reach: reachY, count: height), source)
      }
    }
  }

  /// Returns the colour of the pixel at a point. Outside, the pixels of the edge continue.
  @inline(__always)
  private func nearest(_ point: Point, _ source: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let column = min(max(floor(point.x), 0), width - 1)
    let row = min(max(floor(point.y), 0), height - 1)
    let index = row * width + column
    if isStencil { return UInt32(source[index]) &* 0x0101_0101 }
    let (red, green, blue) = (source[index * 4], source[index * 4 + 1], source[index * 4 + 2])
    return UInt32(source[index * 4 + 3]) << 24 | UInt32(red) << 16 | UInt32(green) << 8
      | UInt32(blue)
  }

  /// The pixels of one axis that contribute to a mean, and their weights.
  private struct Footprint {
    let first: Int
    let last: Int
    private let start: Double
    private let end: Double
    private let most: Int

    /// Takes the pixels within `reach` around a place. The weight of each is the part of it that
    /// lies inside. With a reach of 1, two neighbours are mixed.
    init(center: Double, reach: Double, count: Int) {
      start = tame(center) - reach * 0.5
      end = start + reach
      first = floor(start)
      last = max(first, ceiling(end) - 1)
      most = count - 1
    }

    @inline(__always) func weight(_ i: Int) -> Double {
      let low = Double(i) > start ? Double(i) : start
      let high = Double(i + 1) < end ? Double(i + 1) : end
      return high - low
    }

    /// Returns the nearest index inside of the picture: outside, the pixels of its edge continue.
    @inline(__always) func inside(_ i: Int) -> Int { i < 0 ? 0 : i > most ? most : i }
  }

  @inline(__always) private func mean(
    _ across: Footprint, _ down: Footprint, _ source: UnsafeBufferPointer<UInt8>
  ) -> UInt32 {
    var red = 0.0
    var green = 0.0
    var blue = 0.0
    var alpha = 0.0
    var whole = 0.0
    for j in down.first...down.last {
      let row = down.inside(j) * width
      let high = down.weight(j)
      for i in across.first...across.last {
        let weight = high * across.weight(i)
        let index = row + across.inside(i)
        whole += weight
        if isStencil {
          alpha += weight * Double(source[index])
          continue
        }
        red += weight * Double(source[index * 4])
        green += weight * Double(source[index * 4 + 1])
        blue += weight * Double(source[index * 4 + 2])
        alpha += weight * Double(source[index * 4 + 3])
      }
    }
    guard whole > 0 else { return 0 }
    func byte(_ value: Double) -> UInt32 { UInt32(value / whole + 0.5) }
    if isStencil { return byte(alpha) &* 0x0101_0101 }
    return byte(alpha) << 24 | byte(red) << 16 | byte(green) << 8 | byte(blue)
  }
}
