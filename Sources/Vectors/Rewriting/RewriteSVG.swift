// Writes an SVG anew without what its drawing does not need: comments, blanks between elements, the
// data and descriptions of editors, elements and attributes of foreign namespaces, and definitions
// and identifiers to which nothing refers. The rest stays as it is written.

import Bytes

struct SVGRewriter {
  private let text: [UInt8]
  private var position = 0
  private var parts: [Part] = []
  private var elements: [Element] = []
  private var open: [Int] = []
  /// The document type, if it declares entities.
  private var documentType = 0..<0
  /// The entities that the document type declares, and the namespaces by their prefixes.
  private var entities: [[UInt8]: [UInt8]] = [:]
  private var namespaces: [[UInt8]: [UInt8]] = [:]
  /// Whether a style sheet, a script or an animation could find elements by their place or by other
  /// attributes. Then all elements and attributes stay.
  private var isSensitive = false
  private var hasStyle = false

  /// A piece of the document in its order.
  private enum Part {
    case start(Int)
    case end(Int)
    case text(Range<Int>, parent: Int)
  }

  private struct Attribute {
    var prefix: Range<Int>
    /// The name without its prefix.
    var name: Range<Int>
    /// The value without its quotes.
    var value: Range<Int>
    var isKept = true
  }

  private struct Element {
    var prefix: Range<Int>
    var name: Range<Int>
    /// The name with its prefix.
    var fullName: Range<Int>
    var parent: Int
    var attributes: [Attribute]
    var isKept = true
    /// Whether the element is text, a style sheet or foreign content, or lies in it. Its blanks
    /// count.
    var keepsBlanks = false
    /// Whether the element is a style sheet or holds one.
    var holdsStyle = false
    /// Whether the element lies in foreign content, which stays as it is.
    var isInForeignObject = false
    var hasContent = false
  }

  private init(_ text: [UInt8]) { self.text = text }

  /// Returns the document written anew; nil if it is compressed, or has anything unusual.
  static func rewritten(_ source: [UInt8]) -> [UInt8]? {
    guard source.count < 1 << 30, !source.contains(0), !source.starts(with: [0x1F, 0x8B]) else {
      return nil
    }
    var rewriter = SVGRewriter(source)
    guard rewriter.read() else { return nil }
    if !rewriter.isSensitive {
      rewriter.dropElements()
      rewriter.dropDefinitions()
      rewriter.dropAttributes()
    }
    rewriter.dropNamespaces()
    return rewriter.written()
  }

  // MARK: Words

