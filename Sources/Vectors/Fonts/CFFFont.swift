// CFF fonts: the names, codes and charstrings of glyphs, and the drawing of charstrings of type 2.

import Bytes

struct CFFFont {
  let data: BigEndianBytes
  private(set) var charStrings: [Range<Int>] = []
  let globalSubroutines: [Range<Int>]
  private(set) var fontDictionaries: [FontDictionary] = []
  /// Whether glyphs have character identifiers (CIDs) instead of names.
  let isCID: Bool
  /// The transform from the units of glyphs to the units of text, from the font or by default.
  private(set) var matrix: Transform
  /// The number of the name (SID), or the CID, of each glyph.
  private var charset: [Int] = []
  /// The first glyph of each number in the character set.
  private var glyphs: [Int: Int] = [:]
  private let named: GlyphsByName
  private var fontSelection: [UInt8] = []
  private let strings: [Range<Int>]
  private var codes: [Int: Int] = [:]

  struct FontDictionary {
    var subroutines: [Range<Int>] = []
    var matrix: Transform?
  }

  init?(_ bytes: [UInt8], _ budget: Budget) {
    data = BigEndianBytes(bytes)
    named = GlyphsByName(budget)
    guard data.count > 4 else { return nil }
    var position = data.u8(2)
    _ = CFFTables.index(data, &position, budget)
    let tops = CFFTables.index(data, &position, budget)
    strings = CFFTables.index(data, &position, budget)
    globalSubroutines = CFFTables.index(data, &position, budget)
    guard let first = tops.first else { return nil }
    let top = CFFTables.dictionary(data, first, budget)
    guard var start = top[17]?.first.map(CFFTables.offset), start > 0 else { return nil }
    isCID = top[CFFTables.ros] != nil
    matrix = CFFTables.matrix(top[CFFTables.fontMatrix]) ?? Transform(0.001, 0, 0, 0.001, 0, 0)
    charStrings = CFFTables.index(data, &start, budget)
    guard !charStrings.isEmpty else { return nil }
    charset = CFFTables.charset(
      data, at: CFFTables.offset(top[15]?.first ?? 0), count: charStrings.count, isCID: isCID)
    guard budget.spend(.names, charset.count), budget.borrow(.names, bytes: 48 * charset.count)
    else { return nil }
    for (glyph, number) in charset.enumerated().reversed() { glyphs[number] = glyph }
    if isCID {
      readFontDictionaries(top, budget)
    } else {
      fontDictionaries = [
        FontDictionary(
          subroutines: CFFTables.subroutines(of: data, dictionary: top, budget: budget))
      ]
      readCodes(at: CFFTables.offset(top[16]?.first ?? 0))
    }
  }

  private mutating func readFontDictionaries(_ top: [Int: [Double]], _ budget: Budget) {
    var position = CFFTables.offset(top[CFFTables.fontArray]?.first ?? 0)
    guard position > 0 else { return }
    let hasMatrix = top[CFFTables.fontMatrix] != nil
    for range in CFFTables.index(data, &position, budget).prefix(256) {
      let dictionary = CFFTables.dictionary(data, range, budget)
      fontDictionaries.append(
        FontDictionary(
          subroutines: CFFTables.subroutines(of: data, dictionary: dictionary, budget: budget),
          matrix: CFFTables.matrix(dictionary[CFFTables.fontMatrix])))
    }
    // If only the font dictionaries have a matrix, the font takes the matrix of the first one.
    if !hasMatrix, let inner = fontDictionaries.first?.matrix {
      matrix = inner
      for index in fontDictionaries.indices { fontDictionaries[index].matrix = nil }
    }
    let start = CFFTables.offset(top[CFFTables.fontSelect]?.first ?? 0)
    guard start > 0 else { return }
    fontSelection = CFFTables.fontSelection(data, at: start, count: charStrings.count)
  }

  private mutating func readCodes(at offset: Int) {
    guard offset > 1 else { return }
    let format = data.u8(offset)
    var position = offset + 2
    var glyph = 1
    for _ in 0..<data.u8(offset + 1) {
      let code = data.u8(position)
      let more = format & 127 == 0 ? 0 : data.u8(position + 1)
      for index in 0...more {
        codes[code + index] = glyph
        glyph += 1
      }
      position += format & 127 == 0 ? 1 : 2
    }
    guard format & 128 != 0 else { return }
    for index in 0..<data.u8(position) {
      let offset = position + 1 + 3 * index
      if let glyph = glyphs[data.u16(offset + 1)] { codes[data.u8(offset)] = glyph }
    }
  }

