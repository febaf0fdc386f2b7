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

// MARK: - Reading

extension StickerPack {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    gridSize = properties?.choice("grid-size")
    identifier = properties?.string("identifier")
    stickers = (root.objects("stickers") ?? []).compactMap { fields in
      let sticker = reader.folderReference(fields)
      fields.finish()
      return sticker
    }
    info?.finish()
    properties?.finish()
  }
}

extension Sticker {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    file = properties.flatMap { reader.file($0) }
    accessibilityLabel = properties?.string("accessibility-label")
    info?.finish()
    properties?.finish()
  }
}

extension StickerSequence {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    duration = properties?.number("duration")
    durationIsFramesPerSecond = properties?.word("duration-type", of: ["fixed", "fps"]) == "fps"
    repetitions = properties?.number("repetitions").flatMap { Int(exactly: $0.rounded()) }
    accessibilityLabel = properties?.string("accessibility-label")
    frames = (root.objects("frames") ?? []).compactMap { fields in
      let file = reader.file(fields)
      fields.finish()
      return file
    }
    info?.finish()
    properties?.finish()
  }
}
