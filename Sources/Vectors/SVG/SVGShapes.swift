// Shapes of SVG, their fills and strokes, and the groups for opacity, masks and blending.

import Bytes

extension SVGReader {
  mutating func showShape(_ node: Markup.Node, _ context: SVGContext) {
    guard context.style.isVisible || context.keepsHidden, let path = path(of: node, context)
    else { return }
    let before = items.count
    if context.style.isVisible { paint(path, of: node, context) }
    guard context.keepsHidden, items.count == before else { return }
    var item = Item(.fill(path, .nonZero), transform: context.transform)
    item.alpha = 0
    items.append(item)
  }

  private mutating func paint(_ path: Path, of node: Markup.Node, _ context: SVGContext) {
    let markers = context.style.markers
    for id in [markers.start, markers.middle, markers.end] where !id.isEmpty {
      if let number = element(id), markup.nodes[Int(number)].element == .marker {
        drawing.note(.marker)
      }
    }
    if context.style.strokesFirst {
      stroke(path, of: node, context)
      fill(path, context)
    } else {
      fill(path, context)
      stroke(path, of: node, context)
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

  private mutating func stroke(_ path: Path, of node: Markup.Node, _ context: SVGContext) {
    let style = context.style
    guard style.stroke.kind != .none, style.strokeOpacity > 0 else { return }
    let width = style.strokeWidth.resolved(context.viewDiagonal)
    guard width > 0, let (paint, alpha) = paint(style.stroke, path, context) else { return }
    var stroke = Stroke(width: width)
    stroke.cap = style.cap
    stroke.join = style.join
    stroke.miterLimit = style.miterLimit
    var (path, transform) = (path, context.transform)
    if style.keepsStrokeWidth {
      budget.spend(.pathPoints, Int(path.pointCount))
      path = drawing.paths.add(path, transform)
      transform = .identity
    }
    if !style.dashes.isEmpty, let scale = dashScale(of: path, node) {
      stroke.dashes = dashes(style, context, scale: scale)
      stroke.dashPhase = style.dashOffset.resolved(context.viewDiagonal) * scale
    }
    var item = Item(.stroke(path, stroke), paint, transform: transform)
    item.alpha = alpha * style.strokeOpacity
    item.clip = context.clip
    item.isCrisp = style.isCrisp
    items.append(item)
  }

  /// Returns the factor for the lengths of dashes: the length of the path divided by the length
  /// that `pathLength` states. Returns nil if the element states 0, which makes dashes endless.
  private mutating func dashScale(of path: Path, _ node: Markup.Node) -> Double? {
    guard var scanner = scanner(.pathLength, of: node) else { return 1 }
    let text = scanner
    let stated = scanner.readNumber()
    scanner.skipSpace()
    guard let stated, stated >= 0, scanner.isAtEnd else {
      drawing.note(text.misunderstood)
      return 1
    }
    budget.spend(.dashes, 3 * Int(path.pointCount))
    return stated > 0 ? drawing.paths.length(of: path) / stated : nil
  }

  private mutating func dashes(
    _ style: SVGStyle, _ context: SVGContext, scale: Double
  ) -> ListRange {
    var scanner = Scanner(bytes, style.dashes)
    var lengths: [Double] = []
    var sum = 0.0
    scanner.skipSpace()
    budget.spend(.lexedBytes, style.dashes.range.count)
    while let length = scanner.readLength(fontSize: style.fontSize), lengths.count < 1_000 {
      let size = length.resolved(context.viewDiagonal) * scale
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
      if !data.read(to: &drawing.paths) { drawing.note(.damagedPath) }
    case .rect: addRect(node, context)
    case .circle, .ellipse: addEllipse(node, context)
    case .line:
      drawing.paths.move(to: corner(.x1, .y1, node: node, context: context))
      drawing.paths.line(to: corner(.x2, .y2, node: node, context: context))
    case .polyline, .polygon: addPoints(node)
    default: return nil
    }
    return drawing.paths.isEmpty ? nil : drawing.paths.end()
  }

  private func corner(
    _ x: AttributeName, _ y: AttributeName, node: Markup.Node, context: SVGContext
  ) -> Point {
    Point(
      length(x, of: node, whole: context.viewWidth, context: context) ?? 0,
      length(y, of: node, whole: context.viewHeight, context: context) ?? 0)
  }

  private mutating func addRect(_ node: Markup.Node, _ context: SVGContext) {
    let origin = corner(.x, .y, node: node, context: context)
    let size = corner(.width, .height, node: node, context: context)
    guard size.x > 0, size.y > 0 else { return }
    let (rx, ry) = radii(of: node, context)
    let across = min(rx ?? ry ?? 0, size.x / 2)
    let down = min(ry ?? rx ?? 0, size.y / 2)
    let rect = Rect(x: origin.x, y: origin.y, width: size.x, height: size.y)
    if across > 0, down > 0 {
      drawing.paths.roundedRect(rect, rx: across, ry: down)
    } else {
      drawing.paths.rect(rect)
    }
  }

  private mutating func addEllipse(_ node: Markup.Node, _ context: SVGContext) {
    let center = corner(.cx, .cy, node: node, context: context)
    var radii = Point(0, 0)
    if node.element == .circle {
      let radius = length(.r, of: node, whole: context.viewDiagonal, context: context) ?? 0
      radii = Point(radius, radius)
    } else {
      let (rx, ry) = self.radii(of: node, context)
      radii = Point(rx ?? ry ?? 0, ry ?? rx ?? 0)
    }
    guard radii.x > 0, radii.y > 0 else { return }
    drawing.paths.ellipse(cx: center.x, cy: center.y, rx: radii.x, ry: radii.y)
  }

  /// Returns both radii. A negative radius counts as missing.
  private func radii(of node: Markup.Node, _ context: SVGContext) -> (Double?, Double?) {
    let rx = length(.rx, of: node, whole: context.viewWidth, context: context)
    let ry = length(.ry, of: node, whole: context.viewHeight, context: context)
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
    style: SVGStyle, context: SVGContext,
    contents: (inout SVGReader, SVGContext) throws(VectorError) -> Void
  ) throws(VectorError) {
    let hasBox = !style.clipPath.isEmpty || !style.mask.isEmpty
    let isGroup =
      style.opacity < 1 || style.blend != .normal || style.isIsolated || !style.mask.isEmpty
    guard isGroup || hasBox else { return try contents(&self, context) }
    if style.opacity <= 0, !context.keepsHidden { return }
    if !isGroup, !needsBounds(style.clipPath) {
      var inner = context
      guard let clip = try clip(style.clipPath, box: nil, context: context) else { return }
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
    guard let clip = try clip(style.clipPath, box: box, context: context) else { return }
    guard let mask = try mask(style.mask, box: box, context: context) else { return }
    add(inside, style: style, clip: clip, mask: mask)
  }

  /// Adds the contents with their common style. A single plain item needs no group.
  private mutating func add(_ inside: [Item], style: SVGStyle, clip: Int32, mask: Int32) {
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

// MARK: - Path data

// Converts path data: commands and their numbers become steps of a path. The first error ends the
// path, and the part before the error is drawn.

struct PathData {
  private var scanner: Scanner
  /// The second control point of the last cubic curve, or the control point of the last quadratic
  /// curve; nil if the last step was another one.
  private var cubicHandle: Point?
  private var quadraticHandle: Point?

  init(_ scanner: Scanner) { self.scanner = scanner }

  /// Reads the path data to the first error and adds its steps to a store. Returns false if there
  /// is an error.
  mutating func read(to paths: inout PathStore) -> Bool {
    var command: UInt8 = 0
    var needsNumbers = false
    scanner.skipSpace()
    while !scanner.isAtEnd {
      let next = scanner.next
      if lowercase(next) &- UInt8(ascii: "a") < 26, next | 0x20 != UInt8(ascii: "e") {
        if needsNumbers { return false }
        command = next
        needsNumbers = true
        scanner.advance()
        if paths.isEmpty, command | 0x20 != UInt8(ascii: "m") { return false }
        if command | 0x20 == UInt8(ascii: "z") {
          paths.close()
          forgetHandles()
          command = 0
          needsNumbers = false
        }
      } else {
        guard command != 0, step(command, to: &paths) else { return false }
        needsNumbers = false
        // Further pairs of numbers after a move are lines.
        if command == UInt8(ascii: "m") { command = UInt8(ascii: "l") }
        if command == UInt8(ascii: "M") { command = UInt8(ascii: "L") }
      }
      scanner.skipSpaceAndComma()
    }
    return !needsNumbers
  }

  private mutating func forgetHandles() {
    cubicHandle = nil
    quadraticHandle = nil
  }

  private mutating func number() -> Double? {
    scanner.skipSpaceAndComma()
    return scanner.readNumber()
  }

  private mutating func point(_ isRelative: Bool, _ from: Point) -> Point? {
    guard let x = number(), let y = number() else { return nil }
    return isRelative ? Point(from.x + x, from.y + y) : Point(x, y)
  }

  /// Reads one set of numbers of a command and adds its step. Returns false if the numbers are
  /// missing.
  private mutating func step(_ command: UInt8, to paths: inout PathStore) -> Bool {
    let isRelative = command >= UInt8(ascii: "a")
    let from = paths.current
    switch command | 0x20 {
    case UInt8(ascii: "m"):
      guard let p = point(isRelative, from) else { return false }
      paths.move(to: p)
    case UInt8(ascii: "l"):
      guard let p = point(isRelative, from) else { return false }
      paths.line(to: p)
    case UInt8(ascii: "h"):
      guard let x = number() else { return false }
      paths.line(to: Point(isRelative ? from.x + x : x, from.y))
    case UInt8(ascii: "v"):
      guard let y = number() else { return false }
      paths.line(to: Point(from.x, isRelative ? from.y + y : y))
    case UInt8(ascii: "a"):
      guard arc(isRelative, from, to: &paths) else { return false }
    default: return curve(command | 0x20, isRelative: isRelative, from: from, to: &paths)
    }
    forgetHandles()
    return true
  }

  private mutating func curve(
    _ command: UInt8, isRelative: Bool, from: Point, to paths: inout PathStore
  ) -> Bool {
    switch command {
    case UInt8(ascii: "c"), UInt8(ascii: "s"):
      let first =
        command == UInt8(ascii: "c") ? point(isRelative, from) : mirrored(cubicHandle, from)
      guard let first, let second = point(isRelative, from), let p = point(isRelative, from)
      else { return false }
      paths.curve(first, second, to: p)
      cubicHandle = second
      quadraticHandle = nil
    case UInt8(ascii: "q"), UInt8(ascii: "t"):
      let handle =
        command == UInt8(ascii: "q") ? point(isRelative, from) : mirrored(quadraticHandle, from)
      guard let handle, let p = point(isRelative, from) else { return false }
      paths.quadratic(handle, to: p)
      quadraticHandle = handle
      cubicHandle = nil
    default: return false
    }
    return true
  }

  private func mirrored(_ handle: Point?, _ from: Point) -> Point {
    handle.map { Point(2 * from.x - $0.x, 2 * from.y - $0.y) } ?? from
  }

  /// Reads a flag of an arc. Flags need no separators.
  private mutating func flag() -> Bool? {
    scanner.skipSpaceAndComma()
    if scanner.read("1") { return true }
    return scanner.read("0") ? false : nil
  }

  private mutating func arc(
    _ isRelative: Bool, _ from: Point, to paths: inout PathStore
  ) -> Bool {
    guard let rx = number(), let ry = number(), let turn = number(), let isLarge = flag(),
      let isForward = flag(), let p = point(isRelative, from)
    else { return false }
    paths.arc(
      magnitude(rx), magnitude(ry), degrees: turn, isLarge: isLarge, isForward: isForward, to: p)
    return true
  }
}

extension PathStore {
  /// Adds an arc of an ellipse as curves of at most a quarter each.
  mutating func arc(
    _ rx: Double, _ ry: Double, degrees: Double, isLarge: Bool, isForward: Bool, to end: Point
  ) {
    let from = current
    if from == end { return }
    guard rx > 0, ry > 0, rx.isFinite, ry.isFinite, degrees.isFinite else {
      line(to: end)
      return
    }
    // The arc is computed in the space in which the ellipse is a circle of radius 1.
    let turn = Transform(
      Mathematics.cosine(degrees: degrees), Mathematics.sine(degrees: degrees),
      -Mathematics.sine(degrees: degrees), Mathematics.cosine(degrees: degrees), 0, 0)
    var toPage = Transform.scale(rx, ry).then(turn)
    guard var toCircle = toPage.inverse else {
      line(to: end)
      return
    }
    var a = toCircle.apply(from)
    var b = toCircle.apply(end)
    let distance = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    if distance > 2 {
      // If the ellipse is too small, it grows until it reaches both points.
      let growth = distance / 2
      toPage = Transform.scale(growth, growth).then(toPage)
      toCircle = toCircle.then(.scale(1 / growth, 1 / growth))
      a = toCircle.apply(from)
      b = toCircle.apply(end)
    }
    let half = min(1, distance / 2)
    let height = (1 - half * half).squareRoot() * (isLarge == isForward ? -1 : 1)
    let length = distance > 0 ? distance : 1
    let shown = min(length, 2)
    let center = Point(
      (a.x + b.x) / 2 - (b.y - a.y) / shown * height,
      (a.y + b.y) / 2 + (b.x - a.x) / shown * height)
    addArc(
      Transform.translation(center.x, center.y).then(toPage),
      first: Point(a.x - center.x, a.y - center.y),
      last: Point(b.x - center.x, b.y - center.y), isForward: isForward, to: end)
  }

  /// Adds an arc of the unit circle from one point to another, transformed to the page.
  private mutating func addArc(
    _ toPage: Transform, first: Point, last: Point, isForward: Bool, to end: Point
  ) {
    let start = Mathematics.angle(y: first.y, x: first.x)
    var sweep = Mathematics.angle(y: last.y, x: last.x) - start
    if isForward, sweep < 0 { sweep += 2 * .pi }
    if !isForward, sweep > 0 { sweep -= 2 * .pi }
    guard sweep.isFinite else {
      line(to: end)
      return
    }
    let count = max(1, ceiling(magnitude(sweep) / (.pi / 2) - 1e-9))
    let step = sweep / Double(count)
    let handle = 4.0 / 3 * Mathematics.tangent(step / 4)
    var a = first
    for i in 1...count {
      let angle = start + step * Double(i)
      let b = i == count ? last : Point(Mathematics.cosine(angle), Mathematics.sine(angle))
      curve(
        toPage.apply(Point(a.x - handle * a.y, a.y + handle * a.x)),
        toPage.apply(Point(b.x + handle * b.y, b.y - handle * b.x)),
        to: i == count ? end : toPage.apply(b))
      a = b
    }
  }

  /// Adds an ellipse, beginning at its right end, with a curve for each quarter.
  mutating func ellipse(cx: Double, cy: Double, rx: Double, ry: Double) {
    let x = rx * quarterHandle
    let y = ry * quarterHandle
    move(to: Point(cx + rx, cy))
    curve(Point(cx + rx, cy + y), Point(cx + x, cy + ry), to: Point(cx, cy + ry))
    curve(Point(cx - x, cy + ry), Point(cx - rx, cy + y), to: Point(cx - rx, cy))
    curve(Point(cx - rx, cy - y), Point(cx - x, cy - ry), to: Point(cx, cy - ry))
    curve(Point(cx + x, cy - ry), Point(cx + rx, cy - y), to: Point(cx + rx, cy))
    close()
  }

  mutating func roundedRect(_ r: Rect, rx: Double, ry: Double) {
    let x = rx - rx * quarterHandle
    let y = ry - ry * quarterHandle
    let right = r.x + r.width
    let bottom = r.y + r.height
    move(to: Point(r.x + rx, r.y))
    line(to: Point(right - rx, r.y))
    curve(Point(right - x, r.y), Point(right, r.y + y), to: Point(right, r.y + ry))
    line(to: Point(right, bottom - ry))
    curve(Point(right, bottom - y), Point(right - x, bottom), to: Point(right - rx, bottom))
    line(to: Point(r.x + rx, bottom))
    curve(Point(r.x + x, bottom), Point(r.x, bottom - y), to: Point(r.x, bottom - ry))
    line(to: Point(r.x, r.y + ry))
    curve(Point(r.x, r.y + y), Point(r.x + x, r.y), to: Point(r.x + rx, r.y))
    close()
  }
}

/// The distance of the control points for a quarter of a circle of radius 1: 4/3 · (√2 − 1).
private let quarterHandle = 0.552_284_749_830_793_4
