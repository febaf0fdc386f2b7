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
