// The languages of variants: leaves out those that the run does not ask for, and names those that
// catalogues have.

import CatalogModel

extension BuildStep {
  /// Removes the variants for languages that were not requested. Variants without a language stay.
  func keepLanguages(_ contents: inout CatalogContents) {
    if request.languages.isEmpty { return }
    let wanted = request.languages.map { $0.lowercased() }
    func isKept(_ slot: Slot) -> Bool {
      guard let locale = slot.locale?.lowercased() else { return true }
      return wanted.contains { $0 == locale || $0.isRegion(of: locale) || locale.isRegion(of: $0) }
    }
    for index in contents.assets.indices { contents.assets[index].keep(isKept) }
  }
}

extension String {
  /// Returns whether the text is a region of a language, as "pt-br" is of "pt".
  fileprivate func isRegion(of language: String) -> Bool { hasPrefix(language + "-") }
}

extension AssetSet {
  /// Leaves out variants of the set and of its parts.
  fileprivate mutating func keep(_ isKept: (Slot) -> Bool) {
    contents.keep(isKept)
    for index in children.indices { children[index].keep(isKept) }
  }

  /// The languages of the variants in the set and in its parts.
  var locales: [String] { contents.locales + children.flatMap(\.locales) }
}

extension AssetContents {
  fileprivate mutating func keep(_ isKept: (Slot) -> Bool) {
    switch self {
    case .images(var set):
      set.entries.removeAll { !isKept($0.slot) }
      self = .images(set)
    case .colors(var set):
      set.entries.removeAll { !isKept($0.slot) }
      self = .colors(set)
    case .data(var set):
      set.entries.removeAll { !isKept($0.slot) }
      self = .data(set)
    case .symbols(var set):
      set.entries.removeAll { !isKept($0.slot) }
      self = .symbols(set)
    case .appIcons, .icons, .iconBundle, .launchImages, .spriteAtlas, .textures, .mipmaps,
      .imageStack, .imageStackLayer, .brandAssets, .complications, .stickerPack, .sticker,
      .stickerSequence, .stickersIcons, .arGroup, .arImage, .arObject, .gameCenter:
      return
    }
  }

  fileprivate var locales: [String] {
    switch self {
    case .images(let set): set.entries.compactMap(\.slot.locale)
    case .colors(let set): set.entries.compactMap(\.slot.locale)
    case .data(let set): set.entries.compactMap(\.slot.locale)
    case .symbols(let set): set.entries.compactMap(\.slot.locale)
    case .appIcons, .icons, .iconBundle, .launchImages, .spriteAtlas, .textures, .mipmaps,
      .imageStack, .imageStackLayer, .brandAssets, .complications, .stickerPack, .sticker,
      .stickerSequence, .stickersIcons, .arGroup, .arImage, .arObject, .gameCenter:
      []
    }
  }
}
