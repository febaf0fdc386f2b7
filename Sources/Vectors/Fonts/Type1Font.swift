// Type 1 fonts: the encrypted charstrings of glyphs, by name, and the drawing of charstrings.

import Bytes

struct Type1Font {
  private(set) var matrix = Transform(0.001, 0, 0, 0.001, 0, 0)
  private(set) var charStrings: [String: [UInt8]] = [:]
  private(set) var subroutines: [Int: [UInt8]] = [:]
  /// The font's own encoding; empty if the font uses the standard encoding.
  private(set) var encoding: [Int: String] = [:]
  private var randomBytes = 4

  init?(_ bytes: [UInt8], _ budget: Budget) {
    let program = Self.withoutSegments(bytes)
    guard let start = Self.find("eexec", in: program, from: 0) else { return nil }
    readClear(program, end: start, budget)
    readPrivate(
      Self.decrypted(Self.binary(program[(start + 5)...]), key: 55665, dropping: 4), budget)
    guard !charStrings.isEmpty else { return nil }
  }

  // MARK: Parts and encryption

  /// Removes the segment headers of PFB files.
  private static func withoutSegments(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.first == 0x80 else { return bytes }
    var result: [UInt8] = []
    var position = 0
    while position + 6 <= bytes.count, bytes[position] == 0x80, bytes[position + 1] != 3 {
      let length =
        Int(bytes[position + 2]) | Int(bytes[position + 3]) << 8 | Int(bytes[position + 4]) << 16
        | Int(bytes[position + 5]) << 24
      let end = min(position + 6 + length, bytes.count)
      result += bytes[(position + 6)..<end]
      position = end
    }
    return result
  }

  private static func find(_ word: String, in bytes: [UInt8], from start: Int) -> Int? {
    let word = Array(word.utf8)
    var position = start
    while position + word.count <= bytes.count {
      if bytes[position] == word[0],
        bytes[position..<position + word.count].elementsEqual(word)
      {
        return position
      }
      position += 1
    }
    return nil
  }

  /// Returns the encrypted part as bytes. Some files contain it as hexadecimal digits.
  private static func binary(_ part: ArraySlice<UInt8>) -> [UInt8] {
    var start = part.startIndex
    while start < part.endIndex, PDFLexer.isBlank(part[start]), part[start] != 0 { start += 1 }
    let text = part[start...]
    guard text.prefix(4).allSatisfy({ hexDigit($0) != nil }) else { return Array(text) }
    return PDFLexer.bytes(ofHex: Array(text))
  }

  private static func decrypted(_ bytes: [UInt8], key: UInt16, dropping count: Int) -> [UInt8] {
    var key = key
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      result.append(byte ^ UInt8(key >> 8))
      key = (UInt16(byte) &+ key) &* 52845 &+ 22719
    }
    return Array(result.dropFirst(count))
  }

  // MARK: Text

  private mutating func readClear(_ bytes: [UInt8], end: Int, _ budget: Budget) {
    if let start = Self.find("/FontMatrix", in: bytes, from: 0), start < end {
      var lexer = PDFLexer(bytes, at: start + 11, end: end, budget: budget)
      let values = lexer.value().array?.map { $0.number ?? 0 } ?? []
      if let found = CFFTables.matrix(values) { matrix = found }
    }
    guard let start = Self.find("/Encoding", in: bytes, from: 0), start < end else { return }
    var lexer = PDFLexer(bytes, at: start + 9, end: end, budget: budget)
    // An entry of the encoding has the form: dup 65 /A put
    var words = 0
    while words < 4096 {
      words += 1
      switch lexer.next() {
      case .keyword("def") where !encoding.isEmpty, .keyword("readonly"),
        .keyword("StandardEncoding"),
        .end:
        return
      case .keyword("dup"):
        if case .value(.integer(let code)) = lexer.next(),
          case .value(.name(let name)) = lexer.next()
        {
          encoding[code] = name
        }
      default: continue
      }
    }
  }

  private mutating func readPrivate(_ bytes: [UInt8], _ budget: Budget) {
    var lexer = PDFLexer(bytes, budget: budget)
    var name: String?
    var index: Int?
    var length: Int?
    var inGlyphs = false
    while true {
      switch lexer.next() {
      case .end: return
      case .value(.name(let word)):
        if word == "lenIV", case .value(.integer(let count)) = lexer.next() {
          randomBytes = min(max(count, -1), 64)
        }
        if word == "CharStrings" { inGlyphs = true }
        name = word
      case .value(.integer(let number)):
        index = length
        length = number
      case .keyword("RD"), .keyword("-|"):
        // One blank follows, and then the number of bytes that was stated before.
        let start = lexer.position + 1
        guard let count = length, count >= 0, start + count <= bytes.count else { return }
        let code = charString(Array(bytes[start..<start + count]))
        lexer.position = start + count
        if inGlyphs, let name {
          if charStrings[name] == nil { charStrings[name] = code }
        } else if let index, subroutines[index] == nil {
          // Some fonts have a second list of subroutines, for devices of low resolution.
          subroutines[index] = code
        }
        (name, length) = (nil, nil)
      case .keyword("end") where inGlyphs && !charStrings.isEmpty: return
      default: continue
      }
    }
  }

  private func charString(_ bytes: [UInt8]) -> [UInt8] {
    randomBytes < 0 ? bytes : Self.decrypted(bytes, key: 4330, dropping: randomBytes)
  }
}

