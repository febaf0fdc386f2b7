// Writes a content stream without what cannot change a pixel: comments, blanks, marked content,
// zeros at the ends of numbers, and operators that set what is set already. A stream with anything
// unusual (inline images, unknown operators, malformed numbers) is not rewritten.

import Bytes

/// A content stream that was rewritten.
struct TidyContent {
  var bytes: [UInt8]
  var names: UsedNames
}

/// The names of resources that the operators of a content stream use.
struct UsedNames {
  var all: Set<String> = []
  /// The names that are used more than once.
  var repeated: Set<String> = []

  mutating func insert(_ name: String) {
    if !all.insert(name).inserted { repeated.insert(name) }
  }

  /// Adds names that may be used any number of times.
  mutating func formUnion(_ names: Set<String>) {
    all.formUnion(names)
    repeated.formUnion(names)
  }
}

/// The kind of a token in content streams.
private enum TokenKind {
  case number, name, string, open, close, word, end, fault
}

struct ContentTidier {
  private let source: [UInt8]
  private let keepsLayers: Bool
  private var position = 0
  private var output: [UInt8] = []
  /// The names of resources among the operands that were written, with their offsets in the output.
  private var uses: [(offset: Int, name: Range<Int>)] = []
  /// The operands of the next operator, as they will be written, and the names among them.
  private var operands: [UInt8] = []
  private var operandNames: [Range<Int>] = []
  private var operandCount = 0
  /// Whether all operands are numbers.
  private var isNumeric = true
  /// The numbers of the texts that set a state.
  private var numbers: [[UInt8]: Int32] = [:]
  private var lastNumber: Int32 = 0
  private var state = SIMD16<Int32>(repeating: 0)
  private var saved: [Saved] = []
  /// The marked content that is open: whether each part is kept.
  private var marks: [Bool] = []
  /// An operator that sets the colour space that is set already. It only resets the colour, so it
  /// is left out if the colour is set next. One is for fills, and one for strokes.
  private var waitingSpaces: [[UInt8]?] = [nil, nil]
  private static let mostNumbers = 1 << 14
  private static let mostSaved = 4096
  /// The most names before one operator.
  private static let mostNames = 4096
  private var hasPath = false
  private var hasClip = false
  /// Whether anything was painted since the last `q` that is open.
  private var hasPainted = false

  /// The state at a `q`, and the offsets in the output before and after it.
  private struct Saved {
    var state: SIMD16<Int32>
    var start: Int
    var end: Int
    var hasPainted: Bool
  }

  /// The state with which a stream begins. A page begins with the initial state; its initial
  /// colour need not be the one that `0 g` sets, if it replaces the grey of the device.
  enum Start {
    case page, pageWithOtherGray, unknown
  }

  /// `keepsLayers` keeps marked content that belongs to a layer.
  private init(_ source: [UInt8], start: Start, keepsLayers: Bool) {
    self.source = source
    self.keepsLayers = keepsLayers
    output.reserveCapacity(source.count)
    guard start != .unknown else { return }
    var initial: [(StateField, String)] = [
      (.width, "1 w"), (.cap, "0 J"), (.join, "0 j"), (.limit, "10 M"), (.dashes, "[]0 d"),
    ]
    if start == .page {
      initial += [
        (.fillSpace, "0 g"), (.fillColor, "0 g"), (.strokeSpace, "0 G"), (.strokeColor, "0 G"),
      ]
    }
    for (field, text) in initial { state[field.rawValue] = number(of: Array(text.utf8)) }
  }

  /// Returns the rewritten stream; nil if it has anything unusual.
  static func tidied(_ source: [UInt8], start: Start, keepsLayers: Bool) -> TidyContent? {
    var tidier = ContentTidier(source, start: start, keepsLayers: keepsLayers)
    return tidier.run() ? TidyContent(bytes: tidier.output, names: tidier.names) : nil
  }

  private var names: UsedNames {
    var names = UsedNames()
    for use in uses {
      var lexer = PDFLexer(Array(source[use.name]), budget: nil)
      names.insert(lexer.readName())
    }
    return names
  }

  /// The parts of the graphics state that are followed.
  private enum StateField: Int {
    case width, cap, join, limit, dashes, intent, flatness
    case fillSpace, fillColor, strokeSpace, strokeColor, settings
  }

  // MARK: The loop

