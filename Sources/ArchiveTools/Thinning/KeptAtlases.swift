// Decoded atlases of two archives that are compared. Pictures of one atlas are compared in any order, so that many
// atlases are needed at the same time; their memory has a limit.

import Archive

struct KeptAtlases {
  private struct Place: Hashable {
    var isMine: Bool
    var entry: Int
  }

  private var kept: [Place: Bitmap?] = [:]
  private var bytes = 0
  /// Beyond this, all are forgotten: an archive that needs more than these at once pays for decoding them again.
  private static let mostBytes = 512 << 20

  /// The pixels of an atlas; nil if they cannot be decoded.
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