  private func `is`(_ range: Range<Int>, _ word: StaticString) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    return range.enumerated().allSatisfy { text[$1] == word.utf8Start[$0] }
  }

  private func isAny(_ range: Range<Int>, _ words: [StaticString]) -> Bool {
    words.contains { self.is(range, $0) }
  }

  private func matches(_ offset: Int, _ word: StaticString) -> Bool {
    let end = offset + word.utf8CodeUnitCount
    return end <= text.count && self.is(offset..<end, word)
  }

  /// Returns whether a word is in a range; `ignoringCase` finds capitals for the word's letters.
  private func contains(
    _ range: Range<Int>, _ word: StaticString, ignoringCase: Bool = false
  ) -> Bool {
    let count = word.utf8CodeUnitCount
    guard range.count >= count else { return false }
    return (range.lowerBound...range.upperBound - count).contains { start in
      (0..<count).allSatisfy { index in
        let byte = text[start + index]
        let isCapital = ignoringCase && (0x41...0x5A).contains(byte)
        return (isCapital ? byte + 0x20 : byte) == word.utf8Start[index]
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 9 || byte == 10 || byte == 13
  }

  /// Returns the offset after the next occurrence of a word; nil if it does not occur.
  private func end(of word: StaticString, from start: Int) -> Int? {
    var offset = start
    while offset < text.count {
      if matches(offset, word) { return offset + word.utf8CodeUnitCount }
      offset += 1
    }
    return nil
  }
}

// MARK: - Reading

extension SVGRewriter {
  /// Reads the document into parts. Returns false if it has anything unusual.
  private mutating func read() -> Bool {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while position < text.count {
      let start = position
      while position < text.count, text[position] != UInt8(ascii: "<") { position += 1 }
      if start < position, let parent = open.last {
        parts.append(.text(start..<position, parent: parent))
        note(text: start..<position, in: parent)
      } else if !text[start..<position].allSatisfy(Self.isBlank) {
        return false
      }
      guard position < text.count else { break }
      guard readMarkup() else { return false }
    }
    return open.isEmpty && !elements.isEmpty && self.is(elements[0].name, "svg")
  }

  private mutating func readMarkup() -> Bool {
    let start = position
    if matches(position, "<!--") {
      guard let end = end(of: "-->", from: position + 4) else { return false }
      position = end
      return true
    }
    if matches(position, "<![CDATA[") {
      guard let parent = open.last, let end = end(of: "]]>", from: position) else { return false }
      position = end
      parts.append(.text(start..<end, parent: parent))
      note(text: start..<end, in: parent)
      return true
    }
    if matches(position, "<?") { return readInstruction() }
    if matches(position, "<!") { return readDocumentType() }
    if matches(position, "</") { return readEndTag() }
    return readStartTag()
  }

  /// Reads the XML declaration. Others could name a style sheet.
  private mutating func readInstruction() -> Bool {
    guard matches(position, "<?xml"), elements.isEmpty,
      Self.isBlank(text[min(position + 5, text.count - 1)]),
      let end = end(of: "?>", from: position)
    else { return false }
    let declaration = position..<end
    position = end
    guard contains(declaration, "encoding") else { return true }
    return ["UTF-8", "utf-8", "Utf-8"].contains { contains(declaration, $0) }
  }

  private mutating func readDocumentType() -> Bool {
    let start = position
    guard elements.isEmpty, matches(position, "<!DOCTYPE") else { return false }
    var quote: UInt8 = 0
    var hasSubset = false
    while position < text.count {
      let byte = text[position]
      position += 1
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == 0x27 {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        hasSubset = true
        guard readEntities() else { return false }
      } else if byte == UInt8(ascii: ">") {
        if hasSubset { documentType = start..<position }
        return true
      }
    }
    return false
  }

  /// Reads the entities of the document type. Returns false if it declares anything else.
  private mutating func readEntities() -> Bool {
    while position < text.count {
      if Self.isBlank(text[position]) {
        position += 1
      } else if text[position] == UInt8(ascii: "]") {
        position += 1
        return true
      } else {
        guard matches(position, "<!ENTITY ") else { return false }
        position += 9
        let name = skip { !Self.isBlank($0) && $0 != UInt8(ascii: "%") }
        _ = skip(while: Self.isBlank)
        // Values are the addresses of namespaces. A long one would make each element that uses it
        // long.
        guard !name.isEmpty, let value = readQuoted(), value.count <= 200 else { return false }
        guard !text[value].contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
        else { return false }
        // The first declaration of a name counts.
        let key = Array(text[name])
        if entities[key] == nil { entities[key] = Array(text[value]) }
        _ = skip(while: Self.isBlank)
        guard matches(position, ">") else { return false }
        position += 1
      }
    }
    return false
  }

  private mutating func skip(while condition: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while position < text.count, condition(text[position]) { position += 1 }
    return start..<position
  }

  /// Reads a quoted value; returns its range without the quotes.
  private mutating func readQuoted() -> Range<Int>? {
    guard position < text.count, text[position] == UInt8(ascii: "\"") || text[position] == 0x27
    else {
      return nil
    }
    let quote = text[position]
    position += 1
    let value = skip { $0 != quote }
    guard position < text.count else { return nil }
    position += 1
    return value
  }

  private mutating func readName() -> (full: Range<Int>, prefix: Range<Int>, name: Range<Int>) {
    let full = skip { byte in
      !Self.isBlank(byte) && byte != UInt8(ascii: "=") && byte != UInt8(ascii: ">")
        && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "<")
    }
    guard let colon = full.first(where: { text[$0] == UInt8(ascii: ":") }) else {
      return (full, full.lowerBound..<full.lowerBound, full)
    }
    return (full, full.lowerBound..<colon, colon + 1..<full.upperBound)
  }

  private mutating func readEndTag() -> Bool {
    position += 2
    let name = readName().full
    _ = skip(while: Self.isBlank)
    guard let element = open.popLast(), matches(position, ">"),
      text[name] == text[elements[element].fullName]
    else { return false }
    position += 1
    parts.append(.end(element))
    return true
  }

  private mutating func readStartTag() -> Bool {
    position += 1
    let (full, prefix, name) = readName()
    guard !name.isEmpty, elements.isEmpty || !open.isEmpty else { return false }
    var attributes: [Attribute] = []
    while true {
      let blanks = skip(while: Self.isBlank)
      if matches(position, ">") || matches(position, "/>") { break }
      let (_, attributePrefix, attributeName) = readName()
      _ = skip(while: Self.isBlank)
      guard !blanks.isEmpty, !attributeName.isEmpty, matches(position, "=") else { return false }
      position += 1
      _ = skip(while: Self.isBlank)
      guard let value = readQuoted() else { return false }
      attributes.append(Attribute(prefix: attributePrefix, name: attributeName, value: value))
    }
    var element = Element(
      prefix: prefix, name: name, fullName: full, parent: open.last ?? -1, attributes: attributes)
    guard declare(element) else { return false }
    if let parent = open.last {
      element.keepsBlanks = elements[parent].keepsBlanks
      element.isInForeignObject =
        elements[parent].isInForeignObject || self.is(elements[parent].name, "foreignObject")
    }
    if isAny(name, ["text", "style", "script", "foreignObject", "textArea"]) {
      element.keepsBlanks = true
    }
    if self.is(name, "style") {
      hasStyle = true
      element.holdsStyle = true
      for outer in open { elements[outer].holdsStyle = true }
    }
    // `tref` shows the text of any element.
    let finders: [StaticString] = [
      "script", "set", "handler", "animate", "animateTransform", "animateMotion", "animateColor",
      "tref",
    ]
    if isAny(name, finders) { isSensitive = true }
    let number = elements.count
    elements.append(element)
    parts.append(.start(number))
    if matches(position, "/>") {
      position += 2
      parts.append(.end(number))
    } else {
      position += 1
      open.append(number)
    }
    return true
  }

  /// Notes the namespaces of an element. Returns false if a prefix means two namespaces.
  private mutating func declare(_ element: Element) -> Bool {
    for attribute in element.attributes {
      let isDefault = attribute.prefix.isEmpty && self.is(attribute.name, "xmlns")
      guard isDefault || self.is(attribute.prefix, "xmlns") else { continue }
      let prefix = isDefault ? [] : Array(text[attribute.name])
      let value = resolved(attribute.value)
      if value.contains(UInt8(ascii: "\"")) || value.contains(0x27) { return false }
      if namespaces[prefix, default: value] != value
        || isDefault && element.parent >= 0 && namespaces[[]] == nil
      {
        return false
      }
      namespaces[prefix] = value
    }
    return true
  }

  /// Returns a value in which an entity, if it is one, is replaced.
  private func resolved(_ value: Range<Int>) -> [UInt8] {
    guard value.count > 2, text[value.lowerBound] == UInt8(ascii: "&"),
      text[value.upperBound - 1] == UInt8(ascii: ";")
    else { return Array(text[value]) }
    let name = Array(text[value.lowerBound + 1..<value.upperBound - 1])
    return entities[name] ?? Array(text[value])
  }

  /// Looks for selectors that depend on the places or the attributes of elements.
  private mutating func note(text range: Range<Int>, in parent: Int) {
    guard self.is(elements[parent].name, "style") else { return }
    let words: [StaticString] = [
      "+", "~", "[", "nth-", "first-", "last-", "only-", "empty", ":has", "@import", "\\", "&",
    ]
    if words.contains(where: { contains(range, $0, ignoringCase: true) }) { isSensitive = true }
  }
}

