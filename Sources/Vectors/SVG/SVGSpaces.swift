// Coordinate systems of SVG: transforms, view boxes, and the bounding boxes of shapes.

import Bytes

extension Scanner {
  /// Reads a list of transforms. The first one is the outermost. The list ends at the
  /// first error.
  mutating func readTransform() -> Transform {
    var result = Transform.identity
    while true {
      skipSpaceAndComma()
      let name = readWord()
      skipSpace()
      guard !name.isEmpty, read("(") else { return result }
      var kind = self
      kind.rewind(to: name)
      var numbers: [Double] = []
      while numbers.count < 6 {
        skipSpaceAndComma()
        guard let number = readNumber() else { break }
        numbers.append(number * readTransformUnit())
      }
      skipSpace()
      guard read(")"), let transform = kind.transform(numbers) else {
        self = kind
        return result
      }
      skipSpaceAndComments()
      result = transform.then(result)
    }
  }

  /// Reads a unit and returns the factor for the number before it. Only style sheets write units.
  private mutating func readTransformUnit() -> Double {
    let units: [(StaticString, Double)] = [
      ("deg", 1), ("px", 1), ("rad", 180 / Double.pi), ("turn", 360), ("grad", 0.9),
      ("pt", 4.0 / 3), ("in", 96), ("mm", 96 / 25.4), ("cm", 96 / 2.54),
    ]
    for (unit, size) in units where readWord(unit) { return size }
    return 1
  }

  private mutating func rewind(to range: ByteRange) { self = Scanner(self, range) }

  private mutating func transform(_ n: [Double]) -> Transform? {
    func at(_ index: Int, _ standard: Double = 0) -> Double {
      index < n.count ? n[index] : standard
    }
    guard !n.isEmpty else { return nil }
    if readWord("matrix") {
      return n.count == 6 ? Transform(n[0], n[1], n[2], n[3], n[4], n[5]) : nil
    }
    if readWord("translate") { return .translation(n[0], at(1)) }
    if readWord("translatex") { return .translation(n[0], 0) }
    if readWord("translatey") { return .translation(0, n[0]) }
    if readWord("scale") { return .scale(n[0], at(1, n[0])) }
    if readWord("skewx") {
      return Transform(1, 0, tangent(degrees: n[0]), 1, 0, 0)
    }
    if readWord("skewy") {
      return Transform(1, tangent(degrees: n[0]), 0, 1, 0, 0)
    }
    guard readWord("rotate") else { return nil }
    let cosine = Mathematics.cosine(degrees: n[0])
    let sine = Mathematics.sine(degrees: n[0])
    return Transform.translation(-at(1), -at(2)).then(Transform(cosine, sine, -sine, cosine, 0, 0))
      .then(.translation(at(1), at(2)))
  }
}

private func tangent(degrees: Double) -> Double {
  let cosine = Mathematics.cosine(degrees: degrees)
  return cosine == 0 ? 0 : Mathematics.sine(degrees: degrees) / cosine
}

extension SVGReader {
  /// Returns the transform of an element about its transform origin.
  func ownTransform(
    of node: Markup.Node, _ context: SVGContext, _ name: AttributeName = .transform
  ) -> Transform {
    // Applying each function of a transform costs more than reading its text.
    guard let value = value(name, of: node), budget.spend(.lexedBytes, 4 * value.range.count) else {
      return .identity
    }
    var scanner = Scanner(bytes, value)
    let transform = scanner.readTransform()
    guard !context.style.transformOrigin.isEmpty, let origin = origin(context) else {
      return transform
    }
    return Transform.translation(-origin.x, -origin.y).then(transform)
      .then(.translation(origin.x, origin.y))
  }

  /// Returns the transform of an element, and notes the parts of it that are not understood.
  mutating func notedTransform(of node: Markup.Node, _ context: SVGContext) -> Transform {
    guard let value = value(.transform, of: node), budget.spend(.lexedBytes, 4 * value.range.count)
    else { return .identity }
    var scanner = Scanner(bytes, value)
    if !scanner.readWord("none") { _ = scanner.readTransform() }
    let style = context.style
    let isMisplaced =
      !style.transformOrigin.isEmpty && (style.originIsOfBox || origin(context) == nil)
    if !scanner.isAtEnd || isMisplaced { drawing.note(.propertyValue) }
    return ownTransform(of: node, context)
  }

  /// Returns the point that `transform-origin` names; nil if it is not understood. Percentages
  /// refer to the nearest viewport.
  private func origin(_ context: SVGContext) -> Point? {
    var scanner = Scanner(bytes, context.style.transformOrigin)
    var parts: [Double?] = [nil, nil]
    var centers = 0
    var count = 0
    scanner.skipSpace()
    while !scanner.isAtEnd, count < 2 {
      if scanner.readWord("left") {
        parts[0] = 0
      } else if scanner.readWord("right") {
        parts[0] = context.viewWidth
      } else if scanner.readWord("top") {
        parts[1] = 0
      } else if scanner.readWord("bottom") {
        parts[1] = context.viewHeight
      } else if scanner.readWord("center") {
        centers += 1
      } else if let length = scanner.readLength(fontSize: context.style.fontSize) {
        let axis = count == 1 || parts[0] != nil ? 1 : 0
        parts[axis] = length.resolved(axis == 0 ? context.viewWidth : context.viewHeight)
      } else {
        return nil
      }
      count += 1
      scanner.skipSpaceAndComma()
    }
    guard count > 0 else { return nil }
    return Point(parts[0] ?? context.viewWidth / 2, parts[1] ?? context.viewHeight / 2)
  }