  private mutating func run() -> Bool {
    var depth = 0
    while true {
      let (kind, token) = next()
      switch kind {
      case .end: return operandCount == 0 && depth == 0
      case .fault: return false
      case .word:
        let isValue = token.count > 3 && isLiteral(token)
        if depth > 0 || isValue {
          guard isValue else { return false }
          add(token)
          isNumeric = false
        } else {
          guard perform(token) else { return false }
        }
      case .open:
        depth += 1
        isNumeric = false
        add(token)
      case .close:
        depth -= 1
        guard depth >= 0 else { return false }
        add(token)
      case .number: addNumber(token)
      case .name:
        guard operandNames.count < ContentTidier.mostNames else { return false }
        operandNames.append(token)
        isNumeric = false
        add(token)
      case .string:
        isNumeric = false
        add(token)
      }
      if kind != .word, depth == 0 { operandCount += 1 }
    }
  }

  private func isLiteral(_ token: Range<Int>) -> Bool {
    ["true", "false", "null"].contains { source[token].elementsEqual($0.utf8) }
  }

  // MARK: Tokens

  private mutating func next() -> (TokenKind, Range<Int>) {
    skipBlanks()
    let start = position
    guard start < source.count else { return (.end, start..<start) }
    let byte = source[start]
    switch byte {
    case UInt8(ascii: "/"):
      position += 1
      skipRegular()
      return (.name, start..<position)
    case UInt8(ascii: "("): return (skipString() ? .string : .fault, start..<position)
    case UInt8(ascii: "["), UInt8(ascii: "]"):
      position += 1
      return (byte == UInt8(ascii: "[") ? .open : .close, start..<position)
    case UInt8(ascii: "<"), UInt8(ascii: ">"):
      if start + 1 < source.count, source[start + 1] == byte {
        position += 2
        return (byte == UInt8(ascii: "<") ? .open : .close, start..<position)
      }
      guard byte == UInt8(ascii: "<"), skipHexadecimal() else { return (.fault, start..<position) }
      return (.string, start..<position)
    case UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"): return (.fault, start..<start)
    default:
      skipRegular()
      let token = start..<position
      if byte >= UInt8(ascii: "A") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        return (.word, token)
      }
      return (PDFLexer.isPlain(source[token]) ? .number : .fault, token)
    }
  }

  private mutating func skipBlanks() {
    while position < source.count {
      if source[position] == UInt8(ascii: "%") {
        while position < source.count, source[position] != 10, source[position] != 13 {
          position += 1
        }
      } else if PDFLexer.isBlank(source[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  private mutating func skipRegular() {
    while position < source.count, isRegular(source[position]) { position += 1 }
  }

  private func isRegular(_ byte: UInt8) -> Bool {
    !PDFLexer.isBlank(byte) && !PDFLexer.isDelimiter(byte)
  }

  /// Skips a string in parentheses. Returns false if it does not end.
  private mutating func skipString() -> Bool {
    var open = 0
    while position < source.count {
      let byte = source[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "(") { open += 1 }
      if byte == UInt8(ascii: ")") { open -= 1 }
      if open == 0 { return true }
    }
    position = source.count
    return false
  }

  private mutating func skipHexadecimal() -> Bool {
    position += 1
    while position < source.count {
      let byte = source[position]
      position += 1
      if byte == UInt8(ascii: ">") { return true }
      guard hexDigit(byte) != nil || PDFLexer.isBlank(byte) else { return false }
    }
    return false
  }

  // MARK: Operands

  private mutating func add(_ token: Range<Int>) {
    separate(&operands, from: source[token.lowerBound])
    operands.append(contentsOf: source[token])
  }

  private mutating func addNumber(_ token: Range<Int>) {
    var text = token
    let isNegative = source[text.lowerBound] == UInt8(ascii: "-")
    if isNegative || source[text.lowerBound] == UInt8(ascii: "+") { text.removeFirst() }
    if source[text].contains(UInt8(ascii: ".")) {
      while source[text.upperBound - 1] == 0x30 { text.removeLast() }
      if source[text.upperBound - 1] == UInt8(ascii: ".") { text.removeLast() }
    }
    while let first = text.first, source[first] == 0x30 { text.removeFirst() }
    separate(&operands, from: isNegative ? UInt8(ascii: "-") : 0x30)
    if text.isEmpty { return operands.append(0x30) }
    if isNegative { operands.append(UInt8(ascii: "-")) }
    operands.append(contentsOf: source[text])
  }

  /// Appends a blank if a word would otherwise continue the word before it. The name without
  /// letters is a slash alone.
  private func separate(_ text: inout [UInt8], from next: UInt8) {
    guard let last = text.last, isRegular(next) else { return }
    if isRegular(last) || last == UInt8(ascii: "/") { text.append(0x20) }
  }

  private mutating func number(of text: [UInt8]) -> Int32 {
    if let known = numbers[text] { return known }
    // A text that was forgotten gets a new number, and the operator is written again.
    if numbers.count == ContentTidier.mostNumbers { numbers = [:] }
    lastNumber &+= 1
    numbers[text] = lastNumber
    return lastNumber
  }

  // MARK: Output

  /// Writes the operator with its operands.
  private mutating func emit(_ word: Range<Int>) {
    var text = operands
    separate(&text, from: source[word.lowerBound])
    text.append(contentsOf: source[word])
    for name in operandNames { uses.append((output.count, name)) }
    emit(text)
  }

  private mutating func emit(_ text: [UInt8]) {
    separate(&output, from: text[0])
    output.append(contentsOf: text)
  }

  private mutating func clearOperands() {
    operands.removeAll(keepingCapacity: true)
    operandNames.removeAll(keepingCapacity: true)
    operandCount = 0
    isNumeric = true
  }

  /// Returns the operator with its operands, as it would be written.
  private func text(_ word: Range<Int>) -> [UInt8] {
    var text = operands
    separate(&text, from: source[word.lowerBound])
    text.append(contentsOf: source[word])
    return text
  }
}

// MARK: - Operators

extension ContentTidier {
  /// Handles an operator. Returns false if it is unknown.
  private mutating func perform(_ word: Range<Int>) -> Bool {
    defer { clearOperands() }
    let name = source[word].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard word.count <= 3, let known = Operator(rawValue: name) else { return false }
    settleSpaces(before: known)
    switch known {
    case .q:
      // Readers of PDFs have limits, too.
      guard saved.count < ContentTidier.mostSaved else { return false }
      save(word)
    case .Q: restore(word)
    case .cm: concatenate(word)
    case .w: set(.width, word)
    case .J: set(.cap, word)
    case .j: set(.join, word)
    case .M: set(.limit, word)
    case .d: set(.dashes, word)
    case .ri: set(.intent, word)
    case .i: set(.flatness, word)
    case .gs: applySettings(word)
    case .cs, .CS: setSpace(word, strokes: known == .CS)
    case .g, .rg, .k: setColor(word, strokes: false, isDevice: true)
    case .G, .RG, .K: setColor(word, strokes: true, isDevice: true)
    case .sc, .scn: setColor(word, strokes: false, isDevice: false)
    case .SC, .SCN: setColor(word, strokes: true, isDevice: false)
    case .m, .l, .c, .v, .y, .re:
      hasPath = true
      emit(word)
    case .h: emit(word)
    case .W, .Wstar:
      hasClip = true
      emit(word)
    case .n: endPath(word)
    case .BMC, .BDC: beginMark(word)
    case .EMC: endMark(word)
    case .MP, .DP: break
    case .Tf, .Tc, .Tw, .Tz, .TL, .Tr, .Ts:
      // A soft mask of `gs` begins with the state at the time of `gs`, with its text and colours.
      state[StateField.settings.rawValue] = 0
      paint(word)
    case .BI: return false
    case .f, .F, .fstar, .B, .Bstar, .b, .bstar, .S, .s:
      (hasPath, hasClip) = (false, false)
      paint(word)
    default: paint(word)
    }
    return true
  }

  private mutating func paint(_ word: Range<Int>) {
    hasPainted = true
    emit(word)
  }

  private mutating func save(_ word: Range<Int>) {
    let start = output.count
    emit(word)
    saved.append(Saved(state: state, start: start, end: output.count, hasPainted: hasPainted))
    hasPainted = hasPath
  }

  /// Handles `Q`. If nothing was painted since the `q`, both and everything between them are left
  /// out.
  private mutating func restore(_ word: Range<Int>) {
    guard let last = saved.popLast() else {
      state = SIMD16(repeating: 0)
      hasPainted = true
      return emit(word)
    }
    state = last.state
    if hasPainted || hasPath || hasClip {
      emit(word)
      hasPainted = true
    } else {
      output.removeLast(output.count - last.start)
      while let use = uses.last, use.offset >= last.start { uses.removeLast() }
      hasPainted = last.hasPainted
    }
  }

  private mutating func concatenate(_ word: Range<Int>) {
    if operands.elementsEqual("1 0 0 1 0 0".utf8) { return }
    // A soft mask of `gs` is placed in the space at the time of `gs`.
    state[StateField.settings.rawValue] = 0
    emit(word)
  }

  private mutating func set(_ field: StateField, _ word: Range<Int>) {
    let new = number(of: text(word))
    if state[field.rawValue] == new { return }
    state[field.rawValue] = new
    state[StateField.settings.rawValue] = 0
    emit(word)
  }

  private mutating func applySettings(_ word: Range<Int>) {
    let new = number(of: text(word))
    if state[StateField.settings.rawValue] == new { return }
    for field in StateField.width.rawValue...StateField.flatness.rawValue { state[field] = 0 }
    state[StateField.settings.rawValue] = new
    emit(word)
  }

  private mutating func endPath(_ word: Range<Int>) {
    if !hasPath, !hasClip { return }
    (hasPath, hasClip) = (false, false)
    emit(word)
  }

  // MARK: Colours

  private func space(_ strokes: Bool) -> StateField { strokes ? .strokeSpace : .fillSpace }
  private func color(_ strokes: Bool) -> StateField { strokes ? .strokeColor : .fillColor }

  private mutating func setSpace(_ word: Range<Int>, strokes: Bool) {
    let text = text(word)
    let new = number(of: text)
    let (space, color) = (space(strokes).rawValue, color(strokes).rawValue)
    if state[space] == new {
      if state[color] != new { waitingSpaces[strokes ? 1 : 0] = text }
      return
    }
    state[space] = new
    state[color] = new
    state[StateField.settings.rawValue] = 0
    emit(word)
  }

  private mutating func setColor(_ word: Range<Int>, strokes: Bool, isDevice: Bool) {
    let new = number(of: text(word))
    let (space, color) = (space(strokes).rawValue, color(strokes).rawValue)
    if isNumeric, state[color] == new { return }
    if isDevice { state[space] = new }
    state[color] = isNumeric ? new : 0
    state[StateField.settings.rawValue] = 0
    emit(word)
  }

  /// Writes or forgets operators that wait for the next colour.
  private mutating func settleSpaces(before known: Operator) {
    for index in 0...1 {
      guard let text = waitingSpaces[index] else { continue }
      switch known {
      case .g, .rg, .k, .cs, .sc, .scn:
        if index == 1 { continue }
      case .G, .RG, .K, .CS, .SC, .SCN:
        if index == 0 { continue }
      case .Q: break
      default:
        state[color(index == 1).rawValue] = number(of: text)
        state[StateField.settings.rawValue] = 0
        emit(text)
      }
      waitingSpaces[index] = nil
    }
  }

  // MARK: Marked content

  private mutating func beginMark(_ word: Range<Int>) {
    let isLayer =
      operandNames.first.map { source[$0].elementsEqual("/OC".utf8) } ?? false
    marks.append(keepsLayers && isLayer)
    if keepsLayers, isLayer { paint(word) }
  }

  private mutating func endMark(_ word: Range<Int>) {
    if marks.popLast() ?? keepsLayers { paint(word) }
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The operators of content streams. The raw value is the bytes of the operator.
private enum Operator: UInt32 {
  case q = 0x71, Q = 0x51, cm = 0x636d, w = 0x77, J = 0x4a, j = 0x6a, M = 0x4d, d = 0x64
  case ri = 0x7269, i = 0x69, gs = 0x6773
  case m = 0x6d, l = 0x6c, c = 0x63, v = 0x76, y = 0x79, h = 0x68, re = 0x7265
  case S = 0x53, s = 0x73, f = 0x66, F = 0x46, fstar = 0x662a, B = 0x42, Bstar = 0x422a
  case b = 0x62, bstar = 0x622a, n = 0x6e, W = 0x57, Wstar = 0x572a
  case CS = 0x4353, cs = 0x6373, SC = 0x5343, SCN = 0x53434e, sc = 0x7363, scn = 0x73636e
  case G = 0x47, g = 0x67, RG = 0x5247, rg = 0x7267, K = 0x4b, k = 0x6b, sh = 0x7368
  case Do = 0x446f, BI = 0x4249
  case BT = 0x4254, ET = 0x4554, Tc = 0x5463, Tw = 0x5477, Tz = 0x547a, TL = 0x544c, Tf = 0x5466
  case Tr = 0x5472, Ts = 0x5473, Td = 0x5464, TD = 0x5444, Tm = 0x546d, Tstar = 0x542a
  case Tj = 0x546a, TJ = 0x544a, quote = 0x27, doubleQuote = 0x22, d0 = 0x6430, d1 = 0x6431
  case MP = 0x4d50, DP = 0x4450, BMC = 0x424d43, BDC = 0x424443, EMC = 0x454d43
  case BX = 0x4258, EX = 0x4558
}
