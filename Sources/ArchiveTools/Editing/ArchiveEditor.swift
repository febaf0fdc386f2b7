// Edits an archive by names: chooses renditions, replaces, removes and renames. `ArchiveEdit`
// holds the result and writes it; EditProof.swift compares it with the intent that is recorded
// here. Blocks from files are made by the caller.

import Archive
import Bytes
import Documents
import Traits

/// The reason why an edit is refused.
package enum EditError: Error, Sendable {
  /// The archive cannot be read.
  case format(FormatError)
  case archive(ArchiveError)
  /// The edit cannot be made. The text says why.
  case refused(String)
  /// A file of the edit cannot be read. The text names it and says why.
  case unreadable(String)
}

extension EditError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .format(let error): "\(error)"
    case .archive(let error): "\(error)"
    case .refused(let reason), .unreadable(let reason): reason
    }
  }

  /// Calls `body`, which reads an archive.
  static func reading<Result>(
    _ body: () throws(FormatError) -> Result
  ) throws(EditError) -> Result {
    do throws(FormatError) { return try body() } catch { throw .format(error) }
  }
}

/// The changes that the operations of an edit ask for. Keys and names are those of the archive.
package struct EditIntent: Sendable {
  package var replaced: Set<RenditionKey> = []
  package var removed: Set<RenditionKey> = []
  package var added: Set<RenditionKey> = []
  package var removedNames: Set<ByteString> = []
  package var addedNames: Set<ByteString> = []
  /// The new names by the old ones.
  package var renames: [ByteString: ByteString] = [:]
}

/// A rendition of an asset that an operation can choose.
package struct ChosenRendition: Sendable {
  /// Its row in the edit.
  package let row: Int
  package let key: RenditionKey
  /// Its block, which it may share with others.
  package let block: BlockID
  /// Its constraints; nil if its key holds more than traits.
  package let variant: VariantKey?
  package let header: CSIHeader
  /// The size in pixels; 0 if it has no pixels.
  package let width: Int
  package let height: Int
  /// Its traits in words.
  package let words: String

  /// Whether it is a picture with pixels: a bitmap, a picture in an atlas, or a file of a picture.
  package var isPicture: Bool {
    header.layout.isImage && [Part.regular, Part.icon].contains(key.part)
      && key.element == Element.universal
  }

  package var isVector: Bool { header.layout == .vector }
}

