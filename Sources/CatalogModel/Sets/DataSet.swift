// Data sets: files of any type, which programs receive without change.

package struct DataEntry: Sendable, Hashable {
  package var slot: Slot
  package var file: SourceFile?
  /// A uniform type identifier ("public.json").
  package var typeIdentifier: String?
  package var compression: CompressionType?

  package init(slot: Slot) { self.slot = slot }
}

package struct DataSet: Sendable, Hashable {
  package var entries: [DataEntry] = []

  package init() {}
}

// MARK: - Reading

extension DataSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    let compression: CompressionType? = properties?.choice("compression-type")
    entries = (root.objects("data") ?? []).compactMap { fields in
      let file = reader.file(fields)
      guard let slot = reader.slot(fields, file: nil) else { return nil }
      var entry = DataEntry(slot: slot)
      entry.file = file
      entry.typeIdentifier = fields.string("universal-type-identifier")
      entry.compression = fields.choice("compression-type") ?? compression
      fields.finish()
      return entry
    }
    info?.finish()
    properties?.finish()
  }
}
