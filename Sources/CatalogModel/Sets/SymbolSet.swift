// Symbol sets: templates of SF Symbols, each with a drawing for some of the weights and sizes.

import Traits

package enum SymbolRenderingIntent: String, CaseIterable, Sendable, Hashable {
  case template, monochrome, hierarchical, multicolor, palette
}

package struct SymbolEntry: Sendable, Hashable {
  package var slot: Slot
  package var file: SourceFile?
  /// The drawings in the template, by size and weight; empty if the template could not be read.
  package var glyphs: [Glyph] = []

  package init(slot: Slot) { self.slot = slot }
}

package struct SymbolSet: Sendable, Hashable {
  package var entries: [SymbolEntry] = []
  package var renderingIntent: SymbolRenderingIntent?
  package var isLocalizable = false

  package init() {}
}

// MARK: - Reading

extension SymbolSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    renderingIntent = properties?.choice("symbol-rendering-intent")
    isLocalizable = properties?.bool("localizable") ?? false
    entries = (root.objects("symbols") ?? []).compactMap { fields in
      let file = reader.file(fields)
      guard let slot = reader.slot(fields, file: file) else {
        reader.skipRest(of: fields)
        return nil
      }
      var entry = SymbolEntry(slot: slot)
      entry.file = file
      fields.finish()
      return entry
    }
    info?.finish()
    properties?.finish()
  }
}
