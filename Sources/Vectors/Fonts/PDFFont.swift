// A font of a PDF: from the codes of a string to outlines and widths. The programs of glyphs are in
// files of their own; ReadFonts.swift makes fonts from dictionaries.

import Bytes

final class PDFFont {
  enum Program {
    case type1(Type1Font)
    case cff(CFFFont)
    case trueType(TrueTypeFont)
    /// Glyphs are content streams: by code.
    case streams([Int: PDFStream], resources: PDFDictionary?)
    /// The file has no outlines.
    case missing

    /// In bytes.
    var size: Int {
      switch self {
      case .type1: 0
      case .cff(let font): font.data.count
      case .trueType(let font): font.size
      case .streams, .missing: 0
      }
    }
  }

  var program = Program.missing
  /// From the units of glyphs to those of text.
  var matrix = Transform(0.001, 0, 0, 0.001, 0, 0)
  /// In thousandths, by code; of fonts of several bytes by character.
  var widths: [Int: Double] = [:]
  var defaultWidth = 0.0
  /// Codes have one byte, else those of the map.
  var characterMap: CharacterMap?
  var isVertical: Bool { characterMap?.isVertical ?? false }
  /// Of vertical text: where the origin lies, and how far to go.
  var verticalOrigin = 880.0
  var verticalAdvance = -1000.0
  /// The names of codes, where the file gives them.
  var names: [Int: String] = [:]
  /// Names were given, and not by differences alone.
  var hasEncoding = false
  var isSymbolic = false
  /// From characters to glyphs of TrueType fonts, two bytes each; none where they are the same.
  var glyphNumbers: FontBytes?
  /// Outlines in the drawing's store; none where a code has no glyph.
  private var outlines: [Int: Path?] = [:]

  /// The outline of a code, in the units of glyphs.
  func outline(_ code: Int, in paths: inout PathStore, budget: Budget) -> Path? {
    if let known = outlines[code] { return known }
    // The glyph may be looked for among all names and ranges of the font.
    guard budget.spend(.glyphs), budget.spend(.copiedBytes, min(program.size, 1 << 18)),
      budget.borrow(.glyphs, bytes: 96)
    else { return nil }
    var pen = GlyphPen(budget: budget)
    draw(code, with: &pen)
    let glyph = pen.end()
    budget.spend(.loadedPoints, Int(glyph.pointCount))
    let path = paths.add(glyph, of: pen.paths)
    let result = path.isEmpty ? nil : path
    outlines[code] = .some(result)
    return result
  }

  private func draw(_ code: Int, with pen: inout GlyphPen) {
    switch program {
    case .type1(let font):
      let name = names[code] ?? font.encoding[code] ?? standardName(font, code)
      Type1CharString.draw(name, of: font, with: &pen)
    case .cff(let font):
      if let glyph = glyph(of: code, in: font) {
        Type2CharString.draw(glyph, of: font, with: &pen)
      }
    case .trueType(let font):
      font.draw(glyph(of: code, in: font), with: &pen)
    case .streams, .missing: break
    }
  }

  private func standardName(_ font: Type1Font, _ code: Int) -> String {
    font.encoding.isEmpty && code >= 0 && code < 256
      ? GlyphNames.standardEncoding[code] : ".notdef"
  }

  private func glyph(of code: Int, in font: CFFFont) -> Int? {
    if let map = characterMap {
      let character = map.character(code)
      if let number = mapped(character) { return number }
      return font.glyph(character: character)
    }
    if let name = names[code] {
      if let glyph = font.glyph(named: name) { return glyph }
      if hasEncoding { return 0 }
    }
    return font.glyph(code: code)
  }

  private func mapped(_ character: Int) -> Int? {
    guard let glyphNumbers else { return nil }
    return glyphNumbers.u16(2 * character)
  }

