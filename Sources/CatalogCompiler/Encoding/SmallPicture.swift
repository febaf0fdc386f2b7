// Small pictures that share one atlas: which of them may, and which belong together. Where each
// lies in its atlas is decided by the packer in Pictures/.

import Archive
import CatalogModel
import Traits

/// A small picture, decoded. Its pixels may have been dropped to save memory.
struct SmallPicture: Sendable {
  var planned: PlannedRendition
  var width: Int
  var height: Int
  var layout: PixelLayout
  var isOpaque: Bool
  var bitmap: Bitmap?

  /// nil for a picture that is too large to share an atlas, or must stand alone.
  init?(_ planned: PlannedRendition, _ bitmap: Bitmap) {
    let largest = 18_000 * Int(max(1, planned.key.scale))
    guard bitmap.width * bitmap.height <= largest,
      !(planned.kind == .icon && planned.key.subtype != 0)
    else { return nil }
    self.planned = planned
    width = bitmap.width
    height = bitmap.height
    layout = bitmap.layout
    isOpaque = bitmap.isOpaque
    self.bitmap = bitmap
  }

  var group: SpriteGroup {
    SpriteGroup(
      isIcon: planned.kind == .icon, layout: layout, isOpaque: isOpaque, key: planned.atlasKey)
  }
}

/// What the sprites of one atlas have in common.
struct SpriteGroup: Hashable, Sendable, Comparable {
  var isIcon: Bool
  var layout: PixelLayout
  var isOpaque: Bool
  /// The axes by which an atlas is found; the others do not matter to it.
  var key: VariantKey

  var isGray: Bool { layout == .ga8 || layout == .ga16 }

  static func < (a: SpriteGroup, b: SpriteGroup) -> Bool {
    if a.key != b.key { return a.key < b.key }
    if a.isIcon != b.isIcon { return !a.isIcon }
    if a.layout != b.layout { return a.layout.rawValue < b.layout.rawValue }
    return !a.isOpaque && b.isOpaque
  }

  /// The name that Apple's run time knows atlases by.
  var atlasName: String {
    "ZZZZPackedAsset-\(key.scale).\(isOpaque ? 1 : 0).\(isGray ? 1 : 0)-gamut\(key.gamut.rawValue)"
  }
}

extension PlannedRendition {
  var atlasKey: VariantKey {
    var atlas = VariantKey()
    atlas.scale = key.scale
    atlas.idiom = key.idiom
    atlas.style = key.style
    atlas.contrast = key.contrast
    atlas.locale = key.locale
    atlas.gamut = key.gamut
    atlas.osGeneration = key.osGeneration
    return atlas
  }
}
