// Small pictures that share atlases: which pictures are small, which of them may share an atlas,
// and how an atlas is drawn and compressed. `packAtlases` decides about the place of each one.

import Archive
import Bytes
import CatalogModel
import Codecs
import Host
import Imaging
import Traits

/// A decoded small picture. Its pixels may have been dropped to save memory.
struct SmallPicture: Sendable {
  /// The index of its rendition in the plan.
  var rendition: Int
  /// The gamut in which it was decoded. It can differ from the gamut in the plan.
  var gamut: Gamut
  var demands: BitmapDemands
  var facts: PictureFacts
  /// The key of its pixels in the cache.
  var key: CacheKey?
  private var shared: SharedGroup
  /// Nil if the pixels were dropped.
  private(set) var pixels: CompactPixels?

  init(
    _ planned: PlannedRendition, number: Int, _ picture: DecodedPicture, demands: BitmapDemands,
    keepsPixels: Bool, in groups: inout [SpriteGroup: SharedGroup]
  ) {
    self.demands = demands
    rendition = number
    gamut = planned.key.gamut
    facts = picture.facts
    let group = SpriteGroup(picture.facts, of: planned)
    if let known = groups[group] {
      shared = known
    } else {
      shared = SharedGroup(group)
      groups[group] = shared
    }
    pixels = keepsPixels ? picture.pixels : nil
    key = picture.key
  }

  var group: SpriteGroup { shared.group }

  var width: Int { facts.width }
  var height: Int { facts.height }

  /// The memory for its bitmap, and for decoding it if its pixels were dropped.
  var memory: Int {
    pixels == nil ? PictureMemory.decoding(facts) : facts.bytesPerRow * facts.height
  }
}

extension PlannedRendition {
  /// The largest area, in pixels, with which the picture goes into an atlas; 0 if it never does.
  /// Every picture of a sprite atlas goes into one. Of the others, small ones do, except those that
  /// the plan keeps out of atlases, and icons for wide displays.
  var largestAreaInAtlas: Int {
    if atlas == nil, standsAlone || kind == .icon && key.subtype != 0 { return 0 }
    return AtlasLimits(page: atlas, scale: key.scale).spriteArea
  }
}

extension EncodingSettings {
  /// Returns whether a picture waits for an atlas. If it is then alone in its group, it is stored
  /// alone, unless its atlas is a page of a sprite atlas.
  func putsIntoAtlas(_ picture: PictureFacts, of planned: PlannedRendition) -> Bool {
    packsSprites && picture.width * picture.height <= planned.largestAreaInAtlas
  }
}

extension AtlasLimits {
  /// Creates the limits of atlases for one scale, or of the pages of a sprite atlas.
  fileprivate init(page atlas: ByteString?, scale: UInt8) {
    self = atlas == nil ? AtlasLimits(scale: Int(max(1, scale))) : .ofSprites
  }
}

/// The small pictures that wait for their atlases.
struct SmallPictures {
  private var pictures: [SmallPicture] = []
  private var groups: [SpriteGroup: SharedGroup] = [:]
  /// The bytes that the pixels take.
  private var byteCount = 0

  /// Adds the picture of a rendition, which has this index in the plan. Drops its pixels if the
  /// pictures together would take more than their share of the memory; they are decoded again when
  /// the atlas is made.
  mutating func add(
    _ picture: DecodedPicture, of planned: PlannedRendition, number: Int,
    _ settings: EncodingSettings
  ) {
    let size = picture.pixels?.byteCount ?? 0
    let fits = byteCount + size <= settings.room.mostSmall
    if fits { byteCount += size }
    pictures.append(
      SmallPicture(
        planned, number: number, picture, demands: settings.demands(of: planned),
        keepsPixels: fits, in: &groups))
  }

  /// Returns the pictures and removes them here.
  mutating func take() -> [SmallPicture] {
    defer { pictures = [] }
    return pictures
  }
}

/// A group that all its pictures refer to and do not copy: there are few groups and many pictures.
final class SharedGroup: Sendable {
  let group: SpriteGroup
  init(_ group: SpriteGroup) { self.group = group }
}

/// The properties that all sprites of one atlas share. Icons and other pictures can lie in one
/// atlas; on phones their idioms usually differ.
struct SpriteGroup: Hashable, Sendable, Comparable {
  var layout: BitmapLayout
  var isOpaque: Bool
  /// The axes on which atlases differ. The other axes of the pictures' keys do not matter.
  var key: VariantKey
  /// The name of the sprite atlas, if the atlas is one of its pages.
  var atlas: ByteString?

  init(_ picture: PictureFacts, of planned: PlannedRendition) {
    layout = picture.layout
    // In archives of Apple's tool an opaque bitmap of a vector lies with those that are not opaque.
    isOpaque = picture.isOpaque && planned.drawnFile == nil
    key = planned.atlasKey
    atlas = planned.atlas
  }

