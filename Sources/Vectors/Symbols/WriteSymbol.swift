// Writes a drawing of a template as the SVG that archives keep: one group, whose origin is the
// upper left corner of the drawing's box, in units of text of a certain size.

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
    let used = Set(drawing.shapes.flatMap { $0.classes })
    let kept = rules.compactMap { rule -> (name: [UInt8], body: [UInt8])? in
      let body = rule.body.filter { $0 > 32 }
      let isKept =
        used.contains(rule.name) && !body.isEmpty && SymbolText.isPlain(rule.name)
        && SymbolText.isPlain(body)
      return isKept ? (rule.name, body) : nil
    }
    if kept.isEmpty { return }
    text.append("<defs><style>")
    for rule in kept {
      text.append(".")
      text.bytes += rule.name
      text.append("{")
      text.bytes += rule.body
      text.append("}")
    }
    text.append("</style></defs>")
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
    for (place, number) in numbers.enumerated() {
      if place > 0 { append(" ") }
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
      for (place, name) in classes.enumerated() {
        if place > 0 { append(" ") }
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
      let place = transform.apply(paths.points[point])
      point += 1
      return [place.x, place.y]
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

  /// Appends a number with six significant digits, which is usual in such files.
  mutating func append(_ number: Double) {
    let size = magnitude(number)
    // Smaller numbers are not visible at any size, and larger numbers are never written.
    guard size >= 1e-6, size < 1e15 else { return append("0") }
    if number < 0 { append("-") }
    var factor = 100_000.0
    var decimals = 5
    while size * factor >= 999_999.5, decimals > 0 {
      factor /= 10
      decimals -= 1
    }
    while size * factor < 99_999.5, decimals < 11 {
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
