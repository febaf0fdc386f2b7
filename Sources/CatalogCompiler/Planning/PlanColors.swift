// Colour sets and data sets: one rendition for each entry.

import Archive
import Bytes
import CatalogModel
import Documents
import Traits

extension RenditionPlan {
  mutating func addColors(_ set: ColorSet, of asset: AssetSet, for target: CompileTarget) {
    for (key, slot, entry) in archivedEntries(set.compiledEntries, { $0.slot }, for: target) {
      guard let value = entry.value else { continue }
      if case .reference(let platform, let name) = value,
        SystemColor.components(platform: platform, name: name) == nil
      {
        let near = nearest(to: name, in: SystemColor.names(of: platform))
        diagnostics.append(
          Diagnostic(
            .unknownSystemColor,
            "Carve does not know the system colour \(quoted(name)) of \(quoted(platform))"
              + (near.map { "; did you mean \(quoted($0))?" } ?? ""),
            file: asset.contentsFile, pointer: slot.pointer + "/color/reference"))
        continue
      }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .color, part: Part.color, key: key, content: .color(value),
          jsonFile: asset.contentsFile, pointer: slot.pointer))
    }
  }

  mutating func addData(_ set: DataSet, of asset: AssetSet, for target: CompileTarget) {
    let entries = set.entries.filter { !$0.slot.isUnassigned && $0.file?.exists == true }
    for (key, slot, entry) in archivedEntries(entries, { $0.slot }, for: target) {
      guard let file = entry.file else { continue }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .data, part: Part.regular, key: key,
          content: .data(file, typeIdentifier: entry.typeIdentifier), jsonFile: asset.contentsFile,
          pointer: slot.pointer))
    }
  }
}
