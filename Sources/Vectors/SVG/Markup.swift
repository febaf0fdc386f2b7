// XML as a flat tree: elements and the attributes whose names mean something in SVG. External entities
// are never read; internal ones are expanded, up to a limit.

/// A part of the text of a document.
struct ByteRange: Equatable {
  var start: Int32
  var end: Int32

  init(_ start: Int, _ end: Int) {
    self.start = Int32(truncatingIfNeeded: start)
    self.end = Int32(truncatingIfNeeded: end)
  }

  static let none = ByteRange(0, 0)

  var isEmpty: Bool { start >= end }
  var range: Range<Int> { Int(start)..<Int(end) }
}

struct Markup {
  struct Node {
    var element: ElementName
    /// As written, without its prefix.
    var name: ByteRange
    var parent: Int32
    var firstChild: Int32 = -1
    var next: Int32 = -1
    var attributes: Span
  }

  struct Attribute {
    var name: AttributeName
    var value: ByteRange
  }

  /// The document, and behind it texts in which entities were replaced.
  fileprivate(set) var text: [UInt8]
  fileprivate(set) var nodes: [Node] = []
  fileprivate(set) var attributes: [Attribute] = []
  /// What style elements hold.
  fileprivate(set) var styles: [ByteRange] = []

  init(_ document: [UInt8]) throws(VectorError) {
    guard document.count < 1 << 30 else {
      throw .overLimit(.decompressedBytes, most: 1 << 30)
    }
    text = document
    var reader = MarkupReader(self)
    try reader.read()
    self = reader.markup
    guard let root = nodes.first, root.element == .svg else { throw .malformed(.notSVG, offset: 0) }
  }
}

/// Reads a document once, from the start to the end.
private struct MarkupReader {
  var markup: Markup
  private var place = 0
  private let end: Int
  private var open: [(node: Int32, lastChild: Int32, prefix: ByteRange)] = []
  private var entities: [(name: ByteRange, value: ByteRange)] = []
  private var expanded = 0

  private static let mostNodes = 1_000_000
  private static let deepest = 1_000
  /// Bytes that entities may become.
  private static let mostExpanded = 4 << 20