  var isGray: Bool { layout.isGray }

  static func < (a: SpriteGroup, b: SpriteGroup) -> Bool {
    if a.key != b.key { return a.key < b.key }
    if a.atlas != b.atlas { return a.atlas ?? "" < b.atlas ?? "" }
    if a.layout != b.layout { return a.layout.rawValue < b.layout.rawValue }
    return !a.isOpaque && b.isOpaque
  }

  /// The name by which Apple's run time finds atlases.
  var atlasName: ByteString {
    "ZZZZ\(atlas == nil ? "PackedAsset" : "ExplicitlyPackedAsset")-\(key.scale).\(isOpaque ? 1 : 0).\(isGray ? 1 : 0)-gamut\(key.gamut.rawValue)"
  }
}

extension PlannedRendition {
  var atlasKey: VariantKey {
    var atlas = VariantKey()
    atlas.scale = key.scale
    atlas.idiom = key.idiom
    atlas.style = key.style
    atlas.contrast = key.contrast
    atlas.locale = key.locale
    atlas.gamut = key.gamut
    atlas.osGeneration = key.osGeneration
    return atlas
  }
}

// MARK: - Encoding

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
// Pictures of equal files share one place. A picture that is alone in its group is in no atlas and
// is compressed alone (`finish`), unless it belongs to a sprite atlas, which always has pages.

/// An atlas with its number among the atlases of the same key.
struct NumberedAtlas: Sendable {
  var group: SpriteGroup
  var number: UInt16
  var width: Int
  var height: Int
  var frames: [(picture: Int, x: Int, y: Int)]
  /// The pictures that are equal to the first picture of their frame, by that picture.
  var twins: [Int: [Int]] = [:]
}

extension NumberedAtlas {
  var facts: PictureFacts {
    PictureFacts(
      width: width, height: height, layout: group.layout, isOpaque: group.isOpaque)
  }

