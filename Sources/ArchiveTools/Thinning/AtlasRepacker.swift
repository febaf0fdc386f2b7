// Builds atlases that lost pictures again from the pictures that stay: cuts these out, packs them
// as all atlases are packed, and compresses the result by the method of the old atlas, so that no
// other method is tried. An atlas that would not become smaller stays as it was. The second part
// keeps decoded atlases while two archives are compared.

import Archive
import Codecs
import Host
import Imaging
import Synchronization

/// An atlas that keeps some of its pictures and loses others.
struct ShrunkAtlas: Sendable, Hashable {
  /// The entry of the atlas.
  var atlas: Int
  /// The entries of the links that are kept.
  private(set) var links: [Int] = []
  private(set) var droppedCount = 0
  /// The areas of the pictures that are kept and of those that are dropped. A picture with several
  /// links counts several times.
  private var keptArea = 0
  private var droppedArea = 0

  init(atlas: Int) { self.atlas = atlas }

  mutating func add(_ link: AtlasLink, isKept: Bool) {
    let area = link.frame.area
    if isKept {
      links.append(link.entry)
      keptArea += area
    } else {
      droppedCount += 1
      droppedArea += area
    }
  }

  /// Whether packing the atlas again saves enough for its time, which grows with the area that is
  /// kept. The bytes that it saves grow with the area that is dropped.
  var isWorthPacking: Bool { droppedArea >= keptArea / 16 }
}

/// The new blocks of an atlas and of the links into it, by their entries.
typealias PackedBlocks = [Int: [UInt8]]

/// Packs atlases of one archive again. Several devices often keep the same pictures of an atlas, so
/// results are kept and used again.
final class AtlasRepacker: Sendable {
  private struct Memory {
    /// The results; nil for an atlas that stays as it is.
    var known: [ShrunkAtlas: PackedBlocks?] = [:]
    var byteCount = 0
    /// Encoders that no thread uses.
    var encoders: [BitmapEncoder] = []
    var optimization: Optimization?
  }

  private let opened: OpenedArchive
  private let memory = Mutex(Memory())
  private let gate = MemoryGate()
  /// The limit of the bytes of results that are kept. If it is exceeded, all are forgotten.
  private static let mostBytes = 32 << 20

  init(_ opened: OpenedArchive) { self.opened = opened }

  /// Packs atlases again, on all cores. Returns the results in the same order; nil for an atlas
  /// that stays as it is.
  func repack(_ atlases: [ShrunkAtlas]) throws(FormatError) -> [PackedBlocks?] {
    let known = memory.withLock { memory in atlases.map { memory.known[$0] } }
    // The atlases are paid for in their order, whether or not their results are known, so that the
    // results depend neither on the threads nor on earlier calls. An atlas with more pixels than
    // the size of the archive allows stays as it is.
    let allowance = PictureAllowance(fileSize: opened.archive.bytes.count)
    var results: [ShrunkAtlas: PackedBlocks] = [:]
    var asked: [(atlas: ShrunkAtlas, memory: Int)] = []
    for (atlas, result) in zip(atlases, known) where atlas.isWorthPacking {
      let old = try opened.archive.rendition(opened.inventory.entries[atlas.atlas])
      guard (try? allowance.pay(for: old)) != nil else { continue }
      if let result {
        results[atlas] = result
      } else {
        asked.append((atlas, Bitmap.memory(of: old)))
      }
    }
    let optimization = asked.isEmpty ? .standard : usualOptimization()
    let made = parallelMap(asked, jobs: availableProcessors()) {
      atlas, memory -> Result<PackedBlocks?, FormatError> in
      do throws(FormatError) {
        return .success(
          try self.gate.share(memory) { () throws(FormatError) in
            try self.repack(atlas, optimization)
          })
      } catch {
        return .failure(error)
      }
    }
    for ((atlas, _), result) in zip(asked, made) { results[atlas] = try result.get() }
    keep(results, of: asked.map(\.atlas))
    return atlases.map { results[$0] }
  }

  private func keep(_ results: [ShrunkAtlas: PackedBlocks], of asked: [ShrunkAtlas]) {
    memory.withLock { memory in
      for atlas in asked {
        let result = results[atlas]
        memory.known[atlas] = .some(result)
        memory.byteCount += result?.values.reduce(0) { $0 + $1.count } ?? 0
      }
      if memory.byteCount > Self.mostBytes { (memory.known, memory.byteCount) = ([:], 0) }
    }
  }

