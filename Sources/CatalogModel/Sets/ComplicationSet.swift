// Complication sets of watchOS: one image set for each place on a watch face.

import Bytes

package struct ComplicationEntry: Sendable, Hashable {
  package var slot: Slot
  /// The name of a folder inside the set ("Circular.imageset").
  package var filename: ByteString?
  package var role: String?

  package init(slot: Slot) { self.slot = slot }
}

package struct ComplicationSet: Sendable, Hashable {
  package var entries: [ComplicationEntry] = []

  package init() {}
}

// MARK: - Reading

extension ComplicationSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    entries = (root.objects("assets") ?? []).compactMap { fields in
      let part = fields.has("filename") ? reader.folderReference(fields) : nil
      guard let slot = reader.slot(fields, file: nil) else { return nil }
      var entry = ComplicationEntry(slot: slot)
      entry.filename = part?.filename
      entry.role = fields.word("role", of: complicationRoles)
      if part != nil, !slot.isUnassigned { reader.requireRole(fields) }
      fields.finish()
      return entry
    }
    info?.finish()
    properties?.finish()
  }
}

private let complicationRoles = [
  "circular", "modular", "utilitarian", "extra-large", "graphic-corner", "graphic-circular",
  "graphic-bezel", "graphic-large-rectangular", "graphic-extra-large",
]