/// An archive while it is edited. Some blocks contain names of other assets. All changes of names
/// reach them together, before anything reads them.
package struct ArchiveEditor: Sendable {
  package internal(set) var edit: ArchiveEdit
  package internal(set) var intent = EditIntent()
  private var nameChanges = NameChanges()
  /// The names in the archive of assets that were renamed, by their names now.
  private var originalNames: [ByteString: ByteString] = [:]
  /// The rows of renditions whose blocks contain names of others; nil if they have to be found.
  private var rowsWithNames: [Int]?

  /// Begins an edit. The caller keeps the bytes alive and unchanged.
  package init(_ bytes: UnsafeRawBufferPointer) throws(EditError) {
    edit = try EditError.reading { () throws(FormatError) in try ArchiveEdit(Archive(bytes)) }
  }

  package var archive: Archive { edit.archive }

  // MARK: Choosing

  package var names: [ByteString] { edit.facets.map(\.name) }

  func row(ofName name: ByteString) throws(EditError) -> Int {
    if let row = edit.row(ofName: name) { return row }
    let shown = onOneLine(name)
    if intent.removedNames.contains(name) {
      throw .refused("an earlier operation removes '\(shown)'")
    }
    if let new = intent.renames[name] {
      throw .refused("an earlier operation renames '\(shown)' to '\(onOneLine(new))'")
    }
    throw .refused("there is no asset '\(shown)'\(suggestion(for: name, in: names))")
  }

  /// Returns the renditions of an asset that the traits choose. Throws if the traits choose no
  /// rendition, or if one of them is damaged.
  package func renditions(
    of name: ByteString, _ choice: VariantChoice = .all
  ) throws(EditError) -> [ChosenRendition] {
    let numbers = VariantNumbers(
      appearances: edit.appearances, semantics: archive.header.keySemantics)
    var all: [ChosenRendition] = []
    let identifier = edit.facet(at: try row(ofName: name))?.identifier
    for (row, entry) in ownRenditions(of: identifier) {
      let variant = numbers.variant(of: entry.key)
      if !choice.isAll {
        guard let variant, choice.admits(variant, locale: locale) else { continue }
      }
      all.append(try chosen(row, entry, variant, name))
    }
    if all.isEmpty {
      if choice.isAll { throw .refused("'\(onOneLine(name))' has no renditions") }
      let others = try renditions(of: name).map(\.words)
      throw .refused(
        "'\(onOneLine(name))' has no variant with \(choice.text); it has "
          + firstWords(others))
    }
    return all
  }

  /// The renditions with an identifier, without atlases, which belong to no asset.
  private func ownRenditions(
    of identifier: UInt16?
  ) -> [(row: Int, entry: ArchiveEdit.Entry)] {
    guard let identifier else { return [] }
    return edit.rows(of: identifier).compactMap { row in
      guard let entry = edit.rendition(at: row), !entry.key.isAtlas else { return nil }
      return (row, entry)
    }
  }

  private func chosen(
    _ row: Int, _ entry: ArchiveEdit.Entry, _ variant: VariantKey?, _ name: ByteString
  ) throws(EditError) -> ChosenRendition {
    var words = variant.map { variant in
      variant.summary(
        language: edit.localizations.first { $0.number == variant.locale }?.name,
        platform: archive.platform)
    }
    if entry.key[.dimension2] != 0 { words = (words ?? "") + ", size \(entry.key[.dimension2])" }
    let text = words ?? "a key of a theme"
    do throws(FormatError) {
      return try edit.withBytes(of: entry.block) { (bytes) throws(FormatError) in
        let rendition = try Rendition(bytes)
        let facts = RenditionFacts(block: bytes).record
        return ChosenRendition(
          row: row, key: entry.key, block: entry.block, variant: variant,
          header: rendition.header,
          width: Int(facts.pixelWidth), height: Int(facts.pixelHeight), words: text)
      }
    } catch {
      throw .refused("'\(onOneLine(name))' (\(text)) is damaged: \(error)")
    }
  }

  /// Returns the number of a language in keys.
  func locale(_ tag: String) -> UInt16 {
    edit.localizations.first { $0.name == tag }?.number ?? nameIdentifier(tag.utf8)
  }

  // MARK: Changing

  /// Gives renditions another block.
  package mutating func replace(
    _ renditions: [ChosenRendition], with block: [UInt8]
  ) throws(EditError) {
    intent.replaced.formUnion(renditions.map(\.key))
    try EditError.reading { () throws(FormatError) in
      try edit.replace(renditions.map(\.row), with: block)
    }
  }

  /// Removes renditions; their asset stays.
  package mutating func remove(_ renditions: [ChosenRendition]) {
    intent.removed.formUnion(renditions.map(\.key))
    for rendition in renditions { edit.removeRendition(at: rendition.row) }
  }

  /// Removes an asset with its renditions.
  package mutating func remove(_ name: ByteString) throws(EditError) {
    _ = try row(ofName: name)
    let original = originalNames.removeValue(forKey: name) ?? name
    if intent.addedNames.remove(name) == nil {
      intent.removedNames.insert(original)
      intent.renames[original] = nil
    }
    nameChanges.remove(name)
    var identifiers: Set<UInt16> = []
    while let row = edit.row(ofName: name) {
      if let identifier = edit.facet(at: row)?.identifier { identifiers.insert(identifier) }
      edit.removeFacet(at: row)
    }
    // Another name may lead to the same renditions.
    for identifier in identifiers where !edit.isNamed(identifier) {
      for (row, entry) in ownRenditions(of: identifier) {
        edit.removeRendition(at: row)
        if intent.added.remove(entry.key) == nil { intent.removed.insert(entry.key) }
      }
    }
  }

  /// Gives an asset another name. Lists of names and fills of layers that name it follow.
  package mutating func rename(_ old: ByteString, to new: ByteString) throws(EditError) {
    let row = try row(ofName: old)
    if new.isEmpty { throw .refused("an asset cannot have an empty name") }
    if old == new { return }
    if edit.row(ofName: new) != nil {
      throw .refused("'\(onOneLine(old))' cannot become '\(onOneLine(new))': that name is in use")
    }
    edit.renameFacet(at: row, to: new)
    nameChanges.rename(old, to: new)
    if intent.addedNames.remove(old) != nil {
      intent.addedNames.insert(new)
      return
    }
    let original = originalNames.removeValue(forKey: old) ?? old
    intent.renames[original] = original == new ? nil : new
    if original != new { originalNames[new] = original }
  }

  /// Gives colours other components.
  package mutating func recolor(
    _ name: ByteString, _ choice: VariantChoice = .all, to color: ColorPayload
  ) throws(EditError) {
    let colors = try renditions(of: name, choice).filter { $0.header.layout == .color }
    if colors.isEmpty { throw .refused("'\(onOneLine(name))' is not a colour") }
    for sharing in sharingBlocks(colors) {
      try replace(sharing, with: try block(of: sharing[0], withPayload: color.bytes()))
    }
  }

  /// Divides renditions into those that share a block, in their order.
  package func sharingBlocks(_ renditions: [ChosenRendition]) -> [[ChosenRendition]] {
    var groups: [[ChosenRendition]] = []
    var groupOfBlock: [BlockID: Int] = [:]
    for rendition in renditions {
      if let group = groupOfBlock[rendition.block] {
        groups[group].append(rendition)
      } else {
        groupOfBlock[rendition.block] = groups.count
        groups.append([rendition])
      }
    }
    return groups
  }

  /// Returns the block of a rendition with another payload.
  package func block(
    of rendition: ChosenRendition, withPayload payload: [UInt8]
  ) throws(EditError) -> [UInt8] {
    try EditError.reading { () throws(FormatError) in
      try edit.withBytes(of: blockNow(of: rendition)) {
        (bytes) throws(FormatError) in try Rendition(bytes).block(replacingPayload: payload)
      }
    }
  }

  /// The block of a rendition now, which may have been replaced since the rendition was chosen.
  func blockNow(of rendition: ChosenRendition) -> BlockID {
    edit.rendition(at: rendition.row)?.block ?? rendition.block
  }

  /// Changes the lists of names and the fills of layers as the names have changed since the last
  /// call. A member without a new name leaves its list. Each block is read once.
  mutating func changeNamesInBlocks() throws(EditError) {
    if nameChanges.isEmpty { return }
    let changes = nameChanges
    nameChanges = NameChanges()
    var rowsOfBlock: [BlockID: [Int]] = [:]
    for (row, entry) in renditionsWithNames() {
      rowsOfBlock[entry.block, default: []].append(row)
    }
    for (block, rows) in rowsOfBlock.sorted(by: { $0.key < $1.key }) {
      let changed = try? edit.withBytes(of: block) { (bytes) throws(FormatError) -> [UInt8]? in
        try Rendition(bytes).block(renaming: changes.newName)
      }
      guard let changed = changed ?? nil else { continue }
      intent.replaced.formUnion(rows.compactMap { edit.rendition(at: $0)?.key })
      try EditError.reading { () throws(FormatError) in try edit.replace(rows, with: changed) }
    }
  }

  /// Returns the renditions whose blocks contain names of others. The blocks are read at the first
  /// call, and again if renditions were added since.
  private mutating func renditionsWithNames() -> [(row: Int, entry: ArchiveEdit.Entry)] {
    let rows =
      rowsWithNames
      ?? edit.numberedRenditions.filter { _, entry in
        let layout = try? edit.withBytes(of: entry.block) { (bytes) throws(FormatError) in
          try RenditionOutline(bytes).layout
        }
        return layout?.namesOthers ?? false
      }.map(\.row)
    rowsWithNames = rows
    return rows.compactMap { row in edit.rendition(at: row).map { (row, $0) } }
  }

  /// Forgets which blocks contain names, because renditions were added.
  mutating func searchForNamesAgain() { rowsWithNames = nil }
}

