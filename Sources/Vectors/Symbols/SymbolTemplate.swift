// The template of a symbol: an SVG with drawings for some or all of nine weights and three sizes,
// and guides for the position of text and for the margins between symbols and their neighbours.
// Drawings are elements with certain ids ("Regular-M"). Everything else on the page is for human
// readers and is ignored.

import Bytes

/// A drawing of a template.
package struct TemplateDrawing: Sendable {
  /// The numbers that archives use: a weight from 1 to 9 and a size from 1 to 3.
  package var weight: Int
  package var size: Int
  /// The outlines, in the space of the template's page.
  package var drawing: SymbolDrawing
  /// The exact box on the page.
  package var box: Rect
  /// The origin of the element's own space on the page, if this space is only a translation of the
  /// page; otherwise (0, 0).
  package var origin: Point
}

package struct SymbolTemplate: Sendable {
  /// A guide, as the box of its outline on the page. Lengths are measured from the middle of its
  /// height, so that half of the height is part of them, as in old tools.
  package struct Guide: Sendable, Equatable {
    package var box: Rect

    package var middleY: Double { box.y + box.height / 2 }
  }

  /// A layer class and its rule in the style sheet.
  package struct Rule: Sendable, Equatable {
    package var name: [UInt8]
    package var body: [UInt8]
  }

  package var width: Double
  package var height: Double
  /// The drawings, sorted by size and then by weight.
  package var drawings: [TemplateDrawing] = []
  /// The version in the text of the template; 0 if the text is missing or was converted to
  /// outlines.
  package var version = 0.0
  /// The guides for the baseline and the cap height of each size; the index is the number of the
  /// size minus 1.
  package var baselines: [Guide?] = [nil, nil, nil]
  package var caplines: [Guide?] = [nil, nil, nil]
  /// The margin guides for all drawings, and those for single drawings, by the number of the
  /// drawing.
  package var leftMargin: Guide?
  package var rightMargin: Guide?
  package var leftMargins: [Int: Guide] = [:]
  package var rightMargins: [Int: Guide] = [:]
  package var rules: [Rule] = []
  /// The numbers of drawings that have an id but show nothing: they have no outline, or one that is
  /// too thin or too large to be written (`WriteSymbol.swift`).
  package var empty: [Int] = []

  /// Returns the number of a drawing among all 27 possible drawings.
  package static func number(weight: Int, size: Int) -> Int { (size - 1) * 9 + weight - 1 }

  /// The usual height of capital letters in templates, which are drawn at 100 points.
  package static let capHeight = 70.459

  /// The permitted lengths of a drawing's sides. At common text sizes a point is about six of these
  /// units.
  static let sides = 1e-3...1e9
}

extension SymbolTemplate {
  package static func read(_ document: [UInt8]) throws(VectorError) -> SymbolTemplate {
    let budget = Budget(input: document.count)
    let markup = try Markup(document, budget)
    return try markup.text.withUnsafeBufferPointer {
      (bytes) throws(VectorError) -> SymbolTemplate in
      var reader = TemplateReader(SymbolReader(SVGReader(markup, bytes: bytes, budget: budget)))
      return try reader.read()
    }
  }
}

private struct TemplateReader {
  var symbols: SymbolReader
  var template = SymbolTemplate(width: 0, height: 0)
  /// The drawings with their shapes and the origins of their spaces, and the guides with their
  /// shapes.
  var found: [(number: Int, shapes: [SymbolShape], origin: Point)] = []
  var guides: [(name: GuideName, shapes: [SymbolShape])] = []

  init(_ symbols: SymbolReader) { self.symbols = symbols }

  mutating func read() throws(VectorError) -> SymbolTemplate {
    var page = try symbols.readPage()
    page.style = SVGStyle()
    (template.width, template.height) = symbols.pageSize
    try visit(below: 0, page)
    try symbols.budget.checkVector()
    let paths = symbols.paths
    for (name, shapes) in guides { add(name, shapes, paths) }
    found.sort { $0.number < $1.number }
    for (number, shapes, origin) in found {
      var drawing = SymbolDrawing(width: template.width, height: template.height)
      drawing.paths = paths
      drawing.shapes = shapes
      drawing.spending = symbols.budget.spending
      guard let box = drawing.bounds, SymbolTemplate.sides.contains(box.width),
        SymbolTemplate.sides.contains(box.height)
      else {
        template.empty.append(number)
        continue
      }
      template.drawings.append(
        TemplateDrawing(
          weight: number % 9 + 1, size: number / 9 + 1, drawing: drawing, box: box, origin: origin))
    }
    template.version = version
    template.rules = symbols.layerRules.rules.map {
      SymbolTemplate.Rule(
        name: Array(symbols.bytes[$0.name.range]), body: Array(symbols.bytes[$0.body.range]))
    }
    return template
  }

