// A font of a PDF, which gives outlines and widths for the codes of a string. The font programs are
// in files of their own; the second part of this file makes fonts from dictionaries.

import Bytes

final class PDFFont {
  enum FontProgram {
    case type1(Type1Font)
    case cff(CFFFont)
    case trueType(TrueTypeFont)
    /// The glyphs are content streams (Type 3), by code.
    case streams([Int: PDFStream], resources: PDFDictionary?)
    /// The file contains no outlines of the font.
    case missing
  }

  var program = FontProgram.missing
  /// The transform from the units of glyphs to the units of text.
  var matrix = Transform(0.001, 0, 0, 0.001, 0, 0)
  /// The widths in thousandths, by code, or by character for a composite font.
  var widths: [Int: Double] = [:]
  var defaultWidth = 0.0
  /// The map of a composite font's codes; nil if each code is one byte.
  var characterMap: CharacterMap?
  var isVertical: Bool { characterMap?.isVertical ?? false }
  /// For vertical text: the height of the origin, and the advance, in thousandths.
  var verticalOrigin = 880.0
  var verticalAdvance = -1000.0
  /// The names of the glyphs of codes, if the file gives them.
  var names: [Int: String] = [:]
  /// Whether the file gives an encoding, and not only differences.
  var hasEncoding = false
  var isSymbolic = false
  /// The CIDToGIDMap: the glyph of each character, two bytes each. It is nil if both numbers are
  /// the same.
  var glyphNumbers: BigEndianBytes?
  /// The outlines in the drawing's store, by code; nil for codes without an outline.
  private var outlines: [Int: Path?] = [:]
  private var lacking: Set<Int> = []

  /// Returns the outline of a code, in the units of glyphs; nil if the code has no outline.
  func outline(_ code: Int, in paths: inout PathStore, budget: Budget) -> Path? {
    if let known = outlines[code] { return known }
    // Finding the glyph may need comparisons with all names of an encoding.
    guard budget.spend(.glyphs, 16), budget.borrow(.glyphs, bytes: 96) else { return nil }
    var pen = GlyphPen(budget: budget)
    if !draw(code, with: &pen), !isBlank(code) { lacking.insert(code) }
    let glyph = pen.end()
    budget.spend(.loadedPoints, Int(glyph.pointCount))
    let path = paths.add(glyph, of: pen.paths)
    budget.giveBack(.glyphs, bytes: pen.borrowed)
    let result = path.isEmpty ? nil : path
    outlines[code] = .some(result)
    return result
  }

  /// Returns whether the font has no glyph for a code whose outline was requested.
  func lacks(_ code: Int) -> Bool { lacking.contains(code) }

  /// Returns whether a code is a blank, which needs no glyph.
  private func isBlank(_ code: Int) -> Bool {
    if let name = names[code] { return name == "space" || name == ".notdef" }
    return characterMap == nil && (code <= 32 || code == 160) || width(code) == 0
  }

  /// Draws the glyph of a code. Returns false if the font has no such glyph, even if it draws a
  /// replacement.
  private func draw(_ code: Int, with pen: inout GlyphPen) -> Bool {
    switch program {
    case .type1(let font):
      let name = name(of: code, in: font)
      Type1CharString.draw(name, of: font, with: &pen)
      return font.charStrings[name] != nil
    case .cff(let font):
      guard let glyph = glyph(of: code, in: font) else { return false }
      Type2CharString.draw(glyph, of: font, with: &pen)
      return glyph > 0 && glyph < font.charStrings.count
    case .trueType(let font):
      let glyph = glyph(of: code, in: font)
      font.draw(glyph, with: &pen)
      return glyph > 0 && glyph < font.glyphCount
    case .streams, .missing: return true
    }
  }

  private func name(of code: Int, in font: Type1Font) -> String {
    names[code] ?? font.encoding[code] ?? standardName(font, code)
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
      if let glyph = GlyphNames.number(in: name), glyph < font.glyphCount { return glyph }
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

  /// Returns the width of a code in the units of text. The file states widths in thousandths or,
  /// for a Type 3 font, in the units of glyphs.
  func width(_ code: Int) -> Double {
    if widths.isEmpty, characterMap == nil, let own = ownWidth(code) { return own }
    let width = widths[characterMap?.character(code) ?? code] ?? defaultWidth
    if case .streams = program { return width * matrix.a }
    return width / 1000
  }
}

extension PDFFont {
  /// Returns the width from the font program, for files that do not state widths.
  private func ownWidth(_ code: Int) -> Double? {
    switch program {
    case .type1(let font):
      Type1CharString.advance(name(of: code, in: font), of: font).map { $0 * matrix.a }
    case .trueType(let font):
      font.advance(glyph(of: code, in: font)).map { $0 / font.unitsPerEm }
    case .cff, .streams, .missing: nil
    }
  }
}

/// A CMap: divides a string into codes and maps codes to characters (CIDs). It is embedded in the
/// file, or is the identity on codes of two bytes.
struct CharacterMap {
  /// The lowest and highest codes of each code space range, with the number of bytes of its codes.
  var spaces: [(bytes: Int, low: Int, high: Int)] = []
  private var single: [Int: Int] = [:]
  private var ranges: [(low: Int, high: Int, first: Int)] = []
  var isVertical = false
  var isIdentity: Bool