/// Changes of names that the blocks do not show yet.
private struct NameChanges: Sendable {
  /// The new names by those in the blocks; nil for a name that was removed.
  private var newNames: [ByteString: ByteString?] = [:]
  /// The names in the blocks of assets that were renamed, by their names now.
  private var namesInBlocks: [ByteString: ByteString] = [:]

  var isEmpty: Bool { newNames.isEmpty }

  func newName(of name: ByteString) -> ByteString? { newNames[name] ?? name }

  mutating func rename(_ old: ByteString, to new: ByteString) {
    let name = namesInBlocks.removeValue(forKey: old) ?? old
    newNames.updateValue(new, forKey: name)
    namesInBlocks[new] = name
  }

  mutating func remove(_ old: ByteString) {
    newNames.updateValue(nil, forKey: namesInBlocks.removeValue(forKey: old) ?? old)
  }
}

extension RenditionLayout {
  /// Whether renditions of this layout contain names of others.
  fileprivate var namesOthers: Bool { self == .namedContents || needsOthers }

  /// Whether renditions of this layout cannot be shown without others.
  fileprivate var needsOthers: Bool {
    [.layerStack, .solidStack, .iconStack, .iconGroup, .namedGradient, .texture].contains(self)
  }
}

/// Returns the first eight words as a list, and the number of the others.
package func firstWords(_ words: [String]) -> String {
  let shown = words.prefix(8).map { "\($0)" }.joined(separator: "; ")
  return words.count > 8 ? "\(shown); and \(words.count - 8) more" : shown
}