// MARK: - Glyphs

// The outlines of glyphs in Type 1 fonts. Hints are ignored; flexes are drawn as curves.

struct Type1CharString {
  private let font: Type1Font
  private(set) var pen: GlyphPen
  private var stack: [Double] = []
  /// The results of PostScript procedures, which `pop` fetches.
  private var results: [Double] = []
  private var x = 0.0
  private var y = 0.0
  /// The x at which the outline begins: the left side bearing.
  private var origin = 0.0
  private var isOpen = false
  /// The points of the flex that is being read; nil outside of a flex.
  private var flex: [(Double, Double)]?

  /// Draws a glyph with a pen.
  static func draw(_ name: String, of font: Type1Font, with pen: inout GlyphPen, depth: Int = 0) {
    guard let code = font.charStrings[name] else { return }
    var run = Type1CharString(font, pen)
    _ = run.execute(code, depth: depth)
    run.close()
    pen = run.pen
  }

  /// Returns the advance of a glyph, in its units, from its first operator (`hsbw` or `sbw`).
  static func advance(_ name: String, of font: Type1Font) -> Double? {
    guard let code = font.charStrings[name] else { return nil }
    let data = BigEndianBytes(code)
    var numbers: [Double] = []
    var position = 0
    while position < code.count, numbers.count < 8 {
      let byte = data.u8(position)
      position += 1
      switch byte {
      case 13: return numbers.count >= 2 ? numbers[1] : nil
      case 12 where data.u8(position) == 7: return numbers.count >= 4 ? numbers[2] : nil
      case 12 where data.u8(position) == 12:
        guard numbers.count >= 2, let divisor = numbers.popLast(), divisor != 0 else { return nil }
        numbers[numbers.count - 1] /= divisor
        position += 1
      case 32...255: numbers.append(data.charStringNumber(byte, at: &position))
      default: return nil
      }
    }
    return nil
  }

  private init(_ font: Type1Font, _ pen: GlyphPen) {
    self.font = font
    self.pen = pen
  }

  /// Runs a charstring or subroutine. Returns false at the end of the glyph.
  private mutating func execute(_ code: [UInt8], depth: Int) -> Bool {
    guard depth <= 10 else { return false }
    let data = BigEndianBytes(code)
    var position = 0
    while position < code.count {
      guard pen.spend(), stack.count <= 64 else { return false }
      let byte = data.u8(position)
      position += 1
      switch byte {
      case 32...255: stack.append(data.charStringNumber(byte, at: &position))
      case 10:
        guard let number = stack.popLast(), abs(number) < 65536,
          let code = font.subroutines[Int(number)]
        else { return false }
        if !execute(code, depth: depth + 1) { return false }
      case 11: return true
      case 12:
        let operation = data.u8(position)
        position += 1
        if operation == 6 {
          compose(depth)
          return false
        }
        applyLong(operation)
      case 14: return false
      default: draw(byte)
      }
    }
    return true
  }