  private func glyph(of code: Int, in font: TrueTypeFont) -> Int {
    if let map = characterMap {
      let character = map.character(code)
      return mapped(character) ?? character
    }
    if let name = names[code], !isSymbolic || !font.hasMap(platform: 3, encoding: 0) {
      if let character = GlyphNames.character(name) {
        if let glyph = font.glyph(unicode: character), glyph > 0 { return glyph }
      }
      if let glyph = font.glyph(named: name) { return glyph }
      if let roman = GlyphNames.encoding("MacRomanEncoding")?.firstIndex(of: name),
        let glyph = font.glyph(roman, platform: 1, encoding: 0), glyph > 0
      {
        return glyph
      }
    }
    for character in [code, 0xF000 + code, 0xF100 + code] {
      if let glyph = font.glyph(character, platform: 3, encoding: 0), glyph > 0 { return glyph }
    }
    if let glyph = font.glyph(code, platform: 1, encoding: 0), glyph > 0 { return glyph }
    if font.hasMap(platform: 1, encoding: 0) || font.hasMap(platform: 3, encoding: 0) { return 0 }
    return font.glyph(unicode: code) ?? code
  }

  /// In the units of text: thousandths, but for glyphs that are streams.
  func width(_ code: Int) -> Double {
    let width = widths[characterMap?.character(code) ?? code] ?? defaultWidth
    if case .streams = program { return width * matrix.a }
    return width / 1000
  }
}

/// The codes of a string and the characters that they mean: an embedded map, or codes of two bytes that
/// are characters.
struct CharacterMap {
  /// The ends of codes of so many bytes.
  var spaces: [(bytes: Int, low: Int, high: Int)] = []
  private var single: [Int: Int] = [:]
  private var ranges: [(low: Int, high: Int, first: Int)] = []
  var isVertical = false
  var isIdentity: Bool

  /// Every two bytes are a character.
  init(identityIsVertical: Bool) {
    isIdentity = true
    isVertical = identityIsVertical
  }

  init(_ bytes: [UInt8], budget: Budget) {
    isIdentity = false
    var lexer = PDFLexer(bytes, budget: budget)
    var values: [PDFValue] = []
    while budget.spend(.operators) {
      switch lexer.next() {
      case .value(let value):
        if values.count < 1024 { values.append(value) }
      case .keyword(let word):
        budget.borrow(.tableEntries, bytes: 32 * values.count)
        take(word, values)
        values = []
        lexer.releaseValues()
      case .end: return
      default: continue
      }
    }
  }

  private static func code(_ value: PDFValue) -> Int {
    value.string?.prefix(4).reduce(0) { $0 << 8 | Int($1) } ?? 0
  }

  private mutating func take(_ word: String, _ values: [PDFValue]) {
    switch word {
    case "endcodespacerange":
      for index in stride(from: 0, to: values.count - 1, by: 2) {
        let bytes = min(max(values[index].string?.count ?? 0, 1), 4)
        spaces.append((bytes, Self.code(values[index]), Self.code(values[index + 1])))
      }
    case "endcidrange":
      for index in stride(from: 0, to: values.count - 2, by: 3) {
        ranges.append(
          (Self.code(values[index]), Self.code(values[index + 1]), values[index + 2].int ?? 0))
      }
    case "endcidchar":
      for index in stride(from: 0, to: values.count - 1, by: 2) {
        single[Self.code(values[index])] = values[index + 1].int ?? 0
      }
    case "def":
      if values.count == 2, values[0].name == "WMode" { isVertical = values[1].int == 1 }
    default: break
    }
  }

  /// How many entries are looked at for a code.
  var searchCost: Int { spaces.count * 4 + ranges.count * 2 }

  func character(_ code: Int) -> Int {
    if isIdentity { return code }
    if let known = single[code] { return known }
    for range in ranges where code >= range.low && code <= range.high {
      return min(max(range.first, 0), 0xFFFF) + code - range.low
    }
    return 0
  }

  /// The code at a place of a string, and how many bytes it has.
  func code(_ string: [UInt8], at place: Int) -> (code: Int, bytes: Int) {
    var code = 0
    for count in 1...4 where !isIdentity && place + count <= string.count {
      code = code << 8 | Int(string[place + count - 1])
      for space in spaces where space.bytes == count && code >= space.low && code <= space.high {
        return (code, count)
      }
    }
    let second = place + 1 < string.count ? Int(string[place + 1]) : 0
    return (Int(string[place]) << 8 | second, 2)
  }
}