// MARK: - Leaving out

extension SVGRewriter {
  private static let svg = Array("http://www.w3.org/2000/svg".utf8)
  private static let xlink = Array("http://www.w3.org/1999/xlink".utf8)

  private func isForeign(_ element: Element) -> Bool {
    guard let space = namespaces[Array(text[element.prefix])] else { return false }
    return space != SVGRewriter.svg
  }

  private func isOfSVG(_ element: Element, _ words: [StaticString]) -> Bool {
    !isForeign(element) && isAny(element.name, words)
  }

  /// Returns whether an element may be left out at all. The root and what lies in foreign content
  /// stay. The children of `switch` stay, because the first of them that can be shown counts. What
  /// lies in text stays, because it has a place in the text. What holds a style sheet stays.
  private func isOptional(_ element: Element) -> Bool {
    element.parent >= 0 && !element.isInForeignObject && !element.holdsStyle
      && !elements[element.parent].keepsBlanks
      && !self.is(elements[element.parent].name, "switch")
  }

  /// Leaves out descriptions, metadata and foreign elements.
  private mutating func dropElements() {
    for number in elements.indices {
      let element = elements[number]
      guard isOptional(element) else { continue }
      if isForeign(element) || isAny(element.name, ["metadata", "title", "desc"]) {
        elements[number].isKept = false
      }
    }
    spread()
  }

