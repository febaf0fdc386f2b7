// Style sheets: rules whose selectors consist of elements, classes, ids and ancestors, sorted in
// the order in which they apply.

import Bytes

struct Declaration {
  var name: AttributeName
  var value: ByteRange
  var isImportant: Bool
}

struct StyleSheet {
  /// One part of a selector: an element, its id and its classes. The next part selects elements
  /// below it.
  struct Compound {
    /// The name of the element; empty if any element matches.
    var element = ByteRange.none
    var id = ByteRange.none
    var classes: [ByteRange] = []
    /// Whether the part before must match the parent, and not just any ancestor.
    var isChild = false
  }

  struct Rule {
    /// The parts of the selector, from the outermost inwards.
    var compounds: [Compound]
    /// The specificity of the selector: its ids, then its classes, then its elements.
    var weight: Int
    var declarations: ListRange
  }

  private var rules: [Rule] = []
  /// The numbers of the rules by the innermost part of their selectors: by its id, or else by its
  /// first class, or else by its element. `others` holds the rules whose innermost part has none of
  /// them.
  private var byID: [UInt64: [Int32]] = [:]
  private var byClass: [UInt64: [Int32]] = [:]
  private var byElement: [UInt64: [Int32]] = [:]
  private var others: [Int32] = []
  private(set) var declarations: [Declaration] = []
  /// Whether there is a rule that is not understood.
  private(set) var hasUnknownRule = false
  /// Whether there is a declaration for a name that is also an attribute.
  private(set) var settlesAttributes = false

  var isEmpty: Bool { rules.isEmpty }

  /// Reads style sheets one after another.
  init(
    _ parts: [ByteRange], _ bytes: UnsafeBufferPointer<UInt8>, _ text: [UInt8], _ budget: Budget
  ) {
    for part in parts {
      guard budget.spend(.lexedBytes, 2 * part.range.count) else { return }
      var scanner = Scanner(bytes, part)
      read(&scanner, bytes: bytes, text: text, budget: budget)
    }
    // Rules are sorted by specificity; rules with the same specificity keep their order in the
    // text.
    var order = Array(rules.indices)
    order.sort {
      rules[$0].weight == rules[$1].weight ? $0 < $1 : rules[$0].weight < rules[$1].weight
    }
    rules = order.map { rules[$0] }
    for (number, rule) in rules.enumerated() {
      guard let last = rule.compounds.last else { continue }
      let number = Int32(truncatingIfNeeded: number)
      if !last.id.isEmpty {
        byID[textHash(last.id, bytes), default: []].append(number)
      } else if let name = last.classes.first {
        byClass[textHash(name, bytes), default: []].append(number)
      } else if !last.element.isEmpty {
        byElement[textHash(last.element, bytes), default: []].append(number)
      } else {
        others.append(number)
      }
    }
  }

  private mutating func read(
    _ scanner: inout Scanner, bytes: UnsafeBufferPointer<UInt8>, text: [UInt8],
    budget: Budget
  ) {
    while true {
      scanner.skipSpaceAndComments()
      if scanner.isAtEnd || budget.isExceeded { return }
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
      settlesAttributes =
        settlesAttributes || declarations[first...].contains { $0.name.isSettled }
      let span = ListRange(first..<declarations.count)
      budget.spend(.attributes, 2 * Int(span.count))
      budget.borrow(.attributes, bytes: 2 * Int(span.count) * MemoryLayout<Declaration>.stride)
      var list = Scanner(bytes, selectors)
      while !list.isAtEnd {
        let selector = list.readUntil { $0 == UInt8(ascii: ",") }
        _ = list.read(",")
        if let rule = StyleSheet.rule(Scanner(bytes, selector), span) {
          rules.append(rule)
          // The cost of a rule includes sorting it, storing its parts and entering it in an index.
          guard budget.spend(.elements, 2),
            budget.borrow(.selectorTests, bytes: 200 + 64 * rule.compounds.count)
          else { return }
        } else {
          hasUnknownRule = true
        }
      }
    }
  }

