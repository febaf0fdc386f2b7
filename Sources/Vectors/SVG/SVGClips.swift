// Clip paths and masks of SVG.

extension SVGReader {
  private func isOfBox(_ name: AttributeName, _ node: Markup.Node) -> Bool? {
    guard var scanner = scanner(name, of: node) else { return nil }
    return scanner.readWord("objectboundingbox")
  }

  /// Whether a clip path is given in parts of the box of what it clips.
  func needsBounds(_ id: ByteRange) -> Bool {
    guard !id.isEmpty, let number = element(id) else { return false }
    return isOfBox(.clipPathUnits, markup.nodes[Int(number)]) ?? false
  }

  /// The clip of a clip path within the context's. Nil: nothing is shown.
  mutating func clip(
    _ id: ByteRange, _ box: Rect?, _ context: SVGContext
  ) throws(VectorError) -> Int32? {
    guard !id.isEmpty, let number = element(id) else { return context.clip }
    let node = markup.nodes[Int(number)]
    guard node.element == .clipPath else { return context.clip }
    guard !active.contains(number) else { return nil }
    guard context.depth < SVGReader.deepest else {
      throw .overLimit(.nesting, most: SVGReader.deepest)
    }
    try countUsed()
    active.append(number)
    defer { active.removeLast() }
    let style = try self.style(number, parent: Style())
    var inner = context
    inner.style = style
    inner.depth += 1
    if isOfBox(.clipPathUnits, node) ?? false {
      guard let box else { return nil }
      inner.transform = Transform(box.width, 0, 0, box.height, box.x, box.y)
        .then(context.transform)
    }
    if var scanner = scanner(.transform, of: node) {
      inner.transform = scanner.readTransform().then(inner.transform)
    }
    // The clip path's own clip clips too.
    if !style.clipPath.isEmpty {
      guard let own = try clip(style.clipPath, box, inner) else { return nil }
      inner.clip = own
    }
    var paths: [ClipPath] = []
    var child = node.firstChild
    while child >= 0 {
      try addClipPath(child, inner, &paths)
      child = markup.nodes[Int(child)].next
    }
    return drawing.addClip(paths, in: inner.clip)
  }

  /// A shape, or one that a `use` shows.
  private mutating func addClipPath(
    _ number: Int32, _ context: SVGContext, _ paths: inout [ClipPath]
  ) throws(VectorError) {
    try countUsed()
    let node = markup.nodes[Int(number)]
    let style = try self.style(number, parent: context.style)
    if node.element == .text { drawing.note(.text) }
    guard style.isDisplayed, style.isVisible else { return }
    var inner = context
    inner.style = style
    if var scanner = scanner(.transform, of: node) {
      inner.transform = scanner.readTransform().then(context.transform)
    }
    if node.element == .use {
      guard let target = target(of: node), !active.contains(target) else { return }
      active.append(target)
      defer { active.removeLast() }
      let x = length(.x, of: node, context.viewWidth, inner) ?? 0
      let y = length(.y, of: node, context.viewHeight, inner) ?? 0
      inner.transform = Transform.translation(x, y).then(inner.transform)
      return try addClipPath(target, inner, &paths)
    }
    guard let path = path(of: node, inner) else { return }
    var clipPath = ClipPath(path, style.clipRule, transform: inner.transform)
    if !style.clipPath.isEmpty {
      inner.clip = Clip.none
      let box = bounds(of: [Item(.fill(path, .nonZero))], .identity)
      guard let own = try clip(style.clipPath, box, inner) else { return }
      clipPath.clip = own
    }
    paths.append(clipPath)
  }

  /// A mask, or none. Nil: nothing is shown. Its brightness counts whatever `mask-type` says, as with
  /// Apple's tool.
  mutating func mask(
    _ id: ByteRange, _ box: Rect?, _ context: SVGContext
  ) throws(VectorError) -> Int32? {
    guard !id.isEmpty, let number = element(id) else { return SoftMask.none }
    let node = markup.nodes[Int(number)]
    guard node.element == .mask else { return SoftMask.none }
    guard !active.contains(number), let box else { return nil }
    guard context.depth < SVGReader.deepest else {
      throw .overLimit(.nesting, most: SVGReader.deepest)
    }
    active.append(number)
    let outside = items
    items = []
    outerItems += outside.count
    defer {
      active.removeLast()
      items = outside
      outerItems -= outside.count
    }
    let style = try self.style(number, parent: Style())
    var inner = context
    inner.style = style
    inner.depth += 1
    let region = self.region(node, box, context)
    drawing.paths.rect(region)
    inner.clip = drawing.addClip(
      ClipPath(drawing.paths.end(), .nonZero, transform: context.transform), in: Clip.none)
    if isOfBox(.maskContentUnits, node) ?? false {
      inner.transform = Transform(box.width, 0, 0, box.height, box.x, box.y)
        .then(context.transform)
    }
    if !style.clipPath.isEmpty {
      guard let own = try clip(style.clipPath, box, inner) else { return nil }
      inner.clip = own
    }
    try showChildren(of: number, inner)
    var mask = SoftMask(.luminance, scene: drawing.addScene(items))
    mask.backdrop = .black
    return drawing.addMask(mask)
  }

  /// Where a mask shows anything.
  private func region(_ node: Markup.Node, _ box: Rect, _ context: SVGContext) -> Rect {
    let usesBox = isOfBox(.maskUnits, node) ?? true
    func side(
      _ name: AttributeName, _ whole: Double, _ start: Double, _ size: Double, _ standard: Double
    ) -> Double {
      guard var scanner = scanner(name, of: node),
        let length = scanner.readLength(fontSize: context.style.fontSize)
      else { return usesBox ? start + standard * size : standard * whole }
      return usesBox ? start + length.resolved(1) * size : length.resolved(whole)
    }
    return Rect(
      x: side(.x, context.viewWidth, box.x, box.width, -0.1),
      y: side(.y, context.viewHeight, box.y, box.height, -0.1),
      width: side(.width, context.viewWidth, 0, box.width, 1.2),
      height: side(.height, context.viewHeight, 0, box.height, 1.2))
  }
}
