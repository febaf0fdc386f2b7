// The cascade: what attributes, style sheets and the style attribute of an element say together.

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
      if attribute.name.isProperty {
        style.set(attribute.name, Scanner(bytes, attribute.value), parent: parent)
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

  private func apply(
    _ declarations: ArraySlice<Declaration>, _ isImportant: Bool, to style: inout Style,
    _ parent: Style
  ) {
    guard budget.spend(.tableEntries, declarations.count) else { return }
    for declaration in declarations where declaration.isImportant == isImportant {
      budget.spend(.attributes)
      budget.spend(.lexedBytes, declaration.value.range.count)
      style.set(declaration.name, Scanner(bytes, declaration.value), parent: parent)
    }
  }
}
