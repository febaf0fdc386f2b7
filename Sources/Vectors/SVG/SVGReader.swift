// SVG to a drawing, as Apple's tool reads it. This file walks the elements; shapes, paints, clips and
// masks are in others.

/// Reads SVG files.
package enum SVG {
  package static func read(_ document: [UInt8]) throws(VectorError) -> Drawing {
    let markup = try Markup(document)
    return try markup.text.withUnsafeBufferPointer { (bytes) throws(VectorError) -> Drawing in
      var reader = SVGReader(markup, bytes)
      return try reader.read()
    }
  }
}

/// What an element is drawn in.
struct SVGContext {
  /// From the element's space to the page.
  var transform: Transform
  var style: Style
  /// Of the nearest viewport; shares are of these.
  var viewWidth: Double
  var viewHeight: Double
  /// What is drawn is clipped by this, unless it is drawn aside.
  var clip = Clip.none
  var depth = 0

  var viewDiagonal: Double {
    ((viewWidth * viewWidth + viewHeight * viewHeight) / 2).squareRoot()
  }
}

struct SVGReader {
  let markup: Markup
  let bytes: UnsafeBufferPointer<UInt8>
  let sheet: StyleSheet
  var drawing = Drawing(width: 0, height: 0)
  /// What was drawn, of the page or of the scene that is being made.
  var items: [Item] = []
  /// Elements that are being shown by others, so that none shows itself.
  var active: [Int32] = []
  private var ids: [UInt64: Int32] = [:]
  /// Of the element whose style is being found: its own, and those of rules.
  var declarations: [Declaration] = []
  var selected: [Span] = []
  private var usedElements = 0
  var styleWork = 0

  static let deepest = 200
  private static let mostUsedElements = 100_000
  static let mostStyleWork = 40_000_000
  /// Of all paths, those that `use` shows again among them.
  private static let mostPoints = 4_000_000

  init(_ markup: Markup, _ bytes: UnsafeBufferPointer<UInt8>) {
    self.markup = markup
    self.bytes = bytes
    sheet = StyleSheet(markup.styles, bytes, markup.text)
    for (i, node) in markup.nodes.enumerated() {
      guard let id = value(.id, of: node) else { continue }
      let key = hash(id)
      if ids[key] == nil { ids[key] = Int32(truncatingIfNeeded: i) }
    }
  }

  mutating func read() throws(VectorError) -> Drawing {
    let context = try readPage()
    if context.style.isDisplayed {
      try compose(0, context.style, context) { (reader, context) throws(VectorError) in
        try reader.showChildren(of: 0, context)
      }
    }
    drawing.page = items
    if viewBox(of: markup.nodes[0]) == nil, isCut { drawing.note(.outsidePage) }
    return drawing
  }

  /// The size of the page, which the drawing then has, and what its elements are drawn in.
  mutating func readPage() throws(VectorError) -> SVGContext {
    let root = markup.nodes[0]
    let style = try self.style(0, parent: Style())
    let box = viewBox(of: root)
    func side(_ name: AttributeName, _ whole: Double?) -> Double? {
      guard var scanner = scanner(name, of: root),
        let length = scanner.readLength(fontSize: style.fontSize)
      else { return whole }
      return length.isShare ? whole.map { length.resolved($0) } : length.value
    }
    guard let width = side(.width, box?.width), let height = side(.height, box?.height),
      width > 0, height > 0, width.isFinite, height.isFinite
    else { throw .malformed(.noSize, offset: 0) }
    drawing.width = width
    drawing.height = height
    if sheet.hasUnknownRule { drawing.note(.styleRule) }
    var context = SVGContext(
      transform: .identity, style: style, viewWidth: width, viewHeight: height)
    if let box {
      context.transform = fit(box, to: Rect(x: 0, y: 0, width: width, height: height), root)
      context.viewWidth = box.width
      context.viewHeight = box.height
    }
    return context
  }

  // MARK: Elements