  /// Leaves out everything inside elements that are left out.
  private mutating func spread() {
    for number in elements.indices where elements[number].parent >= 0 {
      if !elements[elements[number].parent].isKept { elements[number].isKept = false }
    }
  }

  /// Leaves out definitions to which nothing refers. Then nothing may refer to others, so this is
  /// repeated, at most eight times.
  private mutating func dropDefinitions() {
    for _ in 0..<8 {
      guard let references = references() else { return }
      // Whether anything refers to an element or to one inside it.
      var isUsed = [Bool](repeating: false, count: elements.count)
      for number in elements.indices.reversed() {
        if identifier(of: elements[number]).map(references.contains) ?? false {
          isUsed[number] = true
        }
        if isUsed[number], elements[number].parent >= 0 { isUsed[elements[number].parent] = true }
      }
      var hasDropped = false
      for number in elements.indices
      where elements[number].isKept && !isUsed[number] && isDefinition(elements[number]) {
        elements[number].isKept = false
        hasDropped = true
      }
      if !hasDropped { break }
      spread()
    }
    dropEmptyDefinitions()
  }

  private func isDefinition(_ element: Element) -> Bool {
    guard isOptional(element) else { return false }
    let words: [StaticString] = [
      "linearGradient", "radialGradient", "pattern", "clipPath", "mask", "symbol", "filter",
      "marker",
    ]
    if isOfSVG(element, words) { return true }
    return isOfSVG(elements[element.parent], ["defs"]) && !isForeign(element)
      && !isAny(element.name, ["style", "font", "font-face", "color-profile", "script", "defs"])
  }

  private mutating func dropEmptyDefinitions() {
    var children = [Int](repeating: 0, count: elements.count)
    for element in elements where element.isKept && element.parent >= 0 {
      children[element.parent] += 1
    }
    for number in elements.indices
    where children[number] == 0 && isOptional(elements[number])
      && isOfSVG(elements[number], ["defs"])
    {
      elements[number].isKept = false
    }
  }

  private func identifier(of element: Element) -> [UInt8]? {
    element.attributes.first { $0.prefix.isEmpty && self.is($0.name, "id") }
      .map { Array(text[$0.value]) }
  }

  /// Returns the identifiers to which elements and style sheets refer; nil if a reference or an
  /// identifier is written in an unusual way.
  private func references() -> Set<[UInt8]>? {
    var found: Set<[UInt8]> = []
    for element in elements where element.isKept {
      if let identifier = identifier(of: element), !identifier.allSatisfy(Self.isUsual) {
        return nil
      }
      for attribute in element.attributes where !isNamespace(attribute) {
        guard hasPlainText(attribute.value) else { return nil }
        guard addReferences(in: attribute.value, to: &found) else { return nil }
      }
    }
    for case .text(let range, let parent) in parts
    where elements[parent].isKept && self.is(elements[parent].name, "style") {
      guard addReferences(in: range, to: &found) else { return nil }
    }
    return found
  }

