// What comes of one planned rendition, on its way from the thread that made it to the file.

import ArchiveTools
import Traits

typealias EncodingOutcome = Result<[MadeRendition], EncodingFailure>

/// What came of a planned rendition: a finished block, or a small picture for an atlas.
enum MadeRendition: Sendable {
  case block(Gamut, [UInt8], PictureFacts? = nil)
  case small(Gamut, DecodedPicture)

  var facts: PictureFacts? {
    switch self {
    case .block(_, _, let facts): facts
    case .small(_, let picture): picture.facts
    }
  }
}

/// A picture whose pixels may have stayed in the cache.
struct DecodedPicture: Sendable {
  var facts: PictureFacts
  var bitmap: Bitmap?
  /// nil where nothing is cached.
  var key: CacheKey?
  /// The pixels as an object keeps them.
  var packed: [UInt8] = []
}
