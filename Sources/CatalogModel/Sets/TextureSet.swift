// Texture, cube texture and mipmap sets: pictures for the graphics processor.

public struct TextureEntry: Sendable, Hashable {
  public var slot: Slot
  /// The mipmap set beside it ("Universal.mipmapset").
  public var filename: String?
  public var pixelFormat: String?
  public var colorSpace: String?
  public var cubeFace: String?

  public init(slot: Slot) { self.slot = slot }
}

public struct TextureSet: Sendable, Hashable {
  public var entries: [TextureEntry] = []
  public var isCube: Bool
  public var interpretation: String?
  public var originIsBottomLeft = false

  public init(isCube: Bool) { self.isCube = isCube }
}

public struct MipmapLevel: Sendable, Hashable {
  public var slot: Slot
  public var file: SourceFile?
  /// 0 is the base.
  public var level: Int

  public init(slot: Slot, file: SourceFile?, level: Int) {
    self.slot = slot
    self.file = file
    self.level = level
  }
}

public struct MipmapSet: Sendable, Hashable {
  public enum Mode: String, CaseIterable, Sendable, Hashable { case none, all, fixed }

  public var levels: [MipmapLevel] = []
  public var mode: Mode?

  public init() {}
}
