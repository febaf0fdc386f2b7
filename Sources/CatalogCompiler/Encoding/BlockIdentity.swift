// When two renditions are one block: same file, same treatment, same header.

import Archive
import Bytes
import CatalogModel
import Traits

struct BlockIdentity: Hashable {
  private var content: PlannedContent
  private var flags: RenditionFlags
  private var scale: UInt8
  private var gamut: Gamut
  /// Whether a wide rendition is made beside this one.
  private var isWidened: Bool
  /// Whether the picture may go into an atlas, and into which kind.
  private var isIcon: Bool
  private var standsAlone: Bool
  private var atlas: ByteString?
  private var keepsExactPixels: Bool
  private var statedName: ByteString?

  /// nil for what is made from no file.
  init?(_ planned: PlannedRendition, isWidened: Bool) {
    guard planned.source != nil else { return nil }
    content = planned.content
    flags = planned.flags
    scale = planned.key.scale
    gamut = planned.key.gamut
    self.isWidened = isWidened
    isIcon = planned.kind == .icon
    atlas = planned.atlas
    standsAlone = planned.standsAlone || planned.key.subtype != 0
    keepsExactPixels = planned.keepsExactPixels
    statedName = planned.statedName
  }
}
