// The second half of encoding: small pictures are drawn into atlases, which are compressed as one
// picture each; links say where a picture lies in its atlas.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Codecs
import Host
import Traits

/// An atlas with the number that tells it from others of the same key.
private struct NumberedAtlas: Sendable {
  var group: SpriteGroup
  var number: UInt16
  var width: Int
  var height: Int
  var frames: [(picture: Int, x: Int, y: Int)]
}

extension NumberedAtlas {
  fileprivate var facts: PictureFacts {
    PictureFacts(
      width: width, height: height, layout: group.layout, isOpaque: group.isOpaque)
  }

  /// One picture that must not change keeps the others from it.
  fileprivate func demands(of pictures: [SmallPicture]) -> BitmapDemands {
    BitmapDemands(
      isIcon: group.isIcon, isExact: frames.contains { pictures[$0.picture].demands.isExact })
  }

  /// What its pixels follow from; nil where a picture has no key.
  fileprivate func cacheKey(of pictures: [SmallPicture]) -> CacheKey? {
    var parts: [(key: CacheKey, x: Int, y: Int)] = []
    for (index, x, y) in frames {
      guard let key = pictures[index].key else { return nil }
      parts.append((key, x, y))
    }
    return CacheKey(atlas: facts, of: parts)
  }
}

extension CacheKey {
  /// Of an atlas with pictures at these places.
  init(atlas: PictureFacts, of parts: [(key: CacheKey, x: Int, y: Int)]) {
    self.init(
      "atlas \(atlas.width) \(atlas.height) \(atlas.layout) \(atlas.isOpaque)"
    ) { digest in
      for (key, x, y) in parts {
        key.add(to: &digest)
        digest.add(UInt64(x))
        digest.add(UInt64(y))
      }
    }
  }
}

/// The pixels of an atlas while pictures are drawn into it.
struct AtlasCanvas {
  private let facts: PictureFacts
  private var pixels: [UInt8]

  init(_ facts: PictureFacts) {
    self.facts = facts
    pixels = [UInt8](repeating: 0, count: facts.bytesPerRow * facts.height)
  }

  /// From the left and from the bottom.
  mutating func draw(_ bitmap: Bitmap, x: Int, y: Int) {
    bitmap.draw(
      intoAtlas: &pixels, bytesPerRow: facts.bytesPerRow, x: x,
      y: facts.height - y - bitmap.height)
  }

  var bitmap: Bitmap {
    Bitmap(
      width: facts.width, height: facts.height, layout: facts.layout, isOpaque: facts.isOpaque,
      isGray: facts.layout.isGray, pixels: pixels)
  }
}

/// What pages are numbered under.
private struct AtlasShelf: Hashable {
  var key: VariantKey
  var atlas: ByteString?
}

/// What came of an atlas, or of a small picture that has none.
private enum PackedOutcome: Sendable {
  case done([UInt8])
  /// With the place of the small picture that could not be read again.
  case failed(Int, EncodingFailure)

  var byteCount: Int {
    if case .done(let block) = self { block.count } else { 0 }
  }
}

extension Encoding {
  /// Packs the small pictures, and finishes those that share no atlas.
  func encodeAtlases(of pictures: [SmallPicture]) {
    let atlases = numberedAtlases(of: pictures)
    let packed = Set(atlases.flatMap { $0.frames.map(\.picture) })
    let alone = pictures.indices.filter { !packed.contains($0) }
    let delivery = OrderedDelivery<PackedOutcome>(budget: waitingBudget) { index, outcome in
      switch outcome {
      case .failed(let picture, let failure):
        let planned = self.plan.renditions[pictures[picture].rendition]
        self.result.diagnostics.append(failure.diagnostic(about: planned))
      case .done(let block):
        if index < atlases.count {
          self.store(atlases[index], block, pictures)
        } else {
          let picture = pictures[alone[index - atlases.count]]
          let id = block.withUnsafeBytes(self.append)
          self.pixels?.add(self.planned(picture), picture.facts, picture.demands, in: id)
          self.store(self.planned(picture), id)
        }
      }
    }
    let plan = plan
    crew.forEach(count: atlases.count + alone.count) { index, worker in
      index < atlases.count
        ? worker.pack(atlases[index], of: pictures, plan)
        : worker.finish(alone[index - atlases.count], of: pictures, plan)
    } then: { index, outcome in
      delivery.deliver(outcome, at: index, cost: outcome.byteCount)
    }
  }

  private func planned(_ picture: SmallPicture) -> PlannedRendition {
    planned(picture.rendition, picture.gamut)
  }