  /// Reads declarations, as a style attribute contains them, and appends them to a list.
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
      if property.isProperty || property.isSettled {
        list.append(Declaration(name: property, value: value, isImportant: isImportant))
      }
    }
  }

  private static func rule(_ scanner: Scanner, _ declarations: ListRange) -> Rule? {
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

  /// Sets `found` to the numbers of the rules that select an element, beginning with the weakest
  /// rule.
  func findMatches(
    of number: Int32, markup: Markup, bytes: UnsafeBufferPointer<UInt8>, budget: Budget,
    in found: inout [Int32]
  ) {
    found.removeAll(keepingCapacity: true)
    guard !rules.isEmpty else { return }
    let node = markup.nodes[Int(number)]
    found += others
    if !byElement.isEmpty { found += byElement[textHash(node.name, bytes)] ?? [] }
    budget.spend(.lexedBytes, node.name.range.count)
    for attribute in markup.attributes[node.attributes.range] where budget.spend(.copiedBytes, 2) {
      if attribute.name == .id {
        budget.spend(.lexedBytes, attribute.value.range.count)
        found += byID[textHash(attribute.value, bytes)] ?? []
      } else if attribute.name == .class, !byClass.isEmpty {
        budget.spend(.lexedBytes, 4 * attribute.value.range.count)
        addClasses(attribute.value, bytes: bytes, budget: budget, to: &found)
      }
    }
    guard !found.isEmpty, budget.spend(.selectorTests, found.count) else { return }
    found.sort()
    var last: Int32 = -1
    found.removeAll { rule in
      defer { last = rule }
      return rule == last || budget.isExceeded
        || !matches(
          rules[Int(rule)].compounds, node: number, markup: markup, bytes: bytes, budget: budget)
    }
  }

  /// Adds the rules for each class of a list.
  private func addClasses(
    _ list: ByteRange, bytes: UnsafeBufferPointer<UInt8>, budget: Budget,
    to found: inout [Int32]
  ) {
    var scanner = Scanner(bytes, list)
    while true {
      scanner.skipSpace()
      if scanner.isAtEnd { return }
      let rules = byClass[textHash(scanner.readUntil { $0 <= 32 }, bytes)] ?? []
      guard budget.spend(.selectorTests, 1 + rules.count) else { return }
      found += rules
    }
  }

  func declarations(of rule: Int32) -> ArraySlice<Declaration> {
    declarations[rules[Int(rule)].declarations.range]
  }

  /// Returns whether a selector selects an element. Its parts are matched from the innermost
  /// outwards. Parts that are linked as parent and child form a run, which must match consecutive
  /// ancestors. Each run is tried at one ancestor after another. The nearest ancestor at which a
  /// run matches is the right choice, because a farther one leaves fewer ancestors for the
  /// remaining parts. Therefore no ancestor is tried for two runs.
  private func matches(
    _ compounds: [Compound], node number: Int32, markup: Markup,
    bytes: UnsafeBufferPointer<UInt8>, budget: Budget
  ) -> Bool {
    // The parts before `end` are not matched yet.
    var end = compounds.count
    var element = number
    while element >= 0, !budget.isExceeded {
      var part = end - 1
      var at = element
      var fits = false
      while at >= 0, !fits,
        matches(compounds[part], node: at, markup: markup, bytes: bytes, budget: budget)
      {
        at = markup.nodes[Int(at)].parent
        fits = !compounds[part].isChild
        if !fits { part -= 1 }
      }
      if fits {
        if part == 0 { return true }
        end = part
        element = at
      } else {
        // The innermost run must match at the element itself.
        if end == compounds.count { return false }
        element = markup.nodes[Int(element)].parent
      }
    }
    return false
  }

  private func matches(
    _ compound: Compound, node: Int32, markup: Markup, bytes: UnsafeBufferPointer<UInt8>,
    budget: Budget
  ) -> Bool {
    let node = markup.nodes[Int(node)]
    budget.spend(.selectorTests, 1 + Int(node.attributes.count) / 8)
    if !compound.element.isEmpty, !same(compound.element, node.name, bytes: bytes) { return false }
    if compound.id.isEmpty, compound.classes.isEmpty { return true }
    var idFits = compound.id.isEmpty
    var missing = compound.classes.count
    for attribute in markup.attributes[node.attributes.range] {
      if attribute.name == .id, !compound.id.isEmpty {
        idFits = same(compound.id, attribute.value, bytes: bytes)
      }
      guard attribute.name == .class, missing > 0 else { continue }
      budget.spend(.lexedBytes, attribute.value.range.count * compound.classes.count)
      for name in compound.classes where contains(attribute.value, name: name, bytes: bytes) {
        missing -= 1
      }
    }
    return idFits && missing == 0
  }

  private func contains(
    _ list: ByteRange, name: ByteRange, bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var scanner = Scanner(bytes, list)
    while true {
      scanner.skipSpace()
      if scanner.isAtEnd { return false }
      if same(scanner.readUntil { $0 <= 32 }, name, bytes: bytes) { return true }
    }
  }
}

/// Returns a hash of a range of a text. If the bytes differ, the hashes nearly always differ.
func textHash(_ range: ByteRange, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
  var hash = FNV1a()
  for i in range.range { hash.add(bytes[i]) }
  return hash.value
}

/// Returns whether two ranges of a text contain the same bytes.
func same(_ a: ByteRange, _ b: ByteRange, bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard a.range.count == b.range.count else { return false }
  for i in 0..<a.range.count where bytes[Int(a.start) + i] != bytes[Int(b.start) + i] {
    return false
  }
  return true
}

extension Scanner {
  mutating func skipSpaceAndComments() {
    while true {
      skipSpace()
      if next == UInt8(ascii: "/"), skipComment("/*", "*/") { continue }
      if next == UInt8(ascii: "<"), readStart("<!--") { continue }
      if next == UInt8(ascii: "-"), readStart("-->") { continue }
      return
    }
  }

  private mutating func skipComment(_ open: StaticString, _ close: StaticString) -> Bool {
    guard readStart(open) else { return false }
    while !isAtEnd, !readStart(close) { advance() }
    return true
  }

  /// Skips an at-rule with its block, or up to its semicolon.
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

  /// Reads one part of a selector and adds its specificity: an id counts more than any classes, and
  /// a class more than any elements.
  fileprivate mutating func readCompound(_ weight: inout Int) -> StyleSheet.Compound? {
    var compound = StyleSheet.Compound()
    let start = position
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
    return position > start ? compound : nil
  }
}
