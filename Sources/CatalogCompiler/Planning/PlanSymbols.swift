// Symbol sets: one rendition for each drawing of a template. Drawings between those of the template
// are not made here; the run time interpolates them when it shows a symbol.

import Archive
import CatalogModel
import Documents
import Traits

extension Plan {
  mutating func addSymbols(_ set: SymbolSet, of asset: AssetSet, for target: CompileTarget) {
    var candidates: [(key: VariantKey, slot: Slot, entry: SymbolEntry)] = []
    for entry in set.entries where !entry.slot.isUnassigned && !entry.glyphs.isEmpty {
      guard let key = archivedKey(of: entry.slot, for: target) else { continue }
      candidates.append((key, entry.slot, entry))
    }
    for (archived, slot, entry) in Plan.preferringSpecificIdiom(candidates) {
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
            file: asset.contentsFile, pointer: slot.pointer))
      }
    }
    if let intent = set.renderingIntent {
      report(
        "symbol-rendering-intent", of: asset,
        "the number of \"\(intent.rawValue)\" in archives is not known")
    }
  }

  /// Reports that the form of a rendition is concluded from other assets.
  mutating func reportUnproven(_ slot: Slot?, of asset: AssetSet, _ what: String) {
    diagnostics.append(
      Diagnostic(
        .unprovenForm, "\(quoted(asset.name)): Carve knows \(what)",
        file: asset.contentsFile, pointer: slot?.pointer))
  }
}
