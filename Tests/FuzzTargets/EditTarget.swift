// Fuzz target for edits of archives from unknown sources: operations are applied, the archive is
// written and read back, and only the renditions and names that the operations name may differ. The
// comparison is written a second time here, on purpose: it shares no code with the proof.

import Archive
import ArchiveTools
import Bytes
import Traits

extension FuzzTarget {
  static let edit = FuzzTarget("edit", bound: CostBound(calls: 9)) { bytes in
    guard let editor = try? ArchiveEditor(bytes) else { return }
    let color = ColorPayload(space: .sRGB, components: [0.25, 0.5, 0.75, 1])
    for name in editor.names.prefix(2) {
      check(editor, bytes) { (edit) throws(EditError) in try edit.rename(name, to: "New name") }
      check(editor, bytes) { (edit) throws(EditError) in try edit.remove(name) }
      check(editor, bytes) { (edit) throws(EditError) in try edit.recolor(name, to: color) }
      check(editor, bytes) { (edit) throws(EditError) in
        let chosen = try edit.renditions(of: name)
        guard let first = chosen.first else { return }
        try edit.replace([first], with: try edit.block(of: first, withPayload: color.bytes()))
      }
    }
    check(editor, bytes) { (edit) throws(EditError) in _ = try edit.merge(bytes) }
  }

  /// Applies an operation, and stops the program if more changes than it asks for.
  private static func check(
    _ editor: ArchiveEditor, _ before: UnsafeRawBufferPointer,
    _ operation: (inout ArchiveEditor) throws(EditError) -> Void
  ) {
    var edit = editor
    guard (try? operation(&edit)) != nil, (try? edit.finish()) != nil,
      let written = try? edit.bytes(writesIndex: false)
    else { return }
    written.withUnsafeBytes { after in
      guard let proof = try? edit.proof(before: before, after: after), proof.holds else { return }
      guard let old = EditedContents(before), let new = EditedContents(after) else {
        fatalError("a proved edit cannot be read back")
      }
      old.compare(with: new, edit.intent)
    }
  }
}

/// The names and the blocks of an archive.
private struct EditedContents {
  private var blocks: [RenditionKey: FileBytes?] = [:]
  private var names: [ByteString: [Facet.Pair]] = [:]

  /// Reads an archive; nil if its tables cannot be read.
  init?(_ file: UnsafeRawBufferPointer) {
    guard let archive = try? Archive(file), let facets = try? archive.facets() else { return nil }
    for facet in facets { names[facet.name] = facet.attributes }
    var blocks: [RenditionKey: FileBytes?] = [:]
    let isRead: Void? = try? archive.renditionTree().forEach { (entry) throws(FormatError) in
      let block = try? archive.store.bytes(of: entry.value)
      blocks[try archive.keyFormat.key(entry.key)] = .some(block)
    }
    guard isRead != nil else { return nil }
    self.blocks = blocks
  }

  /// Stops the program if another archive differs from this one by more than an intent.
  func compare(with other: EditedContents, _ intent: EditIntent) {
    for (key, block) in blocks {
      if intent.removed.contains(key) || intent.replaced.contains(key) { continue }
      guard let theirs = other.blocks[key] else { fatalError("an edit loses a rendition") }
      let isSame =
        switch (block, theirs) {
        case (let a?, let b?): a.buffer.elementsEqual(b.buffer)
        case (nil, nil): true
        default: false
        }
      if !isSame { fatalError("an edit changes a rendition that no operation names") }
    }
    for key in other.blocks.keys where blocks[key] == nil && !intent.added.contains(key) {
      fatalError("an edit adds a rendition that no operation names")
    }
    for (name, attributes) in names where !intent.removedNames.contains(name) {
      if other.names[intent.renames[name] ?? name] != attributes {
        fatalError("an edit changes a name that no operation names")
      }
    }
    let expected = Set(names.keys.map { intent.renames[$0] ?? $0 }).union(intent.addedNames)
    if !expected.isSuperset(of: other.names.keys) { fatalError("an edit adds a name") }
  }
}