  mutating func showChildren(of node: Int32, _ context: SVGContext) throws(VectorError) {
    var child = markup.nodes[Int(node)].firstChild
    while child >= 0 {
      try show(child, context)
      child = markup.nodes[Int(child)].next
    }
  }

  mutating func show(_ number: Int32, _ context: SVGContext) throws(VectorError) {
    try countUsed()
    guard context.depth < SVGReader.deepest else {
      throw .overLimit(.nesting, most: SVGReader.deepest)
    }
    let node = markup.nodes[Int(number)]
    if let feature = unsupported(node.element) {
      drawing.note(feature)
      return
    }
    guard isShown(node.element) else { return }
    let style = try self.style(number, parent: context.style)
    guard style.isDisplayed else { return }
    if style.hasFilter { drawing.note(.filter) }
    var inner = context
    inner.style = style
    inner.depth += 1
    if var scanner = scanner(.transform, of: node) {
      inner.transform = scanner.readTransform().then(context.transform)
    }
    try compose(number, style, inner) { (reader, context) throws(VectorError) in
      try reader.showContents(number, node, context)
    }
  }

  /// Counts an element. Those that are there are counted already; only those that others show can be too
  /// many.
  mutating func countUsed() throws(VectorError) {
    if !active.isEmpty { usedElements += 1 }
    guard usedElements <= SVGReader.mostUsedElements else {
      throw .overLimit(.usedElements, most: SVGReader.mostUsedElements)
    }
    guard drawing.paths.points.count <= SVGReader.mostPoints else {
      throw .overLimit(.pathPoints, most: SVGReader.mostPoints)
    }
  }

  private mutating func showContents(
    _ number: Int32, _ node: Markup.Node, _ context: SVGContext
  ) throws(VectorError) {
    switch node.element {
    case .g, .a: try showChildren(of: number, context)
    case .svg: try showViewport(number, context, width: nil, height: nil, atOrigin: false)
    case .use: try showUse(number, context)
    case .switch: try showSwitch(number, context)
    default: showShape(node, context)
    }
  }

  private func unsupported(_ element: ElementName) -> UnsupportedFeature? {
    switch element {
    case .text: .text
    case .image: .image
    case .foreignObject: .foreignObject
    case .animation: .animation
    case .script: .script
    default: nil
    }
  }

  private func isShown(_ element: ElementName) -> Bool {
    switch element {
    case .svg, .g, .a, .path, .rect, .circle, .ellipse, .line, .polyline, .polygon, .use, .switch:
      true
    default: false
    }
  }

  /// The first child that asks for nothing unknown.
  private mutating func showSwitch(
    _ number: Int32, _ context: SVGContext
  ) throws(VectorError) {
    var child = markup.nodes[Int(number)].firstChild
    while child >= 0 {
      let node = markup.nodes[Int(child)]
      var language = scanner(.systemLanguage, of: node)
      let asks =
        value(.requiredExtensions, of: node) != nil || unsupported(node.element) != nil
        || language.map { !$0.rest.isEmpty && !language.readsEnglish } ?? false
      if isShown(node.element), !asks { return try show(child, context) }
      child = markup.nodes[Int(child)].next
    }
  }

  private mutating func showUse(_ number: Int32, _ context: SVGContext) throws(VectorError) {
    let node = markup.nodes[Int(number)]
    guard let target = target(of: node), !active.contains(target) else { return }
    let element = markup.nodes[Int(target)].element
    active.append(target)
    defer { active.removeLast() }
    var inner = context
    let x = length(.x, of: node, context.viewWidth, context)
    let y = length(.y, of: node, context.viewHeight, context)
    inner.transform = Transform.translation(x ?? 0, y ?? 0).then(context.transform)
    guard element == .symbol || element == .svg else { return try show(target, inner) }
    let style = try self.style(target, parent: context.style)
    guard style.isDisplayed else { return }
    inner.style = style
    inner.depth += 1
    let width = length(.width, of: node, context.viewWidth, context)
    let height = length(.height, of: node, context.viewHeight, context)
    try compose(target, style, inner) { (reader, context) throws(VectorError) in
      try reader.showViewport(
        target, context, width: width, height: height, atOrigin: element == .symbol)
    }
  }

