// The rows of gradients, and the colours along a gradient. Each pixel has the colour at its centre.

import Bytes

struct ShadingRows {
  private enum Geometry {
    /// The position is a·x + b·y + c for the centre (x, y) of the pixel.
    case axial(a: Double, b: Double, c: Double)
    case radial(Radial)
  }

  private var geometry: Geometry
  private let spread: Shading.Spread
  private let extendsStart: Bool
  private let extendsEnd: Bool
  private let background: UInt32
  /// The area that is shown; all if its width is not a number. An Optional has padding, in which
  /// Swift 6.3 keeps the case of a `PaintSource`, and it does not always write padding.
  private let box: Rect
  /// The transform from pixels to the space of the shading.
  private let inverse: Transform

  /// Makes the rows of a gradient. Returns nil for a mesh, and if the transform of the shading has
  /// no inverse.
  init?(_ shading: Shading, _ base: Transform) {
    guard let inverse = shading.transform.then(base).inverse else { return nil }
    self.inverse = inverse
    spread = shading.spread
    extendsStart = shading.extendsStart
    extendsEnd = shading.extendsEnd
    background = shading.background.map { pixel($0, alpha: 1) } ?? 0
    box = shading.box ?? Rect(x: 0, y: 0, width: .nan, height: 0)
    switch shading.geometry {
    case .axial(let from, let to):
      let x = to.x - from.x
      let y = to.y - from.y
      let length = x * x + y * y
      guard length > 0, length.isFinite else {
        // Start and end are the same point. Every pixel gets the position 2, which is after the
        // end, and therefore the last colour if the shading extends there.
        geometry = .axial(a: 0, b: 0, c: 2)
        return
      }
      geometry = .axial(
        a: (inverse.a * x + inverse.b * y) / length, b: (inverse.c * x + inverse.d * y) / length,
        c: ((inverse.tx - from.x) * x + (inverse.ty - from.y) * y) / length)
    case .radial(let from, let fromRadius, let to, let toRadius):
      geometry = .radial(Radial(from: from, fromRadius: fromRadius, to: to, toRadius: toRadius))
    case .mesh: return nil
    }
  }

  func fill(
    _ pixels: UnsafeMutablePointer<UInt32>, x: Int, y: Int, count: Int,
    ramp: borrowing Ramp
  ) {
    if ramp.isEmpty {
      pixels.update(repeating: background, count: count)
      return
    }
    var hint = 0
    let centerY = Double(y) + 0.5
    for i in 0..<count {
      let center = Point(Double(x + i) + 0.5, centerY)
      if !box.width.isNaN, !isInside(inverse.apply(center), box) {
        pixels[i] = 0
        continue
      }
      let position: Double?
      switch geometry {
      case .axial(let a, let b, let c): position = spreadPlace(a * center.x + b * center.y + c)
      case .radial(let radial):
        position = radial.position(inverse.apply(center), accepts: isShown).flatMap(spreadPlace)
      }
      pixels[i] = position.map { ramp.pixel($0, &hint) } ?? background
    }
  }

  @inline(__always) private func isShown(_ position: Double) -> Bool {
    spread != .pad || (position >= 0 || extendsStart) && (position <= 1 || extendsEnd)
  }

  /// Returns the position among the stops, from 0 to 1, by the rule for positions outside; nil if
  /// the position has no colour. With `pad`, −1 and 2 mean the first and the last colour.
  @inline(__always) private func spreadPlace(_ position: Double) -> Double? {
    guard isShown(position) else { return nil }
    if position >= 0, position <= 1 { return position }
    let position = tame(position)
    switch spread {
    // The result is before all stops at 0 or after all stops at 1, because several stops may have
    // these offsets.
    case .pad: return position < 0 ? -1 : 2
    case .repeat: return position - Double(floor(position))
    case .reflect:
      let turn = position - 2 * Double(floor(position * 0.5))
      return turn > 1 ? 2 - turn : turn
    }
  }
}

/// A radial gradient: a circle that moves and grows from the first circle to the last. Each point
/// has the colour of the latest circle that goes through it.
struct Radial {
  private let from: Point
  private let radius: Double
  private let x: Double
  private let y: Double
  private let growth: Double
  private let a: Double

  init(from: Point, fromRadius: Double, to: Point, toRadius: Double) {
    self.from = from
    radius = fromRadius
    x = to.x - from.x
    y = to.y - from.y
    growth = toRadius - fromRadius
    a = x * x + y * y - growth * growth
  }

  /// Returns the largest position whose circle goes through a point, has a radius of at least 0 and
  /// is accepted; nil if there is no such circle.
  func position(_ p: Point, accepts: (Double) -> Bool) -> Double? {
    let px = p.x - from.x
    let py = p.y - from.y
    let b = px * x + py * y + radius * growth
    let c = px * px + py * py - radius * radius
    if magnitude(a) < 1e-12 * (1 + growth * growth) {
      guard b != 0 else { return nil }
      return checked(c / (2 * b), accepts)
    }
    let root = b * b - a * c
    guard root >= 0 else { return nil }
    let size = root.squareRoot()
    let first = (b + size) / a
    let second = (b - size) / a
    return checked(max(first, second), accepts) ?? checked(min(first, second), accepts)
  }

  private func checked(_ position: Double, _ accepts: (Double) -> Bool) -> Double? {
    position.isFinite && radius + position * growth >= 0 && accepts(position) ? position : nil
  }
}

