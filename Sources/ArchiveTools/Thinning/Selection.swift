// What of an archive is copied: the decision of the rule, and what follows from it for atlases and
// tables of icon sizes, which nobody asks for but which live on in what is kept. What a table or an
// atlas that lost members becomes is in SizeTables.swift and Atlases.swift.

import Archive
import Traits

/// An atlas and the pictures in it that are asked for by name.
struct AtlasMembers {
  /// Indices of the links that are kept.
  var kept: [Int] = []
  var droppedCount = 0
}

package struct Selection: Sendable {
  /// By entry of the inventory.
  package private(set) var isKept: [Bool]
  /// Entries that the rule dropped and their own flag keeps.
  package private(set) var optedOut: [Int] = []
  /// Atlases that keep some of their members and lose others, with the links that stay.
  package private(set) var shrunkAtlases: [(atlas: Int, links: [Int])] = []
  /// Tables of icon sizes that lose some of their rows.
  package private(set) var shrunkTables: [(table: Int, sizes: MultisizePayload)] = []
  /// Where each picture of an atlas lies.
  private(set) var placeOfLink: [Int: AtlasPlace] = [:]

  /// What thinning to a decision copies.
  package init(
    _ decision: Decision, of inventory: Inventory, in archive: Archive
  ) throws(FormatError) {
    var isKept = [Bool](repeating: false, count: inventory.entries.count)
    for group in inventory.groups {
      let kept = decision.kept[group.signature]
      for (ordinal, member) in inventory.members[group.members].enumerated() {
        isKept[member] = kept[ordinal]
      }
    }
    try self.init(keeping: isKept, of: inventory, in: archive)
  }

  /// What is copied where it was decided for each entry that is asked for; the others follow.
  init(
    keeping members: [Bool], of inventory: Inventory, in archive: Archive
  ) throws(FormatError) {
    isKept = members
    for (entry, _) in inventory.whole { isKept[entry] = true }
    selectOptedOut(inventory)
    if !inventory.atlases.isEmpty { try selectAtlases(inventory, archive) }
    for table in inventory.sizeTables { try select(table: table, inventory, archive) }
  }

  private mutating func selectOptedOut(_ inventory: Inventory) {
    for member in inventory.members
    where !isKept[member] && inventory.outlines[member].flags.contains(.keptWhenThinning) {
      isKept[member] = true
      optedOut.append(member)
    }
  }

  private mutating func selectAtlases(
    _ inventory: Inventory, _ archive: Archive
  ) throws(FormatError) {
    var numberOfAtlas: [RenditionKey: Int] = [:]
    var members: [Int: AtlasMembers] = [:]
    for atlas in inventory.atlases {
      numberOfAtlas[inventory.entries[atlas].key] = atlas
      // Whatever else has the element of atlases is none that could be taken apart.
      isKept[atlas] = inventory.outlines[atlas].layout != .atlas
    }
    for index in inventory.entries.indices {
      guard inventory.outlines[index].layout == .internalLink,
        let link = try archive.rendition(inventory.entries[index]).link(),
        let atlas = numberOfAtlas[link.target]
      else { continue }
      placeOfLink[index] = AtlasPlace(link, in: atlas)
      if isKept[index] {
        members[atlas, default: AtlasMembers()].kept.append(index)
      } else {
        members[atlas, default: AtlasMembers()].droppedCount += 1
      }
    }
    for atlas in inventory.atlases {
      guard let links = members[atlas], !links.kept.isEmpty else { continue }
      if !isKept[atlas], links.droppedCount > 0 { shrunkAtlases.append((atlas, links.kept)) }
      isKept[atlas] = true
    }
  }

  private mutating func select(
    table: Int, _ inventory: Inventory, _ archive: Archive
  ) throws(FormatError) {
    let rendition = try archive.rendition(inventory.entries[table])
    guard let sizes = try MultisizePayload(rendition.payload) else {
      isKept[table] = true
      return
    }
    let rows = sizes.sizes.map { size in
      inventory.icons(of: table, index: size.index)
    }
    // A table without a single picture is not ours to judge.
    if rows.allSatisfy(\.isEmpty) {
      isKept[table] = true
      return
    }
    let left = zip(sizes.sizes, rows).filter { _, icons in icons.contains { isKept[$0] } }
    isKept[table] = !left.isEmpty
    if !left.isEmpty, left.count < rows.count {
      shrunkTables.append((table, MultisizePayload(left.map(\.0))))
    }
  }
}

extension Inventory {
  /// The pictures that a row of a table of icon sizes stands for: those with the table's own traits,
  /// or where there are none, those with its idiom, or else any of the size.
  fileprivate func icons(of table: Int, index: UInt32) -> [Int] {
    let key = entries[table].key
    let icons = groups(identifier: key.identifier)
      .filter { $0.shared.part == Part.icon && UInt32($0.shared.dimension2) == index }
      .flatMap { members[$0.members] }
    let own = icons.filter { icon in
      entries[icon].key.regardlessOfDisplay == key.regardlessOfDisplay
    }
    if !own.isEmpty { return own }
    let related = icons.filter { icon in
      entries[icon].key[.idiom] == key[.idiom] && entries[icon].key[.subtype] == key[.subtype]
    }
    return related.isEmpty ? icons : related
  }

  /// The groups with an identifier: they stand together.
  private func groups(identifier: UInt16) -> ArraySlice<VariantGroup> {
    let first = groups.partitioningIndex { $0.shared.identifier >= identifier }
    let end = groups.partitioningIndex { $0.shared.identifier > identifier }
    return groups[first..<end]
  }
}

extension RenditionKey {
  /// What a table of icon sizes shares with its pictures.
  fileprivate var regardlessOfDisplay: RenditionKey {
    var copy = self
    for attribute: RenditionAttribute in [
      .part, .dimension1, .dimension2, .scale, .displayGamut, .deploymentTarget, .memoryClass,
      .graphicsClass,
    ] { copy[attribute] = 0 }
    return copy
  }
}
