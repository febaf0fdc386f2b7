// Shapes of SVG, their fills and strokes, and the groups for opacity, masks and blending.

import Bytes

extension SVGReader {
  mutating func showShape(_ node: Markup.Node, _ context: SVGContext) {
    guard context.style.isVisible || context.keepsHidden, let path = path(of: node, context)
    else { return }
    let before = items.count
    if context.style.isVisible { paint(path, context) }
    guard context.keepsHidden, items.count == before else { return }
    var item = Item(.fill(path, .nonZero), transform: context.transform)
    item.alpha = 0
    items.append(item)
  }

  private mutating func paint(_ path: Path, _ context: SVGContext) {
    let markers = context.style.markers
    for id in [markers.start, markers.middle, markers.end] where !id.isEmpty {
      if let number = element(id), markup.nodes[Int(number)].element == .marker {
        drawing.note(.marker)
      }
    }
    if context.style.strokesFirst {
      stroke(path, context)
      fill(path, context)
    } else {
      fill(path, context)
      stroke(path, context)
    }
  }

  private mutating func fill(_ path: Path, _ context: SVGContext) {
    let style = context.style
    guard style.fill.kind != .none, style.fillOpacity > 0 else { return }
    let shape = Item.Shape.fill(path, style.fillRule)
    guard let (paint, alpha) = paint(style.fill, path, context) else { return }
    var item = Item(shape, paint, transform: context.transform)
    item.alpha = alpha * style.fillOpacity
    item.clip = context.clip
    item.isCrisp = style.isCrisp
    items.append(item)
  }

  private mutating func stroke(_ path: Path, _ context: SVGContext) {
    let style = context.style
    guard style.stroke.kind != .none, style.strokeOpacity > 0 else { return }
    let width = style.strokeWidth.resolved(context.viewDiagonal)
    guard width > 0, let (paint, alpha) = paint(style.stroke, path, context) else { return }
    var stroke = Stroke(width: width)
    stroke.cap = style.cap
    stroke.join = style.join
    stroke.miterLimit = style.miterLimit
    stroke.dashes = dashes(style, context)
    stroke.dashPhase = style.dashOffset.resolved(context.viewDiagonal)
    var item = Item(.stroke(path, stroke), paint, transform: context.transform)
    if style.keepsStrokeWidth {
      budget.spend(.pathPoints, Int(path.pointCount))
      let onPage = drawing.paths.add(path, context.transform)
      item = Item(.stroke(onPage, stroke), paint)
    }
    item.alpha = alpha * style.strokeOpacity
    item.clip = context.clip
    item.isCrisp = style.isCrisp
    items.append(item)
  }

  private mutating func dashes(_ style: Style, _ context: SVGContext) -> Span {
    guard !style.dashes.isEmpty else { return .none }
    var scanner = Scanner(bytes, style.dashes)
    var lengths: [Double] = []
    var sum = 0.0
    scanner.skipSpace()
    budget.spend(.lexedBytes, style.dashes.range.count)
    while let length = scanner.readLength(fontSize: style.fontSize), lengths.count < 1_000 {
      let size = length.resolved(context.viewDiagonal)
      guard size >= 0 else { return .none }
      lengths.append(size)
      sum += size
      scanner.skipSpaceAndComma()
    }
    guard scanner.isAtEnd else {
      drawing.note(scanner.misunderstood)
      return .none
    }
    budget.spend(.dashes, lengths.count)
    return sum > 0 ? drawing.addDashes(lengths) : .none
  }

  // MARK: Paths

  /// Returns the path of a shape; nil if it shows nothing.
  mutating func path(of node: Markup.Node, _ context: SVGContext) -> Path? {
    drawing.paths.begin()
    switch node.element {
    case .path:
      guard let scanner = scanner(.d, of: node) else { return nil }
      var data = PathData(scanner)
      data.read(to: &drawing.paths)
    case .rect: addRect(node, context)
    case .circle, .ellipse: addEllipse(node, context)
    case .line:
      drawing.paths.move(to: corner(.x1, .y1, node, context))
      drawing.paths.line(to: corner(.x2, .y2, node, context))
    case .polyline, .polygon: addPoints(node)
    default: return nil
    }
    return drawing.paths.isEmpty ? nil : drawing.paths.end()
  }

  private func corner(
    _ x: AttributeName, _ y: AttributeName, _ node: Markup.Node, _ context: SVGContext
  ) -> Point {
    Point(
      length(x, of: node, context.viewWidth, context) ?? 0,
      length(y, of: node, context.viewHeight, context) ?? 0)
  }

