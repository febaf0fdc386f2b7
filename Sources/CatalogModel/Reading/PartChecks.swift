// Reports findings about the parts of brand assets and of AR resources that can be made without
// reading their files: roles and sizes that contradict each other, and pictures that are left out.

import Bytes
import Documents
import Traits

extension BrandAsset.Role {
  /// The sizes in points that systems know for the role.
  fileprivate var sizes: [PointSize] {
    switch self {
    case .primaryAppIcon:
      [PointSize(width: 400, height: 240), PointSize(width: 1280, height: 768)]
    case .topShelf: [PointSize(width: 1920, height: 720)]
    case .topShelfWide: [PointSize(width: 2320, height: 720)]
    }
  }
}

/// Returns the findings about roles and sizes of brand assets, which together decide what a system
/// takes for the icon of the home screen and what for the icon of the App Store.
func checkBrand(_ asset: AssetSet) -> [Diagnostic] {
  guard case .brandAssets(let brand) = asset.contents else { return [] }
  var found: [Diagnostic] = []
  var first: [[String]: BrandAsset] = [:]
  for entry in brand.assets where entry.filename != nil && !entry.slot.isUnassigned {
    guard let role = entry.role else { continue }
    let size = entry.size.map { "\(brief($0.width))×\(brief($0.height))" }
    if let stated = entry.size, let size, !role.sizes.contains(stated) {
      let known = role.sizes.map { "\(brief($0.width))×\(brief($0.height))" }
      found.append(
        Diagnostic(
          .iconUnknownSize,
          "no Apple TV shows a \(quoted(role.rawValue)) of \(size) points; it has "
            + "\(listed(known, joinedBy: "or"))",
          file: asset.contentsFile, pointer: entry.slot.pointer + "/size"))
    }
    if entry.size == nil, entry.hasNoSize, role == .primaryAppIcon {
      found.append(
        Diagnostic(
          .missingKey,
          "the icon has no \"size\", so it counts as the icon of the home screen",
          file: asset.contentsFile, pointer: entry.slot.pointer))
    }
    let place = [role.rawValue, size ?? ""]
    guard let other = first[place] else {
      first[place] = entry
      continue
    }
    var finding = Diagnostic(
      .duplicateSlot,
      "two entries are a \(quoted(role.rawValue))" + (size.map { " of \($0) points" } ?? ""),
      file: asset.contentsFile, pointer: entry.slot.pointer,
      notes: [Note("the first one", file: asset.contentsFile, pointer: other.slot.pointer)])
    finding.severity = .warning
    found.append(finding)
  }
  return found
}

/// Returns the findings about the pictures of a reference image that are left out: systems look for
/// one picture, on devices with a camera.
func checkARImage(_ asset: AssetSet) -> [Diagnostic] {
  guard case .arImage(let image) = asset.contents else { return [] }
  let filled = image.entries.filter { $0.file?.exists == true && !$0.slot.isUnassigned }
  var found: [Diagnostic] = []
  var kept: ImageEntry?
  for entry in filled {
    let name = quoted(entry.file?.name ?? "")
    switch entry.slot.key.idiom {
    case .universal, .phone, .pad, .vision: break
    case .mac, .tv, .watch, .car, .marketing:
      var finding = Diagnostic(
        .unreachableVariant,
        "no device of the idiom \(quoted(entry.slot.idiom)) recognises pictures, so \(name) is "
          + "left out",
        file: asset.contentsFile, pointer: entry.slot.pointer)
      finding.severity = .warning
      found.append(finding)
      continue
    }
    guard let first = kept else {
      kept = entry
      continue
    }
    // Another check reports two entries of one variant.
    if entry.file?.path == first.file?.path || entry.slot.key == first.slot.key { continue }
    var finding = Diagnostic(
      .duplicateSlot,
      "\(name) is left out: a reference image has one picture, and \(quoted(first.file?.name ?? ""))"
        + " is the first",
      file: asset.contentsFile, pointer: entry.slot.pointer,
      notes: [Note("the first one", file: asset.contentsFile, pointer: first.slot.pointer)])
    finding.severity = .warning
    found.append(finding)
  }
  return found
}
