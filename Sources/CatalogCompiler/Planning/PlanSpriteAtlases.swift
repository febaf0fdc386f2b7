// Sprite atlases: a list of names, and pictures that share pages of their own.

import Archive
import Bytes
import CatalogModel
import Traits

extension RenditionPlan {
  /// Adds the lists of the sprites that have renditions. The sprites are assets of their own.
  mutating func addSpriteAtlases(in assets: [AssetSet]) {
    var made: [ByteString: Set<ByteString>] = [:]
    for rendition in renditions {
      if let atlas = rendition.atlas { made[atlas, default: []].insert(rendition.facet) }
    }
    var listed: [ByteString: [ByteString]] = [:]
    for asset in assets {
      guard let atlas = asset.atlas, made[atlas]?.contains(asset.name) ?? false else { continue }
      listed[atlas, default: []].append(asset.name)
    }
    for asset in assets where asset.type == .spriteAtlas {
      if let names = listed[asset.name] { addSpriteAtlas(asset, names) }
    }
  }

  private mutating func addSpriteAtlas(_ asset: AssetSet, _ listed: [ByteString]) {
    var list = PlannedRendition(
      facet: asset.name, kind: nil, part: Part.spriteAtlas, key: VariantKey(),
      content: .names(listed), jsonFile: asset.contentsFile, pointer: "")
    list.element = Element.atlas
    list.statedName = "CoreStructuredImage"
    renditions.append(list)
    reportUnproven(
      nil, of: asset,
      "only one archive of Apple's tool with a sprite atlas; sprites keep their transparent borders"
    )
  }
}