// MARK: - Finishing

extension ArchiveEditor {
  /// Completes the edit: removes atlases that no picture uses any more, and throws if a rendition
  /// that was removed is still needed.
  package mutating func finish() throws(EditError) {
    try changeNamesInBlocks()
    if intent.removed.isEmpty && intent.replaced.isEmpty && intent.removedNames.isEmpty { return }
    let unused = linkedAtlasesBefore.subtracting(linkedAtlases)
    for (row, entry) in edit.numberedRenditions
    where unused.contains(entry.key) && entry.key.isAtlas {
      edit.removeRendition(at: row)
      intent.removed.insert(entry.key)
    }
    if !intent.removed.isEmpty || !intent.removedNames.isEmpty { try checkReferences() }
  }

  /// The keys of the atlases in which pictures of the archive lay before the edit. A replaced
  /// block has its old bytes in the archive, and new ones in the edit.
  private var linkedAtlasesBefore: Set<RenditionKey> {
    var atlases: Set<RenditionKey> = []
    try? archive.renditionTree().forEach { (entry) throws(FormatError) in
      guard let block = try? archive.store.bytes(of: entry.value) else { return }
      let atlas = try? ArchiveEditor.atlas(of: block)
      if let atlas = atlas ?? nil { atlases.insert(atlas) }
    }
    return atlases
  }

  /// The keys of the atlases in which pictures lie. A rendition that cannot be read is in none.
  private var linkedAtlases: Set<RenditionKey> {
    var atlases: Set<RenditionKey> = []
    for entry in edit.renditions {
      let atlas = try? edit.withBytes(of: entry.block) {
        (bytes) throws(FormatError) -> RenditionKey? in try ArchiveEditor.atlas(of: bytes)
      }
      if let atlas = atlas ?? nil { atlases.insert(atlas) }
    }
    return atlases
  }

  /// Returns the key of the atlas in which the picture of a block lies; nil if it lies in none.
  private static func atlas(of block: FileBytes) throws(FormatError) -> RenditionKey? {
    guard try RenditionOutline(block).layout == .internalLink else { return nil }
    return try Rendition(block).atlasKey()
  }

