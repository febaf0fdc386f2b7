// Makes assets from the folders that were read: it adds namespaces to names, applies the inherited
// properties of groups, and puts parts into the assets that contain them. Then it merges the assets
// of several catalogues. It runs on one thread, in the order of the folders, so that the asset of
// the first listed catalogue wins; a finding names both places.

import Bytes
import Documents
import Host

struct Assembly {
  private let folders: [Folder]
  private let readings: [FolderReading]
  private var children: [[Int]]
  private(set) var assets: [AssetSet] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The folders that were left out with everything in them. What is wrong in them has no effect.
  private(set) var leftOut: Set<Int> = []

  /// The properties that a folder inherits.
  private struct Context {
    var namespace: ByteString = ""
    var compression: CompressionType?
    var tags: [ByteString] = []
    var atlas: ByteString?
    /// The type of the set that contains the folder.
    var outer: SetType?

    /// Adds the properties of a group. The name of a catalogue is empty.
    mutating func add(_ group: FolderReading, named name: ByteString) {
      if group.providesNamespace, !name.isEmpty { namespace += name + "/" }
      compression = group.compression ?? compression
      tags += group.onDemandTags
    }
  }

  init(_ folders: [Folder], _ readings: [FolderReading]) {
    self.folders = folders
    self.readings = readings
    children = [[Int]](repeating: [], count: folders.count)
    for (index, folder) in folders.enumerated() {
      if let parent = folder.parent { children[parent].append(index) }
    }
    for (index, folder) in folders.enumerated() where folder.parent == nil {
      enter(index, Context())
    }
  }

  /// Adds the assets of a folder and of the folders below it. The recursion is bounded, because the
  /// walk left out folders that are too deep.
  private mutating func enter(_ index: Int, _ context: Context) {
    let folder = folders[index]
    if folder.isUnread { return }
    switch FolderRole(of: folder) {
    case .catalog: enterGroup(index, context, name: "")
    case .group: enterGroup(index, context, name: folder.name)
    case .unknown(let suffix): enterUnknown(index, suffix: suffix, in: context)
    case .set(let type): enterSet(index, of: type, in: context)
    }
  }

  private mutating func enterGroup(_ index: Int, _ context: Context, name: ByteString) {
    var context = context
    context.add(readings[index], named: name)
    if readings[index].providesNamespace { reportUnprintable(name, folders[index]) }
    for child in children[index] { enter(child, context) }
  }

  private mutating func enterUnknown(
    _ index: Int, suffix: ByteString, in context: Context
  ) {
    let folder = folders[index]
    let nearest = nearest(to: suffix.text, in: SetType.allCases.map(\.rawValue))
    let holdsSets = children[index].contains { child in
      switch FolderRole(of: folders[child]) {
      case .set: true
      // A layered icon has a folder of pictures, too.
      case .group: nearest != SetType.iconBundle.rawValue
      case .catalog, .unknown: false
      }
    }
    guard readings[index].isGroupLike, holdsSets || !hasFiles(folder) else {
      let advice = nearest.map { "; did you mean \".\($0)\"?" } ?? ""
      diagnostics.append(
        Diagnostic(
          .unknownSetType, "\(quoted("." + suffix)) is not a type of asset\(advice)",
          file: folder.path))
      leaveOut(index)
      return
    }
    diagnostics.append(
      Diagnostic(
        .dottedGroup, "\(quoted(folder.name)) is read as a group; its name contains a dot",
        file: folder.path))
    enterGroup(index, context, name: folder.name)
  }

  private mutating func leaveOut(_ index: Int) {
    leftOut.insert(index)
    for child in children[index] { leaveOut(child) }
  }

  private func hasFiles(_ folder: Folder) -> Bool {
    folder.entries.contains {
      $0.kind == .file && $0.name != "Contents.json" && !$0.name.isHidden
    }
  }

  private mutating func enterSet(_ index: Int, of type: SetType, in context: Context) {
    let folder = folders[index]
    reportSpelling(of: folder, type)
    reportUnprintable(withoutExtension(folder.name), folder)
    if let outer = context.outer, !outer.canHold(type) {
      diagnostics.append(
        Diagnostic(
          .nestedSet,
          "the folder lies in a .\(outer.rawValue), which cannot hold a .\(type.rawValue)",
          file: folder.path))
    }
    let set = Assembly.makeSet(of: folder, readings[index], type, in: context)
    var inner = context
    inner.tags += readings[index].onDemandTags
    inner.outer = type
    if type == .spriteAtlas {
      inner.outer = nil
      inner.atlas = set?.name
      inner.compression = readings[index].compression ?? context.compression
      if readings[index].providesNamespace {
        inner.namespace += withoutExtension(folder.name) + "/"
      }
    }
    // The sets that a set can hold become its parts, and any others become assets after it.
    let firstPart = assets.count
    for child in children[index] {
      if readings[index].foldersAsFiles.contains(folders[child].path) {
        // The reader of the set has reported the folder.
        leaveOut(child)
      } else {
        enter(child, inner)
      }
    }
    guard var set else {
      // Another finding says why the set is left out. Its parts are no assets without it.
      if type != .spriteAtlas, assets.count > firstPart {
        let others = assets[firstPart...].filter { !type.canHold($0.type) }
        assets.removeSubrange(firstPart...)
        assets += others
      }
      return
    }
    // The pictures of an atlas are assets of their own.
    if type != .spriteAtlas, assets.count > firstPart {
      // A slice of the array would make the next change copy all assets.
      let inside = Array(assets[firstPart...])
      set.children = inside.filter { type.canHold($0.type) }
      assets.removeSubrange(firstPart...)
      assets += inside.filter { !type.canHold($0.type) }
    }
    assets.insert(set, at: firstPart)
  }