  /// The contents of an element with a coordinate system of its own.
  private mutating func showViewport(
    _ number: Int32, _ context: SVGContext, width: Double?, height: Double?, atOrigin: Bool
  ) throws(VectorError) {
    let node = markup.nodes[Int(number)]
    guard context.depth < SVGReader.deepest else {
      throw .overLimit(.nesting, most: SVGReader.deepest)
    }
    let width = width ?? length(.width, of: node, context.viewWidth, context) ?? context.viewWidth
    let height =
      height ?? length(.height, of: node, context.viewHeight, context) ?? context.viewHeight
    guard width > 0, height > 0 else { return }
    let x = atOrigin ? 0 : length(.x, of: node, context.viewWidth, context) ?? 0
    let y = atOrigin ? 0 : length(.y, of: node, context.viewHeight, context) ?? 0
    let port = Rect(x: x, y: y, width: width, height: height)
    var inner = context
    inner.depth += 1
    if !context.style.showsOverflow {
      drawing.paths.rect(port)
      let path = ClipPath(drawing.paths.end(), .nonZero, transform: context.transform)
      inner.clip = drawing.addClip(path, in: context.clip)
    }
    if let box = viewBox(of: node) {
      inner.transform = fit(box, to: port, node).then(context.transform)
      inner.viewWidth = box.width
      inner.viewHeight = box.height
    } else {
      inner.transform = Transform.translation(x, y).then(context.transform)
      inner.viewWidth = width
      inner.viewHeight = height
    }
    try showChildren(of: number, inner)
  }

  // MARK: Attributes

  func value(_ name: AttributeName, of node: Markup.Node) -> ByteRange? {
    for attribute in markup.attributes[node.attributes.range] where attribute.name == name {
      return attribute.value
    }
    return nil
  }

  func scanner(_ name: AttributeName, of node: Markup.Node) -> Scanner? {
    guard let value = value(name, of: node) else { return nil }
    var scanner = Scanner(bytes, value)
    scanner.skipSpace()
    return scanner
  }

  /// A length in pixels; shares are of `whole`.
  func length(
    _ name: AttributeName, of node: Markup.Node, _ whole: Double, _ context: SVGContext
  ) -> Double? {
    guard var scanner = scanner(name, of: node),
      let length = scanner.readLength(fontSize: context.style.fontSize)
    else { return nil }
    return length.resolved(whole)
  }

  /// The element that `href` means.
  func target(of node: Markup.Node) -> Int32? {
    guard var scanner = scanner(.href, of: node), scanner.read("#") else { return nil }
    return element(scanner.readUntil { $0 <= 32 })
  }

  /// The element of an id.
  func element(_ id: ByteRange) -> Int32? {
    guard let number = ids[hash(id)],
      let found = value(.id, of: markup.nodes[Int(number)]), same(found, id, bytes)
    else { return nil }
    return number
  }

  private func hash(_ range: ByteRange) -> UInt64 {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for i in range.range { value = (value ^ UInt64(bytes[i])) &* 0x100_0000_01B3 }
    return value
  }
}

extension Scanner? {
  /// Whether a list of languages has one that is English.
  fileprivate var readsEnglish: Bool {
    mutating get {
      guard var scanner = self else { return false }
      while !scanner.isAtEnd {
        scanner.skipSpaceAndComma()
        let word = scanner
        if scanner.readWord("en") || scanner.readWord("en-us") || scanner.readWord("en-gb") {
          return true
        }
        _ = scanner.readUntil { $0 == UInt8(ascii: ",") }
        if scanner.place == word.place { return false }
      }
      return false
    }
  }
}