  private mutating func visit(below number: Int32, _ context: SVGContext) throws(VectorError) {
    var child = symbols.markup.nodes[Int(number)].firstChild
    while child >= 0 {
      try visit(child, context)
      child = symbols.markup.nodes[Int(child)].next
    }
  }

  private mutating func visit(_ number: Int32, _ outer: SVGContext) throws(VectorError) {
    guard let context = try symbols.context(of: number, in: outer) else { return }
    if let id = symbols.value(.id, of: number) {
      if let drawing = drawingNumber(id) {
        // If two elements have the same id, the first one counts.
        guard !found.contains(where: { $0.number == drawing }) else { return }
        try symbols.addShapes(number, context)
        found.append((drawing, symbols.takeShapes(), origin(context.transform)))
        return
      }
      if let name = GuideName(id, symbols.bytes) {
        try symbols.addShapes(number, context)
        guides.append((name, symbols.takeShapes()))
        return
      }
    }
    try visit(below: number, context)
  }

  /// Returns the origin of a space that is a translation of the page. For any other space returns
  /// (0, 0), the origin of the page.
  private func origin(_ transform: Transform) -> Point {
    let isMove =
      transform.a == 1 && transform.b == 0 && transform.c == 0 && transform.d == 1
      && transform.isFinite
    return isMove ? Point(transform.tx, transform.ty) : Point(0, 0)
  }

  private func drawingNumber(_ id: ByteRange) -> Int? {
    let name = GuideName.drawing(id, symbols.bytes)
    return name.map { SymbolTemplate.number(weight: $0.weight, size: $0.size) }
  }

  private mutating func add(_ name: GuideName, _ shapes: [SymbolShape], _ paths: PathStore) {
    var drawing = SymbolDrawing(width: template.width, height: template.height)
    drawing.paths = paths
    drawing.shapes = shapes.map { shape in
      var line = shape
      line.reach = 0
      return line
    }
    guard let box = drawing.bounds else { return }
    let guide = SymbolTemplate.Guide(box: box)
    switch name {
    case .baseline(let size): template.baselines[size - 1] = guide
    case .capline(let size): template.caplines[size - 1] = guide
    case .margin(let isLeft, nil):
      if isLeft { template.leftMargin = guide } else { template.rightMargin = guide }
    case .margin(let isLeft, let number?):
      if isLeft {
        template.leftMargins[number] = guide
      } else {
        template.rightMargins[number] = guide
      }
    }
  }

  /// The number after "Template v." if it is text. If an id contains these words, the text was
  /// converted to outlines.
  private var version: Double {
    let words: StaticString = ">Template v."
    let bytes = symbols.bytes
    let length = words.utf8CodeUnitCount
    var offset = 0
    while offset + length < bytes.count {
      if bytes[offset] == UInt8(ascii: ">"),
        bytes.holds(words, at: ByteRange(offset, offset + length))
      {
        var scanner = Scanner(bytes, ByteRange(offset + length, bytes.count))
        return scanner.readNumber() ?? 0
      }
      offset += 1
    }
    return 0
  }
}

/// The id of a guide, as its meaning.
private enum GuideName {
  case baseline(Int)
  case capline(Int)
  /// A margin, with the number of the drawing for which it is; nil if it is for all drawings.
  case margin(isLeft: Bool, Int?)

  private static let weights: [StaticString] = [
    "Ultralight", "Thin", "Light", "Regular", "Medium", "Semibold", "Bold", "Heavy", "Black",
  ]

