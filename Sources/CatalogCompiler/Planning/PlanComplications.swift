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
      guard let child = entry.filename.flatMap({ children[$0] }),
        case .images(let images) = child.contents
      else { continue }
      let assigned = images.entries.filter { !$0.slot.isUnassigned && $0.file?.exists == true }
      for (key, _, image) in archivedEntries(assigned, { $0.slot }, for: target, as: .watch) {
        guard let file = image.file else { continue }
        if key.subtype != 0 || entry.slot.key.subtype != 0 {
          left += 1
          continue
        }
        renditions.append(
          PlannedRendition(
            facet: "\(asset.name)/\(withoutFolders(child.name))", kind: .image, part: Part.regular,
            key: key, flags: images.flags(under: key), content: .picture(file, PictureProcessing()),
            jsonFile: child.contentsFile, pointer: image.slot.pointer))
      }
    }
    if left > 0 {
      diagnostics.append(
        Diagnostic(
          .unsupportedSet,
          "\(counted(left, "picture")) of \(quoted(asset.name)) for single widths of watches "
            + "are left out: the form of these pictures in archives is not known",
          file: asset.contentsFile))
    }
    if renditions.count > before {
      reportUnproven(nil, of: asset, "only one archive of Apple's tool with a complication")
    }
  }
}