  /// Makes the identity map, in which every two bytes are a character.
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

  /// The number of entries that looking up a code examines.
  var searchCost: Int { spaces.count * 4 + ranges.count * 2 }

  func character(_ code: Int) -> Int {
    if isIdentity { return code }
    if let known = single[code] { return known }
    for range in ranges where code >= range.low && code <= range.high {
      return min(max(range.first, 0), 0xFFFF) + code - range.low
    }
    return 0
  }

  /// Returns the code at an offset of a string, and its number of bytes.
  func code(_ string: [UInt8], at offset: Int) -> (code: Int, bytes: Int) {
    var code = 0
    for count in 1...4 where !isIdentity && offset + count <= string.count {
      code = code << 8 | Int(string[offset + count - 1])
      for space in spaces where space.bytes == count && code >= space.low && code <= space.high {
        return (code, count)
      }
    }
    let second = offset + 1 < string.count ? Int(string[offset + 1]) : 0
    return (Int(string[offset]) << 8 | second, 2)
  }
}

// MARK: - Reading fonts

// Makes fonts from their dictionaries: the font program, the encoding and the widths.

extension ContentReader {
  /// Returns the font of a value. A font that is an object of its own is read once.
  func font(_ value: PDFValue) -> PDFFont? {
    if let number = value.reference, let known = fonts[number] { return known }
    guard budget.spend(.objects, 10), let dictionary = file.dictionary(value) else { return nil }
    let font = PDFFont()
    switch file.name(dictionary["Subtype"]) {
    case "Type0": readComposite(dictionary, font)
    case "Type3": readStreams(dictionary, font)
    default: readSimple(dictionary, font)
    }
    if let number = value.reference { fonts[number] = font }
    return font
  }

  // MARK: Simple fonts

  private func readSimple(_ dictionary: PDFDictionary, _ font: PDFFont) {
    let descriptor = file.dictionary(dictionary["FontDescriptor"]) ?? PDFDictionary()
    font.isSymbolic = (file.int(descriptor["Flags"]) ?? 0) & 4 != 0
    font.program = program(descriptor)
    setMatrix(font)
    readWidths(dictionary, font)
    font.defaultWidth = file.number(descriptor["MissingWidth"]) ?? 0
    readEncoding(dictionary["Encoding"], font)
  }

  private func readWidths(_ dictionary: PDFDictionary, _ font: PDFFont) {
    let first = min(max(file.int(dictionary["FirstChar"]) ?? 0, 0), 0xFFFF)
    let widths = file.numbers(dictionary["Widths"]) ?? []
    guard pay(widths: widths.count) else { return }
    for (index, width) in widths.prefix(65536).enumerated() {
      font.widths[first + index] = width
    }
  }

  /// Charges the widths that a font keeps. Returns false if the budget is exceeded.
  private func pay(widths count: Int) -> Bool {
    budget.spend(.values, min(count, 65536))
      && budget.borrow(.values, bytes: min(count, 65536) * 48)
  }

  private func readEncoding(_ value: PDFValue, _ font: PDFFont) {
    // The names of 256 codes are copied.
    guard budget.spend(.names, 256), budget.borrow(.names, bytes: 256 * 64) else { return }
    let encoding = file.resolve(value)
    let dictionary = encoding.dictionary
    let base = GlyphNames.encoding(
      encoding.name ?? dictionary.flatMap { file.name($0["BaseEncoding"]) })
    if let base {
      font.hasEncoding = true
      for (code, name) in base.enumerated() where name != ".notdef" { font.names[code] = name }
    } else if dictionary != nil, case .trueType = font.program, !font.isSymbolic {
      // The differences of a font for text refer to the standard encoding.
      for (code, name) in GlyphNames.standardEncoding.enumerated() where name != ".notdef" {
        font.names[code] = name
      }
    }
    var code = 0
    for value in dictionary.flatMap({ file.array($0["Differences"]) }) ?? []
    where budget.spend(.names) && budget.borrow(.names, bytes: 64) {
      let value = file.resolve(value)
      if let number = value.int {
        code = min(max(number, 0), 0xFFFF)
      } else if let name = value.name {
        font.names[code] = name
        code += 1
      }
    }
  }

