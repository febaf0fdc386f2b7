// Style sheets: rules with selectors of elements, classes, ids and ancestors, in the order in which they
// are to be applied.

struct Declaration {
  var name: AttributeName
  var value: ByteRange
  var isImportant: Bool
}

struct StyleSheet {
  /// An element with a class and an id, at a place below the one before.
  struct Compound {
    /// Empty: any.
    var element = ByteRange.none
    var id = ByteRange.none
    var classes: [ByteRange] = []
    /// The element above is the parent, and no farther ancestor.
    var isChild = false
  }

  struct Rule {
    /// From the outermost inwards.
    var compounds: [Compound]
    /// Ids, classes and elements.
    var weight: Int
    var declarations: Span
  }

  private var rules: [Rule] = []
  private(set) var declarations: [Declaration] = []
  /// There is a rule that is not understood.
  private(set) var hasUnknownRule = false

  private static let mostRules = 50_000

  var isEmpty: Bool { rules.isEmpty }

  /// Reads style sheets one after another.
  init(_ parts: [ByteRange], _ bytes: UnsafeBufferPointer<UInt8>, _ text: [UInt8]) {
    for part in parts {
      var scanner = Scanner(bytes, part)
      read(&scanner, bytes, text)
    }
    // By weight, and those of one weight as they are written.
    var order = Array(rules.indices)
    order.sort {
      rules[$0].weight == rules[$1].weight ? $0 < $1 : rules[$0].weight < rules[$1].weight
    }
    rules = order.map { rules[$0] }
  }

  private mutating func read(
    _ scanner: inout Scanner, _ bytes: UnsafeBufferPointer<UInt8>, _ text: [UInt8]
  ) {
    while true {
      scanner.skipSpaceAndComments()
      if scanner.isAtEnd || rules.count >= StyleSheet.mostRules { return }
      if scanner.next == UInt8(ascii: "@") {
        scanner.skipAtRule()
        hasUnknownRule = true
        continue
      }
      let selectors = scanner.readUntil { $0 == UInt8(ascii: "{") }
      guard scanner.read("{") else { return }
      let body = scanner.readUntil { $0 == UInt8(ascii: "}") }
      _ = scanner.read("}")
      let first = declarations.count
      StyleSheet.readDeclarations(Scanner(bytes, body), text, to: &declarations)
      let span = Span(first..<declarations.count)
      var list = Scanner(bytes, selectors)
      while !list.isAtEnd {
        let selector = list.readUntil { $0 == UInt8(ascii: ",") }
        _ = list.read(",")
        if let rule = StyleSheet.rule(Scanner(bytes, selector), span) {
          rules.append(rule)
        } else {
          hasUnknownRule = true
        }
      }
    }
  }

