// The cascade: combines the attributes, the style sheets and the style attribute of an element.

import Bytes

extension SVGReader {
  mutating func style(_ number: Int32, parent: SVGStyle) throws(VectorError) -> SVGStyle {
    var style = parent.inherited
    let node = markup.nodes[Int(number)]
    declarations.removeAll(keepingCapacity: true)
    budget.spend(.elements)
    budget.spend(.attributes, Int(node.attributes.count))
    try budget.checkVector()
    for attribute in markup.attributes[node.attributes.range] {
      if attribute.name.isProperty || attribute.name == .style {
        budget.spend(.lexedBytes, attribute.value.range.count)
      }
      if attribute.name == .isolation {
        // Isolation exists only as a property of style sheets, not as an attribute.
      } else if attribute.name.isProperty {
        set(attribute.name, value: attribute.value, of: &style, parent: parent)
      } else if attribute.name == .style {
        StyleSheet.readDeclarations(
          Scanner(bytes, attribute.value), markup.text, to: &declarations)
      }
    }
    // Each declaration's name is compared with all known names.
    budget.spend(.attributes, 2 * declarations.count)
    guard !sheet.isEmpty || !declarations.isEmpty else { return style }
    sheet.findMatches(of: number, markup: markup, bytes: bytes, budget: budget, in: &selected)
    try budget.checkVector()
    for isImportant in [false, true] {
      for rule in selected {
        apply(sheet.declarations(of: rule), isImportant: isImportant, to: &style, parent: parent)
      }
      apply(declarations[...], isImportant: isImportant, to: &style, parent: parent)
    }
    try budget.checkVector()
    return style
  }

  /// Returns the style of an element that other elements refer to. The element inherits from its
  /// own parents, not from the elements that use it. The style is kept, because many shapes may use
  /// the element.
  mutating func ownStyle(_ number: Int32) throws(VectorError) -> SVGStyle {
    var chain: [Int32] = []
    var next = number
    while next >= 0, ownStyles[next] == nil, budget.spend(.tableEntries, 2) {
      chain.append(next)
      next = markup.nodes[Int(next)].parent
    }
    var style = next < 0 ? SVGStyle() : ownStyles[next] ?? SVGStyle()
    for number in chain.reversed() {
      style = try self.style(number, parent: style)
      // The styles of elements without children, such as stops, are not kept, because each is used
      // only once or twice.
      if markup.nodes[Int(number)].firstChild >= 0 {
        budget.borrow(.elements, bytes: 2 * MemoryLayout<SVGStyle>.stride)
        ownStyles[number] = style
      }
    }
    try budget.checkVector()
    return style
  }

  private mutating func set(
    _ name: AttributeName, value: ByteRange, of style: inout SVGStyle, parent: SVGStyle
  ) {
    guard let feature = style.set(name, Scanner(bytes, value), parent: parent) else { return }
    // A font size matters only for text, which is noted itself.
    if name != .fontSize { drawing.note(feature) }
  }

  private mutating func apply(
    _ declarations: ArraySlice<Declaration>, isImportant: Bool, to style: inout SVGStyle,
    parent: SVGStyle
  ) {
    guard budget.spend(.tableEntries, declarations.count) else { return }
    for declaration in declarations where declaration.isImportant == isImportant {
      budget.spend(.attributes)
      budget.spend(.lexedBytes, declaration.value.range.count)
      set(declaration.name, value: declaration.value, of: &style, parent: parent)
    }
  }
}

// MARK: - Attributes that style sheets can give

// Attributes that style sheets can give: geometry and transforms. Values from style sheets replace
// those of the attributes before anything is drawn, so that the readers of attributes need not know
// of style sheets. Lengths that are not understood are noted at the same time.

extension SVGReader {
  mutating func settleAttributes() throws(VectorError) {
    for number in markup.nodes.indices {
      let node = markup.nodes[number]
      if node.element.hasLengths { checkLengths(of: node) }
      let own = value(.style, of: node)
      guard sheet.settlesAttributes || own != nil else { continue }
      try settle(Int32(truncatingIfNeeded: number), own)
    }
  }

