// Launch images: on tvOS they are part of the archive, on iOS they are files beside it.

import Archive
import CatalogModel
import Traits

extension Plan {
  mutating func addLaunchImages(
    _ set: LaunchImageSet, of asset: AssetSet, for target: CompileTarget
  ) {
    guard target.platform.archiveName == "atv" else {
      if target.platform.archiveName == "ios" {
        report(
          "images", of: asset,
          "launch images are files beside the archive, which 'carve actool' writes")
      }
      return
    }
    var candidates: [(key: VariantKey, slot: Slot, entry: LaunchImageEntry)] = []
    for entry in set.entries where !entry.slot.isUnassigned && entry.file?.exists == true {
      guard let key = archivedKey(of: entry.slot, for: target) else { continue }
      candidates.append((key, entry.slot, entry))
    }
    for (key, slot, entry) in Plan.preferringSpecificIdiom(candidates) {
      guard let file = entry.file else { continue }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .image, part: Part.regular, key: key,
          content: .picture(file, Treatment()), file: asset.contentsFile, pointer: slot.pointer))
    }
  }
}
