// SVG to a drawing, as Apple's tool reads it. This file walks the elements; shapes, paints, clips and
// masks are in others.

import Bytes

/// Reads SVG files.
package enum SVG {
  /// Reads a document. What is read takes no more than `memory` bytes.
  package static func read(
    _ document: [UInt8], memory: Int = .max
  ) throws(VectorError) -> Drawing {
    try read(document, Budget(input: document.count, memory: memory))
  }

  /// Reads a document and spends from a budget.
  package static func read(_ document: [UInt8], _ budget: Budget) throws(VectorError) -> Drawing {
    let markup = try Markup(document, budget)
    return try markup.text.withUnsafeBufferPointer { (bytes) throws(VectorError) -> Drawing in
      var reader = SVGReader(markup, bytes, budget)
      var drawing = try reader.read()
      try budget.checkVector()
      drawing.spending = budget.spending
      // What the reader holds goes with it.
      drawing.spending.memory = drawing.storedBytes(items: 0)
      return drawing
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
  /// What the document may still cost.
  let budget: Budget
  var drawing = Drawing(width: 0, height: 0)
  /// What was drawn, of the page or of the scene that is being made.
  var items: [Item] = []
  /// Items of the scenes around the one that is being made.
  var outerItems = 0
  /// Elements that are being shown by others, so that none shows itself.
  var active: [Int32] = []
  private var ids: [UInt64: Int32] = [:]
  /// Of the element whose style is being found: its own, and those of rules.
  var declarations: [Declaration] = []
  var selected: [Int32] = []
  /// Stops that were added for a gradient, by the number of its element.
  var gradientStops: [Int32: Span] = [:]

  static let deepest = 200

  init(_ markup: Markup, _ bytes: UnsafeBufferPointer<UInt8>, _ budget: Budget) {
    self.markup = markup
    self.bytes = bytes
    self.budget = budget
    sheet = StyleSheet(markup.styles, bytes, markup.text, budget)
    for (i, node) in markup.nodes.enumerated() {
      guard let id = value(.id, of: node) else { continue }
      let key = textHash(id, bytes)
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

  /// Counts an element each time that it is shown, and the memory of what was drawn until now.
  mutating func countUsed() throws(VectorError) {
    budget.spend(.elements)
    budget.hold(.pathPoints, bytes: drawing.storedBytes(items: items.count + outerItems))
    try budget.checkVector()
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
    budget.spend(.copiedBytes, 4 + Int(node.attributes.count))
    for attribute in markup.attributes[node.attributes.range] where attribute.name == name {
      return attribute.value
    }
    return nil
  }

  func scanner(_ name: AttributeName, of node: Markup.Node) -> Scanner? {
    guard let value = value(name, of: node) else { return nil }
    // Attributes are read each time that an element is shown.
    guard budget.spend(.lexedBytes, value.range.count) else { return nil }
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
    budget.spend(.lexedBytes, id.range.count)
    guard let number = ids[textHash(id, bytes)],
      let found = value(.id, of: markup.nodes[Int(number)]), same(found, id, bytes)
    else { return nil }
    return number
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
