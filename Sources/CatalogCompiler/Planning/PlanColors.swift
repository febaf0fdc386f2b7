// Colour sets and data sets: one rendition for each entry.

import Archive
import Bytes
import CatalogModel
import Traits

extension Plan {
  mutating func addColors(_ set: ColorSet, of asset: AssetSet, for target: CompileTarget) {
    var candidates: [(key: VariantKey, slot: Slot, entry: ColorDefinition)] = []
    for entry in set.entries where !entry.slot.isUnassigned {
      guard let value = entry.value, let key = archivedKey(of: entry.slot, for: target) else {
        continue
      }
      candidates.append((key, entry.slot, value))
    }
    for (key, slot, value) in Plan.preferringSpecificIdiom(candidates) {
      if case .reference(let platform, let name) = value,
        SystemColor.components(platform: platform, name: name) == nil
      {
        diagnostics.append(
          Diagnostic(
            .unknownSystemColor,
            "Carve does not know the system colour \"\(name)\" of \"\(platform)\"",
            file: asset.contentsFile, pointer: slot.pointer + "/color/reference"))
        continue
      }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .color, part: Part.color, key: key, content: .color(value),
          file: asset.contentsFile, pointer: slot.pointer))
    }
  }

  mutating func addData(_ set: DataSet, of asset: AssetSet, for target: CompileTarget) {
    var candidates: [(key: VariantKey, slot: Slot, entry: DataEntry)] = []
    for entry in set.entries where !entry.slot.isUnassigned && entry.file?.exists == true {
      guard let key = archivedKey(of: entry.slot, for: target) else { continue }
      candidates.append((key, entry.slot, entry))
    }
    for (key, slot, entry) in Plan.preferringSpecificIdiom(candidates) {
      guard let file = entry.file else { continue }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .data, part: Part.regular, key: key,
          content: .data(file, typeIdentifier: entry.typeIdentifier), file: asset.contentsFile,
          pointer: slot.pointer))
    }
  }
}