  /// Returns the optimization with which atlases of the archive are compressed again: for the
  /// fewest bytes if the archive was made so, otherwise the standard one. A standard encoding of
  /// one of its atlases shows which it was: the search for the fewest bytes saves 4 to 15 %, the
  /// encoder of Apple's tool at most 1 %.
  private func usualOptimization() -> Optimization {
    if let known = memory.withLock({ $0.optimization }) { return known }
    var optimization = Optimization.standard
    let inventory = opened.inventory
    let typical = inventory.atlases.filter { inventory.entries[$0].range.count >= 4096 }
      .min { inventory.entries[$0].range.count < inventory.entries[$1].range.count }
    // The atlas may be damaged; that is an error only if it is packed.
    if let typical, let old = try? opened.archive.rendition(inventory.entries[typical]),
      (try? PictureAllowance(fileSize: opened.archive.bytes.count).pay(for: old)) != nil,
      let bitmap = try? Bitmap(old),
      let standard = payload(of: bitmap, as: old, .standard),
      old.payload.count < standard.count - standard.count / 40
    {
      optimization = .space
    }
    memory.withLock { $0.optimization = optimization }
    return optimization
  }

  /// A picture of an atlas, and the links that lead to it.
  private struct Member {
    var links: [Int]
    var rank: UInt32
    var picture: Bitmap
  }

  /// Returns the new blocks of an atlas and of the links into it; nil if the atlas stays as it is.
  private func repack(
    _ shrunk: ShrunkAtlas, _ optimization: Optimization
  ) throws(FormatError) -> PackedBlocks? {
    let atlas = shrunk.atlas
    let old = try opened.archive.rendition(opened.inventory.entries[atlas])
    guard let whole = try Bitmap(old), let members = try members(shrunk.links, in: whole) else {
      return nil
    }
    let sprites = members.map { member in
      Sprite(
        width: member.picture.width, height: member.picture.height, rank: member.rank)
    }
    let packed = packTogether(sprites)
    // A pixel costs at least as many bytes as before, so an atlas of a larger area would not become
    // smaller.
    guard packed.width <= whole.width * whole.height / max(1, packed.height) else { return nil }
    var canvas = AtlasCanvas(
      width: packed.width, height: packed.height, layout: whole.layout, isOpaque: whole.isOpaque)
    var blocks: PackedBlocks = [:]
    for frame in packed.frames {
      let member = members[frame.sprite]
      canvas.draw(member.picture, x: frame.x, y: frame.y)
      for link in member.links {
        let rendition = try opened.archive.rendition(opened.inventory.entries[link])
        blocks[link] = try rendition.block(linkedTo: (frame.x, frame.y))
      }
    }
    let bitmap = canvas.bitmap
    // Half floats of grey can be stored only in their own codecs. If no such codec is chosen, the
    // atlas stays as it is.
    guard let payload = payload(of: bitmap, as: old, optimization) else { return nil }
    let block = try old.block(ofAtlas: bitmap, payload: payload)
    guard block.count < old.bytes.count else { return nil }
    blocks[atlas] = block
    return blocks
  }

  /// Compresses the pixels without loss, in the compression of the old atlas if Carve writes it,
  /// and otherwise in one that the same systems read. Nil if that is not possible.
  private func payload(
    of bitmap: Bitmap, as old: Rendition, _ optimization: Optimization
  ) -> [UInt8]? {
    guard let model = try? BitmapPayload(old.payload.buffer) else { return nil }
    // Every system that can read atlases can read LZFSE. The first deepmaps came with palettes.
    let reader = model.compression == .deepMap ? OldestReader.palette : .lzfse
    var encoder = takeEncoder(optimization, reader)
    defer { memory.withLock { [encoder] in $0.encoders.append(encoder) } }
    var payload: [UInt8] = []
    let kind = bitmap.pixels.withUnsafeBytes { bytes in
      let rows = BitmapRows(
        bytes, format: bitmap.layout.coded, width: bitmap.width, height: bitmap.height,
        bytesPerRow: bitmap.bytesPerRow, isOpaque: bitmap.isOpaque,
        isHalfGray: bitmap.layout == .ga16Half)
      return encoder.encode(rows, as: model, appendingTo: &payload)
        ?? encoder.encode(rows, demands: BitmapDemands(isExact: true), appendingTo: &payload)
    }
    return bitmap.layout == .ga16Half && !kind.holdsHalfGray ? nil : payload
  }

  private func takeEncoder(_ optimization: Optimization, _ reader: OldestReader) -> BitmapEncoder {
    let unused = memory.withLock { memory in
      memory.encoders.firstIndex { $0.optimization == optimization && $0.oldestReader == reader }
        .map { memory.encoders.remove(at: $0) }
    }
    return unused ?? BitmapEncoder(optimization: optimization, oldestReader: reader)
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
  /// Returns the block of a link whose picture has another position in its atlas.
  fileprivate func block(linkedTo corner: (x: Int, y: Int)) throws(FormatError) -> [UInt8] {
    let properties = try allProperties().map { property -> RenditionProperty in
      guard case .link(var link) = property else { return property }
      link.x = UInt32(corner.x)
      link.y = UInt32(corner.y)
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