  private mutating func reportSpelling(of folder: Folder, _ type: SetType) {
    guard !folder.name.hasSuffix(".\(type.rawValue)") else { return }
    diagnostics.append(
      Diagnostic(
        .misspelledSetType, "the extension is spelled \(quoted("." + type.rawValue))",
        file: folder.path))
  }

  /// Reports a name that looks like another one.
  private mutating func reportUnprintable(_ name: ByteString, _ folder: Folder) {
    let scalars = name.text.unicodeScalars
    let what: String
    if let control = scalars.first(where: isControl) {
      let number = String(control.value, radix: 16, uppercase: true)
      let zeros = String(repeating: "0", count: max(0, 4 - number.count))
      what = "has the control character U+\(zeros)\(number)"
    } else if scalars.first?.properties.isWhitespace == true {
      what = "begins with a blank"
    } else if scalars.last?.properties.isWhitespace == true {
      what = "ends with a blank"
    } else {
      return
    }
    diagnostics.append(
      Diagnostic(
        .unprintableName, "the name \(quoted(name)) \(what), without which apps do not find it",
        file: folder.path))
  }

  private static func makeSet(
    of folder: Folder, _ reading: FolderReading, _ type: SetType, in context: Context
  ) -> AssetSet? {
    guard var contents = reading.contents else { return nil }
    contents.inherit(context.compression)
    var set = AssetSet(
      name: context.namespace + withoutExtension(folder.name), type: type, folder: folder.path,
      catalog: folder.catalog, contents: contents)
    set.onDemandTags = context.tags + reading.onDemandTags
    set.hasUnreadEntries = reading.hasUnreadEntries
    set.isFixable = reading.isFixable
    set.leavesOutEntries = reading.leavesOutEntries
    set.atlas = context.atlas
    return set
  }
}

extension Assembly {
  /// Returns the asset of a set that lies in groups only, as the assembly of all folders makes it;
  /// nil if its folder has none.
  static func asset(
    at index: Int, of folders: [Folder], _ readings: [FolderReading]
  ) -> AssetSet? {
    guard case .set(let type) = FolderRole(of: folders[index]) else { return nil }
    var context = Context()
    let groups = sequence(first: index, next: { folders[$0].parent }).dropFirst()
    for group in groups.reversed() {
      let isCatalog = folders[group].parent == nil
      context.add(readings[group], named: isCatalog ? "" : folders[group].name)
    }
    return makeSet(of: folders[index], readings[index], type, in: context)
  }
}

extension AssetContents {
  /// Gives the compression of the groups above to the entries that name none.
  fileprivate mutating func inherit(_ compression: CompressionType?) {
    guard let compression else { return }
    switch self {
    case .images(var set):
      for index in set.entries.indices where set.entries[index].compression == nil {
        set.entries[index].compression = compression
      }
      self = .images(set)
    case .data(var set):
      for index in set.entries.indices where set.entries[index].compression == nil {
        set.entries[index].compression = compression
      }
      self = .data(set)
    case .spriteAtlas(var atlas):
      atlas.compression = atlas.compression ?? compression
      self = .spriteAtlas(atlas)
    case .colors, .symbols, .appIcons, .icons, .iconBundle, .launchImages, .textures, .mipmaps,
      .imageStack, .imageStackLayer, .brandAssets, .complications, .stickerPack, .sticker,
      .stickerSequence, .stickersIcons, .arGroup, .arImage, .arObject, .gameCenter:
      break
    }
  }
}

extension SetType {
  /// Returns whether a set of that type may lie inside of a set of this type.
  func canHold(_ type: SetType) -> Bool {
    switch self {
    case .textureSet, .cubeTextureSet: type == .mipmapSet
    case .imageStack: type == .imageStackLayer
    case .solidImageStack: type == .solidImageStackLayer
    case .imageStackLayer, .solidImageStackLayer, .complicationSet: type == .imageSet
    case .leaderboard, .leaderboardSet, .dashboardImage: type == .imageStack || type == .imageSet
    case .brandAssets: type == .imageStack || type == .imageSet
    case .stickerPack: type == .sticker || type == .stickerSequence
    case .arResourceGroup: type == .arReferenceImage || type == .arObject
    case .spriteAtlas: type == .imageSet
    case .imageSet, .colorSet, .dataSet, .symbolSet, .appIconSet, .iconSet, .iconBundle,
      .launchImage, .mipmapSet, .sticker, .stickerSequence, .stickersIconSet, .arReferenceImage,
      .arObject:
      false
    }
  }
}

// MARK: - Merging

/// A key that is equal for two names that differ only in case or in their form of Unicode.
private struct FoldedName: Hashable {
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
    var seen: [FoldedName: AssetSet] = [:]
    for asset in assets {
      let key = FoldedName(name: asset.name.lowercased().canonicalForm, type: asset.type)
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
