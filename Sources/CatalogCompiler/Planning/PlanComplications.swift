// Complications of watch faces: the pictures for each position on a face.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Traits

extension RenditionPlan {
  mutating func addComplications(
    _ set: ComplicationSet, of asset: AssetSet, for target: CompileTarget
  ) {
    guard target.admits(.watch) else { return }
    var left = 0
    let before = renditions.count
    let children = asset.childrenByFolder
    for entry in set.entries where !entry.slot.isUnassigned {
      guard var child = entry.filename.flatMap({ children[$0] }),
        case .images(let images) = child.contents
      else { continue }
      let isForOneWidth = entry.slot.key.subtype != 0
      let pictures = images.entries.filter { !isForOneWidth && $0.slot.key.subtype == 0 }
      left += images.entries.count { image in
        !image.slot.isUnassigned && image.file?.exists == true && target.admits(image.slot)
          && (isForOneWidth || image.slot.key.subtype != 0)
      }
      child.name = "\(asset.name)/\(withoutFolders(child.name))"
      reportUnappliedSettings(of: child)
      addEntries(pictures, of: images, child, for: target, as: .watch)
    }
    if left > 0 {
      diagnostics.append(
        Diagnostic(
          .unsupportedSet,
          "\(counted(left, "picture")) of \(quoted(asset.name)) for single widths of watches "
            + "\(left == 1 ? "is" : "are") left out: the form of these pictures in archives "
            + "is not known",
          file: asset.contentsFile))
    }
    if renditions.count > before {
      reportUnproven(nil, of: asset, "only one archive of Apple's tool with a complication")
    }
  }
}