  private mutating func settle(_ number: Int32, _ own: ByteRange?) throws(VectorError) {
    var given: [Declaration] = []
    if sheet.settlesAttributes {
      sheet.findMatches(of: number, markup: markup, bytes: bytes, budget: budget, in: &selected)
      for rule in selected {
        let declarations = sheet.declarations(of: rule)
        guard budget.spend(.tableEntries, declarations.count) else { break }
        given += declarations.filter { $0.name.isSettled }
      }
    }
    if let own {
      budget.spend(.lexedBytes, own.range.count)
      var list: [Declaration] = []
      StyleSheet.readDeclarations(Scanner(bytes, own), markup.text, to: &list)
      given += list.filter { $0.name.isSettled }
    }
    try budget.checkVector()
    guard !given.isEmpty else { return }
    let node = markup.nodes[Int(number)]
    var attributes: [Markup.Attribute] = []
    for isImportant in [true, false] {
      for declaration in given.reversed() where declaration.isImportant == isImportant {
        let name = declaration.name
        // The size of the page always comes from the attributes.
        let isPageSize = number == 0 && (name == .width || name == .height)
        if isPageSize || attributes.contains(where: { $0.name == name }) { continue }
        guard let value = settledValue(declaration) else { continue }
        if name != .transform { drawing.note(.styledGeometry) }
        attributes.append(Markup.Attribute(name: name, value: value))
      }
    }
    for attribute in markup.attributes[node.attributes.range]
    where !attributes.contains(where: { $0.name == attribute.name }) {
      attributes.append(attribute)
    }
    budget.spend(.attributes, given.count + attributes.count)
    budget.borrow(
      .attributes, bytes: 2 * attributes.count * MemoryLayout<Markup.Attribute>.stride)
    try budget.checkVector()
    let first = markup.attributes.count
    markup.attributes += attributes
    markup.nodes[Int(number)].attributes = ListRange(first..<markup.attributes.count)
  }

  /// Returns the value in the form of an attribute. If it is not understood, notes this and returns
  /// nil.
  private mutating func settledValue(_ declaration: Declaration) -> ByteRange? {
    var scanner = Scanner(bytes, declaration.value)
    scanner.skipSpaceAndComments()
    let start = scanner
    switch declaration.name {
    case .d:
      if scanner.readWord("none") { return ByteRange.none }
      guard scanner.readWord("path"), scanner.read("(") else { break }
      scanner.skipSpace()
      guard scanner.read("\"") || scanner.read("'") else { break }
      return scanner.readUntil { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
    case .transform:
      if scanner.readWord("none") { return ByteRange.none }
      _ = scanner.readTransform()
      if scanner.isAtEnd { return declaration.value }
    default:
      if scanner.readWord("auto") || scanner.readLength(fontSize: 16) != nil {
        scanner.skipSpaceAndComments()
        if scanner.isAtEnd { return declaration.value }
      }
    }
    drawing.note(start.misunderstood)
    return nil
  }

  private mutating func checkLengths(of node: Markup.Node) {
    for attribute in markup.attributes[node.attributes.range] where attribute.name.isLength {
      guard budget.spend(.lexedBytes, attribute.value.range.count) else { return }
      var scanner = Scanner(bytes, attribute.value)
      scanner.skipSpace()
      if scanner.isAtEnd || scanner.readWord("auto") { continue }
      let start = scanner
      let isRead = scanner.readLength(fontSize: 16) != nil
      if isRead, start.hasRareUnit { drawing.note(.rareUnit) }
      scanner.skipSpace()
      if !isRead || !scanner.isAtEnd { drawing.note(start.misunderstood) }
    }
  }
}

extension Scanner {
  /// Whether the next length has a unit that depends on the shapes of letters, or that few programs
  /// know.
  fileprivate var hasRareUnit: Bool {
    var probe = self
    _ = probe.readNumber()
    return probe.readWord("ch") || probe.readWord("ex") || probe.readWord("rem")
      || probe.readWord("q")
  }
}

extension ElementName {
  fileprivate var hasLengths: Bool {
    switch self {
    case .svg, .rect, .circle, .ellipse, .line, .use, .linearGradient, .radialGradient, .pattern,
      .mask:
      true
    default: false
    }
  }
}