  /// Reads the embedded font program. Its first bytes decide the format, because the keys that name
  /// the format are sometimes wrong.
  private func program(_ descriptor: PDFDictionary) -> PDFFont.FontProgram {
    for key in ["FontFile", "FontFile2", "FontFile3"] {
      guard let stream = file.stream(descriptor[key]) else { continue }
      if stream.number > 0, let known = file.fontPrograms[stream.number] { return known }
      guard let program = program(file.decoded(stream)) else { continue }
      if stream.number > 0 { file.fontPrograms[stream.number] = program }
      return program
    }
    return .missing
  }

  /// Reads a font program in any format. Its glyphs are decrypted, copied and entered in tables,
  /// which costs some nanoseconds and some bytes of memory for each byte.
  private func program(_ bytes: [UInt8]) -> PDFFont.FontProgram? {
    budget.spend(.lexedBytes, 2 * bytes.count)
    guard budget.borrow(.names, bytes: 3 * bytes.count) else { return nil }
    let data = BigEndianBytes(bytes)
    switch data.u32(0) {
    case 0x4F54_544F:
      let tables = TrueTypeFont.directory(data)
      return tables["CFF "].flatMap { CFFFont(Array(bytes[$0]), budget) }.map { .cff($0) }
    case 0x0001_0000, 0x7472_7565, 0x7474_6366:
      return TrueTypeFont(bytes, budget).map { .trueType($0) }
    default:
      if data.u8(0) == 1, data.u8(1) == 0, let font = CFFFont(bytes, budget) { return .cff(font) }
      return Type1Font(bytes, budget).map { .type1($0) }
    }
  }

  private func setMatrix(_ font: PDFFont) {
    switch font.program {
    case .type1(let program): font.matrix = program.matrix
    case .cff(let program): font.matrix = program.matrix
    case .trueType(let program):
      font.matrix = Transform.scale(1 / program.unitsPerEm, 1 / program.unitsPerEm)
    case .streams, .missing: break
    }
  }

  // MARK: Type 3 fonts

  private func readStreams(_ dictionary: PDFDictionary, _ font: PDFFont) {
    font.matrix = file.transform(dictionary["FontMatrix"]) ?? font.matrix
    readWidths(dictionary, font)
    readEncoding(dictionary["Encoding"], font)
    let streams = file.dictionary(dictionary["CharProcs"]) ?? PDFDictionary()
    var glyphs: [Int: PDFStream] = [:]
    for (code, name) in font.names {
      guard budget.spend(.names) else { break }
      if let stream = file.stream(streams[name]) { glyphs[code] = stream }
    }
    font.program = .streams(glyphs, resources: file.dictionary(dictionary["Resources"]))
  }

  // MARK: Composite fonts

  private func readComposite(_ dictionary: PDFDictionary, _ font: PDFFont) {
    let descendant =
      file.array(dictionary["DescendantFonts"])?.first.flatMap { file.dictionary($0) }
      ?? PDFDictionary()
    let encoding = file.resolve(dictionary["Encoding"])
    if let stream = encoding.stream {
      font.characterMap = CharacterMap(file.decoded(stream), budget: budget)
      if file.int(stream.dictionary["WMode"]) == 1 { font.characterMap?.isVertical = true }
    } else {
      // Other predefined CMaps are not in the file.
      let name = encoding.name ?? "Identity-H"
      font.characterMap = CharacterMap(identityIsVertical: name == "Identity-V")
      if name != "Identity-H", name != "Identity-V" { return }
    }
    font.program = program(file.dictionary(descendant["FontDescriptor"]) ?? PDFDictionary())
    setMatrix(font)
    if let stream = file.stream(descendant["CIDToGIDMap"]) {
      font.glyphNumbers = BigEndianBytes(file.decoded(stream))
    }
    font.defaultWidth = file.number(descendant["DW"]) ?? 1000
    if let vertical = file.numbers(descendant["DW2"]), vertical.count >= 2 {
      (font.verticalOrigin, font.verticalAdvance) = (vertical[0], vertical[1])
    }
    readCharacterWidths(file.array(descendant["W"]) ?? [], font)
  }

  /// Reads the widths of characters. Each entry is a first character with an array of widths, or a
  /// first and a last character with one width.
  private func readCharacterWidths(_ values: [PDFValue], _ font: PDFFont) {
    var index = 0
    while index + 1 < values.count, budget.spend(.values) {
      let first = min(max(file.int(values[index]) ?? 0, 0), 0xFFFF)
      if let widths = file.numbers(values[index + 1]) {
        guard pay(widths: widths.count) else { return }
        for (offset, width) in widths.prefix(65536).enumerated() {
          font.widths[first + offset] = width
        }
        index += 2
      } else {
        guard index + 2 < values.count, let width = file.number(values[index + 2]) else { return }
        let last = min(file.int(values[index + 1]) ?? 0, 0xFFFF)
        guard pay(widths: max(last - first + 1, 0)) else { return }
        for character in stride(from: first, through: last, by: 1) {
          font.widths[character] = width
        }
        index += 3
      }
    }
  }
}
