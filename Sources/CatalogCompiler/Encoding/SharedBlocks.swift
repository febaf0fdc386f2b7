// Renditions that share a block: the same file, the same processing and the same header.

import Archive
import Bytes
import Traits

/// Renditions that share their blocks, as indices in the plan: a file in several slots is decoded,
/// compressed and stored once.
struct SharedBlock {
  let first: Int
  var others: [Int] = []

  func forEach(_ body: (Int) -> Void) {
    body(first)
    for index in others { body(index) }
  }
}

struct BlockIdentity: Hashable {
  private var content: PlannedContent
  private var flags: RenditionFlags
  private var scale: UInt8
  private var gamut: Gamut
  /// Whether a wide-gamut rendition is made beside this one.
  private var isWidened: Bool
  /// The properties that decide whether the picture goes into an atlas, and into which one.
  private var largestAreaInAtlas: Int
  private var atlas: ByteString?
  private var isIcon: Bool
  private var keepsExactPixels: Bool
  private var statedName: ByteString?

  /// Creates the identity of a rendition; nil if it is not made from a file.
  init?(_ planned: PlannedRendition, isWidened: Bool) {
    guard planned.source != nil else { return nil }
    content = planned.content
    flags = planned.flags
    scale = planned.key.scale
    gamut = planned.key.gamut
    self.isWidened = isWidened
    isIcon = planned.kind == .icon
    atlas = planned.atlas
    largestAreaInAtlas = planned.largestAreaInAtlas
    keepsExactPixels = planned.keepsExactPixels
    statedName = planned.statedName
  }
}