extension Rasterizer {
  mutating func source(
    _ shading: Shading, _ box: PixelBox, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> PaintSource {
    budget.spend(.gradientStops, Int(shading.stops.count))
    try budget.checkVector()
    ramp.load(shading.stops, of: drawing)
    if case .mesh(let span) = shading.geometry {
      return .surface(try mesh(shading, span: span, box: box, of: drawing, on: canvas))
    }
    return ShadingRows(shading, canvas.transform).map { .shading($0) } ?? .nothing
  }

  /// Draws the triangles of a mesh. A pixel whose centre is in a triangle gets a mixture of the
  /// colours of its corners.
  private mutating func mesh(
    _ shading: Shading, span: ListRange, box: PixelBox, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> Surface {
    let surface = try makeSurface(box)
    if let background = shading.background {
      surface.base.update(repeating: pixel(background, alpha: 1), count: box.area)
    }
    let transform = shading.transform.then(canvas.transform)
    for i in stride(from: 0, to: Int(span.count) - 2, by: 3) {
      let first = Int(span.first) + i
      let corners = (0..<3).map { drawing.vertices[first + $0] }
      let points = corners.map { tame(transform.apply($0.point)) }
      var extent = Extent()
      for point in points { extent.add(point) }
      let touched = extent.box.intersection(box)
      budget.spend(.operators, 2)
      budget.spend(.blendedPixels, touched.area)
      if budget.isExceeded { break }
      fill(touched, corners: corners, points: points, on: surface)
    }
    if let shown = shading.box, let inverse = transform.inverse {
      budget.spend(.blendedPixels, box.area)
      for y in box.y0..<box.y1 {
        for x in box.x0..<box.x1
        where !isInside(inverse.apply(Point(Double(x) + 0.5, Double(y) + 0.5)), shown) {
          surface.row(y)[x - box.x0] = 0
        }
      }
    }
    return surface
  }

  private func fill(
    _ box: PixelBox, corners: [MeshVertex], points: [Point], on surface: Surface
  ) {
    let (a, b, c) = (points[0], points[1], points[2])
    let size = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    guard size != 0 else { return }
    let (first, second, third) = (corners[0].color, corners[1].color, corners[2].color)
    var hint = 0
    for y in box.y0..<box.y1 {
      let py = Double(y) + 0.5
      let row = surface.row(y)
      for x in box.x0..<box.x1 {
        let px = Double(x) + 0.5
        let v = ((px - a.x) * (c.y - a.y) - (py - a.y) * (c.x - a.x)) / size
        let w = ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x)) / size
        let u = 1 - v - w
        guard u >= 0, v >= 0, w >= 0 else { continue }
        let red = first.red * u + second.red * v + third.red * w
        if !ramp.isEmpty {
          row[x - surface.box.x0] = ramp.pixel(unitValue(red), &hint)
          continue
        }
        let green = first.green * u + second.green * v + third.green * w
        let blue = first.blue * u + second.blue * v + third.blue * w
        row[x - surface.box.x0] = pixel(Color(red, green, blue), alpha: 1)
      }
    }
  }
}

// MARK: - Ramps

// The colours of a shading, for positions from 0 to 1.

struct Ramp: ~Copyable {
  /// A stop with channels from 0 to 255, not premultiplied.
  struct Stop {
    var offset: Double
    var red: Double
    var green: Double
    var blue: Double
    var alpha: Double
  }

  private var stops = GrowingMemory<Stop>()
  private var count = 0

  mutating func load(_ span: ListRange, of drawing: Drawing) {
    count = Int(span.count)
    _ = stops.fit(count)
    var last = 0.0
    for (i, index) in span.range.enumerated() {
      let stop = drawing.stops[index]
      last = max(last, unitValue(stop.offset))
      stops.base[i] = Stop(
        offset: last, red: unitValue(stop.color.red) * 255,
        green: unitValue(stop.color.green) * 255, blue: unitValue(stop.color.blue) * 255,
        alpha: unitValue(stop.alpha) * 255)
    }
  }

  var isEmpty: Bool { count == 0 }

  /// Returns the premultiplied colour at a position from 0 to 1. `hint` is the number of a stop
  /// near the position; it is set to the number of the first stop after the position.
  @inline(__always) func pixel(_ position: Double, _ hint: inout Int) -> UInt32 {
    find(position, &hint)
    if hint == 0 { return Ramp.pixel(stops.base[0], stops.base[0], 0) }
    if hint == count { return Ramp.pixel(stops.base[count - 1], stops.base[count - 1], 0) }
    let before = stops.base[hint - 1]
    let after = stops.base[hint]
    return Ramp.pixel(before, after, (position - before.offset) / (after.offset - before.offset))
  }

  /// Sets `hint` to the number of the first stop after a position. The search tries four single
  /// steps from the hint and then continues by bisection.
  @inline(__always) private func find(_ position: Double, _ hint: inout Int) {
    for _ in 0..<4 {
      if hint < count, stops.base[hint].offset <= position {
        hint += 1
      } else if hint > 0, stops.base[hint - 1].offset > position {
        hint -= 1
      } else {
        return
      }
    }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if stops.base[middle].offset <= position { low = middle + 1 } else { high = middle }
    }
    hint = low
  }

  @inline(__always) private static func pixel(_ a: Stop, _ b: Stop, _ t: Double) -> UInt32 {
    let alpha = a.alpha + (b.alpha - a.alpha) * t
    let opacity = alpha * (1.0 / 255)
    let red = UInt32((a.red + (b.red - a.red) * t) * opacity + 0.5)
    let green = UInt32((a.green + (b.green - a.green) * t) * opacity + 0.5)
    let blue = UInt32((a.blue + (b.blue - a.blue) * t) * opacity + 0.5)
    return UInt32(alpha + 0.5) << 24 | red << 16 | green << 8 | blue
  }
}

private func isInside(_ p: Point, _ r: Rect) -> Bool {
  p.x >= r.x && p.x <= r.x + r.width && p.y >= r.y && p.y <= r.y + r.height
}