  private mutating func addRect(_ node: Markup.Node, _ context: SVGContext) {
    let origin = corner(.x, .y, node, context)
    let size = corner(.width, .height, node, context)
    guard size.x > 0, size.y > 0 else { return }
    let (rx, ry) = radii(of: node, context)
    let across = min(rx ?? ry ?? 0, size.x / 2)
    let down = min(ry ?? rx ?? 0, size.y / 2)
    let rect = Rect(x: origin.x, y: origin.y, width: size.x, height: size.y)
    if across > 0, down > 0 {
      drawing.paths.roundedRect(rect, across, down)
    } else {
      drawing.paths.rect(rect)
    }
  }

  private mutating func addEllipse(_ node: Markup.Node, _ context: SVGContext) {
    let center = corner(.cx, .cy, node, context)
    var radii = Point(0, 0)
    if node.element == .circle {
      let radius = length(.r, of: node, context.viewDiagonal, context) ?? 0
      radii = Point(radius, radius)
    } else {
      let (rx, ry) = self.radii(of: node, context)
      radii = Point(rx ?? ry ?? 0, ry ?? rx ?? 0)
    }
    guard radii.x > 0, radii.y > 0 else { return }
    drawing.paths.ellipse(center.x, center.y, radii.x, radii.y)
  }

  /// Returns both radii. A negative radius counts as missing.
  private func radii(of node: Markup.Node, _ context: SVGContext) -> (Double?, Double?) {
    let rx = length(.rx, of: node, context.viewWidth, context)
    let ry = length(.ry, of: node, context.viewHeight, context)
    return (rx.flatMap { $0 >= 0 ? $0 : nil }, ry.flatMap { $0 >= 0 ? $0 : nil })
  }

  private mutating func addPoints(_ node: Markup.Node) {
    guard var scanner = scanner(.points, of: node) else { return }
    while let x = scanner.readNumber() {
      scanner.skipSpaceAndComma()
      guard let y = scanner.readNumber() else { break }
      scanner.skipSpaceAndComma()
      if drawing.paths.isEmpty {
        drawing.paths.move(to: Point(x, y))
      } else {
        drawing.paths.line(to: Point(x, y))
      }
    }
    if node.element == .polygon { drawing.paths.close() }
  }

  // MARK: Groups

  /// Draws the contents of an element. If its opacity, mask or blend mode requires it, the contents
  /// become one group.
  mutating func compose(
    _ number: Int32, _ style: Style, _ context: SVGContext,
    _ contents: (inout SVGReader, SVGContext) throws(VectorError) -> Void
  ) throws(VectorError) {
    let hasBox = !style.clipPath.isEmpty || !style.mask.isEmpty
    let isGroup =
      style.opacity < 1 || style.blend != .normal || style.isIsolated || !style.mask.isEmpty
    guard isGroup || hasBox else { return try contents(&self, context) }
    if style.opacity <= 0, !context.keepsHidden { return }
    if !isGroup, !needsBounds(style.clipPath) {
      var inner = context
      guard let clip = try clip(style.clipPath, nil, context) else { return }
      inner.clip = clip
      return try contents(&self, inner)
    }
    let outside = items
    items = []
    outerItems += outside.count
    var inner = context
    inner.clip = Clip.none
    inner.keepsHidden = context.keepsHidden || !style.mask.isEmpty || needsBounds(style.clipPath)
    try contents(&self, inner)
    let inside = items
    items = outside
    outerItems -= outside.count
    guard !inside.isEmpty else { return }
    let box = hasBox ? bounds(of: inside, context.transform) : nil
    guard let clip = try clip(style.clipPath, box, context) else { return }
    guard let mask = try mask(style.mask, box, context) else { return }
    add(inside, style, clip, mask)
  }

  /// Adds the contents with their common style. A single plain item needs no group.
  private mutating func add(_ inside: [Item], _ style: Style, _ clip: Int32, _ mask: Int32) {
    var item = inside[0]
    if inside.count > 1 || item.clip >= 0 && clip >= 0 || item.mask >= 0 || item.blend != .normal {
      item = Item(.group(Group(scene: drawing.addScene(inside))))
    }
    item.alpha *= style.opacity
    item.blend = style.blend
    if clip >= 0 { item.clip = clip }
    item.mask = mask
    items.append(item)
  }
}
