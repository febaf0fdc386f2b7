// Sticker packs of Messages: still stickers and sequences.

package struct StickerPack: Sendable, Hashable {
  package enum GridSize: String, CaseIterable, Sendable, Hashable { case small, regular, large }

  /// The folders of the stickers, in order.
  package var stickers: [FolderReference] = []
  package var gridSize: GridSize?
  package var identifier: String?

  package init() {}
}

package struct Sticker: Sendable, Hashable {
  package var file: SourceFile?
  package var accessibilityLabel: String?

  package init() {}
}

package struct StickerSequence: Sendable, Hashable {
  package var frames: [SourceFile] = []
  package var duration: Double?
  package var durationIsFramesPerSecond = false
  package var repetitions: Int?
  package var accessibilityLabel: String?

  package init() {}
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
