// What comes of one planned rendition, on its way from the thread that made it to the file.

import Archive
import ArchiveTools
import Traits

typealias EncodingOutcome = Result<[MadeRendition], EncodingFailure>

/// What came of a planned rendition: a finished block, or a small picture for an atlas.
enum MadeRendition: Sendable {
  case block(Gamut, [UInt8], PictureFacts? = nil)
  /// A finished block that lies in an object.
  case held(Gamut, Bytes, PictureFacts?)
  case small(Gamut, DecodedPicture)

  var facts: PictureFacts? {
    switch self {
    case .block(_, _, let facts), .held(_, _, let facts): facts
    case .small(_, let picture): picture.facts
    }
  }

  /// The memory that it takes.
  var byteCount: Int {
    switch self {
    case .block(_, let block, _): block.count
    case .held: 0
    case .small(_, let picture): (picture.bitmap?.pixels.count ?? 0) + picture.packed.count
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
