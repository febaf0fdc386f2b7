// Reads SVG into a drawing, as Apple's tool reads it. This file visits the elements; other files
// read shapes, paints, clips and masks.

import Bytes

/// The reader of SVG files.
package enum SVG {
  /// Reads a document. The drawing takes no more than `memory` bytes.
  package static func read(
    _ document: [UInt8], memory: Int = .max
  ) throws(VectorError) -> Drawing {
    try read(document, Budget(input: document.count, memory: memory))
  }

  /// Reads a document and charges a budget.
  package static func read(_ document: [UInt8], _ budget: Budget) throws(VectorError) -> Drawing {
    let markup = try Markup(document, budget)
    return try markup.text.withUnsafeBufferPointer { (bytes) throws(VectorError) -> Drawing in
      var reader = SVGReader(markup, bytes: bytes, budget: budget)
      var drawing = try reader.read()
      try budget.checkVector()
      drawing.spending = budget.spending
      // The memory of the reader itself is free again; only the drawing remains.
      drawing.spending.memory = drawing.storedBytes(items: 0)
      return drawing
    }
  }
}

/// The surroundings in which an element is drawn.
struct SVGContext {
  /// The transform from the space of the element to the page.
  var transform: Transform
  var style: SVGStyle
  /// The size of the nearest viewport, to which percentages refer.
  var viewWidth: Double
  var viewHeight: Double
  /// The clip of items, unless they are drawn on a surface of their own.
  var clip = Clip.none
  var depth = 0
  /// Whether hidden shapes are kept as transparent items, because the box of these items is needed.
  var keepsHidden = false

  var viewDiagonal: Double {
    ((viewWidth * viewWidth + viewHeight * viewHeight) / 2).squareRoot()
  }
}

struct SVGReader {
  var markup: Markup
  let bytes: UnsafeBufferPointer<UInt8>
  let sheet: StyleSheet
  /// The work and memory that the document may still cost.
  let budget: Budget
  var drawing = Drawing(width: 0, height: 0)
  /// The items of the page or of the scene that is being made.
  var items: [Item] = []
  /// The number of items of the scenes around the scene that is being made.
  var outerItems = 0
  /// The elements that are being shown through a reference; none of them may show itself again.
  var active: [Int32] = []
  private var ids: [UInt64: Int32] = [:]
  /// The declarations of the style attribute of the current element, and the numbers of the rules
  /// that match it.
  var declarations: [Declaration] = []
  var selected: [Int32] = []
  /// The stops that were added for gradients, by the number of the gradient's element.
  var gradientStops: [Int32: ListRange] = [:]
  /// The styles of elements that other elements refer to.
  var ownStyles: [Int32: SVGStyle] = [:]
  /// The pictures of image elements that were shown, by the number of the element.
  var pictures: [Int32: Int32?] = [:]
  private var rootFontSize = 16.0

  static let deepest = 200

  init(_ markup: Markup, bytes: UnsafeBufferPointer<UInt8>, budget: Budget) {
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
    try settleAttributes()
    if markup.hasEntityWithMarkup { drawing.note(.entity) }
    if markup.isDamaged { drawing.note(.damagedMarkup) }
    var context = try readPage()
    if context.style.isDisplayed {
      if context.style.hasFilter { drawing.note(.filter) }
      context.transform = context.transform.then(ownTransform(of: markup.nodes[0], context))
      try compose(style: context.style, context: context) {
        (reader, context) throws(VectorError) in
        try reader.showChildren(of: 0, context)
      }
    }
    drawing.page = items
    if viewBox(of: markup.nodes[0]) == nil, isCut { drawing.note(.outsidePage) }
    return drawing
  }

  /// Reads the size of the page, stores it in the drawing, and returns the context for the elements
  /// of the page.
  mutating func readPage() throws(VectorError) -> SVGContext {
    let root = markup.nodes[0]
    let style = try self.style(0, parent: SVGStyle())
    rootFontSize = style.fontSize
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
    guard isShown(node.element), conditionsHold(for: node) else { return }
    let style = try self.style(number, parent: context.style)
    guard style.isDisplayed else { return }
    if style.hasFilter { drawing.note(.filter) }
    var inner = context
    inner.style = style
    inner.depth += 1
    inner.transform = notedTransform(of: node, inner).then(context.transform)
    try compose(style: style, context: inner) { (reader, context) throws(VectorError) in
      try reader.showContents(number, node: node, context: context)
    }
  }

  /// Charges an element each time that it is shown, and the memory of the drawing so far.
  mutating func countUsed() throws(VectorError) {
    budget.spend(.elements)
    budget.hold(.pathPoints, bytes: drawing.storedBytes(items: items.count + outerItems))
    try budget.checkVector()
  }

  private mutating func showContents(
    _ number: Int32, node: Markup.Node, context: SVGContext
  ) throws(VectorError) {
    switch node.element {
    case .g, .a: try showChildren(of: number, context)
    case .svg: try showViewport(number, context, width: nil, height: nil, atOrigin: false)
    case .use: try showUse(number, context)
    case .switch: try showSwitch(number, context)
    case .image: showImage(number, context)
    default: showShape(node, context)
    }
  }

  private func unsupported(_ element: ElementName) -> UnsupportedFeature? {
    switch element {
    case .text: .text
    case .foreignObject: .foreignObject
    case .animation: .animation
    case .script: .script
    default: nil
    }
  }

