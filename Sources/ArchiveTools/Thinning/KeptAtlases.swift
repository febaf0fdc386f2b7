// A cache of decoded atlases, for the comparison of two archives. The pictures of an atlas are
// compared in any order, and therefore several atlases are needed at the same time. The memory of
// the cache has a limit.

import Archive
import Imaging

struct KeptAtlases {
  private struct Place: Hashable {
    var isMine: Bool
    var entry: Int
  }

  private var kept: [Place: Bitmap?] = [:]
  private var bytes = 0
  /// The limit of the memory. If it is exceeded, the cache is emptied: an archive that needs more
  /// atlases at once has to decode them again.
  private static let mostBytes = 512 << 20

  /// Returns the pixels of an atlas; nil if they cannot be decoded.
  mutating func bitmap(
    of entry: Int, in archive: OpenedArchive, isMine: Bool
  ) throws(FormatError) -> Bitmap? {
    let place = Place(isMine: isMine, entry: entry)
    if let known = kept[place] { return known }
    let bitmap = try archive.pixels(of: entry)
    let size = bitmap?.pixels.count ?? 0
    if bytes + size > KeptAtlases.mostBytes {
      kept = [:]
      bytes = 0
    }
    kept[place] = .some(bitmap)
    bytes += size
    return bitmap
  }
}
