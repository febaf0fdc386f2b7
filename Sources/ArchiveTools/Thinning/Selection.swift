// Selects the entries of an archive that thinning copies. It begins with the variants that the rule
// keeps, and then decides about the carriers: atlases and tables of icon sizes, which no program
// looks up but which kept pictures need.
//
// 1. A variant is kept if the decision keeps its key.
// 2. Entries about which the rule does not decide are kept, and variants with the flag
//    `keptWhenThinning`.
// 3. An atlas is kept if a picture in it is kept. If other pictures in it were dropped, it can be
//    packed again.
// 4. A row of a table of icon sizes is kept if one of its icons is kept; a table is kept if one of
//    its rows is.
//
// An example:
//
//     atlas   Home 2x      kept
//             Back 2x      dropped         the atlas stays, without Back if that saves bytes
//     table   60 × 60      icons kept
//             76 × 76      icons dropped   the table stays, with the row of 60 × 60 alone
//
// AtlasRepacker.swift packs the atlases again; ThinningPlan.swift makes the new tables.

import Archive
import Traits

/// The entries that are copied, and the carriers that lose a part.
package struct Selection: Sendable {
  /// For each entry of the inventory, whether it is copied.
  package private(set) var isKept: [Bool]
  /// The entries that the rule drops but that are kept because of their flag.
  package private(set) var optedOut: [Int] = []
  /// The atlases that keep some of their pictures and lose others, with the links that are kept.
  private(set) var shrunkAtlases: [ShrunkAtlas] = []
  /// The tables of icon sizes that lose some of their rows, with the rows that are kept.
  package private(set) var shrunkTables: [(table: Int, sizes: MultisizePayload)] = []

  /// The pictures in atlases, kept or not.
  let links: [AtlasLink]

  /// Selects the entries for a decision of the rule.
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

  /// Selects the entries if it is already decided which variants are kept; the other entries follow
  /// from them.
  init(
    keeping isKept: [Bool], of inventory: Inventory, in archive: Archive
  ) throws(FormatError) {
    self.isKept = isKept
    links = try inventory.links.get()
    for (entry, _) in inventory.alwaysKept { self.isKept[entry] = true }
    selectOptedOut(inventory)
    selectAtlases(inventory)
    for table in inventory.sizeTables { try select(table: table, inventory, archive) }
  }

  private mutating func selectOptedOut(_ inventory: Inventory) {
    for member in inventory.members
    where !isKept[member] && inventory.outlines[member].flags.contains(.keptWhenThinning) {
      isKept[member] = true
      optedOut.append(member)
    }
  }

  private mutating func selectAtlases(_ inventory: Inventory) {
    for atlas in inventory.atlases {
      // An entry with the element of atlases but another layout cannot be taken apart, so it is
      // kept.
      isKept[atlas] = inventory.outlines[atlas].layout != .atlas
    }
    var shrunk: [Int: ShrunkAtlas] = [:]
    for link in links {
      let atlas = link.frame.atlas
      shrunk[atlas, default: ShrunkAtlas(atlas: atlas)].add(link, isKept: isKept[link.entry])
    }
    for atlas in inventory.atlases {
      guard let kept = shrunk[atlas], !kept.links.isEmpty else { continue }
      if !isKept[atlas], kept.droppedCount > 0 { shrunkAtlases.append(kept) }
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
    // If the archive has no icon for any row, nothing is known about the table, so it is kept.
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
  /// Returns the icons of a row of a table of icon sizes: those with the table's own traits; if no
  /// icon has them, those with its idiom and subtype; otherwise all of this size.
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

  /// Returns the groups with an identifier. They are neighbours, because groups are sorted.
  private func groups(identifier: UInt16) -> ArraySlice<VariantGroup> {
    let first = groups.partitioningIndex { $0.shared.identifier >= identifier }
    let end = groups.partitioningIndex { $0.shared.identifier > identifier }
    return groups[first..<end]
  }
}

extension RenditionKey {
  /// The key without the attributes in which a table of icon sizes differs from its icons.
  fileprivate var regardlessOfDisplay: RenditionKey {
    var copy = self
    for attribute: RenditionAttribute in [
      .part, .dimension1, .dimension2, .scale, .displayGamut, .deploymentTarget, .memoryClass,
      .graphicsClass,
    ] { copy[attribute] = 0 }
    return copy
  }
}
