// Adds the assets of another archive to the one that is edited. Names that both have stay as they
// are. The numbers of names, appearances, languages and atlases of the other archive are changed
// only if they are in use.

import Archive
import Bytes
import Documents
import Traits

/// The result of adding an archive to another.
package struct MergeResult: Sendable {
  package var added: [ByteString] = []
  /// The names that both archives have; those of the first stay.
  package var clashes: [ByteString] = []

  /// A sentence about the names of the other archive that were left out; nil if all were added.
  package func note(about path: ByteString) -> String? {
    if clashes.isEmpty { return nil }
    let are = clashes.count == 1 ? "is" : "are"
    return "\(counted(clashes.count, "name")) of \(onOneLine(path)) \(are) left out, because the "
      + "archive has \(clashes.count == 1 ? "it" : "them"): "
      + firstWords(clashes.map { "'\(onOneLine($0))'" })
  }
}

extension ArchiveEditor {
  /// Adds the assets of another archive whose names are not in use. The caller keeps the bytes of
  /// the other archive alive and unchanged.
  @discardableResult
  package mutating func merge(
    _ other: UnsafeRawBufferPointer
  ) throws(EditError) -> MergeResult {
    let other = try EditError.reading { () throws(FormatError) in
      let archive = try Archive(other)
      // The archive must be one that the tools read at all: its blocks may not overlap.
      _ = try Inventory(archive)
      return try ArchiveEdit(archive)
    }
    try checkPlatform(of: other.archive)
    try changeNamesInBlocks()
    var merging = Merging(of: other, into: edit)
    let result = merging.chooseNames()
    // The tables of the other archive are needed only for its assets.
    if result.added.isEmpty { return result }
    try EditError.reading { () throws(FormatError) in
      try merging.gatherParts()
      merging.bringNumbersTogether()
    }
    if merging.isFull {
      throw .refused("one archive can hold at most 65,535 names; merge fewer archives")
    }
    let (merged, keys) = try EditError.reading { () throws(FormatError) in try merging.merged() }
    edit = merged
    searchForNamesAgain()
    intent.added.formUnion(keys)
    intent.addedNames.formUnion(result.added)
    return result
  }

  /// Throws if the archives are for different platforms.
  private func checkPlatform(of other: Archive) throws(EditError) {
    let (mine, theirs) = try EditError.reading { () throws(FormatError) in
      (try archive.metadata()?.platform, try other.metadata()?.platform)
    }
    if let mine, let theirs, mine != theirs {
      throw .refused("the archives are for different platforms: \(mine) and \(theirs)")
    }
    if archive.header.keySemantics != other.header.keySemantics {
      throw .refused("the archives number their keys differently, as those of different platforms")
    }
  }
}

/// Numbers of 16 bits, of which some are in use.
private struct FreeNumbers {
  private var isTaken = [Bool](repeating: false, count: 1 << 16)
  /// All smaller numbers except 0 are in use.
  private var lowest = 1

  init(without taken: [UInt16]) {
    for number in taken { isTaken[Int(number)] = true }
  }

  /// Takes the first of these numbers that is free, otherwise the lowest one; nil if all numbers
  /// are in use.
  mutating func take(_ wanted: [UInt16]) -> UInt16? {
    for number in wanted where !isTaken[Int(number)] {
      isTaken[Int(number)] = true
      return number
    }
    while lowest < isTaken.count, isTaken[lowest] { lowest += 1 }
    guard lowest < isTaken.count else { return nil }
    isTaken[lowest] = true
    return UInt16(lowest)
  }
}

/// The assets of an archive on their way into another.
private struct Merging {
  private let other: ArchiveEdit
  private var edit: ArchiveEdit
  private var chosen: [Facet] = []
  private var freeIdentifiers: FreeNumbers
  /// The new identifiers by the old ones, for everything that is added or that has a name in both.
  private var identifiers: [UInt16: UInt16] = [:]
  private var added: Set<UInt16> = []
  private var appearances: [UInt16: UInt16] = [:]
  private var localizations: [UInt16: UInt16] = [:]
  /// The new keys of the atlases that are added, by the old ones.
  private var atlases: [RenditionKey: RenditionKey] = [:]
  private(set) var isFull = false

  init(of other: ArchiveEdit, into edit: ArchiveEdit) {
    (self.other, self.edit) = (other, edit)
    freeIdentifiers = FreeNumbers(
      without: [0] + edit.facets.compactMap(\.identifier) + edit.renditions.map(\.key.identifier))
  }

  /// Chooses the assets whose names are free.
  mutating func chooseNames() -> MergeResult {
    var result = MergeResult()
    let mine = Dictionary(edit.facets.map { ($0.name, $0) }) { first, _ in first }
    for facet in other.facets {
      if let known = mine[facet.name] {
        result.clashes.append(facet.name)
        if let old = facet.identifier, let new = known.identifier { identifiers[old] = new }
      } else {
        result.added.append(facet.name)
        chosen.append(facet)
        if let identifier = facet.identifier { added.insert(identifier) }
      }
    }
    // A name may lead to the renditions of a name that both have.
    added.subtract(identifiers.keys)
    return result
  }

