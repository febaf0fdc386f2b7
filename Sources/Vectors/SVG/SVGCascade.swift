// The cascade: combines the attributes, the style sheets and the style attribute of an element.

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
        // Isolation exists only as a property of style sheets, not as an attribute.
      } else if attribute.name.isProperty {
        set(attribute.name, attribute.value, of: &style, parent)
      } else if attribute.name == .style {
        StyleSheet.readDeclarations(
          Scanner(bytes, attribute.value), markup.text, to: &declarations)
      }
    }
    // Each declaration's name is compared with all known names.
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

  /// Returns the style of an element that other elements refer to. The element inherits from its
  /// own parents, not from the elements that use it. The style is kept, because many shapes may use
  /// the element.
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
      // The styles of elements without children, such as stops, are not kept, because each is used
      // only once or twice.
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
    // A font size matters only for text, which is noted itself.
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
