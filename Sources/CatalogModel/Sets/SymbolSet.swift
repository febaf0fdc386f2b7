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