  /// Adds the parts without a name that the chosen assets need, and the atlases.
  mutating func gatherParts() throws(FormatError) {
    var rest = other.renditions
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      var later: [ArchiveEdit.Entry] = []
      for entry in rest {
        guard added.contains(entry.key.identifier), !entry.key.isAtlas else {
          later.append(entry)
          continue
        }
        let needed = try other.withBytes(of: entry.block) {
          (bytes) throws(FormatError) -> [RenditionKey] in
          let rendition = try Rendition(bytes)
          return try rendition.references() + rendition.layerKeys()
        }
        for key in needed {
          if key.element == Element.atlas {
            atlases[key] = key
          } else if identifiers[key.identifier] == nil, added.insert(key.identifier).inserted {
            isGrowing = true
          }
        }
      }
      rest = later
    }
  }

  /// Chooses the numbers of identifiers, appearances, languages and atlases.
  mutating func bringNumbersTogether() {
    var names: [UInt16: ByteString] = [:]
    for facet in chosen {
      if let identifier = facet.identifier { names[identifier] = names[identifier] ?? facet.name }
    }
    for identifier in added.sorted() {
      let hash = names[identifier].map { [nameIdentifier($0.bytes)] } ?? []
      let free = freeIdentifiers.take([identifier] + hash)
      isFull = isFull || free == nil
      identifiers[identifier] = free ?? identifier
    }
    appearances = Merging.numbers(other.appearances, into: &edit.appearances, &isFull)
    localizations = Merging.numbers(other.localizations, into: &edit.localizations, &isFull)
    numberAtlases()
  }

  /// Gives each atlas its own number, or the next free one among the atlases with its other
  /// attributes.
  private mutating func numberAtlases() {
    var used = Set(edit.renditions.lazy.map(\.key).filter { $0.element == Element.atlas })
    var next: [RenditionKey: UInt16] = [:]
    for key in atlases.keys.sorted(by: { $0[.dimension1] < $1[.dimension1] }) {
      var new = numbered(key)
      var others = new
      others[.dimension1] = 0
      var number = next[others, default: 0]
      while used.contains(new), number < .max {
        new[.dimension1] = number
        number += 1
      }
      next[others] = number
      isFull = !used.insert(new).inserted || isFull
      atlases[key] = new
    }
  }

  /// Adds names to a table. Returns the numbers in the table by the other numbers.
  private static func numbers(
    _ others: [NamedNumber], into table: inout [NamedNumber], _ isFull: inout Bool
  ) -> [UInt16: UInt16] {
    var known = Dictionary(table.map { ($0.bytes, $0.number) }) { first, _ in first }
    var free = FreeNumbers(without: table.map(\.number))
    var numbers: [UInt16: UInt16] = [:]
    for other in others {
      if let number = known[other.bytes] {
        numbers[other.number] = number
      } else if let number = free.take([other.number]) {
        table.append(NamedNumber(bytes: other.bytes, number))
        known[other.bytes] = number
        numbers[other.number] = number
      } else {
        isFull = true
      }
    }
    return numbers
  }

  /// Returns the key with the numbers of the archive that is edited.
  private func numbered(_ key: RenditionKey) -> RenditionKey {
    var new = key
    new[.identifier] = identifiers[key.identifier] ?? key.identifier
    new[.appearance] = appearances[key[.appearance]] ?? key[.appearance]
    new[.localization] = localizations[key[.localization]] ?? key[.localization]
    return new
  }

  /// Returns the edit with the chosen assets, and the keys that were added.
  func merged() throws(FormatError) -> (edit: ArchiveEdit, added: [RenditionKey]) {
    var edit = edit
    var keys: [RenditionKey] = []
    func map(_ key: RenditionKey) -> RenditionKey { atlases[key] ?? numbered(key) }
    var blocks: [BlockID: BlockID] = [:]
    for entry in other.renditions {
      let isAtlas = atlases[entry.key] != nil
      let isOwn = added.contains(entry.key.identifier) && !entry.key.isAtlas
      guard isAtlas || isOwn else { continue }
      let block: BlockID
      if let known = blocks[entry.block] {
        block = known
      } else {
        block = edit.add(
          try other.withBytes(of: entry.block) { (bytes) throws(FormatError) in
            try Rendition(bytes).block(mapping: map) ?? Array(bytes.buffer)
          })
        blocks[entry.block] = block
      }
      keys.append(map(entry.key))
      edit.add(map(entry.key), in: block)
    }
    for var facet in chosen {
      for index in facet.attributes.indices where facet.attributes[index].attribute == .identifier {
        let old = facet.attributes[index].value
        facet.attributes[index].value = identifiers[old] ?? old
      }
      edit.add(facet)
    }
    return (edit, keys)
  }
}
