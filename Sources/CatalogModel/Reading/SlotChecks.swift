// Reports findings about the slots of a set that can be made without reading its files: two entries
// for one variant, empty slots, one file for several variants, sets without content.

import Bytes
import Documents
import Traits

/// The values that define the variant of an entry. Two entries with equal values conflict.
private struct SlotVariant: Hashable {
  var key: VariantKey
  var idiom: String
  var platform: Platform?
  var distinction: String
}

/// Returns the findings about the slots of all assets and their parts, which are not located.
package func checkSlots(of assets: [AssetSet]) -> [Diagnostic] {
  var checker = SlotChecker()
  checker.check(assets)
  return checker.diagnostics
}

private struct SlotChecker {
  var diagnostics: [Diagnostic] = []
  /// The answers about lists of keys. A catalogue has few of them and many assets.
  private var excesses: [[VariantKey]: TooManyCombinations?] = [:]

  mutating func check(_ assets: [AssetSet]) {
    for asset in assets {
      let entries = asset.contents.entries
      let slots = asset.contents.slots
      diagnostics += checkEntries(entries, of: asset) + checkColors(of: asset)
      diagnostics += checkEmptiness(entries, of: asset) + checkLocales(slots, of: asset)
      diagnostics += checkAppearances(entries, of: asset) + checkExtensions(slots, of: asset)
      diagnostics += checkBrand(asset) + checkARImage(asset)
      checkCombinations(slots, of: asset)
      check(asset.children)
    }
  }

  /// Reports a set of which no command could compare all situations in a reasonable time.
  private mutating func checkCombinations(_ slots: [Slot], of asset: AssetSet) {
    guard let excess = excess(of: slots.map(\.key)) else { return }
    diagnostics.append(
      Diagnostic(
        .tooManyCombinations,
        "the variants of \(quoted(asset.name)) distinguish more than \(grouped(excess.most)) "
          + "combinations of traits",
        file: asset.contentsFile))
  }

  private mutating func excess(of keys: [VariantKey]) -> TooManyCombinations? {
    if let known = excesses[keys] { return known }
    let excess = TooManyCombinations(Signature(keys).keys)
    excesses[keys] = .some(excess)
    return excess
  }
}

private func checkEntries(_ entries: [SetEntry], of asset: AssetSet) -> [Diagnostic] {
  var diagnostics: [Diagnostic] = []
  // The values are positions in `entries`.
  var variants = [SlotVariant: Int](minimumCapacity: entries.count)
  var slotsByFile = [ByteString: [Int]](minimumCapacity: entries.count)
  for (index, entry) in entries.enumerated() {
    if entry.isUnassigned {
      diagnostics.append(unassigned(entry.slot, entry.file.map { quoted($0.name) }, in: asset))
      continue
    }
    guard let file = entry.file else { continue }
    if entry.slot.isNothing {
      diagnostics.append(unshown(entry.slot, quoted(file.name), in: asset))
    }
    let variant = SlotVariant(
      key: entry.slot.key, idiom: entry.slot.idiom, platform: entry.slot.platform,
      distinction: entry.distinction)
    var first = variants[variant]
    if first == nil, file.isVector, variant.key.scale <= 1 {
      // A vector without a scale is drawn as that of 1x. A picture of 1x replaces its bitmap.
      var other = variant
      other.key.scale = 1 - variant.key.scale
      first = variants[other].flatMap { entries[$0].file?.isVector == true ? $0 : nil }
    }
    if let first {
      diagnostics.append(duplicate(entry, of: entries[first], in: asset))
      // The file is named twice for one slot.
      if entries[first].file?.path == file.path { continue }
    } else {
      variants[variant] = index
    }
    slotsByFile[file.path, default: []].append(index)
  }
  // Only image sets are checked. An icon file may serve several slots, because their sizes in
  // pixels can be equal.
  if case .images = asset.contents {
    for indices in slotsByFile.values where indices.count > 1 {
      diagnostics.append(shared(indices.map { entries[$0] }, in: asset))
    }
  }
  return diagnostics
}

/// Returns the finding about an unassigned entry. `content` names its file or colour; nil if it has
/// none.
private func unassigned(_ slot: Slot, _ content: String?, in asset: AssetSet) -> Diagnostic {
  let pointer = slot.pointer
  guard let content else {
    let holds = asset.kind == .color ? "has no colour" : "names no file"
    var diagnostic = Diagnostic(
      .emptyUnassignedEntry, "the entry is unassigned and \(holds)",
      file: asset.contentsFile, pointer: pointer)
    if asset.isFixable { diagnostic.fix = Fix("remove the entry", [.remove(pointer: pointer)]) }
    return diagnostic
  }
  return Diagnostic(
    .unassignedEntry, "\(content) is marked as unassigned, so it is not compiled",
    file: asset.contentsFile, pointer: pointer)
}