  private func argument(_ index: Int) -> Double { index < stack.count ? stack[index] : 0 }

  private mutating func close() {
    if isOpen { pen.close() }
    isOpen = false
  }

  private mutating func move(_ dx: Double, _ dy: Double) {
    x += dx
    y += dy
    if flex != nil {
      flex?.append((x, y))
      return
    }
    close()
    pen.move(x, y)
    isOpen = true
  }

  private mutating func line(_ dx: Double, _ dy: Double) {
    x += dx
    y += dy
    pen.line(x, y)
    isOpen = true
  }

  private mutating func curve(
    _ dx1: Double, _ dy1: Double, _ dx2: Double, _ dy2: Double, _ dx: Double, _ dy: Double
  ) {
    let (x1, y1) = (x + dx1, y + dy1)
    let (x2, y2) = (x1 + dx2, y1 + dy2)
    x = x2 + dx
    y = y2 + dy
    pen.curve(x1, y1, x2, y2, x, y)
    isOpen = true
  }

  private mutating func draw(_ operation: Int) {
    switch operation {
    case 13:
      origin = argument(0)
      x = origin
      y = 0
    case 21: move(argument(0), argument(1))
    case 22: move(argument(0), 0)
    case 4: move(0, argument(0))
    case 5: line(argument(0), argument(1))
    case 6: line(argument(0), 0)
    case 7: line(0, argument(0))
    case 8:
      curve(argument(0), argument(1), argument(2), argument(3), argument(4), argument(5))
    case 30: curve(0, argument(0), argument(1), argument(2), argument(3), 0)
    case 31: curve(argument(0), 0, argument(1), argument(2), 0, argument(3))
    case 9: close()
    default: break
    }
    stack = []
  }

  private mutating func applyLong(_ operation: Int) {
    switch operation {
    case 7:
      origin = argument(0)
      x = origin
      y = argument(1)
      stack = []
    case 12:
      let divisor = stack.popLast() ?? 1
      let value = stack.popLast() ?? 0
      stack.append(divisor == 0 ? 0 : value / divisor)
    case 16: callProcedure()
    case 17: stack.append(results.popLast() ?? 0)
    case 33:
      x = argument(0)
      y = argument(1)
      stack = []
    default: stack = []
    }
  }

  /// Calls a procedure that all fonts share: 0 to 2 make a flex from seven moves, and 3 replaces
  /// hints.
  private mutating func callProcedure() {
    let number = stack.popLast() ?? -1
    let count = whole(stack.popLast() ?? 0, from: 0, to: stack.count)
    let arguments = Array(stack.suffix(count))
    stack.removeLast(count)
    switch number {
    case 1: flex = []
    case 2: results = []
    case 0:
      if let points = flex, points.count >= 7 {
        let p = points
        pen.curve(p[1].0, p[1].1, p[2].0, p[2].1, p[3].0, p[3].1)
        pen.curve(p[4].0, p[4].1, p[5].0, p[5].1, p[6].0, p[6].1)
        (x, y) = p[6]
        isOpen = true
      }
      flex = nil
      results = [y, x]
    case 3: results = [3]
    default: results = arguments.reversed()
    }
  }

  /// Draws a letter and an accent (`seac`), which codes of the standard encoding name.
  private mutating func compose(_ depth: Int) {
    guard stack.count >= 5, depth < 10 else { return }
    let values = stack
    let outer = pen.transform
    for (index, code) in [values[3], values[4]].enumerated() where code >= 0 && code < 256 {
      if index == 1 {
        let shift = Transform.translation(origin + values[1] - values[0], values[2])
        pen.transform = shift.then(outer)
      }
      Type1CharString.draw(
        GlyphNames.standardEncoding[Int(code)], of: font, with: &pen, depth: 10)
    }
    pen.transform = outer
  }
}
