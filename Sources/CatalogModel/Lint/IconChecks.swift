// Reports findings about icons: sizes in pixels, sizes that no device shows, transparency, mixed
// styles.

import Bytes
import Documents
import Traits

func checkIcons(
  _ asset: AssetSet, _ survey: PictureSurvey, _ options: LintOptions
) -> [Diagnostic] {
  switch asset.contents {
  case .appIcons(let set):
    let filled = set.entries.filter { $0.file?.exists == true && !$0.slot.isUnassigned }
    return filled.flatMap { entry in
      [
        size(of: entry, in: asset, survey: survey),
        unshown(entry, asset) ?? unknownSize(entry, asset),
        alpha(of: entry, in: asset, survey: survey),
      ]
      .compactMap { $0 }
    } + [mixedStyles(set, asset), foreign(filled, asset, options)].compactMap { $0 }
  case .stickersIcons(let set):
    return set.entries.compactMap { entry in
      entry.slot.isUnassigned ? nil : size(of: entry, in: asset, survey: survey)
    }
  case .icons(let set): return set.entries.compactMap { iconSetSize($0, survey) }
  case .images, .colors, .data, .symbols, .iconBundle, .launchImages, .spriteAtlas, .textures,
    .mipmaps, .imageStack, .imageStackLayer, .brandAssets, .complications, .stickerPack,
    .sticker, .stickerSequence, .arGroup, .arImage, .arObject, .gameCenter:
    return []
  }
}

private func size(
  of entry: AppIconEntry, in asset: AssetSet, survey: PictureSurvey
) -> Diagnostic? {
  guard let file = entry.file, let wanted = entry.pixelSize,
    let header = survey.header(of: file), !header.kind.isVector
  else { return nil }
  let actual = header.uprightSize
  guard Double(actual.width) != wanted.width || Double(actual.height) != wanted.height else {
    return nil
  }
  return Diagnostic(
    .iconSize,
    "\(quoted(file.name)) has \(actual.width)×\(actual.height) pixels, and must have "
      + "\(brief(wanted.width))×\(brief(wanted.height))",
    file: asset.contentsFile, pointer: entry.slot.pointer + "/filename")
}

private func iconSetSize(_ entry: IconSetEntry, _ survey: PictureSurvey) -> Diagnostic? {
  guard let header = survey.header(of: entry.file) else { return nil }
  let side = entry.size * Int(entry.scale)
  guard header.width != side || header.height != side else { return nil }
  return Diagnostic(
    .iconSize,
    "the file has \(header.width)×\(header.height) pixels, and must have \(side)×\(side)",
    file: entry.file.path)
}

/// Returns the finding about an icon for traits that no system looks for in such a set.
private func unshown(_ entry: AppIconEntry, _ asset: AssetSet) -> Diagnostic? {
  let slot = entry.slot
  let reason: String
  switch slot.key.idiom {
  case .tv: reason = "systems of the Apple TV look for icons in a .brandassets"
  case .vision: reason = "visionOS looks for icons in a .solidimagestack"
  case .phone, .pad, .mac, .car, .marketing, .universal:
    if slot.key.subtype == 0 { return nil }
    reason = "only icons of watches depend on the display"
  case .watch: return nil
  }
  var finding = Diagnostic(
    .unreachableVariant,
    "no device ever shows this icon of \(quoted(asset.name)) (\(slot.words)): \(reason)",
    file: asset.contentsFile, pointer: slot.pointer)
  finding.severity = .warning
  return finding
}

/// Returns one finding about all icons of a set that are for devices of another platform than the
/// target's.
private func foreign(
  _ filled: [AppIconEntry], _ asset: AssetSet, _ options: LintOptions
) -> Diagnostic? {
  let others = filled.filter { !options.mayShow($0.slot) && unshown($0, asset) == nil }
  guard let first = others.first else { return nil }
  let shown = others.prefix(3).map { entry in
    (entry.size.map { "\(brief($0.width))×\(brief($0.height)), " } ?? "") + entry.slot.words
  }
  return Diagnostic(
    .unreachableVariant,
    "no device of the target ever shows \(counted(others.count, "icon")) of "
      + "\(quoted(asset.name)): \(shown.joined(separator: "; "))\(others.count > 3 ? "; …" : "")",
    file: asset.contentsFile, pointer: first.slot.pointer)
}

private func unknownSize(_ entry: AppIconEntry, _ asset: AssetSet) -> Diagnostic? {
  guard let size = entry.size else { return nil }
  let device: String
  let known: [Double]
  if entry.slot.idiom == "universal", entry.slot.platform == .watchOS {
    device = "watch"
    known = (iconSizes["watch"] ?? []) + [1024]
  } else {
    device = "device of idiom \(quoted(entry.slot.idiom))"
    guard let sizes = iconSizes[entry.slot.idiom] else { return nil }
    known = sizes
  }
  if size.width == size.height, known.contains(size.width) { return nil }
  return Diagnostic(
    .iconUnknownSize,
    "no \(device) shows an icon of \(brief(size.width))×\(brief(size.height)) points",
    file: asset.contentsFile, pointer: entry.slot.pointer + "/size")
}

/// The known sizes in points for each idiom, of all systems since the first one with catalogues.
private let iconSizes: [String: [Double]] = [
  "iphone": [20, 29, 38, 40, 57, 60, 64, 68],
  "ipad": [20, 29, 40, 50, 72, 76, 83.5],
  "mac": [16, 32, 128, 256, 512],
  "watch": [
    22, 24, 27.5, 29, 30, 32, 33, 40, 43.5, 44, 46, 50, 51, 54, 86, 98, 102, 108, 117, 128, 129,
  ],
  "car": [60],
  "universal": [16, 20, 29, 32, 38, 40, 60, 64, 68, 76, 83.5, 128, 256, 512, 1024],
  "ios-marketing": [1024], "watch-marketing": [1024],
]

private func alpha(
  of entry: AppIconEntry, in asset: AssetSet, survey: PictureSurvey
) -> Diagnostic? {
  guard let file = entry.file, entry.size?.width == 1024, entry.slot.key.style == .any,
    ["ios-marketing", "watch-marketing", "universal"].contains(entry.slot.idiom),
    survey.header(of: file)?.hasAlpha == true
  else { return nil }
  return Diagnostic(
    .iconHasAlpha, "\(quoted(file.name)) has an alpha channel; the App Store refuses such icons",
    file: asset.contentsFile, pointer: entry.slot.pointer + "/filename")
}

private func mixedStyles(_ set: AppIconSet, _ asset: AssetSet) -> Diagnostic? {
  let filled = set.entries.filter { $0.file != nil && !$0.slot.isUnassigned }
  let styled = filled.first { $0.slot.key.style == .dark || $0.slot.key.style == .tinted }
  let sized = filled.first { ["iphone", "ipad"].contains($0.slot.idiom) }
  guard let styled, let sized else { return nil }
  return Diagnostic(
    .iconNeverShown,
    "the \(styled.slot.key.style.name) icon is never shown: devices prefer the icons with sizes",
    file: asset.contentsFile, pointer: styled.slot.pointer,
    notes: [Note("an icon with a size", file: asset.contentsFile, pointer: sized.slot.pointer)])
}
