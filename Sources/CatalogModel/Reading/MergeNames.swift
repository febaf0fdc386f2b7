// Merges the assets of several catalogues into one list. If two assets have one name, the first
// listed wins, and a finding names both places.

import Bytes
import Documents

/// A key that is equal for two names that differ only in case or in their form of Unicode.
private struct LikeName: Hashable {
  var name: ByteString.CanonicalForm
  var type: SetType
}

struct NameMerge {
  private(set) var assets: [AssetSet] = []
  private(set) var diagnostics: [Diagnostic] = []

  /// Merges assets. Earlier assets win over later ones.
  init(_ all: [AssetSet]) {
    let order = all.indices.sorted { a, b in
      if all[a].name != all[b].name { return all[a].name < all[b].name }
      if all[a].type != all[b].type { return all[a].type.rawValue < all[b].type.rawValue }
      return a < b
    }
    for index in order {
      let asset = all[index]
      if let first = assets.last, first.name == asset.name, first.type == asset.type {
        reportClash(asset, with: first)
      } else {
        assets.append(asset)
      }
    }
    reportSharedNames()
    reportLikeNames()
  }

  private mutating func reportClash(_ asset: AssetSet, with first: AssetSet) {
    let place = first.catalog == asset.catalog ? "in this catalogue" : "in an earlier catalogue"
    diagnostics.append(
      Diagnostic(
        .nameClash,
        "\(quoted(asset.name)) is left out: another .\(asset.type.rawValue) \(place) has that name",
        file: asset.folder, notes: [Note("this set is compiled", file: first.folder)]))
  }

  private mutating func reportSharedNames() {
    for (first, second) in zip(assets, assets.dropFirst()) where first.name == second.name {
      let types: Set = [first.type, second.type]
      if types == [.appIconSet, .iconBundle] {
        let set = first.type == .appIconSet ? first : second
        let icon = first.type == .appIconSet ? second : first
        diagnostics.append(
          Diagnostic(
            .iconShadowsAppIcon,
            "\(quoted(set.name)) is also the name of a layered icon, which Apple's tool prefers",
            file: set.folder, notes: [Note("the layered icon", file: icon.folder)]))
      } else {
        diagnostics.append(
          Diagnostic(
            .nameSharedByTypes,
            "\(quoted(second.name)) is the name of a .\(second.type.rawValue) and of a "
              + ".\(first.type.rawValue)",
            file: second.folder, notes: [Note("the other set", file: first.folder)]))
      }
    }
  }

  /// Reports names that are equal for some file systems: those that ignore case, and those that
  /// normalise Unicode.
  private mutating func reportLikeNames() {
    var seen: [LikeName: AssetSet] = [:]
    for asset in assets {
      let key = LikeName(name: asset.name.lowercased().canonicalForm, type: asset.type)
      guard let first = seen[key] else {
        seen[key] = asset
        continue
      }
      let isEquivalent = asset.name.canonicalForm == first.name.canonicalForm
      let names = "\(quoted(asset.name)) and \(quoted(first.name))"
      diagnostics.append(
        Diagnostic(
          isEquivalent ? .equivalentNames : .nameDiffersInCase,
          isEquivalent
            ? "\(names) are one name in two forms of Unicode" : "\(names) differ in case only",
          file: asset.folder, notes: [Note("the other set", file: first.folder)]))
    }
  }
}