  func fontDictionary(of glyph: Int) -> FontDictionary {
    let index = glyph < fontSelection.count ? Int(fontSelection[glyph]) : 0
    return index < fontDictionaries.count ? fontDictionaries[index] : FontDictionary()
  }

  func glyph(character: Int) -> Int? {
    isCID ? glyphs[character] : character < charStrings.count ? character : nil
  }

  func glyph(code: Int) -> Int? {
    if !codes.isEmpty { return codes[code] }
    return code < 256 ? glyph(named: GlyphNames.standardEncoding[code]) : nil
  }

  func glyph(named name: String) -> Int? { named.glyph(name, glyphsByName) }

  /// Returns the first glyph of each name.
  private func glyphsByName() -> [[UInt8]: Int] {
    let standard = GlyphNames.standard
    var glyphs: [[UInt8]: Int] = [:]
    for (glyph, number) in charset.enumerated().reversed() {
      let index = number - standard.count
      guard index < strings.count else { continue }
      let name = index < 0 ? Array(standard[number].utf8) : Array(data.bytes[strings[index]])
      guard named.pay(for: name) else { return [:] }
      glyphs[name] = glyph
    }
    return glyphs
  }
}

/// The readers of the tables of a CFF font.
enum CFFTables {
  /// Two-byte operators are numbered from 256.
  static let fontMatrix = 256 + 7
  static let ros = 256 + 30
  static let fontArray = 256 + 36
  static let fontSelect = 256 + 37

  static func offset(_ value: Double) -> Int {
    value > 0 && value < 0x7FFF_FFFF ? Int(value) : 0
  }

  static func matrix(_ values: [Double]?) -> Transform? {
    guard let v = values, v.count == 6, v[0] != 0 || v[1] != 0 else { return nil }
    return Transform(v[0], v[1], v[2], v[3], v[4], v[5])
  }

  /// Reads an INDEX and returns the ranges of its entries. Moves `position` after the INDEX.
  static func index(
    _ data: BigEndianBytes, _ position: inout Int, _ budget: Budget
  ) -> [Range<Int>] {
    let count = data.u16(position)
    guard count > 0, position < data.count else {
      position += 2
      return []
    }
    let size = data.u8(position + 2)
    let offsets = position + 3
    let start = offsets + (count + 1) * size - 1
    guard size >= 1, size <= 4, start < data.count, budget.spend(.tableEntries, count),
      budget.borrow(.tableEntries, bytes: count * MemoryLayout<Range<Int>>.stride)
    else {
      position = data.count
      return []
    }
    var entries: [Range<Int>] = []
    entries.reserveCapacity(count)
    var low = data.number(offsets, size: size)
    for index in 1...count {
      let high = data.number(offsets + index * size, size: size)
      entries.append(data.clamped(start + low, count: high - low))
      low = high
    }
    position = start + low
    return entries
  }

