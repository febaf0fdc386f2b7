// Reads the outlines below an element of an SVG, with their layers. The element is one drawing of a
// template, or the whole page that an archive keeps for one drawing. Clips, masks and pictures are
// not part of symbols.

import Bytes

extension SVG {
  /// Reads a page that holds one drawing of a symbol.
  package static func readSymbol(
    _ document: [UInt8], memory: Int = .max
  ) throws(VectorError) -> SymbolDrawing {
    let budget = Budget(input: document.count, memory: memory)
    let markup = try Markup(document, budget)
    return try markup.text.withUnsafeBufferPointer {
      (bytes) throws(VectorError) -> SymbolDrawing in
      var reader = SymbolReader(SVGReader(markup, bytes: bytes, budget: budget))
      let page = try reader.readPage()
      var drawing = SymbolDrawing(width: page.viewWidth, height: page.viewHeight)
      try reader.addShapes(below: 0, page)
      (drawing.width, drawing.height) = reader.pageSize
      drawing.shapes = reader.takeShapes()
      drawing.paths = reader.paths
      try budget.checkVector()
      drawing.spending = budget.spending
      return drawing
    }
  }
}

struct SymbolReader {
  private var reader: SVGReader
  private let rules: SymbolRules
  /// The shapes of the drawing that is being read.
  private var shapes: [SymbolShape] = []

  init(_ reader: SVGReader) {
    self.reader = reader
    rules = SymbolRules(reader.markup.styles, reader.bytes)
  }

  var budget: Budget { reader.budget }
  var markup: Markup { reader.markup }
  var bytes: UnsafeBufferPointer<UInt8> { reader.bytes }
  var layerRules: SymbolRules { rules }

  /// The paths of all drawings of the file.
  var paths: PathStore { reader.drawing.paths }
  var pageSize: (Double, Double) { (reader.drawing.width, reader.drawing.height) }

  mutating func readPage() throws(VectorError) -> SVGContext { try reader.readPage() }

  /// Returns the value of an attribute of an element; nil if the element does not have the
  /// attribute.
  func value(_ name: AttributeName, of number: Int32) -> ByteRange? {
    reader.value(name, of: markup.nodes[Int(number)])
  }

  /// Returns the context of a child of an element; nil if the child is not displayed.
  mutating func context(
    of number: Int32, in outer: SVGContext
  ) throws(VectorError) -> SVGContext? {
    guard outer.depth < SVGReader.deepest else {
      throw .overLimit(.nesting, most: SVGReader.deepest)
    }
    let node = markup.nodes[Int(number)]
    var context = outer
    context.style = try reader.style(number, parent: outer.style)
    context.depth += 1
    guard context.style.isDisplayed else { return nil }
    if var scanner = reader.scanner(.transform, of: node) {
      context.transform = scanner.readTransform().then(outer.transform)
    }
    return context
  }

  /// Adds the shapes of the children of an element.
  mutating func addShapes(below number: Int32, _ context: SVGContext) throws(VectorError) {
    var child = markup.nodes[Int(number)].firstChild
    while child >= 0 {
      if let inner = try self.context(of: child, in: context) { try addShapes(child, inner) }
      child = markup.nodes[Int(child)].next
    }
  }

  /// Adds an element, whose own context is given, or the elements below it.
  mutating func addShapes(_ number: Int32, _ context: SVGContext) throws(VectorError) {
    let node = markup.nodes[Int(number)]
    switch node.element {
    case .svg, .g, .a: try addShapes(below: number, context)
    case .path, .rect, .circle, .ellipse, .line, .polyline, .polygon: try add(node, context)
    case .use, .symbol, .defs, .style, .clipPath, .mask, .linearGradient, .radialGradient, .stop,
      .pattern, .switch, .text, .image, .filter, .foreignObject, .marker, .script, .animation,
      .unknown:
      return
    }
  }

  private mutating func add(_ node: Markup.Node, _ context: SVGContext) throws(VectorError) {
    let style = context.style
    try reader.countUsed()
    budget.borrow(.elements, bytes: 2 * MemoryLayout<SymbolShape>.stride + 256)
    guard style.isVisible,
      let path = reader.path(of: node, context)
    else { return }
    var shape = SymbolShape(path: path, transform: context.transform, rule: style.fillRule)
    readClasses(of: node, style, to: &shape)
    let width = style.strokeWidth.resolved(context.viewDiagonal)
    let isLine = style.stroke.kind != .none && width > 0
    if isLine { shape.reach = width / 2 }
    // A shape in a layer is used as an outline, even if its colours in a preview would hide it.
    if shape.layers.isEmpty {
      let isFilled = style.fill.kind != .none && style.fillOpacity > 0
      guard isFilled || isLine, style.opacity > 0 else { return }
      if !isFilled {
        var stroke = Stroke(width: width)
        (stroke.cap, stroke.join, stroke.miterLimit) = (style.cap, style.join, style.miterLimit)
        shape.stroke = stroke
        shape.color = style.stroke.color.color
      }
    }
    shapes.append(shape)
  }

