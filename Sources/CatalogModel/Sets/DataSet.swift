// Data sets: any file, handed to the program as it is.

public struct DataEntry: Sendable, Hashable {
  public var slot: Slot
  public var file: SourceFile?
  /// A uniform type identifier ("public.json").
  public var typeIdentifier: String?
  public var compression: Compression?

  public init(slot: Slot) { self.slot = slot }
}

public struct DataSet: Sendable, Hashable {
  public var entries: [DataEntry] = []

  public init() {}
}

// MARK: - Reading

extension DataSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    let compression: Compression? = properties?.choice("compression-type")
    entries = (root.objects("data") ?? []).compactMap { fields in
      let file = reader.file(fields)
      guard let slot = reader.slot(fields, file: nil) else {
        reader.skipRest(of: fields)
        return nil
      }
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