  /// Reads a DICT and returns the operands of each operator.
  static func dictionary(
    _ data: BigEndianBytes, _ range: Range<Int>, _ budget: Budget
  ) -> [Int: [Double]] {
    guard budget.spend(.lexedBytes, 3 * range.count) else { return [:] }
    var result: [Int: [Double]] = [:]
    var operands: [Double] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = data.u8(position)
      position += 1
      switch byte {
      case 12:
        result[256 + data.u8(position)] = operands
        operands = []
        position += 1
      case ...21:
        result[byte] = operands
        operands = []
      case 28:
        operands.append(Double(data.i16(position)))
        position += 2
      case 29:
        operands.append(Double(Int32(truncatingIfNeeded: data.u32(position))))
        position += 4
      case 30: operands.append(real(data, position: &position, end: range.upperBound))
      case 32...246: operands.append(Double(byte - 139))
      case 247...250:
        operands.append(Double((byte - 247) * 256 + data.u8(position) + 108))
        position += 1
      case 251...254:
        operands.append(Double(-(byte - 251) * 256 - data.u8(position) - 108))
        position += 1
      default: break
      }
    }
    return result
  }

  /// Reads a decimal number with one digit in each half byte.
  private static func real(_ data: BigEndianBytes, position: inout Int, end: Int) -> Double {
    var text: [UInt8] = []
    var exponent: [UInt8]?
    func add(_ byte: UInt8) {
      if exponent == nil { text.append(byte) } else { exponent?.append(byte) }
    }
    scan: while position < end {
      let byte = data.u8(position)
      position += 1
      for digit in [byte >> 4, byte & 15] {
        switch digit {
        case 0...9: add(UInt8(0x30 + digit))
        case 10: add(UInt8(ascii: "."))
        case 11: exponent = []
        case 12: exponent = [UInt8(ascii: "-")]
        case 14: add(UInt8(ascii: "-"))
        default: break scan
        }
      }
    }
    let mantissa = PDFLexer.number(text[...])?.number ?? 0
    let power = PDFLexer.number((exponent ?? [])[...])?.int ?? 0
    guard abs(power) <= 30 else { return 0 }
    return mantissa * Mathematics.power(10, Double(power))
  }

  /// Returns the local subroutines of the private DICT that a DICT refers to.
  static func subroutines(
    of data: BigEndianBytes, dictionary: [Int: [Double]], budget: Budget
  ) -> [Range<Int>] {
    guard let sizeAndOffset = dictionary[18], sizeAndOffset.count == 2 else { return [] }
    let start = offset(sizeAndOffset[1])
    let range = data.clamped(start, count: offset(sizeAndOffset[0]))
    guard let relative = self.dictionary(data, range, budget)[19]?.first else { return [] }
    var position = start + offset(relative)
    return index(data, &position, budget)
  }

  static func fontSelection(_ data: BigEndianBytes, at start: Int, count: Int) -> [UInt8] {
    if data.u8(start) == 0 { return Array(data.bytes[data.clamped(start + 1, count: count)]) }
    guard data.u8(start) == 3 else { return [] }
    var result = [UInt8](repeating: 0, count: count)
    var next = 0
    for index in 0..<data.u16(start + 1) {
      let offset = start + 3 + 3 * index
      let first = data.u16(offset)
      // The ranges rise.
      guard offset + 4 < data.count, first >= next, data.u16(offset + 3) >= first else { break }
      next = data.u16(offset + 3)
      for glyph in stride(from: first, to: min(next, count), by: 1) {
        result[glyph] = UInt8(truncatingIfNeeded: data.u8(offset + 2))
      }
    }
    return result
  }

  static func charset(_ data: BigEndianBytes, at start: Int, count: Int, isCID: Bool) -> [Int] {
    if start <= 2 {
      let known = isCID ? Array(0..<count) : predefined(start)
      return Array(known.prefix(count))
    }
    var result = [0]
    result.reserveCapacity(count)
    let format = data.u8(start)
    var position = start + 1
    while result.count < count, position < data.count {
      let first = data.u16(position)
      let more = format == 0 ? 0 : format == 1 ? data.u8(position + 2) : data.u16(position + 2)
      position += format == 0 ? 2 : format == 1 ? 3 : 4
      for index in 0...min(more, count - result.count - 1) { result.append(first + index) }
    }
    return result
  }

  private static func predefined(_ number: Int) -> [Int] {
    switch number {
    case 0: return Array(0...228)
    case 1:
      return [0, 1] + Array(229...238) + [13, 14, 15, 99] + Array(239...248) + [27, 28]
        + Array(249...266) + [109, 110] + Array(267...318) + [158, 155, 163] + Array(319...326)
        + [150, 164, 169] + Array(327...378)
    default:
      return [0, 1, 231, 232] + Array(235...238) + [13, 14, 15, 99] + Array(239...248)
        + [27, 28, 249, 250, 251] + Array(253...266) + [109, 110]
        + [267, 268, 269, 270, 272, 300, 301, 302, 305, 314, 315, 158, 155, 163]
        + Array(320...326) + [150, 164, 169] + Array(327...346)
    }
  }
}

// MARK: - Glyphs

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
      case 32...254: stack.append(data.charStringNumber(byte, at: &position))
      // The numbers of type 2 have 16 bits after the point.
      case 255: stack.append(data.charStringNumber(byte, at: &position) / 65536)
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

  /// Removes the glyph's width, which can precede the arguments of the first operator.
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
    for (index, code) in [values[2], values[3]].enumerated() {
      guard code >= 0, code < 256,
        let glyph = font.glyph(named: GlyphNames.standardEncoding[Int(code)])
      else { continue }
      if index == 1 {
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
      let depth = whole(take(), from: 0, to: Swift.max(count - 1, 0))
      append(isEmpty ? 0 : self[count - 1 - depth])
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
