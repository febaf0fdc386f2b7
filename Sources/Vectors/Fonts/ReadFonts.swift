// Makes fonts from their dictionaries: the font program, the encoding and the widths.

import Bytes

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
  private func program(_ descriptor: PDFDictionary) -> PDFFont.Program {
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
  private func program(_ bytes: [UInt8]) -> PDFFont.Program? {
    budget.spend(.lexedBytes, 2 * bytes.count)
    guard budget.borrow(.names, bytes: 3 * bytes.count) else { return nil }
    let data = FontBytes(bytes)
    switch data.u32(0) {
    case 0x4F54_544F:
      let tables = TrueTypeFont.directory(data)
      return tables["CFF "].flatMap { CFFFont(Array(bytes[$0]), budget) }.map { .cff($0) }
    case 0x0001_0000, 0x7472_7565, 0x7474_6366:
      return TrueTypeFont(bytes).map { .trueType($0) }
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
      font.glyphNumbers = FontBytes(file.decoded(stream))
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
