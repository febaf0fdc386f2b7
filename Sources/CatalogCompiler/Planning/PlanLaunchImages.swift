// Launch images: on tvOS they are part of the archive, on iOS they are files beside it.

import Archive
import CatalogModel
import Host
import Traits

extension RenditionPlan {
  mutating func addLaunchImages(
    _ set: LaunchImageSet, of asset: AssetSet, for target: CompileTarget
  ) {
    guard target.platform.system == .tvOS else {
      if target.platform.system == .iOS {
        report(
          "images", of: asset,
          "launch images are files beside the archive, which 'carve actool' writes")
      }
      return
    }
    let entries = set.entries.filter { !$0.slot.isUnassigned && $0.file?.exists == true }
    for (key, slot, entry) in archivedEntries(entries, { $0.slot }, for: target) {
      guard let file = entry.file else { continue }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .image, part: Part.regular, key: key,
          content: .picture(file, PictureProcessing()), jsonFile: asset.contentsFile,
          pointer: slot.pointer))
    }
  }
}
