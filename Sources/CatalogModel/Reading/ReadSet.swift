// Reads a Contents.json into the value of its set: chooses the reader for the type, and holds the
// properties that all types share.

import Bytes

/// The values of a folder's Contents.json.
struct FolderReading: Sendable {
  var contents: AssetContents?
  var onDemandTags: [ByteString] = []
  /// Whether a group, an atlas or a catalogue provides a namespace.
  var providesNamespace = false
  var compression: CompressionType?
  var generatesSymbolExtensions: Bool?
  /// Whether the root has only keys that a group can have.
  var isGroupLike = true
  var diagnostics: [Diagnostic] = []
  /// The files and folders below the folder that its reader listed itself.
  var inputs: [ByteString] = []
  /// The paths that were searched for and do not exist.
  var missing: [ByteString] = []
}

extension SetReader {
  func read(_ type: SetType, _ root: Fields) -> AssetContents {
    switch type {
    case .imageSet: .images(ImageSet(reading: root, in: self))
    case .colorSet: .colors(ColorSet(reading: root, in: self))
    case .dataSet: .data(DataSet(reading: root, in: self))
    case .symbolSet: .symbols(SymbolSet(reading: root, in: self))
    case .appIconSet: .appIcons(AppIconSet(reading: root, in: self))
    case .iconSet: .icons(IconSet(in: self))
    case .iconBundle: .iconBundle(IconBundle())
    case .launchImage: .launchImages(LaunchImageSet(reading: root, in: self))
    case .spriteAtlas: .spriteAtlas(SpriteAtlas())
    case .textureSet, .cubeTextureSet:
      .textures(TextureSet(isCube: type == .cubeTextureSet, reading: root, in: self))
    case .mipmapSet: .mipmaps(MipmapSet(reading: root, in: self))
    case .imageStack, .solidImageStack:
      .imageStack(ImageStack(isSolid: type == .solidImageStack, reading: root, in: self))
    case .imageStackLayer, .solidImageStackLayer:
      .imageStackLayer(ImageStackLayer(reading: root, in: self))
    case .brandAssets: .brandAssets(BrandAssets(reading: root, in: self))
    case .complicationSet: .complications(ComplicationSet(reading: root, in: self))
    case .stickerPack: .stickerPack(StickerPack(reading: root, in: self))
    case .sticker: .sticker(Sticker(reading: root, in: self))
    case .stickerSequence: .stickerSequence(StickerSequence(reading: root, in: self))
    case .stickersIconSet: .stickersIcons(AppIconSet(reading: root, in: self))
    case .arResourceGroup: .arGroup(ARResourceGroup(reading: root, in: self))
    case .arReferenceImage: .arImage(ARReferenceImage(reading: root, in: self))
    case .arObject: .arObject(ARObject(reading: root, in: self))
    case .leaderboard, .leaderboardSet, .dashboardImage:
      .gameCenter(GameCenterItem(reading: root, in: self))
    }
  }
}