  init?(_ id: ByteRange, _ bytes: UnsafeBufferPointer<UInt8>) {
    if let size = GuideName.rest(of: id, after: "Baseline-", bytes).flatMap({
      GuideName.size($0, bytes)
    }) {
      self = .baseline(size)
    } else if let size = GuideName.rest(of: id, after: "Capline-", bytes).flatMap({
      GuideName.size($0, bytes)
    }) {
      self = .capline(size)
    } else if bytes.holds("left-margin", at: id) {
      self = .margin(isLeft: true, nil)
    } else if bytes.holds("right-margin", at: id) {
      self = .margin(isLeft: false, nil)
    } else if let rest = GuideName.rest(of: id, after: "left-margin-", bytes),
      let drawing = GuideName.drawing(rest, bytes)
    {
      self = .margin(
        isLeft: true, SymbolTemplate.number(weight: drawing.weight, size: drawing.size))
    } else if let rest = GuideName.rest(of: id, after: "right-margin-", bytes),
      let drawing = GuideName.drawing(rest, bytes)
    {
      self = .margin(
        isLeft: false, SymbolTemplate.number(weight: drawing.weight, size: drawing.size))
    } else {
      return nil
    }
  }

  /// Returns the weight and the size in a name such as "Regular-M"; nil if it is not the name of a
  /// drawing.
  static func drawing(
    _ id: ByteRange, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (weight: Int, size: Int)? {
    guard id.range.count > 2, bytes[Int(id.end) - 2] == UInt8(ascii: "-"),
      let size = size(ByteRange(Int(id.end) - 1, Int(id.end)), bytes)
    else { return nil }
    let name = ByteRange(Int(id.start), Int(id.end) - 2)
    for (index, weight) in weights.enumerated() where bytes.holds(weight, at: name) {
      return (index + 1, size)
    }
    return nil
  }

  private static func size(_ id: ByteRange, _ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if bytes.holds("S", at: id) { return 1 }
    if bytes.holds("M", at: id) { return 2 }
    return bytes.holds("L", at: id) ? 3 : nil
  }

  private static func rest(
    of id: ByteRange, after start: StaticString, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> ByteRange? {
    let count = start.utf8CodeUnitCount
    guard id.range.count > count,
      bytes.holds(start, at: ByteRange(Int(id.start), Int(id.start) + count))
    else { return nil }
    return ByteRange(Int(id.start) + count, Int(id.end))
  }
}

extension SymbolTemplate {
  /// Returns the left and the right margin of a drawing; nil if no guides give them.
  package func margins(of drawing: TemplateDrawing) -> (left: Double, right: Double)? {
    let number = SymbolTemplate.number(weight: drawing.weight, size: drawing.size)
    if let left = leftMargins[number], let right = rightMargins[number] {
      return SymbolTemplate.margins(left, right, of: drawing.box)
    }
    guard let left = leftMargin, let right = rightMargin else { return nil }
    // Guides that are rectangles are as wide as the margins. Guides that are lines are placed
    // beside the drawing for the regular weight and the medium size.
    if left.box.width > 0, right.box.width > 0 { return (left.box.width, right.box.width) }
    let regular = drawings.first { $0.weight == 4 && $0.size == 2 }
    return regular.map { SymbolTemplate.margins(left, right, of: $0.box) }
  }

  private static func margins(
    _ left: Guide, _ right: Guide, of box: Rect
  ) -> (left: Double, right: Double) {
    if left.box.width > 0, right.box.width > 0 { return (left.box.width, right.box.width) }
    return (box.x - left.box.x, right.box.x - (box.x + box.width))
  }

  /// Whether the weights and sizes that the template does not draw can be made from those that it
  /// draws.
  package var isVariable: Bool { version >= 3 }
}

// MARK: - Position beside text

// The position of a template's drawing beside text, computed from the template's guides.

/// Lengths in points, for text of a certain size.
package struct SymbolMetrics: Sendable, Equatable {
  /// The distance by which the drawing extends below the baseline.
  package var depth: Double
  package var capHeight: Double
  package var leftMargin: Double
  package var rightMargin: Double
  /// The free space beside letters, a share of the size of the text.
  package var inset: Double
}

extension SymbolTemplate {
  /// The size of text, in points, for which templates are drawn.
  package static let pointSize = 100.0

  /// Returns the metrics beside text of a size. If a guide is missing, the cap height is the usual
  /// one of templates, the baseline is the lower edge of the drawing, and the margins are 0.
  package func metrics(of drawing: TemplateDrawing, pointSize: Double) -> SymbolMetrics {
    let scale = pointSize / SymbolTemplate.pointSize
    let bottom = drawing.box.y + drawing.box.height
    let base = baselines[drawing.size - 1]?.middleY ?? bottom
    let cap = caplines[drawing.size - 1]?.middleY ?? base - SymbolTemplate.capHeight
    let margins = margins(of: drawing) ?? (left: 0, right: 0)
    let growth = isVariable ? SymbolAxis.growth(ofSize: drawing.size) : 1
    return SymbolMetrics(
      depth: (bottom - base) * scale, capHeight: (base - cap) * scale,
      leftMargin: margins.left * scale, rightMargin: margins.right * scale,
      inset: 0.068_359_375 * pointSize * growth)
  }
}

/// A fault of a template that gives another result than its author intended.
package enum TemplateFault: Sendable, Equatable {
  /// The ids of guides that drawings need and the template does not have.
  case missingGuides([String])
  /// The ids of two drawings that cannot be interpolated, each with the numbers of points of its
  /// outlines.
  case incompatible(String, [Int], String, [Int])
  /// The ids of guides that lie outside of the page.
  case guidesOutside([String])
  /// The ids of drawings whose elements contain no outline.
  case empty([String])
}

extension SymbolTemplate {
  /// Returns the name of a drawing, such as "Regular-M".
  package static func name(weight: Int, size: Int) -> String {
    let weights = [
      "Ultralight", "Thin", "Light", "Regular", "Medium", "Semibold", "Bold", "Heavy", "Black",
    ]
    return "\(weights[weight - 1])-\(letter(ofSize: size))"
  }

  static func letter(ofSize size: Int) -> String { ["S", "M", "L"][size - 1] }

  package var faults: [TemplateFault] {
    var found: [TemplateFault] = []
    if !empty.isEmpty {
      found.append(
        .empty(empty.map { SymbolTemplate.name(weight: $0 % 9 + 1, size: $0 / 9 + 1) }))
    }
    let missing = missingGuides
    if !missing.isEmpty { found.append(.missingGuides(missing)) }
    if let pair = incompatibleMasters { found.append(pair) }
    let outside = guidesOutside
    if !outside.isEmpty { found.append(.guidesOutside(outside)) }
    return found
  }

  private var missingGuides: [String] {
    var names: [String] = []
    for size in 1...3 where drawings.contains(where: { $0.size == size }) {
      let letter = SymbolTemplate.letter(ofSize: size)
      if baselines[size - 1] == nil { names.append("Baseline-\(letter)") }
      if caplines[size - 1] == nil { names.append("Capline-\(letter)") }
    }
    if drawings.contains(where: { margins(of: $0) == nil }) {
      if leftMargin == nil, leftMargins.isEmpty { names.append("left-margin") }
      if rightMargin == nil, rightMargins.isEmpty { names.append("right-margin") }
    }
    return names
  }

  /// The first drawing of a variable template that cannot be interpolated with the regular drawing
  /// of its size.
  private var incompatibleMasters: TemplateFault? {
    guard isVariable else { return nil }
    for size in 1...3 {
      let masters = drawings.filter { $0.size == size }
      guard masters.count > 1, let regular = masters.first(where: { $0.weight == 4 }) else {
        continue
      }
      for master in masters where !master.drawing.isCompatible(with: regular.drawing) {
        return .incompatible(
          SymbolTemplate.name(weight: master.weight, size: size), master.drawing.pointCounts,
          SymbolTemplate.name(weight: 4, size: size), regular.drawing.pointCounts)
      }
    }
    return nil
  }

  private var guidesOutside: [String] {
    func isOutside(_ guide: Guide) -> Bool {
      guide.box.x < 0 || guide.box.x + guide.box.width > width
    }
    var names: [String] = []
    for (side, one, all) in [
      ("left-margin", leftMargin, leftMargins), ("right-margin", rightMargin, rightMargins),
    ] {
      if let one, isOutside(one) { names.append(side) }
      for (number, guide) in all.sorted(by: { $0.key < $1.key }) where isOutside(guide) {
        names.append(
          "\(side)-\(SymbolTemplate.name(weight: number % 9 + 1, size: number / 9 + 1))")
      }
    }
    return names
  }
}
