// Whether renditions of two archives show the same: byte for byte, or, for pictures in atlases, in
// everything but the place in the atlas, with the same pixels there.

import Archive
import CPosix

struct ContentsComparison {
  /// What is known about an atlas and its counterpart.
  private enum AtlasPair {
    case equal
    /// By their entries; nil for one that is not there.
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

  /// Whether an entry of mine has the contents of one of theirs.
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
  /// The pixels of a rendition, in an atlas or not; nil if they cannot be decoded.
  mutating func picture(_ entry: Int, isMine: Bool) throws(FormatError) -> Bitmap? {
    let opened = isMine ? mine : theirs
    let rendition = try opened.archive.rendition(opened.inventory.entries[entry])
    guard let link = try rendition.link() else { return try opened.pixels(of: entry) }
    guard let atlas = (isMine ? myAtlases : theirAtlases)[link.target] else { return nil }
    return try kept.bitmap(of: atlas, in: opened, isMine: isMine)?.cut(link)
  }
}

extension Inventory {
  /// Atlases by the keys by which links find them.
  var atlasesByKey: [RenditionKey: Int] {
    Dictionary(atlases.map { (entries[$0].key, $0) }) { first, _ in first }
  }
}

extension OpenedArchive {
  /// The block of an entry.
  func bytes(of entry: Int) throws(FormatError) -> UnsafeRawBufferPointer {
    let range = inventory.entries[entry].range
    return try archive.bytes.slice(at: range.lowerBound, count: range.count, "a rendition").buffer
  }

  /// The pixels of a picture or an atlas, which count against what the archive may unfold to.
  func pixels(of entry: Int) throws(FormatError) -> Bitmap? {
    let rendition = try archive.rendition(inventory.entries[entry])
    try allowance.pay(for: rendition)
    return try Bitmap(rendition)
  }
}

extension UnsafeRawBufferPointer {
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return memcmp(mine, theirs, count) == 0
  }
}

extension Rendition {
  /// The bytes of a link with zeros for the place in the atlas.
  fileprivate func regardlessOfPlace() throws(FormatError) -> [UInt8] {
    var copy = Array(bytes.buffer)
    if let link = try body(of: .link) {
      let start = link.origin - bytes.origin
      for offset in InternalLink.placeInBody { copy[start + offset] = 0 }
    }
    return copy
  }
}
