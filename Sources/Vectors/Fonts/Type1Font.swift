// Type 1 fonts: the encrypted charstrings of glyphs, by name. Type1CharString.swift draws them.

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
    guard text.prefix(4).allSatisfy({ PDFLexer.hexDigit($0) != nil }) else { return Array(text) }
    return TextFilters.hex(Array(text))
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