  private func numberedAtlases(of pictures: [SmallPicture]) -> [NumberedAtlas] {
    let sprites = pictures.map { picture in
      Sprite(
        width: picture.width, height: picture.height,
        identifier: numbers[plan.renditions[picture.rendition].facet] ?? 0, group: picture.group)
    }
    let packed = packAtlases(sprites) { group in
      group.atlas == nil ? AtlasLimits(scale: max(1, Int(group.key.scale))) : .ofSprites
    }
    var next: [AtlasShelf: UInt16] = [:]
    let ordered = packed.enumerated().sorted {
      ($0.element.group, $0.offset) < ($1.element.group, $1.offset)
    }
    return ordered.map { _, atlas in
      let shelf = AtlasShelf(key: atlas.group.key, atlas: atlas.group.atlas)
      let number = next[shelf, default: 0]
      next[shelf] = number + 1
      return NumberedAtlas(
        group: atlas.group, number: number, width: atlas.width, height: atlas.height,
        frames: atlas.frames.map { ($0.sprite, $0.x, $0.y) })
    }
  }

  private func store(_ atlas: NumberedAtlas, _ block: [UInt8], _ pictures: [SmallPicture]) {
    guard
      var key = variants.key(
        element: Element.atlas, part: Part.regular,
        identifier: atlas.group.atlas.flatMap { numbers[$0] } ?? 0, variant: atlas.group.key)
    else { return }
    key[.dimension1] = atlas.number
    let id = block.withUnsafeBytes(append)
    result.renditions.append((key, id))
    pixels?.add(atlas: atlas.facts, atlas.demands(of: pictures), in: id)
    for (index, x, y) in atlas.frames {
      let picture = pictures[index]
      pixels?.add(planned(picture), picture.facts, picture.demands, in: id, at: (x, y))
      let planned = planned(picture)
      let link = planned.linkBlock(picture.facts, x: x, y: y, atlas: key)
      store(planned, link.withUnsafeBytes(append))
    }
  }
}

extension Worker {
  /// The block of an atlas.
  fileprivate func pack(
    _ atlas: NumberedAtlas, of pictures: [SmallPicture], _ plan: Plan
  ) -> PackedOutcome {
    var failed = 0
    do throws(EncodingFailure) {
      let demands = atlas.demands(of: pictures)
      let largest = atlas.frames.lazy.filter { !pictures[$0.picture].hasPixels }
        .map { PictureMemory.decoding(pictures[$0.picture].facts) }.max()
      let payload = try payload(
        atlas.facts, atlas.cacheKey(of: pictures), demands, memory: largest ?? 0
      ) { () throws(EncodingFailure) in
        try draw(atlas, of: pictures, plan, failed: &failed)
      }
      return .done(atlas.group.atlasBlock(atlas.facts, payload: payload))
    } catch {
      return .failed(failed, error)
    }
  }

  /// All pictures of an atlas in one bitmap; `failed` is the one that cannot be had.
  private func draw(
    _ atlas: NumberedAtlas, of pictures: [SmallPicture], _ plan: Plan, failed: inout Int
  ) throws(EncodingFailure) -> Bitmap {
    var canvas = AtlasCanvas(atlas.facts)
    for (index, x, y) in atlas.frames {
      failed = index
      let bitmap = try bitmap(of: pictures[index], plan)
      canvas.draw(bitmap, x: x, y: y)
      if !pictures[index].hasPixels { recycle(bitmap) }
    }
    return canvas.bitmap
  }

  /// A small picture that stays alone.
  fileprivate func finish(
    _ index: Int, of pictures: [SmallPicture], _ plan: Plan
  ) -> PackedOutcome {
    let picture = pictures[index]
    do throws(EncodingFailure) {
      let payload = try payload(
        picture.facts, picture.key, picture.demands,
        memory: picture.hasPixels ? 0 : PictureMemory.decoding(picture.facts)
      ) { () throws(EncodingFailure) in
        try bitmap(of: picture, plan)
      }
      let planned = plan.renditions[picture.rendition]
      return .done(planned.bitmapBlock(picture.facts, payload: payload))
    } catch {
      return .failed(index, error)
    }
  }

  /// The pixels that were kept, or decoded once more. A file that changed in between is refused.
  private func bitmap(
    of picture: SmallPicture, _ plan: Plan
  ) throws(EncodingFailure) -> Bitmap {
    if let bitmap = picture.bitmap { return bitmap }
    var planned = plan.renditions[picture.rendition]
    if let bitmap = settings.objects?.bitmap(of: planned, picture.gamut, &scratch) { return bitmap }
    planned.key.gamut = picture.gamut
    let bitmap = try bitmap(of: planned)
    guard bitmap.width == picture.width, bitmap.height == picture.height,
      bitmap.layout == picture.group.layout, bitmap.isOpaque == picture.group.isOpaque
    else { throw .changed }
    return bitmap
  }
}
