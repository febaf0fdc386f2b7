// Complication sets of watchOS: one image set per place on a watch face.

public struct ComplicationEntry: Sendable, Hashable {
  public var slot: Slot
  /// The folder inside ("Circular.imageset").
  public var filename: String?
  public var role: String?

  public init(slot: Slot) { self.slot = slot }
}

public struct ComplicationSet: Sendable, Hashable {
  public var entries: [ComplicationEntry] = []

  public init() {}
}