  init(_ markup: Markup) {
    self.markup = markup
    end = markup.text.count
    if markup.text.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  mutating func read() throws(VectorError) {
    while place < end {
      let start = place
      while place < end, markup.text[place] != UInt8(ascii: "<") { place += 1 }
      try addText(start, place)
      guard place < end else { break }
      if starts("<!--") {
        try skip(past: "-->")
      } else if starts("<![CDATA[") {
        let text = place + 9
        try skip(past: "]]>")
        if isInStyle { markup.styles.append(ByteRange(text, place - 3)) }
      } else if starts("<?") {
        try skip(past: "?>")
      } else if starts("<!") {
        try readDocumentType()
      } else if starts("</") {
        place += 2
        try skip(past: ">")
        guard open.popLast() != nil else { throw .malformed(.badElement, offset: start) }
      } else {
        try readElement()
      }
    }
    guard open.isEmpty else { throw .malformed(.unclosedElement, offset: end) }
  }

  private var isInStyle: Bool {
    open.last.map { markup.nodes[Int($0.node)].element == .style } ?? false
  }

  private mutating func addText(_ start: Int, _ end: Int) throws(VectorError) {
    guard start < end, isInStyle else { return }
    markup.styles.append(try resolved(start, end))
  }

  private func starts(_ text: StaticString) -> Bool { matches(place, text) }

  private func matches(_ at: Int, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at + count <= end else { return false }
    for i in 0..<count where markup.text[at + i] != text.utf8Start[i] { return false }
    return true
  }

  private mutating func skip(past text: StaticString) throws(VectorError) {
    let start = place
    while place < end {
      if starts(text) {
        place += text.utf8CodeUnitCount
        return
      }
      place += 1
    }
    throw .malformed(.unclosedElement, offset: start)
  }

  private mutating func skipSpace() { while place < end, markup.text[place] <= 32 { place += 1 } }

  /// A name and what precedes its colon.
  private mutating func readName() -> (prefix: ByteRange, name: ByteRange) {
    let start = place
    var colon = -1
    while place < end, isNamePart(markup.text[place]) {
      if markup.text[place] == UInt8(ascii: ":") { colon = place }
      place += 1
    }
    if colon < 0 { return (.none, ByteRange(start, place)) }
    return (ByteRange(start, colon), ByteRange(colon + 1, place))
  }

  private func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: ":"), UInt8(ascii: "."), 0x80...:
      return true
    default: return false
    }
  }

  private mutating func readElement() throws(VectorError) {
    let start = place
    place += 1
    let (prefix, name) = readName()
    guard !name.isEmpty else { throw .malformed(.badElement, offset: start) }
    guard markup.nodes.count < MarkupReader.mostNodes else {
      throw .overLimit(.objects, most: MarkupReader.mostNodes)
    }
    guard open.count < MarkupReader.deepest else {
      throw .overLimit(.nesting, most: MarkupReader.deepest)
    }
    let firstAttribute = markup.attributes.count
    let isEmpty = try readAttributes(start)
    let isSVG = isOfSVG(prefix)
    let number = Int32(truncatingIfNeeded: markup.nodes.count)
    markup.nodes.append(
      Markup.Node(
        element: isSVG ? ElementName(markup.text, name) : .unknown, name: name,
        parent: open.last?.node ?? -1,
        attributes: Span(firstAttribute..<markup.attributes.count)))
    if let parent = open.last {
      if parent.lastChild < 0 {
        markup.nodes[Int(parent.node)].firstChild = number
      } else {
        markup.nodes[Int(parent.lastChild)].next = number
      }
      open[open.count - 1].lastChild = number
    } else if number > 0 {
      throw .malformed(.badElement, offset: start)
    }
    if !isEmpty { open.append((number, -1, prefix)) }
  }

  /// Elements of SVG have the prefix that the root has.
  private func isOfSVG(_ prefix: ByteRange) -> Bool {
    guard let root = open.first else { return true }
    return markup.text[prefix.range] == markup.text[root.prefix.range]
      || matches(Int(prefix.start), "svg:") && !prefix.isEmpty
  }

  /// Reads to the end of the tag. True: the element has no content.
  private mutating func readAttributes(_ start: Int) throws(VectorError) -> Bool {
    while true {
      skipSpace()
      guard place < end else { throw .malformed(.unclosedElement, offset: start) }
      if markup.text[place] == UInt8(ascii: ">") {
        place += 1
        return false
      }
      if starts("/>") {
        place += 2
        return true
      }
      let at = place
      let (prefix, name) = readName()
      skipSpace()
      guard !name.isEmpty, place < end, markup.text[place] == UInt8(ascii: "=") else {
        throw .malformed(.badAttribute, offset: at)
      }
      place += 1
      skipSpace()
      guard place < end, markup.text[place] == UInt8(ascii: "\"") || markup.text[place] == 0x27
      else { throw .malformed(.badAttribute, offset: at) }
      let quote = markup.text[place]
      place += 1
      let first = place
      while place < end, markup.text[place] != quote { place += 1 }
      guard place < end else { throw .malformed(.badAttribute, offset: at) }
      let known = AttributeName(markup.text, name)
      // xlink:href is the only name with a prefix that means anything.
      if known != .unknown, prefix.isEmpty || known == .href {
        let value = try resolved(first, place)
        markup.attributes.append(Markup.Attribute(name: known, value: value))
      }
      place += 1
    }
  }
}

// MARK: Entities

extension MarkupReader {
  /// Entities of the document type; all else of it is passed over.
  private mutating func readDocumentType() throws(VectorError) {
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
      if entities.count < 1_000 { entities.append((name, ByteRange(first, place))) }
      place += 1
    }
    // What else there is (SYSTEM, a parameter's name) is passed over with its quotes.
    try skip(past: ">")
  }

  /// A text with its entities replaced; the same place where it has none.
  private mutating func resolved(_ start: Int, _ end: Int) throws(VectorError) -> ByteRange {
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
    expanded += 1
    guard expanded <= MarkupReader.mostExpanded else {
      throw .overLimit(.expandedText, most: MarkupReader.mostExpanded)
    }
    markup.text.append(byte)
  }

  private mutating func expandEntity(
    _ start: Int, _ end: Int, depth: Int
  ) throws(VectorError) {
    guard depth < 16 else { throw .overLimit(.expandedText, most: MarkupReader.mostExpanded) }
    // What an entity costs that becomes nothing.
    expanded += 1
    if markup.text[start] == UInt8(ascii: "#") {
      try append(character: start + 1, end)
      return
    }
    for (name, byte) in MarkupReader.predefined
    where end - start == name.utf8CodeUnitCount && matches(start, name) {
      try append(byte)
      return
    }
    let wanted = markup.text[start..<end]
    guard let entity = entities.first(where: { markup.text[$0.name.range] == wanted }) else {
      throw .malformed(.unknownEntity, offset: start)
    }
    try expand(Int(entity.value.start), Int(entity.value.end), depth: depth + 1)
  }

  private static let predefined: [(StaticString, UInt8)] = [
    ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")),
    ("quot", UInt8(ascii: "\"")), ("apos", 0x27),
  ]

  /// Characters beyond ASCII mean nothing in what is read of an SVG but names, which stay distinct.
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
