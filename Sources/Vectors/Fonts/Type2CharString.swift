// The outlines of glyphs in CFF fonts (Type 2 charstrings). Hints are ignored.

struct Type2CharString {
  private let font: CFFFont
  private(set) var pen: GlyphPen
  private var stack: [Double] = []
  private var x = 0.0
  private var y = 0.0
  private var hints = 0
  private var hasWidth = false
  private var isOpen = false
  private var local: [Range<Int>]
  private var memory = [Double](repeating: 0, count: 32)

  /// Draws a glyph with a pen.
  static func draw(_ glyph: Int, of font: CFFFont, with pen: inout GlyphPen, depth: Int = 0) {
    guard glyph >= 0, glyph < font.charStrings.count else { return }
    let dictionary = font.fontDictionary(of: glyph)
    let outer = pen.transform
    if let inner = dictionary.matrix { pen.transform = inner.then(outer) }
    var run = Type2CharString(font, pen, dictionary.subroutines)
    _ = run.execute(font.charStrings[glyph], depth: depth)
    run.close()
    pen = run.pen
    pen.transform = outer
  }

  private init(_ font: CFFFont, _ pen: GlyphPen, _ local: [Range<Int>]) {
    self.font = font
    self.pen = pen
    self.local = local
  }

  /// Runs a charstring or subroutine. Returns false at the end of the glyph.
  private mutating func execute(_ range: Range<Int>, depth: Int) -> Bool {
    guard depth <= 10 else { return false }
    let data = font.data
    var position = range.lowerBound
    while position < range.upperBound {
      guard pen.spend(), stack.count <= 513 else { return false }
      let byte = data.u8(position)
      position += 1
      switch byte {
      case 28:
        stack.append(Double(data.i16(position)))
        position += 2
      case 32...246: stack.append(Double(byte - 139))
      case 247...250:
        stack.append(Double((byte - 247) * 256 + data.u8(position) + 108))
        position += 1
      case 251...254:
        stack.append(Double(-(byte - 251) * 256 - data.u8(position) - 108))
        position += 1
      case 255:
        stack.append(Double(Int32(truncatingIfNeeded: data.u32(position))) / 65536)
        position += 4
      case 10, 29:
        let subroutines = byte == 10 ? local : font.globalSubroutines
        guard let range = subroutine(subroutines) else { return false }
        if !execute(range, depth: depth + 1) { return false }
      case 11: return true
      case 14:
        endGlyph(depth)
        return false
      case 12:
        calculateOrFlex(data.u8(position))
        position += 1
      case 1, 3, 18, 23: takeHints()
      case 19, 20:
        takeHints()
        position += (hints + 7) / 8
      default: draw(byte)
      }
    }
    return true
  }

  private mutating func subroutine(_ list: [Range<Int>]) -> Range<Int>? {
    guard let number = stack.popLast(), abs(number) < 65536 else { return nil }
    let bias = list.count < 1240 ? 107 : list.count < 33900 ? 1131 : 32768
    let index = Int(number) + bias
    return list.indices.contains(index) ? list[index] : nil
  }

  private mutating func takeHints() {
    hints += stack.count / 2
    hasWidth = true
    stack = []
  }

  /// Removes the glyph's width, which can stand before the arguments of the first operator.
  private mutating func dropWidth(_ isThere: Bool) {
    if !hasWidth, isThere, !stack.isEmpty { stack.removeFirst() }
    hasWidth = true
  }

  /// Ends the glyph. Four arguments mean that the glyph consists of a letter and an accent, which
  /// codes of the standard encoding name.
  private mutating func endGlyph(_ depth: Int) {
    dropWidth(stack.count == 1 || stack.count == 5)
    close()
    guard stack.count >= 4, depth < 10 else { return }
    let values = stack
    let outer = pen.transform
    for (place, code) in [values[2], values[3]].enumerated() {
      guard code >= 0, code < 256,
        let glyph = font.glyph(named: GlyphNames.standardEncoding[Int(code)])
      else { continue }
      if place == 1 {
        pen.transform = Transform.translation(values[0], values[1]).then(outer)
      }
      // At the deepest level components are not divided further, so that a component has no
      // components.
      Type2CharString.draw(glyph, of: font, with: &pen, depth: 10)
    }
    pen.transform = outer
  }

  private mutating func close() {
    if isOpen { pen.close() }
    isOpen = false
  }

  private mutating func move(_ dx: Double, _ dy: Double) {
    close()
    x += dx
    y += dy
    pen.move(x, y)
    isOpen = true
  }

  private mutating func line(_ dx: Double, _ dy: Double) {
    x += dx
    y += dy
    pen.line(x, y)
  }

  private mutating func curve(
    _ dx1: Double, _ dy1: Double, _ dx2: Double, _ dy2: Double, _ dx: Double, _ dy: Double
  ) {
    let (x1, y1) = (x + dx1, y + dy1)
    let (x2, y2) = (x1 + dx2, y1 + dy2)
    x = x2 + dx
    y = y2 + dy
    pen.curve(x1, y1, x2, y2, x, y)
  }

  private func argument(_ index: Int) -> Double {
    stack.indices.contains(index) ? stack[index] : 0
  }

