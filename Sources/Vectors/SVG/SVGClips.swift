// Clip paths and masks of SVG.

extension SVGReader {
  private func isOfBox(_ name: AttributeName, _ node: Markup.Node) -> Bool? {
    guard var scanner = scanner(name, of: node) else { return nil }
    return scanner.readWord("objectboundingbox")
  }

  /// Returns whether a clip path is given in fractions of the box of the element that it clips.
  func needsBounds(_ id: ByteRange) -> Bool {
    guard !id.isEmpty, let number = element(id) else { return false }
    return isOfBox(.clipPathUnits, markup.nodes[Int(number)]) ?? false
  }

  /// Returns the clip of a clip path within the clip of the context; nil if nothing is shown.
  mutating func clip(
    _ id: ByteRange, box: Rect?, context: SVGContext
  ) throws(VectorError) -> Int32? {
    guard !id.isEmpty else { return context.clip }
    guard let number = element(id) else {
      drawing.note(.missingElement)
      return context.clip
    }
    let node = markup.nodes[Int(number)]
    guard node.element == .clipPath else { return context.clip }
    guard !active.contains(number) else {
      drawing.note(.recursion)
      return nil
    }
    guard context.depth < SVGReader.deepest else {
      throw .overLimit(.nesting, most: SVGReader.deepest)
    }
    try countUsed()
    active.append(number)
    defer { active.removeLast() }
    let style = try ownStyle(number)
    var inner = context
    inner.style = style
    inner.depth += 1
    inner.transform = notedTransform(of: node, inner).then(context.transform)
    // The clip path's own clip applies too. It does not lie in units of the box.
    if !style.clipPath.isEmpty {
      guard let own = try clip(style.clipPath, box: box, context: inner) else { return nil }
      inner.clip = own
    }
    if isOfBox(.clipPathUnits, node) ?? false {
      guard let box else { return nil }
      inner.transform = Transform(box.width, 0, 0, box.height, box.x, box.y)
        .then(inner.transform)
    }
    var paths: [ClipPath] = []
    var child = node.firstChild
    while child >= 0 {
      try addClipPath(child, context: inner, to: &paths)
      child = markup.nodes[Int(child)].next
    }
    return drawing.addClip(paths, in: inner.clip)
  }

  /// Adds the path of a shape, or of the shape that a `use` element refers to. `outer` is the clip
  /// of that element.
  private mutating func addClipPath(
    _ number: Int32, context: SVGContext, outer: Int32 = Clip.none, to paths: inout [ClipPath]
  ) throws(VectorError) {
    try countUsed()
    let node = markup.nodes[Int(number)]
    let style = try self.style(number, parent: context.style)
    if node.element == .text { drawing.note(.text) }
    guard style.isDisplayed, style.isVisible else { return }
    var inner = context
    inner.style = style
    inner.transform = notedTransform(of: node, inner).then(context.transform)
    if node.element == .use {
      guard let target = target(of: node) else { return noteMissingTarget(of: node) }
      guard !active.contains(target) else { return drawing.note(.recursion) }
      active.append(target)
      defer { active.removeLast() }
      guard context.depth < SVGReader.deepest else {
        throw .overLimit(.nesting, most: SVGReader.deepest)
      }
      inner.depth += 1
      var own = outer
      if !style.clipPath.isEmpty {
        var clipping = inner
        clipping.clip = outer
        let shape = path(of: markup.nodes[Int(target)], inner)
        let box = shape.flatMap { bounds(of: [Item(.fill($0, .nonZero))], .identity) }
        guard let clip = try clip(style.clipPath, box: box, context: clipping) else { return }
        own = clip
      }
      let x = length(.x, of: node, whole: context.viewWidth, context: inner) ?? 0
      let y = length(.y, of: node, whole: context.viewHeight, context: inner) ?? 0
      inner.transform = Transform.translation(x, y).then(inner.transform)
      return try addClipPath(target, context: inner, outer: own, to: &paths)
    }
    guard let path = path(of: node, inner) else { return }
    var clipPath = ClipPath(path, style.clipRule, transform: inner.transform)
    clipPath.clip = outer
    if !style.clipPath.isEmpty {
      inner.clip = outer
      let box = bounds(of: [Item(.fill(path, .nonZero))], .identity)
      guard let own = try clip(style.clipPath, box: box, context: inner) else { return }
      clipPath.clip = own
    }
    paths.append(clipPath)
  }

  /// Returns a mask, or `SoftMask.none` if there is no mask; nil if nothing is shown. The luminance
  /// counts for any value of `mask-type`, as with Apple's tool.
  mutating func mask(
    _ id: ByteRange, box: Rect?, context: SVGContext
  ) throws(VectorError) -> Int32? {
    guard !id.isEmpty else { return SoftMask.none }
    guard let number = element(id) else {
      drawing.note(.missingElement)
      return SoftMask.none
    }
    let node = markup.nodes[Int(number)]
    guard node.element == .mask else { return SoftMask.none }
    guard let box else { return nil }
    guard !active.contains(number) else {
      drawing.note(.recursion)
      return nil
    }
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
    let style = try ownStyle(number)
    var inner = context
    inner.style = style
    inner.depth += 1
    inner.keepsHidden = false
    let region = self.region(of: node, box: box, context: context)
    drawing.paths.rect(region)
    inner.clip = drawing.addClip(
      ClipPath(drawing.paths.end(), .nonZero, transform: context.transform), in: Clip.none)
    if !style.clipPath.isEmpty {
      guard let own = try clip(style.clipPath, box: box, context: inner) else { return nil }
      inner.clip = own
    }
    if isOfBox(.maskContentUnits, node) ?? false {
      inner.transform = Transform(box.width, 0, 0, box.height, box.x, box.y)
        .then(context.transform)
    }
    try showChildren(of: number, inner)
    if !style.mask.isEmpty {
      var outer = context
      outer.depth += 1
      try maskItems(style.mask, box: box, context: outer)
    }
    var mask = SoftMask(.luminance, scene: drawing.addScene(items))
    mask.backdrop = .black
    return drawing.addMask(mask)
  }

  /// Replaces the current items by one group that is drawn through a mask. It is used for the mask
  /// of a mask.
  private mutating func maskItems(
    _ id: ByteRange, box: Rect, context: SVGContext
  ) throws(VectorError) {
    let own = try mask(id, box: box, context: context)
    var group = Item(.group(Group(scene: drawing.addScene(items))))
    if let own { group.mask = own } else { group.alpha = 0 }
    items = [group]
  }

  /// Returns the region in which a mask shows anything.
  private func region(of node: Markup.Node, box: Rect, context: SVGContext) -> Rect {
    let usesBox = isOfBox(.maskUnits, node) ?? true
    func side(
      _ name: AttributeName, whole: Double, start: Double, size: Double, standard: Double
    ) -> Double {
      guard var scanner = scanner(name, of: node),
        let length = scanner.readLength(fontSize: context.style.fontSize)
      else { return usesBox ? start + standard * size : standard * whole }
      return usesBox ? start + length.resolved(1) * size : length.resolved(whole)
    }
    return Rect(
      x: side(.x, whole: context.viewWidth, start: box.x, size: box.width, standard: -0.1),
      y: side(.y, whole: context.viewHeight, start: box.y, size: box.height, standard: -0.1),
      width: side(.width, whole: context.viewWidth, start: 0, size: box.width, standard: 1.2),
      height: side(.height, whole: context.viewHeight, start: 0, size: box.height, standard: 1.2))
  }
}
