// Sticker packs of Messages: still stickers and sequences.

public struct StickerPack: Sendable, Hashable {
  public enum GridSize: String, CaseIterable, Sendable, Hashable { case small, regular, large }

  /// The folders of the stickers, in order.
  public var stickers: [LayerReference] = []
  public var gridSize: GridSize?
  public var identifier: String?

  public init() {}
}

public struct Sticker: Sendable, Hashable {
  public var file: SourceFile?
  public var accessibilityLabel: String?

  public init() {}
}

public struct StickerSequence: Sendable, Hashable {
  public var frames: [SourceFile] = []
  public var duration: Double?
  public var durationIsFramesPerSecond = false
  public var repetitions: Int?
  public var accessibilityLabel: String?

  public init() {}
}