  private func isShown(_ element: ElementName) -> Bool {
    switch element {
    case .svg, .g, .a, .path, .rect, .circle, .ellipse, .line, .polyline, .polygon, .use, .switch,
      .image:
      true
    default: false
    }
  }

  /// Shows the first child that is supported and whose conditions hold.
  private mutating func showSwitch(
    _ number: Int32, _ context: SVGContext
  ) throws(VectorError) {
    var child = markup.nodes[Int(number)].firstChild
    while child >= 0 {
      let node = markup.nodes[Int(child)]
      let isKnown = isShown(node.element) && unsupported(node.element) == nil
      if isKnown, conditionsHold(for: node) { return try show(child, context) }
      child = markup.nodes[Int(child)].next
    }
  }

  /// Returns whether the conditions of an element hold: it requires no extension, and if it names
  /// languages, one of them is English.
  private func conditionsHold(for node: Markup.Node) -> Bool {
    if value(.requiredExtensions, of: node) != nil { return false }
    var language = scanner(.systemLanguage, of: node)
    return language.map { $0.rest.isEmpty || language.readsEnglish } ?? true
  }

  private func isAncestor(_ ancestor: Int32, of number: Int32) -> Bool {
    var parent = markup.nodes[Int(number)].parent
    while parent >= 0, parent != ancestor { parent = markup.nodes[Int(parent)].parent }
    return parent >= 0
  }

  private mutating func showUse(_ number: Int32, _ context: SVGContext) throws(VectorError) {
    let node = markup.nodes[Int(number)]
    guard let target = target(of: node) else { return noteMissingTarget(of: node) }
    guard !active.contains(target), !isAncestor(target, of: number) else {
      return drawing.note(.recursion)
    }
    let element = markup.nodes[Int(target)].element
    active.append(target)
    defer { active.removeLast() }
    var inner = context
    let x = length(.x, of: node, whole: context.viewWidth, context: context)
    let y = length(.y, of: node, whole: context.viewHeight, context: context)
    inner.transform = Transform.translation(x ?? 0, y ?? 0).then(context.transform)
    guard element == .symbol || element == .svg else { return try show(target, inner) }
    let style = try self.style(target, parent: context.style)
    guard style.isDisplayed else { return }
    inner.style = style
    inner.depth += 1
    inner.transform = notedTransform(of: markup.nodes[Int(target)], inner).then(inner.transform)
    let width = length(.width, of: node, whole: context.viewWidth, context: context)
    let height = length(.height, of: node, whole: context.viewHeight, context: context)
    try compose(style: style, context: inner) { (reader, context) throws(VectorError) in
      try reader.showViewport(
        target, context, width: width, height: height, atOrigin: element == .symbol)
    }
  }

  /// Shows the contents of an element that has its own coordinate system.
  private mutating func showViewport(
    _ number: Int32, _ context: SVGContext, width: Double?, height: Double?, atOrigin: Bool
  ) throws(VectorError) {
    let node = markup.nodes[Int(number)]
    guard context.depth < SVGReader.deepest else {
      throw .overLimit(.nesting, most: SVGReader.deepest)
    }
    let width =
      width ?? length(.width, of: node, whole: context.viewWidth, context: context)
      ?? context.viewWidth
    let height =
      height ?? length(.height, of: node, whole: context.viewHeight, context: context)
      ?? context.viewHeight
    guard width > 0, height > 0 else { return }
    let x = atOrigin ? 0 : length(.x, of: node, whole: context.viewWidth, context: context) ?? 0
    let y = atOrigin ? 0 : length(.y, of: node, whole: context.viewHeight, context: context) ?? 0
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
    // Attributes are parsed each time that an element is shown.
    guard budget.spend(.lexedBytes, value.range.count) else { return nil }
    var scanner = Scanner(bytes, value)
    scanner.skipSpace()
    return scanner
  }

  /// Returns a length in pixels. Percentages refer to `whole`.
  func length(
    _ name: AttributeName, of node: Markup.Node, whole: Double, context: SVGContext
  ) -> Double? {
    guard var scanner = scanner(name, of: node),
      let length = scanner.readLength(
        fontSize: context.style.fontSize, rootFontSize: rootFontSize)
    else { return nil }
    return length.resolved(whole)
  }

  /// Returns the element to which `href` refers.
  func target(of node: Markup.Node) -> Int32? {
    guard var scanner = scanner(.href, of: node) ?? scanner(.xlinkHref, of: node),
      scanner.read("#")
    else { return nil }
    return element(scanner.readUntil { $0 <= 32 })
  }

  /// Notes that the file lacks the element to which another one refers.
  mutating func noteMissingTarget(of node: Markup.Node) {
    if scanner(.href, of: node) ?? scanner(.xlinkHref, of: node) != nil {
      drawing.note(.missingElement)
    }
  }

  /// Returns the element with an id.
  func element(_ id: ByteRange) -> Int32? {
    budget.spend(.lexedBytes, id.range.count)
    guard let number = ids[textHash(id, bytes)],
      let found = value(.id, of: markup.nodes[Int(number)]), same(found, id, bytes: bytes)
    else { return nil }
    return number
  }
}

extension Scanner? {
  /// Whether a list of languages contains English.
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
        if scanner.position == word.position { return false }
      }
      return false
    }
  }
}
