// Small pictures that share one atlas: which of them may, and which belong together. Where each
// lies in its atlas is decided by the packer in Pictures/.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Codecs
import Traits

/// A small picture, decoded. Its pixels may have been dropped to save memory.
struct SmallPicture: Sendable {
  /// The place of its rendition in the plan.
  var rendition: Int
  /// The gamut in which it was decoded, which may be another than the plan's.
  var gamut: Gamut
  var demands: BitmapDemands
  var facts: PictureFacts
  /// The key of its pixels in the cache.
  var key: CacheKey?
  private var shared: SharedGroup
  /// Empty where they were dropped.
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

  /// Whether a picture may share an atlas: large ones do not, nor does the icon of wide displays.
  static func canBe(_ bitmap: PictureFacts, for planned: PlannedRendition) -> Bool {
    if planned.atlas != nil { return true }
    let largest = AtlasLimits(scale: Int(max(1, planned.key.scale))).spriteArea
    return bitmap.width * bitmap.height <= largest && !planned.standsAlone
      && !(planned.kind == .icon && planned.key.subtype != 0)
  }
}

/// A group that all its pictures refer to: there are few groups and many pictures.
final class SharedGroup: Sendable {
  let group: SpriteGroup
  init(_ group: SpriteGroup) { self.group = group }
}

/// What the sprites of one atlas have in common.
struct SpriteGroup: Hashable, Sendable, Comparable {
  var isIcon: Bool
  var layout: BitmapLayout
  var isOpaque: Bool
  /// The axes by which an atlas is found; the others do not matter to it.
  var key: VariantKey
  /// The sprite atlas whose page it is.
  var atlas: ByteString?

  var isGray: Bool { layout.isGray }

  static func < (a: SpriteGroup, b: SpriteGroup) -> Bool {
    if a.key != b.key { return a.key < b.key }
    if a.atlas != b.atlas { return a.atlas ?? "" < b.atlas ?? "" }
    if a.isIcon != b.isIcon { return !a.isIcon }
    if a.layout != b.layout { return a.layout.rawValue < b.layout.rawValue }
    return !a.isOpaque && b.isOpaque
  }

  /// The name that Apple's run time knows atlases by.
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