  /// Returns the view box of an element; nil if it is missing or empty.
  func viewBox(of node: Markup.Node) -> Rect? {
    guard var scanner = scanner(.viewBox, of: node) else { return nil }
    var numbers: [Double] = []
    while numbers.count < 4, let number = scanner.readNumber() {
      numbers.append(number)
      scanner.skipSpaceAndComma()
    }
    guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
    return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// Returns the transform from a view box to the rectangle in which it is shown, by the rules of
  /// `preserveAspectRatio`.
  func fit(_ box: Rect, to port: Rect, _ node: Markup.Node) -> Transform {
    var x = port.width / box.width
    var y = port.height / box.height
    var alignX = 0.5
    var alignY = 0.5
    if var scanner = scanner(.preserveAspectRatio, of: node) {
      if scanner.readWord("none") {
        return Transform.translation(-box.x, -box.y).then(.scale(x, y))
          .then(.translation(port.x, port.y))
      }
      let names: [(StaticString, Double, Double)] = [
        ("xminymin", 0, 0), ("xmidymin", 0.5, 0), ("xmaxymin", 1, 0), ("xminymid", 0, 0.5),
        ("xmidymid", 0.5, 0.5), ("xmaxymid", 1, 0.5), ("xminymax", 0, 1), ("xmidymax", 0.5, 1),
        ("xmaxymax", 1, 1),
      ]
      for (name, across, down) in names where scanner.readWord(name) {
        alignX = across
        alignY = down
      }
      scanner.skipSpace()
      if scanner.readWord("slice") {
        x = max(x, y)
        y = x
      }
    }
    let scale = x == y ? x : min(x, y)
    return Transform.translation(-box.x, -box.y).then(.scale(scale, scale)).then(
      .translation(
        port.x + (port.width - box.width * scale) * alignX,
        port.y + (port.height - box.height * scale) * alignY))
  }

  /// Returns the box of items, without strokes and clips. `transform` leads from the space of the
  /// box to the space of the items.
  func bounds(of items: [Item], _ transform: Transform, depth: Int = 0) -> Rect? {
    guard let inverse = transform.inverse, depth < 8 else { return nil }
    var extent = Extent()
    for item in items { add(item, to: &extent, inverse: inverse, depth: depth) }
    guard extent.minX <= extent.maxX else { return nil }
    return Rect(
      x: extent.minX, y: extent.minY, width: extent.maxX - extent.minX,
      height: extent.maxY - extent.minY)
  }

  /// Whether shapes without a clip extend beyond the page by more than one unit.
  var isCut: Bool {
    guard let shown = bounds(of: items.filter { $0.clip == Clip.none }, .identity) else {
      return false
    }
    return shown.x < -1 || shown.y < -1 || shown.x + shown.width > drawing.width + 1
      || shown.y + shown.height > drawing.height + 1
  }

  private func add(_ item: Item, to extent: inout Extent, inverse: Transform, depth: Int) {
    switch item.shape {
    case .fill(let path, _), .stroke(let path, _):
      guard budget.spend(.pathPoints, Int(path.pointCount) + 2) else { return }
      drawing.paths.addBounds(of: path, item.transform.then(inverse), to: &extent)
    case .group(let group):
      guard depth < 8 else { return }
      for item in drawing.scenes[Int(group.scene)] {
        add(item, to: &extent, inverse: inverse, depth: depth + 1)
      }
    case .image:
      let transform = item.transform.then(inverse)
      for corner in [Point(0, 0), Point(1, 0), Point(0, 1), Point(1, 1)] {
        extent.add(transform.apply(corner))
      }
    case .everything: return
    }
  }
}

extension PathStore {
  /// Adds the exact box of a path to an extent.
  func addBounds(of path: Path, _ transform: Transform, to extent: inout Extent) {
    var point = Int(path.firstPoint)
    var current = Point(0, 0)
    for step in steps[Int(path.firstStep)..<Int(path.firstStep) + Int(path.stepCount)] {
      switch step {
      case .move, .line:
        current = transform.apply(points[point])
        extent.add(current)
        point += 1
      case .curve:
        let a = transform.apply(points[point])
        let b = transform.apply(points[point + 1])
        let end = transform.apply(points[point + 2])
        extent.add(end)
        for t in turns(current.x, a.x, b.x, end.x) + turns(current.y, a.y, b.y, end.y) {
          extent.add(
            Point(bezier(current.x, a.x, b.x, end.x, t), bezier(current.y, a.y, b.y, end.y, t)))
        }
        current = end
        point += 3
      case .close: break
      }
    }
  }

  private func bezier(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ t: Double) -> Double {
    let u = 1 - t
    return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
  }

  /// Returns the parameters at which a coordinate of a curve has a minimum or maximum.
  private func turns(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> [Double] {
    let low = min(a, d)
    let high = max(a, d)
    if b >= low, b <= high, c >= low, c <= high { return [] }
    let square = -a + 3 * b - 3 * c + d
    let linear = 2 * (a - 2 * b + c)
    let constant = b - a
    var roots: [Double] = []
    if magnitude(square) < 1e-12 {
      if linear != 0 { roots = [-constant / linear] }
    } else {
      let root = linear * linear - 4 * square * constant
      if root >= 0 {
        let size = root.squareRoot()
        roots = [(-linear + size) / (2 * square), (-linear - size) / (2 * square)]
      }
    }
    return roots.filter { $0 > 0 && $0 < 1 }
  }
}
