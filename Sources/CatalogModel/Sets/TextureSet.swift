// Texture, cube texture and mipmap sets: pictures for the graphics processor.

import Bytes

package struct TextureEntry: Sendable, Hashable {
  package var slot: Slot
  /// The name of a mipmap set inside the set ("Universal.mipmapset").
  package var filename: ByteString?
  package var pixelFormat: String?
  package var colorSpace: String?
  package var cubeFace: String?

  package init(slot: Slot) { self.slot = slot }
}

package struct TextureSet: Sendable, Hashable {
  package var entries: [TextureEntry] = []
  package var isCube: Bool
  package var interpretation: String?
  package var originIsBottomLeft = false

  package init(isCube: Bool) { self.isCube = isCube }
}

package struct MipmapLevel: Sendable, Hashable {
  package var slot: Slot
  package var file: SourceFile?
  /// The number of the level; 0 is the base.
  package var level: Int

  package init(slot: Slot, file: SourceFile?, level: Int) {
    self.slot = slot
    self.file = file
    self.level = level
  }
}

package struct MipmapSet: Sendable, Hashable {
  package enum Mode: String, CaseIterable, Sendable, Hashable { case none, all, fixed }

  package var levels: [MipmapLevel] = []
  package var mode: Mode?

  package init() {}
}

// MARK: - Reading

extension TextureSet {
  init(isCube: Bool, reading root: Fields, in reader: SetReader) {
    self.isCube = isCube
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    interpretation = properties?.word(
      "interpretation", of: ["colors", "data", "non-premultiplied-colors"])
    originIsBottomLeft =
      properties?.word("origin", of: ["top-left", "bottom-left"]) == "bottom-left"
    entries = (root.objects("textures") ?? []).compactMap { fields in
      let part = reader.folderReference(fields)
      guard let slot = reader.slot(fields, file: nil) else { return nil }
      var entry = TextureEntry(slot: slot)
      entry.filename = part?.filename
      entry.pixelFormat = fields.word("pixel-format", of: pixelFormats)
      entry.colorSpace = fields.word("color-space", of: ["srgb", "display-p3"])
      entry.cubeFace = fields.word("cube-face", of: ["x+", "x-", "y+", "y-", "z+", "z-"])
      fields.finish()
      return entry
    }
    info?.finish()
    properties?.finish()
  }
}

private let pixelFormats = [
  "r-8-unorm", "rg-8-unorm", "rgba-8-unorm", "rgba-8-unorm-sRGB", "r-16-float", "rg-16-float",
  "rgba-16-float", "rbg-10-extended-range-sRGB", "astc-4x4", "astc-4x4-sRGB", "astc-8x8",
  "astc-8x8-sRGB",
]

extension MipmapSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    mode = properties?.choice("level-mode")
    let names = ["base"] + (1...16).map { "mipmap-level-\($0)" }
    levels = (root.objects("levels") ?? []).compactMap { fields in
      let file = reader.file(fields)
      let name = fields.word("mipmap-level", of: names)
      guard let slot = reader.slot(fields, file: file) else { return nil }
      fields.finish()
      return MipmapLevel(
        slot: slot, file: file, level: name.flatMap { names.firstIndex(of: $0) } ?? 0)
    }
    info?.finish()
    properties?.finish()
  }
}