  private func readClasses(
    of node: Markup.Node, _ style: SVGStyle, to shape: inout SymbolShape
  ) {
    if style.fill.kind == .color { shape.color = style.fill.color.color }
    let painted = style.fill.kind == .color ? style.fill.color.color : nil
    guard var scanner = reader.scanner(.class, of: node) else { return }
    while !scanner.isAtEnd, shape.classes.count < 32,
      budget.spend(.selectorTests, 1 + rules.rules.count)
    {
      let name = scanner.readUntil { $0 <= 32 }
      scanner.skipSpace()
      guard let layer = rules.layer(name, painted: painted) else { continue }
      shape.classes.append(Array(bytes[name.range]))
      if shape.layer(layer.mode) == nil { shape.layers.append(layer) }
    }
  }

  /// Returns the shapes that were read; the next drawing begins without shapes.
  mutating func takeShapes() -> [SymbolShape] {
    defer { shapes = [] }
    return shapes
  }
}

// MARK: - Classes of layers

// The classes with which an SVG assigns an outline to layers, such as "hierarchical-1:secondary",
// "multicolor-0:tintColor" and "monochrome-2", and the rules of the style sheet for these classes.

/// The rule of a style sheet for one layer class.
struct SymbolRule {
  /// The name of the class, without the leading full stop.
  var name: ByteRange
  /// The text between the braces.
  var body: ByteRange
  var clearsBehind = false
  var opacity = 1.0
  var color: Color?
}

/// The rules for layer classes. Their selectors contain colons and are not valid CSS, so they are
/// read here.
struct SymbolRules {
  private(set) var rules: [SymbolRule] = []
  private let bytes: UnsafeBufferPointer<UInt8>

  private static let most = 1_000

  init(_ styles: [ByteRange], _ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    for style in styles {
      var scanner = Scanner(bytes, style)
      while !scanner.isAtEnd, rules.count < SymbolRules.most {
        let selector = scanner.readUntil { $0 == UInt8(ascii: "{") }
        guard scanner.read("{") else { break }
        let body = scanner.readUntil { $0 == UInt8(ascii: "}") }
        _ = scanner.read("}")
        add(selector, body)
      }
    }
  }

  private mutating func add(_ selector: ByteRange, _ body: ByteRange) {
    var scanner = Scanner(bytes, selector)
    scanner.skipSpace()
    guard scanner.read(".") else { return }
    let name = scanner.readUntil { $0 <= 32 || $0 == UInt8(ascii: ",") }
    guard !name.isEmpty else { return }
    var rule = SymbolRule(name: name, body: body)
    var declarations = Scanner(bytes, body)
    while !declarations.isAtEnd {
      declarations.skipSpace()
      let key = declarations.readUntil { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
      if declarations.read(":") {
        declarations.skipSpace()
        read(key, &declarations, to: &rule)
        _ = declarations.readUntil { $0 == UInt8(ascii: ";") }
      }
      guard declarations.read(";") else { break }
    }
    rules.append(rule)
  }

  private func read(_ key: ByteRange, _ value: inout Scanner, to rule: inout SymbolRule) {
    if bytes.holds("-sfsymbols-clear-behind", at: key) {
      rule.clearsBehind = value.readWord("true")
    } else if bytes.holds("opacity", at: key) {
      rule.opacity = value.readNumber().map { max(0, min($0, 1)) } ?? 1
    } else if bytes.holds("fill", at: key) {
      rule.color = value.readColor()?.color
    }
  }

  /// Returns the rule for a class. If there are several, the last one counts.
  func rule(_ name: ByteRange) -> SymbolRule? { rules.last { same($0.name, name, bytes: bytes) } }

  /// Returns the layer that a class means; nil if it is not a layer class.
  func layer(_ name: ByteRange, painted color: Color?) -> SymbolLayer? {
    var scanner = Scanner(bytes, name)
    guard let mode = scanner.readMode(), scanner.readNumber() != nil else { return nil }
    var layer = SymbolLayer(mode: mode)
    if let rule = rule(name) {
      layer.clearsBehind = rule.clearsBehind
      layer.opacity = rule.opacity
      if let color = rule.color, mode == .multicolor { layer.ink = .color(color) }
    }
    guard scanner.read(":") else { return layer }
    let role = scanner.rest
    switch mode {
    case .monochrome: break
    case .hierarchical: layer.ink = .tint(share(of: role))
    case .multicolor:
      if let ink = SystemInk.allCases.first(where: { bytes.holds($0.name, at: role) }) {
        layer.ink = .system(ink)
      } else if layer.ink == .tint(1), !bytes.holds("tintColor", at: role), let color {
        layer.ink = .color(color)
      }
    }
    return layer
  }

  /// Returns the share of the tint that a level of the hierarchy shows.
  private func share(of role: ByteRange) -> Double {
    if bytes.holds("secondary", at: role) { return 0.5 }
    if bytes.holds("tertiary", at: role) { return 0.25 }
    return 1
  }
}

extension Scanner {
  fileprivate mutating func readMode() -> SymbolMode? {
    if readStart("monochrome-") { return .monochrome }
    if readStart("hierarchical-") { return .hierarchical }
    return readStart("multicolor-") ? .multicolor : nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether a range of the text is equal to a word.
  func holds(_ word: StaticString, at range: ByteRange) -> Bool {
    guard range.range.count == word.utf8CodeUnitCount else { return false }
    for i in 0..<range.range.count where self[Int(range.start) + i] != word.utf8Start[i] {
      return false
    }
    return true
  }
}
