// Image sets: one rendition for each file, and which flags it carries.

import CatalogModel
import Traits

/// The flags of a rendition as archives store them.
enum RenditionFlag {
  static let isVector: UInt32 = 4
  static let template: UInt32 = 8
  /// The set does not say whether the picture is a template.
  static let automaticIntent: UInt32 = 0x10
  static let flippable: UInt32 = 0x40
  static let preservesVector: UInt32 = 0x100
}

extension Plan {
  mutating func addImages(_ set: ImageSet, of asset: AssetSet, for target: CompileTarget) {
    var candidates: [(key: VariantKey, slot: Slot, entry: ImageEntry)] = []
    for entry in set.entries where !entry.isUnassigned && entry.file?.exists == true {
      guard var key = archivedKey(of: entry.slot, for: target) else { continue }
      if entry.file?.isVector == true { key.scale = 0 }
      candidates.append((key, entry.slot, entry))
    }
    for (key, slot, entry) in Plan.preferringSpecificIdiom(candidates) {
      guard let file = entry.file else { continue }
      if file.isVector {
        addVector(file, key: key, slot: slot, set: set, asset: asset)
      } else {
        let content = RenditionContent.picture(
          file, resizing: entry.resizing, insets: entry.insets)
        renditions.append(
          PlannedRendition(
            facet: asset.name, kind: .image, part: FacetPart.image, key: key,
            flags: set.intentFlags, content: content, file: asset.contentsFile,
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
        part: set.preservesVector ? FacetPart.keptVector : FacetPart.image, key: key,
        flags: RenditionFlag.isVector, content: .vector(file), file: asset.contentsFile,
        pointer: slot.pointer))
    diagnostics.append(
      Diagnostic(
        .vectorNotRasterized,
        "\"\(file.name)\" is stored as a vector only; Carve makes no bitmaps of vectors yet",
        file: asset.contentsFile, pointer: slot.pointer + "/filename"))
  }
}

extension ImageSet {
  var intentFlags: UInt32 {
    switch renderingIntent {
    case .original: 0
    case .template: RenditionFlag.template
    case nil: RenditionFlag.automaticIntent
    }
  }
}
