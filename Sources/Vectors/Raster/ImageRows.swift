// Rows of pictures: the mean of what a pixel covers where the picture is made smaller. A picture that is made
// larger is mixed between neighbours if it asks to be interpolated; else each pixel has the nearest colour.

struct ImageRows {
  private let index: Int32
  private let width: Int
  private let height: Int
  private let isStencil: Bool
  /// From pixels of the bitmap to those of the picture.
  private let inverse: Transform
  /// How much of the picture a pixel covers, at least one pixel of it.
  private let reachX: Double
  private let reachY: Double
  private let isNearest: Bool

  init?(_ index: Int32, _ image: Image, _ transform: Transform) {
    guard image.width > 0, image.height > 0, let unit = transform.inverse else { return nil }
    self.index = index
    width = image.width
    height = image.height
    isStencil = image.kind == .stencil
    inverse = unit.then(.scale(Double(image.width), Double(image.height)))
    guard inverse.isFinite else { return nil }
    let across = magnitude(inverse.a) + magnitude(inverse.c)
    let down = magnitude(inverse.b) + magnitude(inverse.d)
    isNearest = !image.interpolates && max(across, down) <= 1 && min(across, down) < 1
    // Apple's enlargements of pictures that ask to be interpolated are steeper between neighbours.
    let least = image.interpolates ? 2.0 / 3 : 1
    reachX = across < 1 ? least : min(across, Double(width))
    reachY = down < 1 ? least : min(down, Double(height))
  }

  /// How many pixels of the picture are looked at for so many of a row.
  func cost(_ count: Int) -> Int { count * Int(reachX + 1) * Int(reachY + 1) }

  /// Writes a part of a row; stencils have their value in every channel.
  func fill(
    _ pixels: UnsafeMutablePointer<UInt32>, _ x: Int, _ y: Int, _ count: Int, _ drawing: Drawing
  ) {
    drawing.images[Int(index)].pixels.withUnsafeBufferPointer { source in
      for i in 0..<count {
        var center = inverse.apply(Point(Double(x + i) + 0.5, Double(y) + 0.5))
        if isNearest {
          center = tame(center)
          center = Point(Double(floor(center.x)) + 0.5, Double(floor(center.y)) + 0.5)
        }
        pixels[i] = mean(Reach(center.x, reachX, width), Reach(center.y, reachY, height), source)
      }
    }
  }

  /// The pixels of one axis that count, and how much.
  private struct Reach {
    let first: Int
    let last: Int
    private let start: Double
    private let end: Double
    private let most: Int

    /// `reach` pixels around a place, each by how much of it lies within; so two neighbours are mixed
    /// where the reach is one.
    init(_ center: Double, _ reach: Double, _ count: Int) {
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

    /// Outside of the picture its edge goes on.
    @inline(__always) func inside(_ i: Int) -> Int { i < 0 ? 0 : i > most ? most : i }
  }

  @inline(__always) private func mean(
    _ across: Reach, _ down: Reach, _ source: UnsafeBufferPointer<UInt8>
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
        let place = row + across.inside(i)
        whole += weight
        if isStencil {
          alpha += weight * Double(source[place])
          continue
        }
        red += weight * Double(source[place * 4])
        green += weight * Double(source[place * 4 + 1])
        blue += weight * Double(source[place * 4 + 2])
        alpha += weight * Double(source[place * 4 + 3])
      }
    }
    guard whole > 0 else { return 0 }
    func byte(_ value: Double) -> UInt32 { UInt32(value / whole + 0.5) }
    if isStencil { return byte(alpha) &* 0x0101_0101 }
    return byte(alpha) << 24 | byte(red) << 16 | byte(green) << 8 | byte(blue)
  }
}
