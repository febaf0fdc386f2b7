// The entries of all set types as one type, for what is checked and listed in the same way for all.

import Traits

/// The common properties of the entries of all set types.
struct SetEntry {
  var slot: Slot
  var file: SourceFile?
  /// A value that distinguishes two entries with equal keys: a size, a role, a level.
  var distinction = ""

  var isUnassigned: Bool { slot.isUnassigned }
}

extension AssetContents {
  var entries: [SetEntry] {
    switch self {
    case .images(let set):
      set.entries.map { SetEntry(slot: $0.slot, file: $0.file) }
    case .data(let set): set.entries.map { SetEntry(slot: $0.slot, file: $0.file) }
    case .symbols(let set): set.entries.map { SetEntry(slot: $0.slot, file: $0.file) }
    case .appIcons(let set), .stickersIcons(let set): set.entries.map { $0.common }
    case .launchImages(let set):
      set.entries.map { entry in
        SetEntry(
          slot: entry.slot, file: entry.file,
          distinction: [entry.orientation, entry.extent, entry.minimumSystemVersion]
            .map { $0 ?? "" }.joined(separator: " "))
      }
    case .arImage(let set):
      set.entries.map { SetEntry(slot: $0.slot, file: $0.file) }
    case .mipmaps(let set):
      set.levels.map { SetEntry(slot: $0.slot, file: $0.file, distinction: "\($0.level)") }
    case .colors, .icons, .iconBundle, .spriteAtlas, .textures, .imageStack, .imageStackLayer,
      .brandAssets, .complications, .stickerPack, .sticker, .stickerSequence, .arGroup, .arObject,
      .gameCenter:
      []
    }
  }
}

extension AssetContents {
  /// The slots of the entries. Those of colours have no files.
  var slots: [Slot] {
    if case .colors(let set) = self { return set.entries.map(\.slot) }
    return entries.map(\.slot)
  }
}

extension AssetSet {
  /// The files of the entries with their slots, of entries that are compiled.
  package var slotFiles: [(slot: Slot, file: SourceFile)] {
    contents.entries.compactMap { entry in
      entry.isUnassigned ? nil : entry.file.map { (entry.slot, $0) }
    }
  }
}

extension AppIconEntry {
  fileprivate var common: SetEntry {
    let side = size.map { "\($0.width)x\($0.height)" } ?? ""
    return SetEntry(
      slot: slot, file: file, distinction: "\(side) \(role ?? "")")
  }
}
