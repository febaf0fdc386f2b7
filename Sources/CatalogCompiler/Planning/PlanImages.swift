// Image sets: one rendition for each file, and which flags it carries.

import Archive
import CatalogModel
import Traits

extension Plan {
  mutating func addImages(_ set: ImageSet, of asset: AssetSet, for target: CompileTarget) {
    var candidates: [(key: VariantKey, slot: Slot, entry: ImageEntry)] = []
    for entry in set.entries where !entry.slot.isUnassigned && entry.file?.exists == true {
      guard var key = archivedKey(of: entry.slot, for: target) else { continue }
      if entry.file?.isVector == true { key.scale = 0 }
      candidates.append((key, entry.slot, entry))
    }
    for (key, slot, entry) in Plan.preferringSpecificIdiom(candidates) {
      guard let file = entry.file else { continue }
      if file.isVector {
        addVector(file, key: key, slot: slot, set: set, asset: asset)
      } else {
        let content = PlannedContent.picture(
          file, resizing: entry.resizing, insets: entry.insets)
        renditions.append(
          PlannedRendition(
            facet: asset.name, kind: .image, part: Part.regular, key: key,
            flags: set.flags(under: key), content: content, file: asset.contentsFile,
            pointer: slot.pointer))
      }
    }
  }

  private mutating func addVector(
    _ file: SourceFile, key: VariantKey, slot: Slot, set: ImageSet, asset: AssetSet
  ) {
    renditions.append(
      PlannedRendition(
        facet: asset.name, kind: .image,
        part: set.preservesVector ? Part.vector : Part.regular, key: key,
        flags: .vector, content: .vector(file), file: asset.contentsFile,
        pointer: slot.pointer))
    diagnostics.append(
      Diagnostic(
        .vectorNotRasterized,
        "\"\(file.name)\" is stored as a vector only; Carve makes no bitmaps of vectors yet",
        file: asset.contentsFile, pointer: slot.pointer + "/filename"))
  }
}

extension ImageSet {
  /// A picture made for one direction of reading may be mirrored for the other.
  func flags(under key: VariantKey) -> RenditionFlags {
    key.direction == .none ? intentFlags : intentFlags.union(.flippable)
  }

  private var intentFlags: RenditionFlags {
    switch renderingIntent {
    case .original: []
    case .template: .template
    case nil: .automatic
    }
  }
}
