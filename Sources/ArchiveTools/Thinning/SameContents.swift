// Compares the contents of renditions of two archives. Renditions are compared byte for byte.
// Pictures in atlases are equal if everything except their position in the atlas is equal and the
// atlases have the same pixels there.

import Archive
import Imaging

/// A comparison of renditions of two archives. It remembers the atlases that it has compared.
struct ContentsComparison {
  /// The relation of two atlases.
  private enum AtlasPair {
    case equal
    /// The atlases have to be compared pixel by pixel. The numbers are their entries; nil for an
    /// atlas that is not in its archive.
    case pixels(Int?, Int?)
  }

  let mine: OpenedArchive
  let theirs: OpenedArchive
  private var pairs: [[RenditionKey]: AtlasPair] = [:]
  private var kept = KeptAtlases()
  private let myAtlases: [RenditionKey: Int]
  private let theirAtlases: [RenditionKey: Int]

  init(_ mine: OpenedArchive, _ theirs: OpenedArchive) {
    self.mine = mine
    self.theirs = theirs
    myAtlases = mine.inventory.atlasesByKey
    theirAtlases = theirs.inventory.atlasesByKey
  }

  /// Returns whether an entry of `mine` has the same contents as an entry of `theirs`.
  mutating func isSame(_ entry: Int, _ other: Int) throws(FormatError) -> Bool {
    let bytes = try mine.bytes(of: entry)
    let otherBytes = try theirs.bytes(of: other)
    guard mine.inventory.outlines[entry].layout == .internalLink else {
      return bytes.isSame(as: otherBytes)
    }
    guard theirs.inventory.outlines[other].layout == .internalLink else { return false }
    let placed = try mine.archive.rendition(mine.inventory.entries[entry])
    let otherPlaced = try theirs.archive.rendition(theirs.inventory.entries[other])
    guard let link = try placed.link(), let otherLink = try otherPlaced.link() else {
      return bytes.isSame(as: otherBytes)
    }
    guard try placed.regardlessOfPlace() == otherPlaced.regardlessOfPlace() else { return false }
    switch try pair(link.target, otherLink.target) {
    case .equal: return (link.x, link.y) == (otherLink.x, otherLink.y)
    case .pixels(let atlas, let otherAtlas):
      guard let atlas, let picture = try kept.bitmap(of: atlas, in: mine, isMine: true)?.cut(link),
        let otherAtlas
      else { return false }
      let other = try kept.bitmap(of: otherAtlas, in: theirs, isMine: false)
      return picture == other?.cut(otherLink)
    }
  }

  private mutating func pair(
    _ key: RenditionKey, _ otherKey: RenditionKey
  ) throws(FormatError) -> AtlasPair {
    if let known = pairs[[key, otherKey]] { return known }
    var pair = AtlasPair.pixels(nil, nil)
    if let atlas = myAtlases[key], let other = theirAtlases[otherKey] {
      if try mine.bytes(of: atlas).isSame(as: theirs.bytes(of: other)) {
        pair = .equal
      } else {
        pair = .pixels(atlas, other)
      }
    }
    pairs[[key, otherKey]] = pair
    return pair
  }
}

extension ContentsComparison {
  /// Returns the pixels of a rendition, which may lie in an atlas; nil if they cannot be decoded.
  mutating func picture(_ entry: Int, isMine: Bool) throws(FormatError) -> Bitmap? {
    let opened = isMine ? mine : theirs
    let rendition = try opened.archive.rendition(opened.inventory.entries[entry])
    guard let link = try rendition.link() else { return try opened.pixels(of: entry) }
    guard let atlas = (isMine ? myAtlases : theirAtlases)[link.target] else { return nil }
    return try kept.bitmap(of: atlas, in: opened, isMine: isMine)?.cut(link)
  }

  /// Returns why a picture that has no pixels is damaged; nil if it is no picture, or has pixels
  /// that are not read.
  mutating func damage(of entry: Int, isMine: Bool) -> String? {
    let opened = isMine ? mine : theirs
    do throws(FormatError) {
      let rendition = try opened.archive.rendition(opened.inventory.entries[entry])
      if let link = try rendition.link() {
        guard let atlas = (isMine ? myAtlases : theirAtlases)[link.target] else {
          return "its atlas is not in the archive"
        }
        if try kept.bitmap(of: atlas, in: opened, isMine: isMine) != nil {
          return "its frame extends beyond the atlas"
        }
        return try kept.damage(of: atlas, in: opened, isMine: isMine)
      }
      return rendition.payload.hasPrefix("MLEC") ? rendition.damage : nil
    } catch {
      return "\(error)"
    }
  }

