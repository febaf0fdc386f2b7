// Writes a drawing of a template as the SVG that archives keep: one group, whose origin is the
// upper left corner of the drawing's box, in units of text of a certain size. Also writes a
// template of such drawings.

extension SymbolTemplate {
  /// Returns the SVG of a drawing. `scale` is the number of points for each unit of the template.
  package func svg(of drawing: TemplateDrawing, scale: Double) -> [UInt8] {
    let x = drawing.box.x - drawing.origin.x
    let y = drawing.box.y - drawing.origin.y
    var text = SymbolText()
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg version=\"1.1\" viewBox=\"0 0 ")
    text.append([drawing.box.width * scale, drawing.box.height * scale])
    text.append("\">")
    appendRules(for: drawing.drawing, to: &text)
    text.append("<g id=\"s\" transform=\"matrix(")
    text.append([scale, 0, 0, scale, -x * scale, -y * scale])
    text.append(")\">")
    let own = Transform.translation(-drawing.origin.x, -drawing.origin.y)
    for shape in drawing.drawing.shapes {
      text.append(shape, of: drawing.drawing.paths, shape.transform.then(own))
    }
    text.append("</g></svg>\n")
    return text.bytes
  }

  /// Appends the rules of the style sheet for the layer classes that the drawing uses.
  private func appendRules(for drawing: SymbolDrawing, to text: inout SymbolText) {
    text.append(rules, for: [drawing])
  }
}

extension SymbolText {
  /// Appends a style sheet with the rules for the layer classes that drawings use.
  fileprivate mutating func append(
    _ rules: [SymbolTemplate.Rule], for drawings: [SymbolDrawing]
  ) {
    let used = Set(drawings.flatMap { $0.shapes }.flatMap { $0.classes })
    let kept = rules.compactMap { rule -> (name: [UInt8], body: [UInt8])? in
      let body = rule.body.filter { $0 > 32 }
      let isKept =
        used.contains(rule.name) && !body.isEmpty && SymbolText.isPlain(rule.name)
        && SymbolText.isPlain(body)
      return isKept ? (rule.name, body) : nil
    }
    if kept.isEmpty { return }
    append("<defs><style>")
    for rule in kept {
      append(".")
      bytes += rule.name
      append("{")
      bytes += rule.body
      append("}")
    }
    append("</style></defs>")
  }
}

/// The text of an SVG while it is written.
private struct SymbolText {
  var bytes: [UInt8] = []

  mutating func append(_ text: StaticString) {
    bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Appends numbers, separated by blanks.
  mutating func append(_ numbers: [Double]) {
    for (index, number) in numbers.enumerated() {
      if index > 0 { append(" ") }
      append(number)
    }
  }

  /// Returns whether a text contains no character with a special meaning in XML or in a style
  /// sheet.
  static func isPlain(_ text: [UInt8]) -> Bool {
    text.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""),
        UInt8(ascii: "{"), UInt8(ascii: "}"):
        false
      default: (32...126).contains(byte)
      }
    }
  }

  mutating func append(_ shape: SymbolShape, of paths: PathStore, _ transform: Transform) {
    append("<path")
    let classes = shape.classes.filter { SymbolText.isPlain($0) }
    if !classes.isEmpty {
      append(" class=\"")
      for (index, name) in classes.enumerated() {
        if index > 0 { append(" ") }
        bytes += name
      }
      append("\"")
    }
    if let stroke = shape.stroke {
      append(" fill=\"none\" stroke=\"")
      append(shape.color)
      append("\" stroke-width=\"")
      append(stroke.width * magnitude(transform.determinant).squareRoot())
      append("\"")
      if stroke.cap != .butt {
        append(stroke.cap == .round ? " stroke-linecap=\"round\"" : " stroke-linecap=\"square\"")
      }
      if stroke.join != .miter {
        append(stroke.join == .round ? " stroke-linejoin=\"round\"" : " stroke-linejoin=\"bevel\"")
      }
    } else {
      if shape.color != .black {
        append(" fill=\"")
        append(shape.color)
        append("\"")
      }
      if shape.rule == .evenOdd { append(" fill-rule=\"evenodd\"") }
    }
    append(" d=\"")
    append(shape.path, of: paths, transform)
    append("\"/>")
  }

  private mutating func append(_ path: Path, of paths: PathStore, _ transform: Transform) {
    var point = Int(path.firstPoint)
    func next() -> [Double] {
      let placed = transform.apply(paths.points[point])
      point += 1
      return [placed.x, placed.y]
    }
    for step in paths.steps[Int(path.firstStep)..<Int(path.firstStep) + Int(path.stepCount)] {
      switch step {
      case .move:
        append("M")
        append(next())
      case .line:
        append("L")
        append(next())
      case .curve:
        append("C")
        append(next() + next() + next())
      case .close: append("Z")
      }
    }
  }

  private mutating func append(_ color: Color) {
    append("#")
    for channel in [color.red, color.green, color.blue] {
      let value = UInt8(max(0, min(channel, 1)) * 255 + 0.5)
      for digit in [value >> 4, value & 15] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }

  /// The number of significant digits; six are usual in such files.
  var digits = 6

  /// Appends a number with that many significant digits.
  mutating func append(_ number: Double) {
    let size = magnitude(number)
    // Smaller numbers are not visible at any size, and larger numbers are never written.
    guard size >= 1e-6, size < 1e15 else { return append("0") }
    if number < 0 { append("-") }
    var limit = 1.0
    for _ in 0..<digits { limit *= 10 }
    var factor = limit / 10
    var decimals = digits - 1
    while size * factor >= limit - 0.5, decimals > 0 {
      factor /= 10
      decimals -= 1
    }
    while size * factor < limit / 10 - 0.5, decimals < digits + 5 {
      factor *= 10
      decimals += 1
    }
    var digits = Int64((size * factor).rounded())
    while decimals > 0, digits % 10 == 0 {
      digits /= 10
      decimals -= 1
    }
    var reversed: [UInt8] = []
    repeat {
      if decimals > 0, reversed.count == decimals { reversed.append(UInt8(ascii: ".")) }
      reversed.append(UInt8(ascii: "0") + UInt8(digits % 10))
      digits /= 10
    } while digits > 0 || decimals > 0 && reversed.count <= decimals
    bytes += reversed.reversed()
  }
}