  /// Throws if a stack or a texture needs a rendition that was removed.
  private func checkReferences() throws(EditError) {
    let left = Set(edit.renditions.lazy.map(\.key.identifier))
    let lost = Set(intent.removed.lazy.map(\.identifier)).subtracting(left)
    for entry in edit.renditions {
      let needed = try? edit.withBytes(of: entry.block) {
        (bytes) throws(FormatError) -> (keys: [RenditionKey], fills: [ByteString]) in
        let layout = try RenditionOutline(bytes).layout
        guard layout.needsOthers else { return ([], []) }
        let rendition = try Rendition(bytes)
        return (
          try rendition.references() + rendition.layerKeys(),
          try rendition.fills()
        )
      }
      guard let needed else { continue }
      let key = needed.keys.first { lost.contains($0.identifier) }
      let fill = needed.fills.first {
        intent.removedNames.contains($0) && edit.row(ofName: $0) == nil
      }
      if key == nil && fill == nil { continue }
      let owner = edit.facets.first { $0.identifier == entry.key.identifier }?.name
      let part = fill ?? name(ofRemoved: key?.identifier ?? 0)
      throw .refused(
        "'\(onOneLine(part))' is a part of '\(onOneLine(owner ?? "another asset"))'; remove that, "
          + "too")
    }
  }

  private func name(ofRemoved identifier: UInt16) -> ByteString {
    let facets = (try? archive.facets()) ?? []
    return facets.first { $0.identifier == identifier }?.name ?? "identifier \(identifier)"
  }
}

// MARK: - Writing

extension ArchiveEditor {
  /// Returns the bytes of the changed archive.
  package func bytes(writesIndex: Bool? = nil) throws(EditError) -> [UInt8] {
    // The tables and the alignment of blocks may take more room than before.
    let sink = MemorySink(
      reserving: archive.bytes.count + archive.bytes.count / 16 + edit.newByteCount)
    try write(into: sink, writesIndex: writesIndex)
    return sink.bytes
  }

  /// Writes the changed archive. If `writesIndex` is nil, it has a lookup index if the archive has
  /// one.
  package func write(into sink: some ByteSink, writesIndex: Bool? = nil) throws(EditError) {
    do throws(ArchiveError) {
      _ = try edit.write(into: sink, writesIndex: writesIndex)
    } catch {
      if case .format(let trouble) = error { throw .format(trouble) }
      throw .archive(error)
    }
  }

  /// Proves that the written archive differs from the archive by the intent, and in nothing else.
  package func proof(
    before: UnsafeRawBufferPointer, after: UnsafeRawBufferPointer
  ) throws(EditError) -> EditProof {
    try EditError.reading { () throws(FormatError) in
      try EditProof(before: before, after: after, intent)
    }
  }
}

// MARK: - Icons

extension ArchiveEditor {
  /// The names of the icons. A layered icon without bitmaps has the part of its stack.
  package var iconNames: [ByteString] {
    edit.facets.filter { isIcon($0) }.map(\.name)
  }

  /// Returns whether an asset is an icon.
  package func isIcon(_ name: ByteString) -> Bool {
    edit.row(ofName: name).flatMap(edit.facet).map { isIcon($0) } ?? false
  }

  /// If an icon shares its name with another asset, the facet has the part of one of them.
  private func isIcon(_ facet: Facet) -> Bool {
    let parts = [Part.icon, Part.iconStack]
    if let part = facet.part, parts.contains(part) { return true }
    return ownRenditions(of: facet.identifier).contains { parts.contains($0.entry.key.part) }
  }

  /// Puts an icon of another archive in the place of an icon, with all its parts. If the archive
  /// has no icon, the new one is added under its own name.
  package mutating func replaceIcon(
    _ name: ByteString?, with other: UnsafeRawBufferPointer
  ) throws(EditError) {
    var source = try ArchiveEditor(other)
    guard let new = source.iconNames.first, source.iconNames.count == 1 else {
      throw .refused("it does not make one icon for the platform of the archive")
    }
    if let name {
      try removeIcon(name)
      try source.rename(new, to: name)
      try source.finish()
    }
    let bytes = try source.bytes()
    let merged = bytes.withUnsafeBytes { bytes in
      Result { () throws(EditError) in try merge(bytes) }
    }
    if let clash = try merged.get().clashes.first {
      throw .refused("the icon has a part '\(onOneLine(clash))', and the archive uses that name")
    }
  }