/// Returns the finding about an entry that says that it shows nothing, and has content. Only image
/// sets can show nothing.
private func unshown(_ slot: Slot, _ content: String, in asset: AssetSet) -> Diagnostic {
  var isImage = false
  if case .images = asset.contents { isImage = true }
  return Diagnostic(
    .unassignedEntry,
    isImage
      ? "\(content) is not compiled, because \"no-content\" says that the entry shows nothing"
      : "\"no-content\" does not count in a .\(asset.type.rawValue), so \(content) is compiled",
    file: asset.contentsFile, pointer: slot.pointer + "/no-content")
}

private func duplicate(_ entry: SetEntry, of first: SetEntry, in asset: AssetSet) -> Diagnostic {
  let isImplied = (entry.slot.scale == nil) != (first.slot.scale == nil)
  var diagnostic = Diagnostic(
    .duplicateSlot,
    "\(quoted(entry.file?.name ?? "")) and \(quoted(first.file?.name ?? "")) are for the same "
      + "variant: \(entry.slot.words)"
      + (isImplied ? "; an entry without a scale counts as 1x" : ""),
    file: asset.contentsFile, pointer: entry.slot.pointer,
    notes: [Note("the first one", file: asset.contentsFile, pointer: first.slot.pointer)])
  // These cases are only warnings, because Apple's tool compiles them: several icons for one slot,
  // and two entries that name the same file.
  if asset.kind == .icon || entry.file?.path == first.file?.path {
    diagnostic.severity = .warning
  }
  return diagnostic
}

private func shared(_ entries: [SetEntry], in asset: AssetSet) -> Diagnostic {
  let slots = entries.map(\.slot.words)
  let what = entries.count > 3 ? "\(entries.count) slots" : slots.joined(separator: "; ")
  return Diagnostic(
    .fileInSeveralSlots, "\(quoted(entries[0].file?.name ?? "")) serves several slots: \(what)",
    file: asset.contentsFile, pointer: entries[1].slot.pointer + "/filename")
}

private func checkColors(of asset: AssetSet) -> [Diagnostic] {
  guard case .colors(let set) = asset.contents else { return [] }
  var seen: [SlotVariant: Slot] = [:]
  var unshowns: [Diagnostic] = []
  let found = set.entries.compactMap { entry -> Diagnostic? in
    if entry.slot.isUnassigned {
      return unassigned(entry.slot, entry.value.map { _ in "the colour" }, in: asset)
    }
    guard entry.value != nil else { return nil }
    if entry.slot.isNothing { unshowns.append(unshown(entry.slot, "the colour", in: asset)) }
    let variant = SlotVariant(
      key: entry.slot.key, idiom: entry.slot.idiom, platform: entry.slot.platform, distinction: "")
    guard let first = seen[variant] else {
      seen[variant] = entry.slot
      return nil
    }
    return Diagnostic(
      .duplicateSlot, "two colours are for the same variant: \(entry.slot.words)",
      file: asset.contentsFile, pointer: entry.slot.pointer,
      notes: [Note("the first one", file: asset.contentsFile, pointer: first.pointer)])
  }
  return found + unshowns
}

private func checkEmptiness(_ entries: [SetEntry], of asset: AssetSet) -> [Diagnostic] {
  guard asset.contents.hasOwnContent(in: entries) == false else {
    return checkEmptySlots(entries, of: asset)
  }
  // The reader has said why.
  if asset.hasUnreadEntries { return [] }
  return [
    Diagnostic(
      .emptySet, "the .\(asset.type.rawValue) \(quoted(asset.name)) has no content",
      file: asset.folder)
  ]
}

extension AssetSet {
  /// Whether the set or one of its parts names a file or defines a colour.
  package var hasContent: Bool {
    contents.hasOwnContent(in: contents.entries) ?? children.isEmpty
      || children.contains(where: \.hasContent)
  }
}

extension AssetContents {
  /// Returns whether the set itself has content; nil for sets whose content is in their parts.
  /// `entries` are those of the set.
  fileprivate func hasOwnContent(in entries: [SetEntry]) -> Bool? {
    switch self {
    case .colors(let set): !set.compiledEntries.isEmpty
    case .icons(let set): !set.entries.isEmpty
    case .images, .data, .symbols, .appIcons, .launchImages, .stickersIcons, .arImage, .mipmaps:
      entries.contains { ($0.file != nil || $0.slot.isNothing) && !$0.isUnassigned }
    case .iconBundle, .spriteAtlas, .textures, .imageStack, .imageStackLayer, .brandAssets,
      .complications, .stickerPack, .sticker, .stickerSequence, .arGroup, .arObject, .gameCenter:
      nil
    }
  }
}

