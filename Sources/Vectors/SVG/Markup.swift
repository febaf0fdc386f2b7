// XML as a flat tree: the elements, and the attributes whose names have a meaning in SVG. External
// entities are never read; internal entities are expanded up to a limit.

import Bytes
import Codecs

/// A range of the text of a document.
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
    /// The name as written, without its prefix.
    var name: ByteRange
    var parent: Int32
    var firstChild: Int32 = -1
    var next: Int32 = -1
    var attributes: ListRange
  }

  struct Attribute {
    var name: AttributeName
    var value: ByteRange
  }

  /// The document, followed by the texts in which entities were replaced.
  var text: [UInt8]
  var nodes: [Node] = []
  var attributes: [Attribute] = []
  /// The contents of style elements.
  var styles: [ByteRange] = []
  /// Whether the document uses an entity that contains elements, which are not drawn.
  var hasEntityWithMarkup = false
  /// Whether an element ends with the tag of another one, or has an attribute twice.
  var isDamaged = false

  init(_ document: [UInt8], _ budget: Budget) throws(VectorError) {
    // Offsets in the text are stored as 32-bit numbers.
    guard document.count < 1 << 30 else { throw .malformed(.notSVG, offset: 1 << 30) }
    budget.spend(.lexedBytes, 2 * document.count)
    try budget.checkVector()
    text = SVG.utf8(try SVG.unpacked(document, budget))
    var reader = MarkupReader(self, budget)
    try reader.read()
    self = reader.markup
    guard let root = nodes.first, root.element == .svg else { throw .malformed(.notSVG, offset: 0) }
  }
}

extension SVG {
  /// Returns the document, decompressed if it is a gzip file.
  static func unpacked(_ document: [UInt8], _ budget: Budget) throws(VectorError) -> [UInt8] {
    guard document.starts(with: [0x1F, 0x8B]), document.count > 18 else { return document }
    // The last four bytes of a gzip file hold the size of its contents. Deflate expands a byte to
    // at most 1,032 bytes.
    let size = document.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard size <= document.count * 1_032 else { throw .malformed(.badStream, offset: 0) }
    budget.spend(.decompressedBytes, size)
    budget.borrow(.decompressedBytes, bytes: size)
    try budget.checkVector()
    var text = [UInt8](repeating: 0, count: size)
    let written: Int? = text.withUnsafeMutableBytes { room in
      document.withUnsafeBytes { try? Inflate.decode($0, wrapper: .gzip, into: room) }
    }
    guard written == size else { throw .malformed(.badStream, offset: 0) }
    return text
  }

  /// Returns the text as UTF-8. A text in UTF-16 begins with a byte order mark, or with `<` and a
  /// zero byte.
  package static func utf8(_ text: [UInt8]) -> [UInt8] {
    if let text = textOfUTF16(text) { return text }
    let isBig = text.starts(with: [0, 0x3C])
    guard isBig || text.starts(with: [0x3C, 0]) else { return text }
    return Bytes.utf8(ofUTF16: text[...], isBigEndian: isBig)
  }
}

// MARK: - Reading

// Reads XML into a flat tree: tags, attributes and the text of style elements.

/// A reader that goes through a document once, from the start to the end.
struct MarkupReader {
  var markup: Markup
  var position = 0
  let end: Int
  private var open: [(node: Int32, lastChild: Int32, prefix: ByteRange)] = []
  var entities: [Entity] = []
  /// The namespaces that the open elements declare: the prefix, whether it is the namespace of SVG,
  /// and the depth of the element.
  private var spaces: [(prefix: ByteRange, isSVG: Bool, depth: Int)] = []

  let budget: Budget

  /// An entity that the document type declares.
  struct Entity {
    let name: ByteRange
    let value: ByteRange
    /// Whether the value contains elements.
    let hasMarkup: Bool
  }

  private static let deepest = 1_000

