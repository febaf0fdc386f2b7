// The cascade: what attributes, style sheets and the style attribute of an element say together.

import Bytes

extension SVGReader {
  mutating func style(_ number: Int32, parent: Style) throws(VectorError) -> Style {
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
        // A property of style sheets alone.
      } else if attribute.name.isProperty {
        set(attribute.name, attribute.value, of: &style, parent)
      } else if attribute.name == .style {
        StyleSheet.readDeclarations(
          Scanner(bytes, attribute.value), markup.text, to: &declarations)
      }
    }
    // The name of each is looked for among all.
    budget.spend(.attributes, 2 * declarations.count)
    guard !sheet.isEmpty || !declarations.isEmpty else { return style }
    sheet.findMatches(number, markup, bytes, budget, in: &selected)
    try budget.checkVector()
    for isImportant in [false, true] {
      for rule in selected {
        apply(sheet.declarations(of: rule), isImportant, to: &style, parent)
      }
      apply(declarations[...], isImportant, to: &style, parent)
    }
    try budget.checkVector()
    return style
  }

  /// The style of an element that others refer to: it inherits from where it stands, not from where it is
  /// used. Kept, because many shapes may use it.
  mutating func ownStyle(_ number: Int32) throws(VectorError) -> Style {
    var chain: [Int32] = []
    var next = number
    while next >= 0, ownStyles[next] == nil, budget.spend(.tableEntries, 2) {
      chain.append(next)
      next = markup.nodes[Int(next)].parent
    }
    var style = next < 0 ? Style() : ownStyles[next] ?? Style()
    for number in chain.reversed() {
      style = try self.style(number, parent: style)
      // Elements without children, such as stops, are asked for once or twice.
      if markup.nodes[Int(number)].firstChild >= 0 {
        budget.borrow(.elements, bytes: 2 * MemoryLayout<Style>.stride)
        ownStyles[number] = style
      }
    }
    try budget.checkVector()
    return style
  }

  private mutating func set(
    _ name: AttributeName, _ value: ByteRange, of style: inout Style, _ parent: Style
  ) {
    guard let feature = style.set(name, Scanner(bytes, value), parent: parent) else { return }
    // What belongs to text is said with the text.
    if name != .fontSize { drawing.note(feature) }
  }

  private mutating func apply(
    _ declarations: ArraySlice<Declaration>, _ isImportant: Bool, to style: inout Style,
    _ parent: Style
  ) {
    guard budget.spend(.tableEntries, declarations.count) else { return }
    for declaration in declarations where declaration.isImportant == isImportant {
      budget.spend(.attributes)
      budget.spend(.lexedBytes, declaration.value.range.count)
      set(declaration.name, declaration.value, of: &style, parent)
    }
  }
}
