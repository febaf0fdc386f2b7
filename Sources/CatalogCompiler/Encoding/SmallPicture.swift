// Small pictures that share atlases: which pictures are small, and which of them may share an
// atlas. `packAtlases` decides where each one lies.

import Archive
import Bytes
import CatalogModel
import Codecs
import Imaging
import Traits

/// A decoded small picture. Its pixels may have been dropped to save memory.
struct SmallPicture: Sendable {
  /// The index of its rendition in the plan.
  var rendition: Int
  /// The gamut in which it was decoded. It can differ from the gamut in the plan.
  var gamut: Gamut
  var demands: BitmapDemands
  var facts: PictureFacts
  /// The key of its pixels in the cache.
  var key: CacheKey?
  private var shared: SharedGroup
  /// The pixels; empty if they were dropped.
  private var pixels: [UInt8]

  init(
    _ planned: PlannedRendition, number: Int, _ picture: DecodedPicture, demands: BitmapDemands,
    keepsPixels: Bool, in groups: inout [SpriteGroup: SharedGroup]
  ) {
    self.demands = demands
    rendition = number
    gamut = planned.key.gamut
    facts = picture.facts
    let group = SpriteGroup(
      isIcon: planned.kind == .icon, layout: picture.facts.layout,
      isOpaque: picture.facts.isOpaque, key: planned.atlasKey, atlas: planned.atlas)
    if let known = groups[group] {
      shared = known
    } else {
      shared = SharedGroup(group)
      groups[group] = shared
    }
    pixels = keepsPixels ? picture.bitmap?.pixels ?? [] : []
    key = picture.key
  }

  var group: SpriteGroup { shared.group }

  var hasPixels: Bool { !pixels.isEmpty }

  var bitmap: Bitmap? {
    if pixels.isEmpty { return nil }
    return Bitmap(
      width: facts.width, height: facts.height, layout: facts.layout,
      bytesPerRow: facts.bytesPerRow, isOpaque: facts.isOpaque, isGray: facts.layout.isGray,
      hasWiderSource: facts.hasWiderSource, pixels: pixels)
  }

  var width: Int { facts.width }
  var height: Int { facts.height }

  /// Returns whether a picture may be in an atlas. Large pictures may not, and neither may icons
  /// for wide displays.
  static func canBe(_ bitmap: PictureFacts, for planned: PlannedRendition) -> Bool {
    if planned.atlas != nil { return true }
    let largest = AtlasLimits(scale: Int(max(1, planned.key.scale))).spriteArea
    return bitmap.width * bitmap.height <= largest && !planned.standsAlone
      && !(planned.kind == .icon && planned.key.subtype != 0)
  }
}

/// A group that all its pictures refer to and do not copy: there are few groups and many pictures.
final class SharedGroup: Sendable {
  let group: SpriteGroup
  init(_ group: SpriteGroup) { self.group = group }
}

/// The properties that all sprites of one atlas share.
struct SpriteGroup: Hashable, Sendable, Comparable {
  var isIcon: Bool
  var layout: BitmapLayout
  var isOpaque: Bool
  /// The axes on which atlases differ. The other axes of the pictures' keys do not matter.
  var key: VariantKey
  /// The name of the sprite atlas, if the atlas is one of its pages.
  var atlas: ByteString?

  var isGray: Bool { layout.isGray }

  static func < (a: SpriteGroup, b: SpriteGroup) -> Bool {
    if a.key != b.key { return a.key < b.key }
    if a.atlas != b.atlas { return a.atlas ?? "" < b.atlas ?? "" }
    if a.isIcon != b.isIcon { return !a.isIcon }
    if a.layout != b.layout { return a.layout.rawValue < b.layout.rawValue }
    return !a.isOpaque && b.isOpaque
  }

  /// The name by which Apple's run time finds atlases.
  var atlasName: ByteString {
    "ZZZZ\(atlas == nil ? "PackedAsset" : "ExplicitlyPackedAsset")-\(key.scale).\(isOpaque ? 1 : 0).\(isGray ? 1 : 0)-gamut\(key.gamut.rawValue)"
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
