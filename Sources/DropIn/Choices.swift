// Selects parts of the catalogues: variants by language, sets of tags, and the tree for a listing.

import Bytes
import CatalogModel
import Documents
import Host
import Traits

extension BuildStep {
  /// Removes the variants for languages that were not requested. Variants without a language stay.
  func keepLanguages(_ contents: inout CatalogContents) {
    if request.languages.isEmpty { return }
    let wanted = request.languages.map { $0.lowercased() }
    func isKept(_ slot: Slot) -> Bool {
      guard let locale = slot.locale?.lowercased() else { return true }
      return wanted.contains { $0 == locale || $0.isRegion(of: locale) || locale.isRegion(of: $0) }
    }
    for index in contents.assets.indices {
      contents.assets[index].contents.keep(isKept)
    }
  }

  /// Returns the different sets of tags. Xcode makes a pack for each.
  func tagCombinations(_ assets: [AssetSet]) -> [[ByteString]] {
    Set(assets.map { sortedTags($0) }.filter { !$0.isEmpty }).sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }
}

extension String {
  /// Returns whether the text is a region of a language, as "pt-br" is of "pt".
  fileprivate func isRegion(of language: String) -> Bool { hasPrefix(language + "-") }
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
    default: return
    }
  }

  /// The languages of the variants in the set.
  var locales: [String] {
    switch self {
    case .images(let set): set.entries.compactMap(\.slot.locale)
    case .colors(let set): set.entries.compactMap(\.slot.locale)
    case .data(let set): set.entries.compactMap(\.slot.locale)
    case .symbols(let set): set.entries.compactMap(\.slot.locale)
    default: []
    }
  }
}

func sortedTags(_ asset: AssetSet) -> [ByteString] { Set(asset.onDemandTags).sorted() }

/// Returns a folder of a catalogue with its contents, in the form of `--print-contents`.
func catalogTree(_ path: ByteString, in tree: FileTree, depth: Int = 0) -> PropertyValue {
  var members: [ByteString: PropertyValue] = ["filename": .name(lastComponent(path))]
  let entries = depth < 32 ? (try? tree.list(path)) ?? [] : []
  let folders = entries.filter { $0.kind == .folder && !$0.isLink && !$0.name.isHidden }
  var children = folders.map { catalogTree(joined(path, $0.name), in: tree, depth: depth + 1) }
  if let root = contentsFile(of: path, in: tree) {
    if root["properties"]?["provides-namespace"] == .bool(true) {
      members["provides-namespace"] = .boolean(true)
    }
    if case .array(let images)? = root["images"] {
      children += images.map { .dictionary(imageMembers($0)) }
    }
    if case .string(let name)? = root["properties"]?["content-reference"]?["name"] {
      members["contentReference"] = .name(name)
    }
  }
  if !children.isEmpty { members["children"] = .array(children) }
  return .dictionary(members)
}

private func contentsFile(of folder: ByteString, in tree: FileTree) -> JSONValue? {
  guard let bytes = try? tree.read(joined(folder, "Contents.json"), 1 << 24) else { return nil }
  return try? parseJSON(bytes)
}

private func imageMembers(_ entry: JSONValue) -> [ByteString: PropertyValue] {
  var members: [ByteString: PropertyValue] = [:]
  for key: ByteString in ["filename", "scale", "idiom"] {
    if case .string(let value)? = entry[key] { members[key] = .name(value) }
  }
  return members
}
