// Reads XML into a flat tree: tags, attributes and the text of style elements.

import Bytes

/// A reader that goes through a document once, from the start to the end.
struct MarkupReader {
  var markup: Markup
  var place = 0
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

  func starts(_ text: StaticString) -> Bool { matches(place, text) }

  func matches(_ at: Int, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at + count <= end else { return false }
    for i in 0..<count where markup.text[at + i] != text.utf8Start[i] { return false }
    return true
  }

  mutating func skip(past text: StaticString) throws(VectorError) {
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

  mutating func skipSpace() { while place < end, markup.text[place] <= 32 { place += 1 } }

  /// Reads a name and the prefix before its colon.
  mutating func readName() -> (prefix: ByteRange, name: ByteRange) {
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
    guard open.count < MarkupReader.deepest else {
      throw .overLimit(.nesting, most: MarkupReader.deepest)
    }
    let firstAttribute = markup.attributes.count
    let isEmpty = try readAttributes(start)
    try charge(attributes: markup.attributes.count - firstAttribute)
    let isSVG = isOfSVG(prefix)
    if isEmpty { leaveSpaces(of: open.count) }
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
      // xlink:href is the only name with a prefix that has a meaning here.
      if known != .unknown, prefix.isEmpty || known == .href {
        let value = try resolved(first, place)
        let name = prefix.isEmpty ? known : .xlinkHref
        markup.attributes.append(Markup.Attribute(name: name, value: value))
      } else if isNamespace(prefix, name) {
        let isSVG = matches(first, MarkupReader.namespace) && place - first == 26
        // The declaration is in the element that is being read, whose depth is the number of open
        // elements.
        spaces.append((prefix.isEmpty ? .none : name, isSVG, open.count))
      }
      place += 1
    }
  }
}
