// Symbol sets: a drawing in the SF Symbols template form.

public enum SymbolRenderingIntent: String, CaseIterable, Sendable, Hashable {
  case template, monochrome, hierarchical, multicolor, palette
}

public struct SymbolEntry: Sendable, Hashable {
  public var slot: Slot
  public var file: SourceFile?

  public init(slot: Slot) { self.slot = slot }
}

public struct SymbolSet: Sendable, Hashable {
  public var entries: [SymbolEntry] = []
  public var renderingIntent: SymbolRenderingIntent?
  public var isLocalizable = false

  public init() {}
}

// MARK: - Reading

extension SymbolSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    renderingIntent = properties?.choice("symbol-rendering-intent")
    isLocalizable = properties?.bool("localizable") ?? false
    entries = (root.objects("symbols") ?? []).compactMap { fields in
      let file = reader.file(fields)
      guard let slot = reader.slot(fields, file: file) else {
        reader.skipRest(of: fields)
        return nil
      }
      var entry = SymbolEntry(slot: slot)
      entry.file = file
      fields.finish()
      return entry
    }
    info?.finish()
    properties?.finish()
  }
}