  /// Whether readers agree about the byte in identifiers and in references to them.
  private static func isUsual(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: byte >= 0x80 || "_.:-".utf8.contains(byte)
    }
  }

  private func isNamespace(_ attribute: Attribute) -> Bool {
    self.is(attribute.prefix, "xmlns")
      || attribute.prefix.isEmpty && self.is(attribute.name, "xmlns")
  }

  /// Returns whether a value has only the references that every document may have, such as `&amp;`.
  /// Others could mean a part of an identifier.
  private func hasPlainText(_ range: Range<Int>) -> Bool {
    let known: [StaticString] = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"]
    return range.allSatisfy { offset in
      text[offset] != UInt8(ascii: "&") || known.contains { matches(offset, $0) }
    }
  }

  /// Adds what follows each `#`, up to the end of a URL, and up to the end of a selector.
  private func addReferences(in range: Range<Int>, to found: inout Set<[UInt8]>) -> Bool {
    for offset in range where text[offset] == UInt8(ascii: "#") {
      if offset > range.lowerBound, text[offset - 1] == UInt8(ascii: "&") { continue }
      let rest = text[offset + 1..<range.upperBound]
      let url = rest.prefix { !Self.isBlank($0) && !")\"';,#".utf8.contains($0) }
      if url.contains(where: { "%&\\".utf8.contains($0) }) { return false }
      found.insert(Array(url))
      found.insert(Array(url.prefix { !".:{>[+~*".utf8.contains($0) }))
    }
    return true
  }

  /// Leaves out foreign attributes, attributes for people and programs, and identifiers to which
  /// nothing refers.
  private mutating func dropAttributes() {
    let references = references()
    let hasText = elements.contains { $0.isKept && isOfSVG($0, ["text"]) }
    for number in elements.indices where elements[number].isKept {
      if elements[number].isInForeignObject { continue }
      for index in elements[number].attributes.indices {
        let attribute = elements[number].attributes[index]
        if isIdle(attribute, references, hasText: hasText) {
          elements[number].attributes[index].isKept = false
        }
      }
    }
  }

  private func isIdle(
    _ attribute: Attribute, _ references: Set<[UInt8]>?, hasText: Bool
  ) -> Bool {
    if !attribute.prefix.isEmpty {
      if self.is(attribute.prefix, "xmlns") { return false }
      if self.is(attribute.prefix, "xml") { return !hasText && self.is(attribute.name, "space") }
      guard let space = namespaces[Array(text[attribute.prefix])] else { return false }
      return space != SVGRewriter.xlink && space != SVGRewriter.svg
    }
    if self.is(attribute.name, "id") {
      return references.map { !$0.contains(Array(text[attribute.value])) } ?? false
    }
    if self.is(attribute.name, "class") { return !hasStyle }
    return matches(attribute.name.lowerBound, "data-")
      || matches(attribute.name.lowerBound, "aria-")
      || isAny(attribute.name, ["role", "baseProfile", "enable-background"])
  }

  /// Leaves out declarations of namespaces whose prefixes are not used.
  private mutating func dropNamespaces() {
    var used: Set<[UInt8]> = []
    for element in elements where element.isKept {
      used.insert(Array(text[element.prefix]))
      for attribute in element.attributes where attribute.isKept && !attribute.prefix.isEmpty {
        used.insert(Array(text[attribute.prefix]))
      }
    }
    for number in elements.indices {
      for index in elements[number].attributes.indices {
        let attribute = elements[number].attributes[index]
        guard self.is(attribute.prefix, "xmlns") else { continue }
        if !used.contains(Array(text[attribute.name])) {
          elements[number].attributes[index].isKept = false
        }
      }
    }
  }
}

// MARK: - Writing

extension SVGRewriter {
  private mutating func written() -> [UInt8] {
    for part in parts {
      switch part {
      case .start(let number):
        let parent = elements[number].parent
        if elements[number].isKept, parent >= 0 { elements[parent].hasContent = true }
      case .text(let range, let parent):
        if isWritten(range, parent) { elements[parent].hasContent = true }
      case .end: break
      }
    }
    var output: [UInt8] = []
    for part in parts {
      switch part {
      case .start(let number): if elements[number].isKept { write(elements[number], to: &output) }
      case .end(let number):
        guard elements[number].isKept, elements[number].hasContent else { continue }
        output += "</".utf8
        output += text[elements[number].fullName]
        output.append(UInt8(ascii: ">"))
      case .text(let range, let parent): if isWritten(range, parent) { output += text[range] }
      }
    }
    return usesEntities(output) ? text[documentType] + output : output
  }

  private func isWritten(_ range: Range<Int>, _ parent: Int) -> Bool {
    guard elements[parent].isKept else { return false }
    return isSensitive || elements[parent].keepsBlanks || !text[range].allSatisfy(Self.isBlank)
  }

  private func write(_ element: Element, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "<"))
    output += text[element.fullName]
    for attribute in element.attributes where attribute.isKept {
      output.append(0x20)
      if !attribute.prefix.isEmpty {
        output += text[attribute.prefix]
        output.append(UInt8(ascii: ":"))
      }
      output += text[attribute.name]
      output.append(UInt8(ascii: "="))
      let quote = text[attribute.value.lowerBound - 1]
      output.append(quote)
      output += isNamespace(attribute) ? resolved(attribute.value) : Array(text[attribute.value])
      output.append(quote)
    }
    output += (element.hasContent ? ">" : "/>").utf8
  }

  /// Returns whether a document uses an entity that the document type declares.
  private func usesEntities(_ document: [UInt8]) -> Bool {
    guard !entities.isEmpty else { return false }
    for offset in document.indices where document[offset] == UInt8(ascii: "&") {
      let name = document[(offset + 1)...].prefix {
        $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "&") && !Self.isBlank($0)
      }
      if entities[Array(name)] != nil { return true }
    }
    return false
  }
}
