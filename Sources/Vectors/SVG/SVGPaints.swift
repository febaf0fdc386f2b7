// Gradients and patterns of SVG.

import Bytes

extension SVGReader {
  /// Returns the paint of a path and, for a plain colour, its alpha; nil if the path is not
  /// painted.
  mutating func paint(
    _ paint: StylePaint, _ path: Path, _ context: SVGContext
  ) -> (Paint, Double)? {
    switch paint.kind {
    case .none: return nil
    case .current: return (.color(context.style.color.color), context.style.color.alpha)
    case .color: return (.color(paint.color.color), paint.color.alpha)
    case .reference:
      if let number = element(paint.reference) {
        switch markup.nodes[Int(number)].element {
        case .linearGradient, .radialGradient:
          if let found = gradient(number, path: path, context: context) { return found }
        case .pattern:
          if let found = pattern(number, path: path, context: context) {
            return (.pattern(found), 1)
          }
        default: break
        }
      } else if paint.fallback == .none {
        drawing.note(.missingElement)
      }
      var rest = paint
      rest.kind = paint.fallback
      return self.paint(rest, path, context)
    }
  }

  /// Returns an element, followed by the elements from which it takes missing attributes.
  private func chain(_ number: Int32) -> [Markup.Node] {
    var nodes = [markup.nodes[Int(number)]]
    var next = target(of: nodes[0])
    while let number = next, nodes.count < 16 {
      let node = markup.nodes[Int(number)]
      nodes.append(node)
      next = target(of: node)
    }
    return nodes
  }

  private func inherited(_ name: AttributeName, _ chain: [Markup.Node]) -> Scanner? {
    for node in chain {
      if let scanner = scanner(name, of: node) { return scanner }
    }
    return nil
  }

  private func isInUserSpace(
    _ name: AttributeName, _ chain: [Markup.Node], standard: Bool
  ) -> Bool {
    guard var scanner = inherited(name, chain) else { return standard }
    if scanner.readWord("userspaceonuse") { return true }
    return scanner.readWord("objectboundingbox") ? false : standard
  }

  private func bounds(of path: Path) -> Rect? {
    var extent = Extent()
    budget.spend(.pathPoints, Int(path.pointCount))
    drawing.paths.addBounds(of: path, .identity, to: &extent)
    guard extent.minX <= extent.maxX else { return nil }
    return Rect(
      x: extent.minX, y: extent.minY, width: extent.maxX - extent.minX,
      height: extent.maxY - extent.minY)
  }

  // MARK: Gradients

  private mutating func gradient(
    _ number: Int32, path: Path, context: SVGContext
  ) -> (Paint, Double)? {
    let chain = self.chain(number)
    let stops = self.stops(chain)
    guard let last = stops.last else { return nil }
    if stops.count == 1 { return (.color(last.color), last.alpha) }
    var space = context.transform
    let usesBox = !isInUserSpace(.gradientUnits, chain, standard: false)
    if usesBox {
      guard let box = bounds(of: path), box.width > 0, box.height > 0 else { return nil }
      space = Transform(box.width, 0, 0, box.height, box.x, box.y).then(space)
    }
    space = transform(.gradientTransform, chain: chain, context: context).then(space)
    guard let geometry = geometry(chain, context, usesBox: usesBox) else {
      return (.color(last.color), last.alpha)
    }
    var shading = Shading(geometry, stops: shared(stops, of: number), transform: space)
    if var scanner = inherited(.spreadMethod, chain) {
      if scanner.readWord("reflect") { shading.spread = .reflect }
      if scanner.readWord("repeat") { shading.spread = .repeat }
    }
    return (.shading(drawing.addShading(shading)), 1)
  }

  /// Returns the geometry of a gradient; nil if the last colour fills everything.
  private func geometry(
    _ chain: [Markup.Node], _ context: SVGContext, usesBox: Bool
  ) -> Shading.Geometry? {
    // Gradients of the other kind have other coordinates.
    let chain = chain.filter { $0.element == chain[0].element }
    func coordinate(_ name: AttributeName, whole: Double, standard: Double) -> Double {
      let whole = usesBox ? 1 : whole
      guard var scanner = inherited(name, chain),
        let length = scanner.readLength(fontSize: context.style.fontSize)
      else { return standard * whole }
      return length.resolved(whole)
    }
    let width = context.viewWidth
    let height = context.viewHeight
    if chain[0].element == .linearGradient {
      return .axial(
        from: Point(
          coordinate(.x1, whole: width, standard: 0), coordinate(.y1, whole: height, standard: 0)),
        to: Point(
          coordinate(.x2, whole: width, standard: 1), coordinate(.y2, whole: height, standard: 0)))
    }
    let center = Point(
      coordinate(.cx, whole: width, standard: 0.5), coordinate(.cy, whole: height, standard: 0.5))
    let radius = coordinate(.r, whole: context.viewDiagonal, standard: 0.5)
    guard radius > 0 else { return nil }
    let focus = Point(
      inherited(.fx, chain) == nil ? center.x : coordinate(.fx, whole: width, standard: 0.5),
      inherited(.fy, chain) == nil ? center.y : coordinate(.fy, whole: height, standard: 0.5))
    var start = max(0, coordinate(.fr, whole: context.viewDiagonal, standard: 0))
    // Start and end are the same circle. Its inside has the first colour, and everything around it
    // has the last colour, which a slightly smaller start circle gives.
    if focus == center, magnitude(radius - start) < radius * 1e-6 { start = radius * (1 - 1e-6) }
    return .radial(from: focus, fromRadius: start, to: center, toRadius: radius)
  }

