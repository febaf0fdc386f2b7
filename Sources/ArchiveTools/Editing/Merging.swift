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
      + listed(clashes.map { "'\(onOneLine($0))'" })
  }
}

extension ArchiveEditor {
  /// Adds the assets of another archive whose names are not in use. The caller keeps the bytes of
  /// the other archive alive and unchanged.
  @discardableResult
  package mutating func merge(
    _ other: UnsafeRawBufferPointer
  ) throws(EditError) -> MergeResult {
    let other = try EditError.reading { () throws(FormatError) in try ArchiveEdit(Archive(other)) }
    try checkPlatform(of: other.archive)
    var merging = Merging(of: other, into: edit)
    let result = merging.chooseNames()
    try EditError.reading { () throws(FormatError) in
      try merging.gatherParts()
      merging.bringNumbersTogether()
    }
    if merging.isFull {
      throw .refused("one archive can hold at most 65,535 names; merge fewer archives")
    }
    let first = edit.renditions.count
    edit = try EditError.reading { () throws(FormatError) in try merging.merged() }
    intent.added.formUnion(edit.renditions[first...].map(\.key))
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

/// The assets of an archive on their way into another.
private struct Merging {
  private let other: ArchiveEdit
  private var edit: ArchiveEdit
  private var chosen: [Facet] = []
  /// The identifiers in use.
  private var taken: Set<UInt16>
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
    taken = Set(edit.facets.compactMap(\.identifier))
    taken.formUnion(edit.renditions.lazy.map(\.key.identifier))
    taken.insert(0)
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
        guard added.contains(entry.key.identifier), entry.key.element != Element.atlas else {
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
    for identifier in added.sorted() {
      let name = chosen.first { $0.identifier == identifier }?.name
      identifiers[identifier] = freeIdentifier(identifier, of: name)
    }
    appearances = Merging.numbers(other.appearances, into: &edit.appearances)
    localizations = Merging.numbers(other.localizations, into: &edit.localizations)
    var used = Set(edit.renditions.lazy.map(\.key).filter { $0.element == Element.atlas })
    for key in atlases.keys.sorted(by: { $0[.dimension1] < $1[.dimension1] }) {
      var new = numbered(key)
      while used.contains(new) { new[.dimension1] &+= 1 }
      used.insert(new)
      atlases[key] = new
    }
  }

  /// Returns the number itself if it is free, otherwise the hash of the name or the next number.
  private mutating func freeIdentifier(_ number: UInt16, of name: ByteString?) -> UInt16 {
    if taken.count > Int(UInt16.max) {
      isFull = true
      return number
    }
    var free = taken.contains(number) ? nameIdentifier(name?.bytes ?? []) : number
    while taken.contains(free) { free &+= 1 }
    taken.insert(free)
    return free
  }

  /// Adds names to a table. Returns the numbers in the table by the other numbers.
  private static func numbers(
    _ others: [NamedNumber], into table: inout [NamedNumber]
  ) -> [UInt16: UInt16] {
    var numbers: [UInt16: UInt16] = [:]
    for other in others {
      if let known = table.first(where: { $0.bytes == other.bytes }) {
        numbers[other.number] = known.number
        continue
      }
      var number = other.number
      while table.contains(where: { $0.number == number }) { number &+= 1 }
      table.append(NamedNumber(bytes: other.bytes, number))
      numbers[other.number] = number
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

  /// Returns the edit with the chosen assets.
  func merged() throws(FormatError) -> ArchiveEdit {
    var edit = edit
    func map(_ key: RenditionKey) -> RenditionKey { atlases[key] ?? numbered(key) }
    var blocks: [BlockID: BlockID] = [:]
    for entry in other.renditions {
      let isAtlas = atlases[entry.key] != nil
      let isOwn = added.contains(entry.key.identifier) && entry.key.element != Element.atlas
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
      edit.add(map(entry.key), in: block)
    }
    for var facet in chosen {
      for place in facet.attributes.indices where facet.attributes[place].attribute == .identifier {
        let old = facet.attributes[place].value
        facet.attributes[place].value = identifiers[old] ?? old
      }
      edit.facets.append(facet)
    }
    return edit
  }
}
