// Builds atlases that lost pictures again from the pictures that stay: cuts these out, packs them
// as all atlases are packed, and compresses the result. An atlas that would not become smaller
// stays as it was. The second part keeps decoded atlases while two archives are compared.

import Archive
import Codecs
import Imaging

/// Packs atlases of one archive again.
struct AtlasRepacker {
  let opened: OpenedArchive

  /// A picture of an atlas, and the links that lead to it.
  private struct Member {
    var links: [Int]
    var rank: UInt32
    var picture: Bitmap
  }

  /// Returns the new blocks of an atlas and of the links into it; nil if the atlas stays as it is.
  func repack(
    _ atlas: Int, keeping links: [Int]
  ) throws(FormatError) -> [Int: [UInt8]]? {
    let old = try opened.archive.rendition(opened.inventory.entries[atlas])
    // An atlas with more pixels than the size of the archive allows stays as it is.
    guard (try? opened.allowance.pay(for: old)) != nil, let whole = try Bitmap(old),
      let members = try members(links, in: whole)
    else {
      return nil
    }
    let sprites = members.map { member in
      Sprite(
        width: member.picture.width, height: member.picture.height,
        rank: member.rank, group: atlas)
    }
    let packed = packTogether(sprites, group: atlas)
    // A pixel costs at least as many bytes as before, so an atlas of a larger area would not become
    // smaller.
    guard packed.width <= whole.width * whole.height / max(1, packed.height) else { return nil }
    let bytesPerRow = whole.layout.bytesPerRow(width: packed.width)
    var pixels = [UInt8](repeating: 0, count: bytesPerRow * packed.height)
    var blocks: [Int: [UInt8]] = [:]
    for frame in packed.frames {
      let member = members[frame.sprite]
      let top = packed.height - frame.y - member.picture.height
      member.picture.draw(intoAtlas: &pixels, bytesPerRow: bytesPerRow, x: frame.x, y: top)
      for link in member.links {
        let rendition = try opened.archive.rendition(opened.inventory.entries[link])
        blocks[link] = try rendition.block(linkedTo: (frame.x, frame.y))
      }
    }
    let bitmap = Bitmap(
      width: packed.width, height: packed.height, layout: whole.layout, isOpaque: whole.isOpaque,
      isGray: whole.isGray, pixels: pixels)
    // Half floats of grey can be stored only in their own codecs. If no such codec is chosen, the
    // atlas stays as it is.
    guard let payload = payload(of: bitmap, as: old) else { return nil }
    let block = try old.block(ofAtlas: bitmap, payload: payload)
    guard block.count < old.bytes.count else { return nil }
    blocks[atlas] = block
    return blocks
  }

  /// Compresses the pixels without loss, as small as is possible for the systems that can read the
  /// old atlas. Nil if that is not possible.
  private func payload(of bitmap: Bitmap, as old: Rendition) -> [UInt8]? {
    // Every system that can read atlases can read LZFSE. Palettes and deepmaps are newer than both.
    let reader: OldestReader
    switch (try? BitmapPayload(old.payload.buffer))?.compression {
    case .deepMap2: reader = .deepMap2
    case .palette, .deepMap: reader = .palette
    default: reader = .lzfse
    }
    var encoder = BitmapEncoder(optimization: .space, oldestReader: reader)
    var payload: [UInt8] = []
    let kind = bitmap.pixels.withUnsafeBytes { bytes in
      let rows = BitmapRows(
        bytes, format: bitmap.layout.coded, width: bitmap.width, height: bitmap.height,
        bytesPerRow: bitmap.bytesPerRow, isOpaque: bitmap.isOpaque,
        isHalfGray: bitmap.layout == .ga16Half)
      return encoder.encode(rows, demands: BitmapDemands(isExact: true), appendingTo: &payload)
    }
    return bitmap.layout == .ga16Half && !kind.holdsHalfGray ? nil : payload
  }

  /// Returns the pictures to which the links lead, each frame once. Nil if a picture leaves the
  /// atlas, or if the pictures together are larger than the atlas, which no packer writes.
  private func members(
    _ links: [Int], in atlas: Bitmap
  ) throws(FormatError) -> [Member]? {
    var members: [Member] = []
    var memberOfFrame: [[UInt32]: Int] = [:]
    var area = 0
    for entry in links {
      let rendition = try opened.archive.rendition(opened.inventory.entries[entry])
      guard let link = try rendition.link() else { return nil }
      let frame = [link.x, link.y, link.width, link.height]
      if let known = memberOfFrame[frame] {
        members[known].links.append(entry)
        continue
      }
      guard link.width > 0, link.height > 0, Int(link.width) <= atlas.width,
        Int(link.height) <= atlas.height
      else { return nil }
      area += Int(link.width) * Int(link.height)
      guard area <= atlas.width * atlas.height, let picture = atlas.cut(link) else { return nil }
      memberOfFrame[frame] = members.count
      let key = opened.inventory.entries[entry].key
      let rank = opened.archive.header.keySemantics.spriteRank(
        part: key.part, identifier: key.identifier)
      members.append(Member(links: [entry], rank: rank, picture: picture))
    }
    return members
  }
}

extension Rendition {
  /// Returns the block of a link whose picture has another place in its atlas.
  fileprivate func block(linkedTo place: (x: Int, y: Int)) throws(FormatError) -> [UInt8] {
    let properties = try allProperties().map { property -> RenditionProperty in
      guard case .link(var link) = property else { return property }
      link.x = UInt32(place.x)
      link.y = UInt32(place.y)
      return .link(link)
    }
    return RenditionHead(header, properties).block(payload: Array(payload.buffer))
  }

  /// Returns the block of an atlas with other pixels.
  fileprivate func block(ofAtlas bitmap: Bitmap, payload: [UInt8]) throws(FormatError) -> [UInt8] {
    var header = header
    header.width = UInt32(bitmap.width)
    header.height = UInt32(bitmap.height)
    let stated =
      Compression(of: payload)?.statedBytesPerRow(
        bitmap.layout.coded, width: bitmap.width, isOpaque: bitmap.isOpaque,
        padded: bitmap.bytesPerRow) ?? bitmap.bytesPerRow
    let properties = try allProperties().map { property -> RenditionProperty in
      if case .bytesPerRow = property { return .bytesPerRow(UInt32(stated)) }
      return property
    }
    return RenditionHead(header, properties).block(payload: payload)
  }
}

// MARK: - Atlases that are kept

// A cache of decoded atlases, for the comparison of two archives. The pictures of an atlas are
// compared in any order, and therefore several atlases are needed at the same time. The memory of
// the cache has a limit.

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
