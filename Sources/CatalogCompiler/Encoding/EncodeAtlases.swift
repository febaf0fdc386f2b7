// The second half of encoding: packs small pictures into atlases. An atlas is compressed as one
// picture. Each small picture in it becomes a link: a block without pixels that names the atlas and
// a place in it. An example with pictures a, b and c of 2 × 2, 4 × 2 and 1 × 1 pixels:
//
//   y                  blocks in the archive
//   6 │ c              7   atlas of 12 × 8 pixels
//     │                8   link: b is at 2, 2 in the atlas
//   3 │ bbbb  aa       9   link: a is at 8, 2 in the atlas
//   2 │ bbbb  aa       10  link: c is at 2, 6 in the atlas
//     └──────────
//       2     8  x
//
// Places count from the left and from the bottom. `packAtlases` puts the largest picture first and
// leaves two pixels between pictures, in which the edges of the pictures are repeated. The link
// states the key of the atlas. Atlases with otherwise equal keys differ in dimension 1, which is
// their number.
//
// A picture that is alone in its group is in no atlas and is compressed alone (`finish`), unless it
// belongs to a sprite atlas, which always has pages.

import Archive
import Bytes
import CatalogModel
import Codecs
import Host
import Imaging
import Traits

/// An atlas with its number among the atlases of the same key.
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

  /// Returns the demands of the atlas. One picture that must be stored exactly makes them exact for
  /// all.
  fileprivate func demands(of pictures: [SmallPicture]) -> BitmapDemands {
    BitmapDemands(
      isIcon: group.isIcon, isExact: frames.contains { pictures[$0.picture].demands.isExact })
  }

  /// Returns the cache key of the atlas, which its pixels follow from; nil if a picture has no key.
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
  /// Creates the key of an atlas with pictures at these places.
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

  /// Draws a picture at a place, which counts from the left and from the bottom.
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

/// The properties that atlases share if they are numbered together.
private struct AtlasShelf: Hashable {
  var key: VariantKey
  var atlas: ByteString?
}

/// The result of making an atlas, or a small picture that is in no atlas.
private enum PackedOutcome: Sendable {
  case done([UInt8])
  /// The index of the small picture that could not be read again, and the reason.
  case failed(Int, EncodingFailure)

  var byteCount: Int {
    if case .done(let block) = self { block.count } else { 0 }
  }
}

extension Encoding {
  /// Packs the small pictures into atlases, and compresses alone those that are in no atlas.
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
  /// Returns the block of an atlas.
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

  /// Returns one bitmap with all pictures of an atlas. If a picture cannot be read, `failed` is its
  /// index.
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

  /// Returns the block of a small picture that is in no atlas.
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

  /// Returns the pixels that were kept, or decodes the file again. Throws `changed` if the file
  /// changed in between.
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