  /// Returns the transform of a gradient or pattern. A transform without an inverse is ignored.
  private mutating func transform(
    _ name: AttributeName, chain: [Markup.Node], context: SVGContext
  ) -> Transform {
    guard let node = chain.first(where: { value(name, of: $0) != nil }) else { return .identity }
    var inner = context
    inner.style = SVGStyle()
    if let origin = value(.transformOrigin, of: chain[0]) { inner.style.transformOrigin = origin }
    let transform = ownTransform(of: node, inner, name)
    return transform.inverse == nil ? .identity : transform
  }

  /// Returns the place of a gradient's stops in the drawing. Shapes that have the same stops share
  /// them.
  private mutating func shared(_ stops: [GradientStop], of gradient: Int32) -> ListRange {
    if let span = gradientStops[gradient], drawing.stops[span.range].elementsEqual(stops) {
      return span
    }
    let span = drawing.addStops(stops)
    gradientStops[gradient] = span
    return span
  }

  /// Returns the stops of the first element that has stops.
  private mutating func stops(_ chain: [Markup.Node]) -> [GradientStop] {
    var stops: [GradientStop] = []
    for node in chain where stops.isEmpty {
      var child = node.firstChild
      var last = 0.0
      while child >= 0 {
        let stop = markup.nodes[Int(child)]
        budget.spend(.gradientStops)
        if stop.element == .stop, !budget.isExceeded,
          let style = try? ownStyle(child)
        {
          var scanner = scanner(.offset, of: stop)
          let length = scanner?.readLength(fontSize: 16)
          last = max(last, unitValue(length.map { $0.isShare ? $0.value / 100 : $0.value } ?? 0))
          let color = style.stopColor.kind == .current ? style.color : style.stopColor.color
          stops.append(
            GradientStop(
              offset: last, color: color.color, alpha: color.alpha * style.stopOpacity))
        }
        child = markup.nodes[Int(child)].next
      }
    }
    return stops
  }

  // MARK: Patterns

  private mutating func pattern(
    _ number: Int32, path: Path, context: SVGContext
  ) -> Int32? {
    guard !active.contains(number) else {
      drawing.note(.recursion)
      return nil
    }
    guard context.depth < SVGReader.deepest else { return nil }
    let chain = self.chain(number)
    var space = context.transform
    let box = bounds(of: path)
    let usesBox = !isInUserSpace(.patternUnits, chain, standard: false)
    guard !usesBox || box != nil else { return nil }
    func side(_ name: AttributeName, whole: Double, boxSide: Double, start: Double) -> Double {
      guard var scanner = inherited(name, chain),
        let length = scanner.readLength(fontSize: context.style.fontSize)
      else { return usesBox ? start : 0 }
      return usesBox ? start + length.resolved(1) * boxSide : length.resolved(whole)
    }
    let frame = box ?? Rect(x: 0, y: 0, width: 0, height: 0)
    let cell = Rect(
      x: side(.x, whole: context.viewWidth, boxSide: frame.width, start: frame.x),
      y: side(.y, whole: context.viewHeight, boxSide: frame.height, start: frame.y),
      width: side(.width, whole: context.viewWidth, boxSide: frame.width, start: 0),
      height: side(.height, whole: context.viewHeight, boxSide: frame.height, start: 0))
    guard cell.width > 0, cell.height > 0 else { return nil }
    space = transform(.patternTransform, chain: chain, context: context).then(space)
    var inner = context
    let holder = chain.first { $0.firstChild >= 0 } ?? chain[0]
    let parent = holder.firstChild < 0 ? number : markup.nodes[Int(holder.firstChild)].parent
    guard let style = try? ownStyle(parent) else { return nil }
    inner.style = style
    inner.clip = Clip.none
    inner.depth += 1
    inner.keepsHidden = false
    inner.transform = contentTransform(chain, cell: cell, box: box)
    guard let scene = scene(of: holder, number, inner) else { return nil }
    return drawing.addPattern(
      TilingPattern(
        scene: scene, cell: cell, xStep: cell.width, yStep: cell.height, transform: space))
  }

  private func contentTransform(_ chain: [Markup.Node], cell: Rect, box: Rect?) -> Transform {
    for node in chain {
      if let view = viewBox(of: node) { return fit(view, to: cell, node) }
    }
    let inUserSpace = isInUserSpace(.patternContentUnits, chain, standard: true)
    if !inUserSpace, let box {
      return Transform(box.width, 0, 0, box.height, cell.x, cell.y)
    }
    return .translation(cell.x, cell.y)
  }

  /// Adds the children of an element as a scene and returns its index; nil if they cannot be drawn.
  private mutating func scene(
    of node: Markup.Node, _ number: Int32, _ context: SVGContext
  ) -> Int32? {
    let outside = items
    items = []
    outerItems += outside.count
    active.append(number)
    defer {
      active.removeLast()
      items = outside
      outerItems -= outside.count
    }
    var child = node.firstChild
    while child >= 0 {
      // A limit that is exceeded here is exceeded again by the elements that follow.
      do { try show(child, context) } catch { return nil }
      child = markup.nodes[Int(child)].next
    }
    return drawing.addScene(items)
  }
}
