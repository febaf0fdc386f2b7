// Reports findings about the variants of an image set as a group: scales, sizes, insets, slices,
// appearances. The variants of a colour set are checked for appearances only.

import Documents
import Host
import Traits

func checkVariants(
  _ asset: AssetSet, survey: PictureSurvey, platform: Platform?
) -> [Diagnostic] {
  switch asset.contents {
  case .images(let set):
    let check = ImageSetCheck(asset: asset, set: set, survey: survey, platform: platform)
    return check.findings
  case .colors(let set):
    if asset.leavesOutEntries { return [] }
    return appearanceHole(set.compiledEntries.map(\.slot), in: asset).map { [$0] } ?? []
  case .data, .symbols, .appIcons, .icons, .iconBundle, .launchImages, .spriteAtlas, .textures,
    .mipmaps, .imageStack, .imageStackLayer, .brandAssets, .complications, .stickerPack,
    .sticker, .stickerSequence, .stickersIcons, .arGroup, .arImage, .arObject, .gameCenter:
    return []
  }
}

/// Scales that an image set lacks, and the entry that they belong to.
package struct MissingScales: Sendable, Hashable {
  package var scales: [UInt8]
  /// The first entry that differs from the missing ones only in its scale and its file.
  package var like: Slot
}

/// Returns the scales that an image set lacks. `platform` is that of the catalogue, if it is known.
package func missingScales(of asset: AssetSet, platform: Platform?) -> [MissingScales] {
  guard case .images(let set) = asset.contents else { return [] }
  let survey = PictureSurvey(of: [], in: .memory([:]), jobs: 1)
  return ImageSetCheck(asset: asset, set: set, survey: survey, platform: platform).missingScales
}

private struct ImageSetCheck {
  var asset: AssetSet
  var set: ImageSet
  var survey: PictureSurvey
  var platform: Platform?

  private var filled: [ImageEntry] {
    self.set.entries.filter { $0.file?.exists == true && !$0.slot.isUnassigned }
  }

  var findings: [Diagnostic] {
    var found: [Diagnostic] = []
    if !asset.leavesOutEntries, let missing = missingScaleFinding { found.append(missing) }
    for group in groups {
      if let mismatch = sizeMismatch(group) { found.append(mismatch) }
    }
    for entry in filled {
      found += [sizeOffScale(entry)].compactMap { $0 } + misfits(entry)
    }
    if !asset.leavesOutEntries, let hole = appearanceHole(filled.map(\.slot), in: asset) {
      found.append(hole)
    }
    return found
  }

  /// The entries, grouped so that the entries of a group differ only in their scale.
  private var groups: [[ImageEntry]] {
    Dictionary(grouping: filled, by: \.slot.withoutScale)
      .sorted { $0.key < $1.key }.map(\.value)
  }

  private func finding(
    _ code: DiagnosticCode, _ message: String, at entry: ImageEntry
  ) -> Diagnostic {
    Diagnostic(
      code, message, file: asset.contentsFile, pointer: "\(entry.slot.pointer)/filename")
  }

  // MARK: Scales

  /// One finding for all missing scales of the set.
  private var missingScaleFinding: Diagnostic? {
    let missing = missingScales
    guard let first = missing.first else { return nil }
    var texts: [String] = []
    // One more than is shown tells that there are others.
    for lack in missing where texts.count <= 4 {
      let scales = lack.scales.map { "\($0)x" }.joined(separator: " and ")
      var like = lack.like
      like.scale = nil
      let text = "\(scales) (\(like.words))"
      if !texts.contains(text) { texts.append(text) }
    }
    let shown = texts.prefix(4).joined(separator: "; ") + (texts.count > 4 ? "; …" : "")
    return Diagnostic(
      .missingScale, "\(quoted(asset.name)) has no picture for \(shown)",
      file: asset.contentsFile, pointer: first.like.pointer)
  }

  var missingScales: [MissingScales] {
    // Another finding says that a file is missing.
    let named = Dictionary(
      grouping: self.set.entries.filter { $0.file?.exists == false && !$0.slot.isUnassigned }
        .map(\.slot), by: \.withoutScale)
    return groups.compactMap { group in
      guard let first = group.first, !group.contains(where: { $0.slot.scale == nil }),
        !group.contains(where: { $0.file?.isVector == true })
      else { return nil }
      let present = Set(
        (group.map(\.slot) + named[first.slot.withoutScale, default: []]).compactMap(\.scale))
      let missing = scales(of: first.slot).filter { !present.contains($0) }
      return missing.isEmpty ? nil : MissingScales(scales: missing, like: first.slot)
    }
  }