  /// Returns the demands of the atlas. One picture that must be stored exactly makes them exact for
  /// all. The codec is that of icons only if all pictures are icons.
  func demands(of pictures: [SmallPicture]) -> BitmapDemands {
    BitmapDemands(
      isIcon: frames.allSatisfy { pictures[$0.picture].demands.isIcon },
      isExact: frames.contains { pictures[$0.picture].demands.isExact })
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

extension AtlasCanvas {
  init(_ facts: PictureFacts) {
    self.init(
      width: facts.width, height: facts.height, layout: facts.layout, isOpaque: facts.isOpaque)
  }
}

/// The properties that small pictures share if they have one place in an atlas.
private struct SpriteContents: Hashable {
  var group: SpriteGroup
  var facts: PictureFacts
  var key: CacheKey
}

/// The properties that atlases share if they are numbered together.
private struct AtlasSeries: Hashable {
  var key: VariantKey
  var atlas: ByteString?
}

/// The result of making an atlas, or a small picture that is in no atlas.
private enum PackingResult: Sendable {
  case done([UInt8])
  /// The index of the small picture that could not be read again, and the reason.
  case failed(Int, EncodingFailure)

  var byteCount: Int {
    if case .done(let block) = self { block.count } else { 0 }
  }
}

/// An atlas, or the index of a small picture that is in no atlas.
enum PackedPicture {
  case atlas(NumberedAtlas)
  case alone(Int)
}

extension Encoding {
  /// Packs small pictures into atlases, and compresses alone those that are in no atlas. Passes
  /// each block to `receive`, the atlases first. Returns diagnostics.
  func encodeAtlases(
    of pictures: [SmallPicture], _ numbers: NameNumbers,
    then receive: @escaping (PackedPicture, [UInt8]) -> Void
  ) -> [Diagnostic] {
    let atlases = numberedAtlases(of: pictures, numbers)
    let packed = Set(
      atlases.flatMap { $0.frames.map(\.picture) + $0.twins.values.joined() })
    let alone = pictures.indices.filter { !packed.contains($0) }
    let plan = plan
    var diagnostics: [Diagnostic] = []
    let delivery = OrderedDelivery<PackingResult>(budget: settings.room.mostWaiting) {
      index, result in
      switch result {
      case .failed(let picture, let failure):
        let planned = plan.renditions[pictures[picture].rendition]
        diagnostics.append(failure.diagnostic(about: planned))
      case .done(let block):
        receive(
          index < atlases.count ? .atlas(atlases[index]) : .alone(alone[index - atlases.count]),
          block)
      }
    }
    pool.forEach(count: atlases.count + alone.count) { index, encoder in
      index < atlases.count
        ? encoder.pack(atlases[index], of: pictures, plan)
        : encoder.finish(alone[index - atlases.count], of: pictures, plan)
    } then: { index, result in
      delivery.deliver(result, at: index, cost: result.byteCount)
    }
    return diagnostics
  }

  private func numberedAtlases(
    of pictures: [SmallPicture], _ numbers: NameNumbers
  ) -> [NumberedAtlas] {
    let semantics = KeySemantics(rawValue: settings.target.platform.keySemantics)
    let (firsts, twins) = twins(among: pictures)
    var groups: [SpriteGroup] = []
    var numbersOfGroups: [SpriteGroup: Int] = [:]
    let sprites = firsts.map { index in
      let picture = pictures[index]
      let group = numbersOfGroups[picture.group] ?? groups.count
      if group == groups.count {
        numbersOfGroups[picture.group] = group
        groups.append(picture.group)
      }
      let planned = plan.renditions[picture.rendition]
      return Sprite(
        width: picture.width, height: picture.height,
        rank: semantics.spriteRank(
          part: planned.part, identifier: numbers[planned.facet] ?? 0),
        group: group, pictureCount: 1 + (twins[index]?.count ?? 0))
    }
    let packed = packAtlases(
      sprites,
      limits: groups.map { AtlasLimits(page: $0.atlas, scale: $0.key.scale) })
    var next: [AtlasSeries: UInt16] = [:]
    let ordered = packed.enumerated().sorted {
      (groups[$0.element.group], $0.offset) < (groups[$1.element.group], $1.offset)
    }
    return ordered.map { _, atlas in
      let group = groups[atlas.group]
      let series = AtlasSeries(key: group.key, atlas: group.atlas)
      let number = next[series, default: 0]
      next[series] = number + 1
      let frames = atlas.frames.map { (picture: firsts[$0.sprite], x: $0.x, y: $0.y) }
      return NumberedAtlas(
        group: group, number: number, width: atlas.width, height: atlas.height,
        frames: frames,
        twins: Dictionary(
          frames.compactMap { frame in twins[frame.picture].map { (frame.picture, $0) } }
        ) { first, _ in first })
    }
  }

  /// Divides pictures into the first one of each kind, and those that are equal to a first one:
  /// they are made of equal files, in the same way, and would lie in the same atlases. If the
  /// bytes of Apple's tool are requested, every picture has a place of its own.
  private func twins(among pictures: [SmallPicture]) -> (firsts: [Int], twins: [Int: [Int]]) {
    guard settings.optimization != .identical else { return (Array(pictures.indices), [:]) }
    var places: [SpriteContents: Int] = [:]
    var firsts: [Int] = []
    var twins: [Int: [Int]] = [:]
    for (index, picture) in pictures.enumerated() {
      guard let key = picture.key else {
        firsts.append(index)
        continue
      }
      let contents = SpriteContents(group: picture.group, facts: picture.facts, key: key)
      if let first = places[contents] {
        twins[first, default: []].append(index)
      } else {
        places[contents] = index
        firsts.append(index)
      }
    }
    return (firsts, twins)
  }
}

extension RenditionEncoder {
  /// Returns the block of an atlas.
  fileprivate func pack(
    _ atlas: NumberedAtlas, of pictures: [SmallPicture], _ plan: RenditionPlan
  ) -> PackingResult {
    var failed = 0
    do throws(EncodingFailure) {
      let demands = atlas.demands(of: pictures)
      let largest = atlas.frames.lazy.map { pictures[$0.picture].memory }.max()
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
    _ atlas: NumberedAtlas, of pictures: [SmallPicture], _ plan: RenditionPlan, failed: inout Int
  ) throws(EncodingFailure) -> Bitmap {
    var canvas = AtlasCanvas(atlas.facts)
    for (index, x, y) in atlas.frames {
      failed = index
      let bitmap = try bitmap(of: pictures[index], plan)
      canvas.draw(bitmap, x: x, y: y)
      recycle(bitmap)
    }
    return canvas.bitmap
  }

  /// Returns the block of a small picture that is in no atlas.
  fileprivate func finish(
    _ index: Int, of pictures: [SmallPicture], _ plan: RenditionPlan
  ) -> PackingResult {
    let picture = pictures[index]
    do throws(EncodingFailure) {
      let payload = try payload(
        picture.facts, picture.key, picture.demands, memory: picture.memory
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
    of picture: SmallPicture, _ plan: RenditionPlan
  ) throws(EncodingFailure) -> Bitmap {
    if let pixels = picture.pixels { return decoder.bitmap(of: pixels, picture.facts) }
    var planned = plan.renditions[picture.rendition]
    if let bitmap = settings.purpose.finishedBlocks?.bitmap(of: planned, picture.gamut, &scratch) {
      return bitmap
    }
    planned.key.gamut = picture.gamut
    let bitmap = try bitmap(of: planned)
    guard bitmap.width == picture.width, bitmap.height == picture.height,
      bitmap.layout == picture.group.layout, bitmap.isOpaque == picture.facts.isOpaque
    else { throw .changed }
    return bitmap
  }
}