  init(_ markup: Markup, _ budget: Budget) {
    self.markup = markup
    self.budget = budget
    end = markup.text.count
    if markup.text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func read() throws(VectorError) {
    while position < end {
      let start = position
      while position < end, markup.text[position] != UInt8(ascii: "<") { position += 1 }
      try addText(start, position)
      guard position < end else { break }
      if starts("<!--") {
        try skip(past: "-->")
      } else if starts("<![CDATA[") {
        let text = position + 9
        try skip(past: "]]>")
        if isInStyle { markup.styles.append(ByteRange(text, position - 3)) }
      } else if starts("<?") {
        try skip(past: "?>")
      } else if starts("<!") {
        try readDocumentType()
      } else if starts("</") {
        position += 2
        let (prefix, name) = readName()
        try skip(past: ">")
        guard let ended = open.popLast() else { throw .malformed(.badElement, offset: start) }
        if !areEqual(name, markup.nodes[Int(ended.node)].name) || !areEqual(prefix, ended.prefix) {
          markup.isDamaged = true
        }
        leaveSpaces(of: open.count)
      } else {
        try readElement()
      }
    }
    guard open.isEmpty else { throw .malformed(.unclosedElement, offset: end) }
  }

  private var isInStyle: Bool {
    guard let last = open.last else { return false }
    let node = markup.nodes[Int(last.node)]
    guard node.element == .style else { return false }
    let type = markup.attributes[node.attributes.range].first { $0.name == .type }?.value
    return type.map { $0.isEmpty || matches(Int($0.start), "text/css") } ?? true
  }

  private mutating func addText(_ start: Int, _ end: Int) throws(VectorError) {
    guard start < end else { return }
    guard isInStyle else { return findMarkup(start, end) }
    markup.styles.append(try resolved(start, end))
  }

  /// Looks for references, outside of tags, to entities that contain elements, because such
  /// elements are not read.
  private mutating func findMarkup(_ start: Int, _ end: Int) {
    guard !entities.isEmpty, !markup.hasEntityWithMarkup else { return }
    var at = start
    while at < end {
      guard markup.text[at] == UInt8(ascii: "&") else {
        at += 1
        continue
      }
      var semicolon = at + 1
      while semicolon < end, markup.text[semicolon] != UInt8(ascii: ";") { semicolon += 1 }
      if entity(named: at + 1, semicolon)?.hasMarkup == true {
        markup.hasEntityWithMarkup = true
        return
      }
      at = semicolon
    }
  }

  func starts(_ text: StaticString) -> Bool { matches(position, text) }

  func matches(_ at: Int, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at + count <= end else { return false }
    for i in 0..<count where markup.text[at + i] != text.utf8Start[i] { return false }
    return true
  }

  mutating func skip(past text: StaticString) throws(VectorError) {
    let start = position
    while position < end {
      if starts(text) {
        position += text.utf8CodeUnitCount
        return
      }
      position += 1
    }
    throw .malformed(.unclosedElement, offset: start)
  }

  mutating func skipSpace() { while position < end, markup.text[position] <= 32 { position += 1 } }

  /// Reads a name and the prefix before its colon.
  mutating func readName() -> (prefix: ByteRange, name: ByteRange) {
    let start = position
    var colon = -1
    while position < end, isNamePart(markup.text[position]) {
      if markup.text[position] == UInt8(ascii: ":") { colon = position }
      position += 1
    }
    if colon < 0 { return (.none, ByteRange(start, position)) }
    return (ByteRange(start, colon), ByteRange(colon + 1, position))
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
    let start = position
    position += 1
    let (prefix, name) = readName()
    guard !name.isEmpty else { throw .malformed(.badElement, offset: start) }
    guard open.count < MarkupReader.deepest else {
      throw .overLimit(.nesting, most: MarkupReader.deepest)
    }
    let firstAttribute = markup.attributes.count
    let isEmpty = try readAttributes(start, firstAttribute: firstAttribute)
    try charge(attributes: markup.attributes.count - firstAttribute)
    let isSVG = isOfSVG(prefix)
    if isEmpty { leaveSpaces(of: open.count) }
    let number = Int32(truncatingIfNeeded: markup.nodes.count)
    markup.nodes.append(
      Markup.Node(
        element: isSVG ? ElementName(markup.text, name) : .unknown, name: name,
        parent: open.last?.node ?? -1,
        attributes: ListRange(firstAttribute..<markup.attributes.count)))
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

  /// Charges an element with its attributes. The memory is doubled, because a list that grows can
  /// have room for twice its elements.
  private func charge(attributes count: Int) throws(VectorError) {
    budget.spend(.elements)
    budget.spend(.attributes, 2 * count)
    budget.borrow(.elements, bytes: 2 * MemoryLayout<Markup.Node>.stride)
    budget.borrow(.attributes, bytes: 2 * count * MemoryLayout<Markup.Attribute>.stride)
    try budget.checkVector()
  }

  private static let namespace: StaticString = "http://www.w3.org/2000/svg"

  private func isNamespace(_ prefix: ByteRange, _ name: ByteRange) -> Bool {
    let word = prefix.isEmpty ? name : prefix
    return word.range.count == 5 && matches(Int(word.start), "xmlns")
  }

  /// Removes the namespaces that elements at this depth or deeper have declared.
  private mutating func leaveSpaces(of depth: Int) {
    while let last = spaces.last, last.depth >= depth { spaces.removeLast() }
  }

  /// Returns whether an element with this prefix belongs to SVG, because the prefix is declared as
  /// the namespace of SVG. A prefix that is not declared belongs to SVG if it is `svg` or the
  /// prefix of the root element.
  private func isOfSVG(_ prefix: ByteRange) -> Bool {
    guard let root = open.first else { return true }
    // Only the last 64 declarations are searched. Usually the root declares all namespaces, and
    // some programs repeat a few of them in every element.
    for space in spaces.reversed().prefix(64)
    where markup.text[space.prefix.range] == markup.text[prefix.range] {
      return space.isSVG
    }
    return markup.text[prefix.range] == markup.text[root.prefix.range]
      || matches(Int(prefix.start), "svg:") && !prefix.isEmpty
  }

  /// Reads the attributes to the end of the tag. Returns whether the element has no content.
  private mutating func readAttributes(
    _ start: Int, firstAttribute: Int
  ) throws(VectorError) -> Bool {
    while true {
      skipSpace()
      guard position < end else { throw .malformed(.unclosedElement, offset: start) }
      if markup.text[position] == UInt8(ascii: ">") {
        position += 1
        return false
      }
      if starts("/>") {
        position += 2
        return true
      }
      let at = position
      let (prefix, name) = readName()
      skipSpace()
      guard !name.isEmpty, position < end, markup.text[position] == UInt8(ascii: "=") else {
        throw .malformed(.badAttribute, offset: at)
      }
      position += 1
      skipSpace()
      guard position < end,
        markup.text[position] == UInt8(ascii: "\"") || markup.text[position] == 0x27
      else { throw .malformed(.badAttribute, offset: at) }
      let quote = markup.text[position]
      position += 1
      let first = position
      while position < end, markup.text[position] != quote { position += 1 }
      guard position < end else { throw .malformed(.badAttribute, offset: at) }
      let known = AttributeName(markup.text, name)
      // xlink:href is the only name with a prefix that has a meaning here.
      if known != .unknown, prefix.isEmpty || known == .href {
        let value = try resolved(first, position)
        let name = prefix.isEmpty ? known : .xlinkHref
        if !markup.isDamaged,
          markup.attributes[firstAttribute...].contains(where: { $0.name == name })
        {
          markup.isDamaged = true
        }
        markup.attributes.append(Markup.Attribute(name: name, value: value))
      } else if isNamespace(prefix, name) {
        let isSVG = isNamespaceOfSVG(first, position)
        // The declaration is in the element that is being read, whose depth is the number of open
        // elements.
        spaces.append((prefix.isEmpty ? .none : name, isSVG, open.count))
      }
      position += 1
    }
  }
}

extension MarkupReader {
  /// Returns whether an address is the namespace of SVG. Drawing programs also declare it as an
  /// entity.
  private func isNamespaceOfSVG(_ first: Int, _ end: Int) -> Bool {
    func isNamespace(_ first: Int, _ end: Int) -> Bool {
      end - first == MarkupReader.namespace.utf8CodeUnitCount
        && matches(first, MarkupReader.namespace)
    }
    guard end - first > 2, markup.text[first] == UInt8(ascii: "&"),
      markup.text[end - 1] == UInt8(ascii: ";"), let entity = entity(named: first + 1, end - 1)
    else { return isNamespace(first, end) }
    return isNamespace(Int(entity.value.start), Int(entity.value.end))
  }
}

// MARK: - Entities

// Reads entities of XML: those that the document type declares, the five predefined ones, and
// character references.

extension MarkupReader {
  /// Reads the entities of the document type and skips the rest of it.
  mutating func readDocumentType() throws(VectorError) {
    let start = position
    var depth = 0
    position += 2
    while position < end {
      let byte = markup.text[position]
      if starts("<!--") {
        try skip(past: "-->")
        continue
      }
      if starts("<!ENTITY") {
        try readEntity()
        continue
      }
      if byte == UInt8(ascii: "\"") || byte == 0x27 {
        position += 1
        while position < end, markup.text[position] != byte { position += 1 }
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<") {
        depth += 1
      } else if byte == UInt8(ascii: "]") {
        depth -= 1
      } else if byte == UInt8(ascii: ">") {
        if depth <= 0 {
          position += 1
          return
        }
        if depth > 1 { depth -= 1 }
      }
      position += 1
    }
    throw .malformed(.unclosedElement, offset: start)
  }

  private mutating func readEntity() throws(VectorError) {
    let start = position
    position += 8
    skipSpace()
    let name = readName().name
    skipSpace()
    guard position < end else { throw .malformed(.unclosedElement, offset: start) }
    let quote = markup.text[position]
    if quote == UInt8(ascii: "\"") || quote == 0x27 {
      position += 1
      let first = position
      while position < end, markup.text[position] != quote { position += 1 }
      if entities.count < 1_000 {
        let value = ByteRange(first, position)
        let hasMarkup = markup.text[value.range].contains(UInt8(ascii: "<"))
        entities.append(Entity(name: name, value: value, hasMarkup: hasMarkup))
      }
      position += 1
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
    return entities.first { areEqual($0.name, ByteRange(start, end)) }
  }

  /// Returns whether two ranges of the text are equal. The bytes are compared in place, because a
  /// slice would cause a copy of the text when it grows.
  private func areEqual(_ a: ByteRange, _ b: ByteRange) -> Bool {
    a.range.count == b.range.count
      && zip(a.range, b.range).allSatisfy { markup.text[$0] == markup.text[$1] }
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