private func checkEmptySlots(_ entries: [SetEntry], of asset: AssetSet) -> [Diagnostic] {
  // A file may belong to an entry that was not understood.
  if asset.leavesOutEntries { return [] }
  var empty = entries.filter { $0.file == nil && !$0.isUnassigned && !$0.slot.isNothing }
    .map(\.slot)
  if case .colors(let set) = asset.contents {
    // The reader has reported a value that is no colour.
    empty = set.entries.filter { $0.isEmpty && !$0.slot.isUnassigned }.map(\.slot)
  }
  if empty.isEmpty { return [] }
  if case .images = asset.contents {
    // If another scale of the same variant has a picture, the slot is not reported here. The checks
    // of lint report missing scales that the platform needs.
    let filled = Set(
      entries.filter { $0.file != nil && !$0.isUnassigned }.map(\.slot.withoutScale))
    empty.removeAll { filled.contains($0.withoutScale) }
  }
  guard let first = empty.first else { return [] }
  let slots = empty.prefix(4).map(\.words).joined(separator: "; ")
  let what = asset.kind == .color ? "colour" : "file"
  return [
    Diagnostic(
      .emptySlot,
      "\(counted(empty.count, "slot")) without a \(what): \(slots)\(empty.count > 4 ? "; …" : "")",
      file: asset.contentsFile, pointer: first.pointer)
  ]
}

/// Reports the entries that are left out because archives have no number for their appearance.
private func checkAppearances(_ entries: [SetEntry], of asset: AssetSet) -> [Diagnostic] {
  var slots = entries.filter { $0.file != nil && !$0.isUnassigned }.map(\.slot)
  if case .colors(let set) = asset.contents { slots = set.compiledEntries.map(\.slot) }
  return slots.filter { !$0.key.hasArchivedAppearance }.map { slot in
    Diagnostic(
      .unsupportedAppearance,
      "the entry is left out: it is for \(slot.words), and no system shows a variant that is "
        + "both tinted and for high contrast",
      file: asset.contentsFile, pointer: slot.pointer + "/appearances")
  }
}

/// The traits of a slot besides its scale.
struct SlotTraits: Hashable {
  var key: VariantKey
  var platform: Platform?

  /// Orders by the key, then by the name of the platform.
  static func < (a: SlotTraits, b: SlotTraits) -> Bool {
    if a.key != b.key { return a.key < b.key }
    return (a.platform?.names.catalog ?? "") < (b.platform?.names.catalog ?? "")
  }
}

extension Slot {
  var withoutScale: SlotTraits {
    var key = key
    key.scale = 0
    return SlotTraits(key: key, platform: platform)
  }
}

extension VariantKey {
  /// Whether archives have a number for this combination of style and contrast.
  package var hasArchivedAppearance: Bool { style != .tinted || contrast == .normal }
}

/// Reports properties that Apple's run time does not know, once for each set.
private func checkExtensions(_ slots: [Slot], of asset: AssetSet) -> [Diagnostic] {
  var found: [Diagnostic] = []
  if let slot = slots.first(where: { $0.key.contentSize != .any }) {
    found.append(
      Diagnostic(
        .carveExtension,
        "\"content-size\" is an extension of Carve: Apple's run time shows the entries without it",
        file: asset.contentsFile, pointer: slot.pointer + "/content-size"))
  }
  if case .images = asset.contents, let slot = slots.first(where: { $0.isNothing }) {
    found.append(
      Diagnostic(
        .carveExtension,
        "\"no-content\" is an extension of Carve: Apple's run time shows another entry here",
        file: asset.contentsFile, pointer: slot.pointer + "/no-content"))
  }
  return found
}

private func checkLocales(_ slots: [Slot], of asset: AssetSet) -> [Diagnostic] {
  switch asset.contents {
  case .images(let set) where !set.isLocalizable: break
  case .colors(let set) where !set.isLocalizable: break
  default: return []
  }
  guard let slot = slots.first(where: { $0.locale != nil }) else { return [] }
  return [
    Diagnostic(
      .localeNotLocalizable,
      "the entry has a locale, and \"localizable\" is not set in \"properties\"",
      file: asset.contentsFile, pointer: slot.pointer + "/locale")
  ]
}

extension Slot {
  /// The variant in words: "iphone, 2x, dark".
  package var words: String {
    var words = [idiom]
    if let scale { words.append("\(scale)x") }
    if key.subtype != 0 { words.append("display \(key.subtype)") }
    if key.style != .any { words.append(key.style.name) }
    if key.contrast == .high { words.append("high contrast") }
    if key.width != .any { words.append("\(key.width.name) width") }
    if key.height != .any { words.append("\(key.height.name) height") }
    if key.direction != .none { words.append(key.direction.name) }
    if key.gamut == .p3 { words.append("P3") }
    if key.memory != 0 { words.append("\(key.memory) GB") }
    if key.contentSize != .any { words.append("text \(key.contentSize.name)") }
    if key.graphics != .gles2 { words.append(key.graphics.name) }
    if let locale { words.append(locale) }
    if let platform { words.append(platform.names.catalog) }
    return words.joined(separator: ", ")
  }
}
