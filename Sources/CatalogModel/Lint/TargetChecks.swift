// Reports features that need a newer system than the deployment target. Without a platform and a
// version there are no findings.

import Bytes
import Traits

func checkDeploymentTarget(
  _ asset: AssetSet, survey: PictureSurvey, options: LintOptions
) -> [Diagnostic] {
  guard let platform = options.platform, let minimum = options.minimum else { return [] }
  let check = TargetCheck(asset: asset, survey: survey, platform: platform, minimum: minimum)
  return check.findings
}

/// The first versions of the systems that can show a feature; nil for a system that could always
/// show it.
private struct FirstVersions {
  var what: String
  var iOS: OSVersion?
  var macOS: OSVersion?
  var tvOS: OSVersion?
  var watchOS: OSVersion?

  func version(on platform: Platform) -> OSVersion? {
    switch platform {
    case .iOS, .iPadOS: iOS
    case .macOS: macOS
    case .tvOS: tvOS
    case .watchOS: watchOS
    case .visionOS: nil
    }
  }

  static let symbols = FirstVersions(
    what: "custom symbols", iOS: OSVersion(13), macOS: OSVersion(11), tvOS: OSVersion(13),
    watchOS: OSVersion(6))
  static let colors = FirstVersions(
    what: "colour sets", iOS: OSVersion(11), macOS: OSVersion(10, 13), tvOS: OSVersion(11),
    watchOS: OSVersion(4))
  static let systemColors = FirstVersions(
    what: "references to system colours", iOS: OSVersion(13), macOS: OSVersion(10, 15),
    tvOS: OSVersion(13), watchOS: nil)
  static let appearances = FirstVersions(
    what: "dark and high-contrast variants", iOS: OSVersion(13), macOS: OSVersion(10, 14),
    tvOS: OSVersion(13), watchOS: nil)
  static let iconStyles = FirstVersions(
    what: "dark and tinted icons", iOS: OSVersion(18), macOS: nil, tvOS: nil, watchOS: nil)
  static let heif = FirstVersions(
    what: "HEIF pictures", iOS: OSVersion(11), macOS: OSVersion(10, 13), tvOS: OSVersion(11),
    watchOS: OSVersion(4))
  static let keptSVG = FirstVersions(
    what: "SVG pictures that are kept as vectors", iOS: OSVersion(13), macOS: OSVersion(10, 15),
    tvOS: OSVersion(13), watchOS: OSVersion(6))
  static let deepPixels = FirstVersions(
    what: "16-bit and P3 pictures", iOS: OSVersion(9, 3), macOS: OSVersion(10, 12),
    tvOS: OSVersion(10), watchOS: OSVersion(3))
}

private struct TargetCheck {
  var asset: AssetSet
  var survey: PictureSurvey
  var platform: Platform
  var minimum: OSVersion

  var findings: [Diagnostic] {
    var found: [Diagnostic?] = []
    switch asset.contents {
    case .symbols: found.append(finding(.symbols, pointer: nil))
    case .colors(let set):
      found.append(finding(.colors, pointer: nil))
      let reference = set.entries.first { if case .reference? = $0.value { true } else { false } }
      if let reference { found.append(finding(.systemColors, pointer: reference.slot.pointer)) }
      found.append(appearances(set.entries.map(\.slot)))
    case .images(let set):
      found.append(appearances(set.entries.filter { $0.file != nil }.map(\.slot)))
      for entry in set.entries { found += pictureFindings(entry, set) }
    case .appIcons(let set):
      let styled = set.entries.first { $0.slot.key.style != .any && $0.file != nil }
      if let styled { found.append(finding(.iconStyles, pointer: styled.slot.pointer)) }
    case .data, .icons, .iconBundle, .launchImages, .spriteAtlas, .textures, .mipmaps,
      .imageStack, .imageStackLayer, .brandAssets, .complications, .stickerPack, .sticker,
      .stickerSequence, .stickersIcons, .arGroup, .arImage, .arObject, .gameCenter:
      break
    }
    return found.compactMap { $0 }
  }

  private func appearances(_ slots: [Slot]) -> Diagnostic? {
    let slot = slots.first { $0.key.style == .dark || $0.key.contrast == .high }
    return slot.flatMap { finding(.appearances, pointer: $0.pointer) }
  }

  private func pictureFindings(_ entry: ImageEntry, _ set: ImageSet) -> [Diagnostic?] {
    guard let header = survey.header(of: entry.file) else { return [] }
    let pointer = entry.slot.pointer + "/filename"
    switch header.kind {
    case .heic: return [finding(.heif, pointer: pointer)]
    case .svg: return set.preservesVector ? [finding(.keptSVG, pointer: pointer)] : []
    case .pdf: return []
    default:
      let isDeep = header.bitDepth == 16 || header.profile == .displayP3
      return isDeep ? [finding(.deepPixels, pointer: pointer)] : []
    }
  }

  private func finding(_ feature: FirstVersions, pointer: ByteString?) -> Diagnostic? {
    guard let first = feature.version(on: platform), minimum < first else { return nil }
    return Diagnostic(
      .olderTarget,
      "\(feature.what) need \(platform.rawValue) \(first), but the target is \(minimum)",
      file: asset.contentsFile, pointer: pointer)
  }
}