  /// Declarations, as in a style attribute.
  static func readDeclarations(
    _ scanner: Scanner, _ text: [UInt8], to list: inout [Declaration]
  ) {
    var scanner = scanner
    while true {
      scanner.skipSpaceAndComments()
      if scanner.isAtEnd { return }
      let name = scanner.readWord()
      scanner.skipSpaceAndComments()
      guard !name.isEmpty, scanner.read(":") else {
        _ = scanner.readUntil { $0 == UInt8(ascii: ";") }
        _ = scanner.read(";")
        continue
      }
      scanner.skipSpaceAndComments()
      let value = scanner.readUntil { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "!") }
      var isImportant = false
      if scanner.read("!") {
        scanner.skipSpace()
        isImportant = scanner.readWord("important")
        _ = scanner.readUntil { $0 == UInt8(ascii: ";") }
      }
      _ = scanner.read(";")
      let property = AttributeName(text, name)
      if property.isProperty {
        list.append(Declaration(name: property, value: value, isImportant: isImportant))
      }
    }
  }

  private static func rule(_ scanner: Scanner, _ declarations: Span) -> Rule? {
    var scanner = scanner
    var compounds: [Compound] = []
    var weight = 0
    var isChild = false
    while true {
      scanner.skipSpaceAndComments()
      if scanner.isAtEnd { break }
      if scanner.read(">") {
        guard !isChild, !compounds.isEmpty else { return nil }
        isChild = true
        continue
      }
      guard var compound = scanner.readCompound(&weight), compounds.count < 32 else { return nil }
      compound.isChild = isChild
      isChild = false
      compounds.append(compound)
    }
    if compounds.isEmpty || isChild { return nil }
    return Rule(compounds: compounds, weight: weight, declarations: declarations)
  }

  // MARK: Matching

  /// Calls `apply` for the declarations of the rules that select an element, the weakest first.
  func forEachMatch(
    _ node: Int32, _ markup: Markup, _ bytes: UnsafeBufferPointer<UInt8>, _ apply: (Span) -> Void
  ) {
    for rule in rules where matches(rule.compounds, rule.compounds.count - 1, node, markup, bytes) {
      apply(rule.declarations)
    }
  }

  /// How many rules there are to try: a measure of work.
  var count: Int { rules.count }

  private func matches(
    _ compounds: [Compound], _ last: Int, _ node: Int32, _ markup: Markup,
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard matches(compounds[last], node, markup, bytes) else { return false }
    if last == 0 { return true }
    var parent = markup.nodes[Int(node)].parent
    if compounds[last].isChild {
      return parent >= 0 && matches(compounds, last - 1, parent, markup, bytes)
    }
    // The nearest ancestor that fits decides, but where a child is asked for: those are few.
    while parent >= 0 {
      if matches(compounds[last - 1], parent, markup, bytes) {
        if last == 1 || matches(compounds, last - 1, parent, markup, bytes) { return true }
        if !compounds[last - 1].isChild { return false }
      }
      parent = markup.nodes[Int(parent)].parent
    }
    return false
  }

  private func matches(
    _ compound: Compound, _ node: Int32, _ markup: Markup, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let node = markup.nodes[Int(node)]
    if !compound.element.isEmpty, !same(compound.element, node.name, bytes) { return false }
    var idFits = compound.id.isEmpty
    var missing = compound.classes.count
    for attribute in markup.attributes[node.attributes.range] {
      if attribute.name == .id, !compound.id.isEmpty {
        idFits = same(compound.id, attribute.value, bytes)
      }
      guard attribute.name == .class, missing > 0 else { continue }
      for name in compound.classes where contains(attribute.value, name, bytes) { missing -= 1 }
    }
    return idFits && missing == 0
  }

  private func contains(
    _ list: ByteRange, _ name: ByteRange, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var scanner = Scanner(bytes, list)
    while true {
      scanner.skipSpace()
      if scanner.isAtEnd { return false }
      if same(scanner.readUntil { $0 <= 32 }, name, bytes) { return true }
    }
  }
}

/// Whether two parts of a text hold the same bytes.
func same(_ a: ByteRange, _ b: ByteRange, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard a.range.count == b.range.count else { return false }
  for i in 0..<a.range.count where bytes[Int(a.start) + i] != bytes[Int(b.start) + i] {
    return false
  }
  return true
}

extension Scanner {
  fileprivate mutating func skipSpaceAndComments() {
    while true {
      skipSpace()
      if next == UInt8(ascii: "/"), skipComment("/*", "*/") { continue }
      if next == UInt8(ascii: "<"), skipMark("<!--") { continue }
      if next == UInt8(ascii: "-"), skipMark("-->") { continue }
      return
    }
  }

  /// Marks around a style sheet, from the time when some programs did not know it.
  private mutating func skipMark(_ mark: StaticString) -> Bool {
    var probe = self
    for i in 0..<mark.utf8CodeUnitCount {
      guard probe.next == mark.utf8Start[i] else { return false }
      probe.advance()
    }
    self = probe
    return true
  }

  private mutating func skipComment(_ open: StaticString, _ close: StaticString) -> Bool {
    guard skipMark(open) else { return false }
    while !isAtEnd, !skipMark(close) { advance() }
    return true
  }

  /// An at-rule with its block, or up to its semicolon.
  fileprivate mutating func skipAtRule() {
    var depth = 0
    while !isAtEnd {
      let byte = next
      advance()
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      if depth <= 0, byte == UInt8(ascii: ";") || byte == UInt8(ascii: "}") { return }
    }
  }

  /// Adds its weight: an id outweighs any classes, a class any elements.
  fileprivate mutating func readCompound(_ weight: inout Int) -> StyleSheet.Compound? {
    var compound = StyleSheet.Compound()
    let start = place
    if !read("*") {
      compound.element = readWord()
      if !compound.element.isEmpty { weight += 1 }
    }
    while !isAtEnd, next > 32, next != UInt8(ascii: ">"), next != UInt8(ascii: "/") {
      if read("#") {
        compound.id = readWord()
        weight += 1_000_000
        if compound.id.isEmpty { return nil }
      } else if read(".") {
        let name = readWord()
        if name.isEmpty || compound.classes.count >= 32 { return nil }
        compound.classes.append(name)
        weight += 1_000
      } else {
        return nil
      }
    }
    return place > start ? compound : nil
  }
}
