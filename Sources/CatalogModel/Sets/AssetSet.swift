// One asset of a catalogue, of any type. Sets/ has a file for the contents of each type; Reading/
// turns folders into assets.

import Bytes
import Traits

/// The types of folder that a catalogue can hold, named by their extension.
package enum SetType: String, CaseIterable, Sendable, Hashable {
  case imageSet = "imageset"
  case colorSet = "colorset"
  case dataSet = "dataset"
  case symbolSet = "symbolset"
  case appIconSet = "appiconset"
  case iconSet = "iconset"
  case iconBundle = "icon"
  case launchImage = "launchimage"
  case spriteAtlas = "spriteatlas"
  case textureSet = "textureset"
  case cubeTextureSet = "cubetextureset"
  case mipmapSet = "mipmapset"
  case imageStack = "imagestack"
  case imageStackLayer = "imagestacklayer"
  case solidImageStack = "solidimagestack"
  case solidImageStackLayer = "solidimagestacklayer"
  case brandAssets = "brandassets"
  case complicationSet = "complicationset"
  case stickerPack = "stickerpack"
  case sticker = "sticker"
  case stickerSequence = "stickersequence"
  case stickersIconSet = "stickersiconset"
  case arResourceGroup = "arresourcegroup"
  case arReferenceImage = "arreferenceimage"
  case arObject = "arobject"
  case leaderboard = "gcleaderboard"
  case leaderboardSet = "gcleaderboardset"
  case dashboardImage = "gcdashboardimage"
}

/// The contents of an asset, by type.
package enum AssetContents: Sendable, Hashable {
  case images(ImageSet)
  case colors(ColorSet)
  case data(DataSet)
  case symbols(SymbolSet)
  case appIcons(AppIconSet)
  case icons(IconSet)
  case iconBundle(IconBundle)
  case launchImages(LaunchImageSet)
  case spriteAtlas(SpriteAtlas)
  case textures(TextureSet)
  case mipmaps(MipmapSet)
  case imageStack(ImageStack)
  case imageStackLayer(ImageStackLayer)
  case brandAssets(BrandAssets)
  case complications(ComplicationSet)
  case stickerPack(StickerPack)
  case sticker(Sticker)
  case stickerSequence(StickerSequence)
  case stickersIcons(AppIconSet)
  case arGroup(ARResourceGroup)
  case arImage(ARReferenceImage)
  case arObject(ARObject)
  case gameCenter(GameCenterItem)
}

/// One asset: a folder with an extension, and the values of its Contents.json.
package struct AssetSet: Sendable, Hashable {
  /// The name with the namespaces before it: "Group/Star".
  package var name: ByteString
  package var type: SetType
  /// The path of the folder, in the form that the user would write.
  package var folder: ByteString
  /// The index of its catalogue among the given catalogues.
  package var catalog: Int
  package var contents: AssetContents
  package var onDemandTags: [ByteString] = []
  /// Whether a finding says that entries of the set, or values of them, were not read.
  package var hasUnreadEntries = false
  /// Whether entries have no variant or no file because a value was not understood. What the set
  /// seems to lack may be in these entries.
  var leavesOutEntries = false
  /// Whether the file that describes the set can be rewritten without a loss.
  var isFixable = true
  /// The parts of a stack, a brand, a sticker pack or a texture. They have no name of their own.
  package var children: [AssetSet] = []
  /// The name of the sprite atlas that contains the asset.
  package var atlas: ByteString?

  package init(
    name: ByteString, type: SetType, folder: ByteString, catalog: Int, contents: AssetContents
  ) {
    self.name = name
    self.type = type
    self.folder = folder
    self.catalog = catalog
    self.contents = contents
  }

  /// The file that diagnostics about the asset name.
  package var contentsFile: ByteString {
    joined(folder, type == .iconBundle ? "icon.json" : "Contents.json")
  }

  /// The file that describes the asset, or its folder if no file does.
  package var describingFile: ByteString { type == .iconSet ? folder : contentsFile }

  /// The kind under which programs look the asset up; nil for parts and for assets that have no
  /// lookup by name.
  package var kind: AssetKind? {
    switch type {
    case .imageSet, .launchImage, .imageStack, .spriteAtlas, .textureSet, .cubeTextureSet: .image
    case .colorSet: .color
    case .dataSet: .data
    case .symbolSet: .symbol
    case .appIconSet, .iconSet, .iconBundle, .brandAssets, .solidImageStack, .stickersIconSet: .icon
    case .mipmapSet, .imageStackLayer, .solidImageStackLayer, .complicationSet, .stickerPack,
      .sticker, .stickerSequence, .arResourceGroup, .arReferenceImage, .arObject, .leaderboard,
      .leaderboardSet, .dashboardImage:
      nil
    }
  }
}

extension SetType {
  /// Whether a set of the type can be an icon of an app. A set of the type `iconSet` is the icon of
  /// a document or a badge.
  package var canBeAppIcon: Bool {
    switch self {
    case .appIconSet, .iconBundle, .brandAssets, .stickersIconSet, .solidImageStack, .imageStack:
      true
    case .imageSet, .colorSet, .dataSet, .symbolSet, .iconSet, .launchImage, .spriteAtlas,
      .textureSet, .cubeTextureSet, .mipmapSet, .imageStackLayer, .solidImageStackLayer,
      .complicationSet, .stickerPack, .sticker, .stickerSequence, .arResourceGroup,
      .arReferenceImage, .arObject, .leaderboard, .leaderboardSet, .dashboardImage:
      false
    }
  }

  /// The noun for an asset of this type at the beginning of a message.
  package var noun: String {
    switch self {
    case .imageSet: "image"
    case .colorSet: "colour"
    case .dataSet: "data asset"
    case .symbolSet: "symbol"
    case .appIconSet, .iconSet, .iconBundle, .stickersIconSet: "icon"
    case .launchImage: "launch image"
    case .spriteAtlas: "sprite atlas"
    case .textureSet, .cubeTextureSet, .mipmapSet: "texture"
    case .imageStack, .solidImageStack: "image stack"
    case .imageStackLayer, .solidImageStackLayer, .brandAssets, .complicationSet, .stickerPack,
      .sticker, .stickerSequence, .arResourceGroup, .arReferenceImage, .arObject, .leaderboard,
      .leaderboardSet, .dashboardImage:
      "asset"
    }
  }
}
