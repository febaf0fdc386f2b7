// The result of making a planned rendition, on its way from the thread that made it to the file.

import Archive
import Imaging
import Traits

typealias EncodingResult = Result<[EncodedRendition], EncodingFailure>

/// The result of making a planned rendition: a finished block, or a small picture for an atlas.
enum EncodedRendition: Sendable {
  case block(Gamut, [UInt8], PictureFacts? = nil)
  /// A finished block in the bytes of an object.
  case linked(Gamut, FileBytes, PictureFacts?)
  case small(Gamut, DecodedPicture)

  var facts: PictureFacts? {
    switch self {
    case .block(_, _, let facts), .linked(_, _, let facts): facts
    case .small(_, let picture): picture.facts
    }
  }

  /// The memory that the result holds, in bytes.
  var byteCount: Int {
    switch self {
    case .block(_, let block, _): block.count
    case .linked: 0
    case .small(_, let picture): (picture.pixels?.byteCount ?? 0) + picture.packed.count
    }
  }
}

/// A small picture for an atlas. `pixels` is nil if they are decoded only when the atlas is drawn,
/// or if they are in `packed`.
struct DecodedPicture: Sendable {
  var facts: PictureFacts
  var pixels: CompactPixels?
  /// The key in the cache; nil if there is no cache and no object is made.
  var key: CacheKey?
  /// The compressed pixels that an object stores.
  var packed: [UInt8] = []
}
