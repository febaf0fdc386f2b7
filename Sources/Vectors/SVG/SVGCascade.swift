// The cascade: what attributes, style sheets and the style attribute of an element say together.

extension SVGReader {
  mutating func style(_ number: Int32, parent: Style) throws(VectorError) -> Style {
    var style = parent.inherited
    let node = markup.nodes[Int(number)]
    declarations.removeAll(keepingCapacity: true)
    for attribute in markup.attributes[node.attributes.range] {
      if attribute.name.isProperty {
        style.set(attribute.name, Scanner(bytes, attribute.value), parent: parent)
      } else if attribute.name == .style {
        StyleSheet.readDeclarations(
          Scanner(bytes, attribute.value), markup.text, to: &declarations)
      }
    }
    guard !sheet.isEmpty || !declarations.isEmpty else { return style }
    let sheet = self.sheet
    selected.removeAll(keepingCapacity: true)
    styleWork += sheet.count
    sheet.forEachMatch(number, markup, bytes) { span in
      selected.append(span)
      styleWork += 8 * Int(span.count)
    }
    guard styleWork <= SVGReader.mostStyleWork else {
      throw .overLimit(.operators, most: SVGReader.mostStyleWork)
    }
    for isImportant in [false, true] {
      for span in selected {
        apply(sheet.declarations[span.range], isImportant, to: &style, parent)
      }
      apply(declarations[...], isImportant, to: &style, parent)
    }
    return style
  }

  private func apply(
    _ declarations: ArraySlice<Declaration>, _ isImportant: Bool, to style: inout Style,
    _ parent: Style
  ) {
    for declaration in declarations where declaration.isImportant == isImportant {
      style.set(declaration.name, Scanner(bytes, declaration.value), parent: parent)
    }
  }
}
