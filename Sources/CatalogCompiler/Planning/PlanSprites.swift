// Sprite atlases: a list of names, and pictures that share pages of their own.

import Archive
import CatalogModel
import Traits

extension Plan {
  /// Adds the list of the sprites that have renditions. The sprites are assets of their own.
  mutating func addSpriteAtlas(
    _ asset: AssetSet, sprites: [AssetSet], for target: CompileTarget
  ) {
    let names = sprites.filter { $0.atlas == asset.name }.map(\.name)
    let made = Set(renditions.lazy.filter { $0.atlas == asset.name }.map(\.facet))
    let listed = names.filter { made.contains($0) }
    if listed.isEmpty { return }
    var list = PlannedRendition(
      facet: asset.name, kind: nil, part: Part.spriteAtlas, key: VariantKey(),
      content: .names(listed), file: asset.contentsFile, pointer: "")
    list.element = Element.atlas
    list.statedName = "CoreStructuredImage"
    renditions.append(list)
    reportUnproven(
      nil, of: asset,
      "only one archive of Apple's tool with a sprite atlas; sprites keep their transparent borders"
    )
  }
}