// MARK: - Templates

/// A drawing that an archive keeps, and its metrics beside text of a certain size.
package struct KeptGlyph: Sendable {
  fileprivate let weight: Int
  fileprivate let size: Int
  fileprivate let drawing: SymbolDrawing
  fileprivate let rules: [SymbolTemplate.Rule]
  /// The units of templates for each point.
  fileprivate let scale: Double
  /// Lengths in the units of templates.
  fileprivate let depth: Double
  fileprivate let capHeight: Double
  fileprivate let margins: (left: Double, right: Double)
  fileprivate let box: Rect

  /// Reads a drawing. Lengths are in points at a size of text.
  package init(
    _ svg: [UInt8], weight: Int, size: Int, pointSize: Double, depth: Double, capHeight: Double,
    margins: (left: Double, right: Double)
  ) throws(VectorError) {
    drawing = try SVG.readSymbol(svg)
    rules = try SymbolTemplate.read(svg).rules
    (self.weight, self.size) = (weight, size)
    scale = SymbolTemplate.pointSize / pointSize
    self.depth = depth * scale
    self.capHeight = capHeight * scale
    self.margins = (margins.left * scale, margins.right * scale)
    box = drawing.bounds(.scale(scale, scale)) ?? Rect(x: 0, y: 0, width: 0, height: 0)
  }

  /// The transform of all outlines, if it only scales the units of templates to points and moves
  /// them. The outlines are then kept as they are written.
  fileprivate var commonMove: Point? {
    guard let first = drawing.shapes.first?.transform, first.b == 0, first.c == 0,
      abs(first.a * scale - 1) < 1e-5, abs(first.d * scale - 1) < 1e-5,
      drawing.shapes.allSatisfy({ $0.transform == first })
    else { return nil }
    return Point(first.tx * scale, first.ty * scale)
  }
}

extension SymbolTemplate {
  /// Returns a template with these drawings, one row for each size, with guides that give the
  /// metrics of each drawing.
  package static func document(of glyphs: [KeptGlyph], version: Double) -> [UInt8] {
    let gap = 50.0
    var text = SymbolText()
    text.digits = 15
    var body = SymbolText()
    body.digits = 15
    var (right, top) = (gap, gap)
    for size in 1...3 {
      let row = glyphs.filter { $0.size == size }
      if row.isEmpty { continue }
      let rise = row.map { max($0.box.height - $0.depth, $0.capHeight) }.max() ?? 0
      let base = top + max(0, rise)
      var x = gap
      for glyph in row {
        x += max(0, glyph.margins.left)
        body.append(glyph, left: x, bottom: base + glyph.depth)
        x += glyph.box.width + max(0, glyph.margins.right) + gap
      }
      right = max(right, x)
      body.appendLine("Baseline-\(letter(ofSize: size))", 0, base, x, base)
      let cap = base - (row.first { $0.weight == 4 } ?? row[0]).capHeight
      body.appendLine("Capline-\(letter(ofSize: size))", 0, cap, x, cap)
      top = base + max(0, row.map { $0.depth }.max() ?? 0) + gap
    }
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg version=\"1.1\" ")
    text.append("xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
    text.append([right, top])
    text.append("\">\n")
    var rules: [Rule] = []
    for rule in glyphs.flatMap({ $0.rules }) where !rules.contains(rule) { rules.append(rule) }
    text.append(rules, for: glyphs.map { $0.drawing })
    if version > 0 {
      text.append("<g id=\"Notes\"><text id=\"template-version\">Template v.")
      text.append(version)
      text.append("</text></g>\n")
    }
    text.bytes += body.bytes
    text.append("</svg>\n")
    return text.bytes
  }
}

extension SymbolText {
  /// Appends a drawing whose box has a place, and the guides of its margins.
  fileprivate mutating func append(_ glyph: KeptGlyph, left: Double, bottom: Double) {
    let name = SymbolTemplate.name(weight: glyph.weight, size: glyph.size)
    let corner = Point(left - glyph.box.x, bottom - glyph.box.height - glyph.box.y)
    let move = glyph.commonMove
    bytes += "<g id=\"\(name)\" transform=\"matrix(1 0 0 1 ".utf8
    append([corner.x + (move?.x ?? 0), corner.y + (move?.y ?? 0)])
    append(")\">")
    for shape in glyph.drawing.shapes {
      let own = move == nil ? shape.transform.then(.scale(glyph.scale, glyph.scale)) : .identity
      append(shape, of: glyph.drawing.paths, own)
    }
    append("</g>\n")
    let edge = left + glyph.box.width
    for (side, x) in [("left", left - glyph.margins.left), ("right", edge + glyph.margins.right)] {
      appendLine("\(side)-margin-\(name)", x, bottom - glyph.box.height, x, bottom)
    }
  }

  /// Appends a guide.
  fileprivate mutating func appendLine(
    _ id: String, _ x: Double, _ y: Double, _ otherX: Double, _ otherY: Double
  ) {
    bytes += "<path id=\"\(id)\" fill=\"none\" stroke=\"#00aeef\" stroke-width=\"0.5\" d=\"M".utf8
    append([x, y])
    append("L")
    append([otherX, otherY])
    append("\"/>\n")
  }
}