  /// Returns the scales of the devices in use that show a variant.
  private func scales(of slot: Slot) -> [UInt8] {
    let key = slot.key
    if key.subtype != 0, let scales = displayScales[key.subtype] { return scales.sorted() }
    return switch key.idiom {
    case .phone, .car: [2, 3]
    case .pad, .watch, .vision: [2]
    case .mac, .tv: [1, 2]
    case .marketing: [1]
    case .universal:
      switch slot.platform ?? platform {
      case .macOS, .tvOS: [1, 2]
      case .watchOS, .visionOS: [2]
      case .iOS, .iPadOS, nil: [2, 3]
      }
    }
  }

  /// Returns the header of a picture that has pixels and is not left out because of its kind.
  private func compiledHeader(of entry: ImageEntry) -> ImageHeader? {
    guard let header = survey.header(of: entry.file), !header.kind.isVector,
      asset.type.allowedPictures.contains(header.kind)
    else { return nil }
    return header
  }

  private func sizeMismatch(_ group: [ImageEntry]) -> Diagnostic? {
    let sized = group.compactMap { entry -> (entry: ImageEntry, scale: Int, size: (Int, Int))? in
      guard let scale = entry.slot.scale, let header = compiledHeader(of: entry) else {
        return nil
      }
      return (entry, Int(scale), header.uprightSize)
    }.sorted { $0.scale < $1.scale }
    guard let reference = sized.last,
      let odd = sized.first(where: { item in
        // Rounding can change a side by one pixel.
        let tolerance = max(item.scale, reference.scale)
        return abs(item.size.0 * reference.scale - reference.size.0 * item.scale) > tolerance
          || abs(item.size.1 * reference.scale - reference.size.1 * item.scale) > tolerance
      })
    else { return nil }
    let sizes = sized.map { "\($0.size.0)×\($0.size.1) at \($0.scale)x" }
    return finding(
      .sizeMismatch,
      "\(quoted(asset.name)) does not have one size in points: \(sizes.joined(separator: ", "))",
      at: odd.entry)
  }

  private func sizeOffScale(_ entry: ImageEntry) -> Diagnostic? {
    guard let scale = entry.slot.scale, scale > 1, let header = compiledHeader(of: entry),
      header.width % Int(scale) != 0 || header.height % Int(scale) != 0
    else { return nil }
    return finding(
      .sizeOffScale,
      "\(quoted(entry.file?.name ?? "")) has \(header.width)×\(header.height) pixels, not a "
        + "multiple of \(scale)", at: entry)
  }

  private func misfits(_ entry: ImageEntry) -> [Diagnostic] {
    // The check of vectors reads their sizes.
    guard let header = survey.header(of: entry.file), !header.kind.isVector else { return [] }
    return CatalogModel.misfits(
      entry.insets, entry.resizing, width: header.width, height: header.height,
      file: asset.contentsFile, pointer: entry.slot.pointer)
  }
}

/// The scales of the devices with a display of each subtype.
private let displayScales: [UInt16: Set<UInt8>] = Device.all.reduce(into: [:]) { scales, device in
  if let subtype = device.subtype, subtype != 0, !device.scales.isEmpty {
    scales[subtype, default: []].formUnion(device.scales)
  }
}

/// Returns a finding if an asset has a dark and a high-contrast variant but no variant for both
/// together, or if it has a variant for both together but lacks one for dark or for high contrast
/// alone. Only variants that agree in all other traits but the scale are compared.
private func appearanceHole(_ slots: [Slot], in asset: AssetSet) -> Diagnostic? {
  let groups = Dictionary(grouping: slots) { slot in
    var traits = slot.withoutScale
    (traits.key.style, traits.key.contrast) = (.any, .normal)
    return traits
  }
  return groups.sorted { $0.key < $1.key }.lazy
    .compactMap { appearanceHole(among: $0.value, in: asset) }.first
}

private func appearanceHole(among slots: [Slot], in asset: AssetSet) -> Diagnostic? {
  let dark = slots.first { $0.key.style == .dark && $0.key.contrast == .normal }
  let high = slots.first { $0.key.style != .dark && $0.key.contrast == .high }
  let both = slots.contains { $0.key.style == .dark && $0.key.contrast == .high }
  if let dark, let high, !both {
    return Diagnostic(
      .appearanceHole,
      "\(quoted(asset.name)) has variants for dark and for high contrast, and none for both: "
        + "dark with high contrast shows the dark one",
      file: asset.contentsFile, pointer: high.pointer,
      notes: [Note("the dark one", file: asset.contentsFile, pointer: dark.pointer)])
  }
  if both, dark == nil || high == nil, let slot = slots.first(where: { $0.key.contrast == .high }) {
    return Diagnostic(
      .appearanceHole,
      "\(quoted(asset.name)) has a variant for dark with high contrast, and none for "
        + (dark == nil ? "dark alone" : "high contrast alone"),
      file: asset.contentsFile, pointer: slot.pointer)
  }
  return nil
}
