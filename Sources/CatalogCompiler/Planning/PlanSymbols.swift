// Symbol sets: one rendition for each drawing of a template. Drawings between those of the template
// are not made here; the run time interpolates them when it shows a symbol.

import Archive
import CatalogModel
import Traits

extension RenditionPlan {
  mutating func addSymbols(_ set: SymbolSet, of asset: AssetSet, for target: CompileTarget) {
    let entries = set.entries.filter { !$0.slot.isUnassigned && !$0.glyphs.isEmpty }
    for (archived, slot, entry) in archivedEntries(entries, { $0.slot }, for: target) {
      guard let file = entry.file else { continue }
      var key = archived
      key.scale = 1
      key.osGeneration = UInt8(Generation.ofSymbols)
      if archived.style != .any || archived.contrast != .normal || archived.direction != .none {
        reportUnproven(
          slot, of: asset,
          "no archive of Apple's tool with symbols for one appearance or direction; they are "
            + "stored as pictures are"
        )
      }
      for glyph in entry.glyphs {
        renditions.append(
          PlannedRendition(
            facet: asset.name, kind: .symbol, part: Part.symbol, key: key,
            details: KeyDetails(glyph), flags: .vector, content: .symbol(file, glyph),
            jsonFile: asset.contentsFile, pointer: slot.pointer))
      }
    }
    if let intent = set.renderingIntent {
      report(
        "symbol-rendering-intent", of: asset,
        "the number of \"\(intent.rawValue)\" in archives is not known")
    }
  }
}