  /// Removes an icon with the parts that nothing else needs.
  package mutating func removeIcon(_ name: ByteString) throws(EditError) {
    let identifier = edit.facet(at: try row(ofName: name))?.identifier
    var parts: Set<UInt16> = []
    var found = Set([identifier].compactMap { $0 })
    let stacks = try stackParts()
    while !found.isEmpty {
      let next = found.reduce(into: Set<UInt16>()) { $0.formUnion(stacks[$1] ?? []) }
      found = next.subtracting(parts)
      parts.formUnion(found)
    }
    try remove(name)
    if parts.isEmpty { return }
    if let identifier { parts.remove(identifier) }
    let others = stacks.filter { !parts.contains($0.key) && !edit.rows(of: $0.key).isEmpty }
    let shared = others.values.reduce(into: Set()) { $0.formUnion($1) }
    // Icon Composer puts the colours and pictures of an icon into this folder, also those that no
    // layer shows. Early tools, and an icon that was renamed, have another folder with colours.
    let folder = name + "_Assets/"
    let named = edit.facets.filter { parts.contains($0.identifier ?? 0) }
    let folders = Set(named.map { parentFolder($0.name) }).subtracting(["."])
    let names = edit.facets.filter { facet in
      let identifier = facet.identifier ?? 0
      let isPart =
        parts.contains(identifier) || facet.name.hasPrefix(folder)
        || folders.contains(parentFolder(facet.name)) && facet.name.hasPaintName
      return isPart && !shared.contains(identifier)
    }.map(\.name)
    for name in names { try remove(name) }
  }

  /// Returns the names of icons and stacks with bitmaps that were drawn from these assets.
  package mutating func bitmaps(showing names: [ByteString]) throws(EditError) -> [ByteString] {
    if names.isEmpty { return [] }
    var users: [UInt16: Set<UInt16>] = [:]
    for (stack, parts) in try stackParts() {
      for part in parts { users[part, default: []].insert(stack) }
    }
    var next = Set(names.compactMap { edit.row(ofName: $0).flatMap(edit.facet)?.identifier })
    var found: Set<UInt16> = []
    while !next.isEmpty {
      next = next.reduce(into: Set()) { $0.formUnion(users[$1] ?? []) }.subtracting(found)
      found.formUnion(next)
    }
    return edit.facets.filter { facet in
      guard let identifier = facet.identifier, found.contains(identifier) else { return false }
      return ownRenditions(of: identifier).contains {
        [Part.flattened, Part.icon].contains($0.entry.key.part)
      }
    }.map(\.name)
  }

  /// The identifiers of the layers, the fills and the stops of each stack, of each part of layered
  /// icons.
  private mutating func stackParts() throws(EditError) -> [UInt16: Set<UInt16>] {
    var parts: [UInt16: Set<UInt16>] = [:]
    if renditionsWithNames().isEmpty { return parts }
    try changeNamesInBlocks()
    for (_, entry) in renditionsWithNames() {
      let found = try? edit.withBytes(of: entry.block) {
        (bytes) throws(FormatError) -> (keys: [RenditionKey], fills: [ByteString]) in
        let layout = try RenditionOutline(bytes).layout
        let layouts: [RenditionLayout] = [
          .iconStack, .iconGroup, .namedGradient, .layerStack, .solidStack,
        ]
        guard layouts.contains(layout) else { return ([], []) }
        let rendition = try Rendition(bytes)
        return (try rendition.layerKeys(), try rendition.fills())
      }
      guard let found, !found.keys.isEmpty || !found.fills.isEmpty else { continue }
      let fills = found.fills.compactMap { fill in
        edit.row(ofName: fill).flatMap(edit.facet)?.identifier
      }
      parts[entry.key.identifier, default: []].formUnion(found.keys.map(\.identifier) + fills)
    }
    return parts
  }
}

extension ByteString {
  /// Whether it is the name that tools give a colour or a gradient of an icon.
  package var hasPaintName: Bool {
    let own = lastComponent(self)
    return own.hasPrefix("Color-") || own.hasPrefix("Gradient-")
  }
}