  private mutating func draw(_ operation: Int) {
    switch operation {
    case 21:
      dropWidth(stack.count > 2)
      move(argument(0), argument(1))
    case 22:
      dropWidth(stack.count > 1)
      move(argument(0), 0)
    case 4:
      dropWidth(stack.count > 1)
      move(0, argument(0))
    case 5: lines(until: stack.count)
    case 6, 7:
      for (index, value) in stack.enumerated() {
        (index % 2 == 0) == (operation == 6) ? line(value, 0) : line(0, value)
      }
    case 8: curves(until: stack.count)
    case 24:
      curves(until: stack.count - 2)
      line(argument(stack.count - 2), argument(stack.count - 1))
    case 25:
      lines(until: stack.count - 6)
      curves(from: max(0, stack.count - 6), until: stack.count)
    case 26, 27: straightCurves(isVertical: operation == 26)
    case 30, 31: alternatingCurves(startsHorizontal: operation == 31)
    default: break
    }
    stack = []
  }

  private mutating func lines(until end: Int) {
    for index in stride(from: 0, to: end - 1, by: 2) { line(stack[index], stack[index + 1]) }
  }

  private mutating func curves(from start: Int = 0, until end: Int) {
    for i in stride(from: start, to: end - 5, by: 6) {
      curve(stack[i], stack[i + 1], stack[i + 2], stack[i + 3], stack[i + 4], stack[i + 5])
    }
  }

  /// Draws curves that begin and end in the same direction.
  private mutating func straightCurves(isVertical: Bool) {
    var index = stack.count % 4 == 1 ? 1 : 0
    var side = index == 1 ? stack[0] : 0
    while index + 4 <= stack.count {
      let (a, b, c, d) = (stack[index], stack[index + 1], stack[index + 2], stack[index + 3])
      isVertical ? curve(side, a, b, c, 0, d) : curve(a, side, b, c, d, 0)
      side = 0
      index += 4
    }
  }

  /// Draws curves that begin and end at right angles, alternately horizontal and vertical.
  private mutating func alternatingCurves(startsHorizontal: Bool) {
    var isHorizontal = startsHorizontal
    var index = 0
    while index + 4 <= stack.count {
      let (a, b, c, d) = (stack[index], stack[index + 1], stack[index + 2], stack[index + 3])
      let last = stack.count - index == 5 ? stack[index + 4] : 0
      isHorizontal ? curve(a, 0, b, c, last, d) : curve(0, a, b, c, d, last)
      isHorizontal.toggle()
      index += 4
    }
  }

  private mutating func calculateOrFlex(_ operation: Int) {
    switch operation {
    case 34:
      let back = -argument(2)
      curve(argument(0), 0, argument(1), argument(2), argument(3), 0)
      curve(argument(4), 0, argument(5), back, argument(6), 0)
      stack = []
    case 35:
      curves(until: min(stack.count, 12))
      stack = []
    case 36:
      let (dy1, dy2, dy5) = (argument(1), argument(3), argument(7))
      curve(argument(0), dy1, argument(2), dy2, argument(4), 0)
      curve(argument(5), 0, argument(6), dy5, argument(8), -(dy1 + dy2 + dy5))
      stack = []
    case 37:
      let start = (x, y)
      curves(until: min(stack.count, 6))
      let (a, b, c, d) = (argument(6), argument(7), argument(8), argument(9))
      let (dx, dy) = (x + a + c - start.0, y + b + d - start.1)
      let last = argument(10)
      abs(dx) > abs(dy)
        ? curve(a, b, c, d, last, -dy) : curve(a, b, c, d, -dx, last)
      stack = []
    default: stack.calculate(operation, memory: &memory)
    }
  }
}

extension [Double] {
  /// Runs an arithmetic operator, which few fonts use.
  fileprivate mutating func calculate(_ operation: Int, memory: inout [Double]) {
    func take() -> Double { popLast() ?? 0 }
    switch operation {
    case 9: append(abs(take()))
    case 14: append(-take())
    case 18: _ = take()
    case 23: append(0.5)
    case 26: append(Swift.max(take(), 0).squareRoot())
    case 27: append(last ?? 0)
    case 21:
      let index = whole(take(), from: 0, to: 31)
      append(memory[index])
    case 20:
      let index = whole(take(), from: 0, to: 31)
      memory[index] = take()
    case 22:
      let (high, low, second, first) = (take(), take(), take(), take())
      append(low <= high ? first : second)
    case 3, 4, 10, 11, 12, 15, 24:
      let (b, a) = (take(), take())
      append(Self.combine(operation, a, b))
    case 28:
      let (b, a) = (take(), take())
      append(b)
      append(a)
    case 29:
      let place = whole(take(), from: 0, to: Swift.max(count - 1, 0))
      append(isEmpty ? 0 : self[count - 1 - place])
    default: removeAll()
    }
  }

  private static func combine(_ operation: Int, _ a: Double, _ b: Double) -> Double {
    switch operation {
    case 3: a != 0 && b != 0 ? 1 : 0
    case 4: a != 0 || b != 0 ? 1 : 0
    case 10: a + b
    case 11: a - b
    case 12: b == 0 ? 0 : a / b
    case 15: a == b ? 1 : 0
    default: a * b
    }
  }
}