  /// Returns whether two links into atlases that cannot be decoded show the same place of equal
  /// bytes; true for renditions that are no links.
  func haveSameAtlas(_ entry: Int, _ other: Int) throws(FormatError) -> Bool {
    let links = (
      try mine.archive.rendition(mine.inventory.entries[entry]).link(),
      try theirs.archive.rendition(theirs.inventory.entries[other]).link()
    )
    guard let own = links.0, let their = links.1 else { return links.0 == nil && links.1 == nil }
    guard let atlas = myAtlases[own.target], let otherAtlas = theirAtlases[their.target] else {
      return false
    }
    let isSamePlace =
      own.x == their.x && own.y == their.y && own.width == their.width
      && own.height == their.height
    let bytes = (try mine.bytes(of: atlas), try theirs.bytes(of: otherAtlas))
    return isSamePlace && bytes.0.isSame(as: bytes.1)
  }
}

extension Inventory {
  /// The entries of the atlases, by the keys that links contain.
  var atlasesByKey: [RenditionKey: Int] {
    Dictionary(atlases.map { (entries[$0].key, $0) }) { first, _ in first }
  }
}

extension OpenedArchive {
  /// Returns the bytes of an entry's block.
  func bytes(of entry: Int) throws(FormatError) -> UnsafeRawBufferPointer {
    let range = inventory.entries[entry].range
    return try archive.bytes.slice(at: range.lowerBound, count: range.count, "a rendition").buffer
  }

  /// Decodes the pixels of a picture or an atlas. They count against the bytes that the pictures of
  /// the archive may have.
  func pixels(of entry: Int) throws(FormatError) -> Bitmap? {
    let rendition = try archive.rendition(inventory.entries[entry])
    try allowance.pay(for: rendition)
    return try Bitmap(rendition)
  }
}

extension Rendition {
  /// Returns the bytes of a link, with zeros for its position in the atlas.
  fileprivate func regardlessOfPlace() throws(FormatError) -> [UInt8] {
    var copy = Array(bytes.buffer)
    if let link = try body(of: .link) {
      let start = link.origin - bytes.origin
      for offset in InternalLink.placeInBody { copy[start + offset] = 0 }
    }
    return copy
  }
}

// MARK: - Atlases that are kept

/// A cache of decoded atlases, for the comparison of two archives. The pictures of an atlas are
/// compared in any order, and therefore several atlases are needed at the same time. The memory of
/// the cache has a limit.
private struct KeptAtlases {
  private struct AtlasName: Hashable {
    var isMine: Bool
    var entry: Int
  }

  private var kept: [AtlasName: Bitmap?] = [:]
  private var damages: [AtlasName: String?] = [:]
  private var bytes = 0
  /// The limit of the memory. If it is exceeded, the cache is emptied: an archive that needs more
  /// atlases at once has to decode them again.
  private static let mostBytes = 512 << 20

  /// Returns the pixels of an atlas; nil if they cannot be decoded.
  mutating func bitmap(
    of entry: Int, in archive: OpenedArchive, isMine: Bool
  ) throws(FormatError) -> Bitmap? {
    let name = AtlasName(isMine: isMine, entry: entry)
    if let known = kept[name] { return known }
    let bitmap = try archive.pixels(of: entry)
    let size = bitmap?.pixels.count ?? 0
    if bytes + size > KeptAtlases.mostBytes {
      kept = [:]
      bytes = 0
    }
    kept[name] = .some(bitmap)
    bytes += size
    return bitmap
  }

  /// Returns why an atlas cannot be decoded; nil if it is not damaged.
  mutating func damage(
    of entry: Int, in archive: OpenedArchive, isMine: Bool
  ) throws(FormatError) -> String? {
    let name = AtlasName(isMine: isMine, entry: entry)
    if let known = damages[name] { return known }
    let damage = try archive.archive.rendition(archive.inventory.entries[entry]).damage
    damages[name] = .some(damage)
    return damage
  }
}
