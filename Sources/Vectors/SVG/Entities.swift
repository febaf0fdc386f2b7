// Reads entities of XML: those that the document type declares, the five predefined ones, and
// character references.

import Bytes

extension MarkupReader {
  /// Reads the entities of the document type and skips the rest of it.
  mutating func readDocumentType() throws(VectorError) {
    let start = place
    var depth = 0
    place += 2
    while place < end {
      let byte = markup.text[place]
      if starts("<!--") {
        try skip(past: "-->")
        continue
      }
      if starts("<!ENTITY") {
        try readEntity()
        continue
      }
      if byte == UInt8(ascii: "\"") || byte == 0x27 {
        place += 1
        while place < end, markup.text[place] != byte { place += 1 }
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<") {
        depth += 1
      } else if byte == UInt8(ascii: "]") {
        depth -= 1
      } else if byte == UInt8(ascii: ">") {
        if depth <= 0 {
          place += 1
          return
        }
        if depth > 1 { depth -= 1 }
      }
      place += 1
    }
    throw .malformed(.unclosedElement, offset: start)
  }

  private mutating func readEntity() throws(VectorError) {
    let start = place
    place += 8
    skipSpace()
    let name = readName().name
    skipSpace()
    guard place < end else { throw .malformed(.unclosedElement, offset: start) }
    let quote = markup.text[place]
    if quote == UInt8(ascii: "\"") || quote == 0x27 {
      place += 1
      let first = place
      while place < end, markup.text[place] != quote { place += 1 }
      if entities.count < 1_000 {
        let value = ByteRange(first, place)
        let hasMarkup = markup.text[value.range].contains(UInt8(ascii: "<"))
        entities.append(Entity(name: name, value: value, hasMarkup: hasMarkup))
      }
      place += 1
    }
    // Everything else (SYSTEM, the name of a parameter entity) is skipped together with its quotes.
    try skip(past: ">")
  }

  /// Returns the range of a text with its entities replaced. If the text has no entities, the range
  /// is the text's own.
  mutating func resolved(_ start: Int, _ end: Int) throws(VectorError) -> ByteRange {
    guard markup.text[start..<end].contains(UInt8(ascii: "&")) else { return ByteRange(start, end) }
    let first = markup.text.count
    try expand(start, end, depth: 0)
    return ByteRange(first, markup.text.count)
  }

  private mutating func expand(_ start: Int, _ end: Int, depth: Int) throws(VectorError) {
    var at = start
    while at < end {
      let byte = markup.text[at]
      if byte == UInt8(ascii: "&") {
        var semicolon = at
        while semicolon < end, markup.text[semicolon] != UInt8(ascii: ";") { semicolon += 1 }
        guard semicolon < end else { throw .malformed(.unknownEntity, offset: at) }
        try expandEntity(at + 1, semicolon, depth: depth)
        at = semicolon + 1
      } else {
        try append(byte)
        at += 1
      }
    }
  }

  private mutating func append(_ byte: UInt8) throws(VectorError) {
    budget.spend(.lexedBytes)
    budget.borrow(.lexedBytes, bytes: 2)
    try budget.checkVector()
    markup.text.append(byte)
  }

  private mutating func expandEntity(
    _ start: Int, _ end: Int, depth: Int
  ) throws(VectorError) {
    guard depth < 16 else { throw .overLimit(.nesting, most: 16) }
    // An entity with an empty value costs work, too: its name is compared with all names.
    budget.spend(.lexedBytes, end - start)
    try budget.checkVector()
    if markup.text[start] == UInt8(ascii: "#") {
      try append(character: start + 1, end)
      return
    }
    for (name, byte) in MarkupReader.predefined
    where end - start == name.utf8CodeUnitCount && matches(start, name) {
      try append(byte)
      return
    }
    guard let entity = entity(named: start, end) else {
      try budget.checkVector()
      throw .malformed(.unknownEntity, offset: start)
    }
    try expand(Int(entity.value.start), Int(entity.value.end), depth: depth + 1)
  }

  /// Returns the entity of a name; nil if no entity has the name, or the budget is exceeded.
  func entity(named start: Int, _ end: Int) -> Entity? {
    guard budget.spend(.tableEntries, 1 + entities.count / 4) else { return nil }
    return entities.first { isNamed($0.name.range, start, end) }
  }

  /// Returns whether a name is equal to a range of the text. The bytes are compared in place,
  /// because a slice would cause a copy of the text when it grows.
  private func isNamed(_ name: Range<Int>, _ start: Int, _ end: Int) -> Bool {
    name.count == end - start
      && (0..<name.count).allSatisfy {
        markup.text[name.lowerBound + $0] == markup.text[start + $0]
      }
  }

  private static let predefined: [(StaticString, UInt8)] = [
    ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")),
    ("quot", UInt8(ascii: "\"")), ("apos", 0x27),
  ]

  /// Appends the character of a character reference. In the parts of an SVG that are read,
  /// characters beyond ASCII matter only in names, where their UTF-8 keeps names distinct.
  private mutating func append(character start: Int, _ end: Int) throws(VectorError) {
    var at = start
    let isHex = at < end && markup.text[at] | 0x20 == UInt8(ascii: "x")
    if isHex { at += 1 }
    var value: UInt32 = 0
    while at < end {
      guard let digit = hexDigit(markup.text[at]), isHex || digit < 10, value < 0x20_0000 else {
        throw .malformed(.unknownEntity, offset: start)
      }
      value = value * (isHex ? 16 : 10) + UInt32(digit)
      at += 1
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw .malformed(.unknownEntity, offset: start)
    }
    if value < 0x80 {
      try append(UInt8(value))
    } else {
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { try append(byte) }
    }
  }
}

func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
