// CFF fonts: the names, codes and charstrings of glyphs. Type2CharString.swift draws the
// charstrings.

import Bytes

struct CFFFont {
  let data: FontBytes
  private(set) var charStrings: [Range<Int>] = []
  let globalSubroutines: [Range<Int>]
  private(set) var fontDictionaries: [FontDictionary] = []
  /// Whether glyphs have character identifiers (CIDs) instead of names.
  let isCID: Bool
  /// The transform from the units of glyphs to the units of text, from the font or by default.
  private(set) var matrix: Transform
  /// The number of the name (SID), or the CID, of each glyph.
  private var charset: [Int] = []
  private var fontSelection: [UInt8] = []
  private let strings: [Range<Int>]
  private var codes: [Int: Int] = [:]

  struct FontDictionary {
    var subroutines: [Range<Int>] = []
    var matrix: Transform?
  }

  init?(_ bytes: [UInt8], _ budget: Budget) {
    data = FontBytes(bytes)
    guard data.count > 4 else { return nil }
    var position = data.u8(2)
    _ = CFFTables.index(data, &position, budget)
    let tops = CFFTables.index(data, &position, budget)
    strings = CFFTables.index(data, &position, budget)
    globalSubroutines = CFFTables.index(data, &position, budget)
    guard let first = tops.first else { return nil }
    let top = CFFTables.dictionary(data, first)
    guard var start = top[17]?.first.map(CFFTables.offset), start > 0 else { return nil }
    isCID = top[CFFTables.ros] != nil
    matrix = CFFTables.matrix(top[CFFTables.fontMatrix]) ?? Transform(0.001, 0, 0, 0.001, 0, 0)
    charStrings = CFFTables.index(data, &start, budget)
    guard !charStrings.isEmpty else { return nil }
    charset = CFFTables.charset(
      data, at: CFFTables.offset(top[15]?.first ?? 0), count: charStrings.count, isCID: isCID)
    if isCID {
      readFontDictionaries(top, budget)
    } else {
      fontDictionaries = [FontDictionary(subroutines: CFFTables.subroutines(data, top, budget))]
      readCodes(at: CFFTables.offset(top[16]?.first ?? 0))
    }
  }

  private mutating func readFontDictionaries(_ top: [Int: [Double]], _ budget: Budget) {
    var position = CFFTables.offset(top[CFFTables.fontArray]?.first ?? 0)
    guard position > 0 else { return }
    let hasMatrix = top[CFFTables.fontMatrix] != nil
    for range in CFFTables.index(data, &position, budget).prefix(256) {
      let dictionary = CFFTables.dictionary(data, range)
      fontDictionaries.append(
        FontDictionary(
          subroutines: CFFTables.subroutines(data, dictionary, budget),
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
      let place = position + 1 + 3 * index
      if let glyph = charset.firstIndex(of: data.u16(place + 1)) { codes[data.u8(place)] = glyph }
    }
  }

  func fontDictionary(of glyph: Int) -> FontDictionary {
    let index = glyph < fontSelection.count ? Int(fontSelection[glyph]) : 0
    return index < fontDictionaries.count ? fontDictionaries[index] : FontDictionary()
  }

  func glyph(character: Int) -> Int? {
    isCID ? charset.firstIndex(of: character) : character < charStrings.count ? character : nil
  }

  func glyph(code: Int) -> Int? {
    if !codes.isEmpty { return codes[code] }
    return code < 256 ? glyph(named: GlyphNames.standardEncoding[code]) : nil
  }

  func glyph(named name: String) -> Int? {
    for (glyph, number) in charset.enumerated() where isString(number, name) { return glyph }
    return nil
  }

  private func isString(_ number: Int, _ name: String) -> Bool {
    let standard = GlyphNames.standard
    if number < standard.count { return standard[number] == name }
    let index = number - standard.count
    return index < strings.count && data.bytes[strings[index]].elementsEqual(name.utf8)
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

  /// Reads an INDEX and returns the ranges of its entries. Moves `position` behind the INDEX.
  static func index(
    _ data: FontBytes, _ position: inout Int, _ budget: Budget
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
  static func dictionary(_ data: FontBytes, _ range: Range<Int>) -> [Int: [Double]] {
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
      case 30: operands.append(real(data, &position, range.upperBound))
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
  private static func real(_ data: FontBytes, _ position: inout Int, _ end: Int) -> Double {
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
    _ data: FontBytes, _ dictionary: [Int: [Double]], _ budget: Budget
  ) -> [Range<Int>] {
    guard let place = dictionary[18], place.count == 2 else { return [] }
    let start = offset(place[1])
    let range = data.clamped(start, count: offset(place[0]))
    guard let relative = self.dictionary(data, range)[19]?.first else { return [] }
    var position = start + offset(relative)
    return index(data, &position, budget)
  }

  static func fontSelection(_ data: FontBytes, at start: Int, count: Int) -> [UInt8] {
    if data.u8(start) == 0 { return Array(data.bytes[data.clamped(start + 1, count: count)]) }
    guard data.u8(start) == 3 else { return [] }
    var result = [UInt8](repeating: 0, count: count)
    for index in 0..<data.u16(start + 1) {
      let place = start + 3 + 3 * index
      guard place + 4 < data.count else { break }
      let first = data.u16(place)
      let end = min(data.u16(place + 3), count)
      for glyph in stride(from: first, to: end, by: 1) {
        result[glyph] = UInt8(truncatingIfNeeded: data.u8(place + 2))
      }
    }
    return result
  }

  static func charset(_ data: FontBytes, at start: Int, count: Int, isCID: Bool) -> [Int] {
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
