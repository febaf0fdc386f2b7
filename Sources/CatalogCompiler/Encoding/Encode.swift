// The pass that turns the plan into blocks of the archive: pictures are decoded, converted and
// compressed on all cores and leave memory at once; small ones wait for their atlas.

import Archive
import CatalogModel
import Synchronization
import Traits

/// Where renditions went while the archive grew.
struct EncodedRenditions {
  /// In the order of the archive.
  var stored: [(planned: PlannedRendition, block: BlockID)] = []
  var atlases: [(key: VariantKey, number: UInt16, block: BlockID)] = []
  var diagnostics: [Diagnostic] = []
}

/// Encodes every planned rendition and appends its block to the archive.
final class Encoding {
  private let plan: Plan
  private let jobs: Int
  private let settings: EncodingSettings
  private let workers: [Worker]
  private let numbers: NameNumbers
  private let variants: VariantNumbers
  private let append: ([UInt8]) -> BlockID
  private let progress: (Int, Int) -> Void
  private var result = EncodedRenditions()
  /// Where the block of the renditions that are just being received lies, by gamut.
  private var sharedBlock: [Gamut: BlockID] = [:]
  private var smallPictures: [SmallPicture] = []
  private var smallBytes = 0

  /// Blocks that wait for a slower neighbour hold at most this many bytes.
  private let waitingBudget: Int
  /// Small pictures beyond this many bytes are decoded again when their atlas is made.
  private let smallPictureBudget: Int

  init(
    _ plan: Plan, settings: EncodingSettings, jobs: Int, memory: Int, numbers: NameNumbers,
    variants: VariantNumbers, progress: @escaping (Int, Int) -> Void,
    append: @escaping ([UInt8]) -> BlockID
  ) {
    self.plan = plan
    self.settings = settings
    self.jobs = max(1, jobs)
    workers = (0..<self.jobs).map { _ in Worker(settings) }
    self.numbers = numbers
    self.variants = variants
    waitingBudget = memory / 3
    smallPictureBudget = memory - memory / 3
    self.progress = progress
    self.append = append
  }

  func run() -> EncodedRenditions {
    encodeRenditions()
    encodeAtlases()
    return result
  }
}

// MARK: - Renditions

extension Encoding {
  private typealias Outcome = Result<[MadeRendition], EncodingFailure>

  private func encodeRenditions() {
    let renditions = plan.renditions
    let blocks = sharedBlocks(renditions)
    let delivery = OrderedDelivery<Outcome>(budget: waitingBudget) { index, outcome in
      for user in blocks[index] { self.receive(outcome, of: renditions[user]) }
      self.sharedBlock = [:]
      self.progress(index + 1, blocks.count)
    }
    let workers = workers
    parallelForEach(count: blocks.count, jobs: jobs) { index, worker in
      let outcome: Outcome
      do throws(EncodingFailure) {
        outcome = .success(try workers[worker].make(renditions[blocks[index][0]]))
      } catch {
        outcome = .failure(error)
      }
      delivery.deliver(outcome, at: index, cost: outcome.byteCount)
    }
  }

  /// The renditions that are one block, in the order of their first: a file in several slots is
  /// decoded, compressed and stored once.
  private func sharedBlocks(_ renditions: [PlannedRendition]) -> [[Int]] {
    var places: [BlockIdentity: Int] = [:]
    var blocks: [[Int]] = []
    for (index, rendition) in renditions.enumerated() {
      let identity = BlockIdentity(rendition, isWidened: settings.derivesWideGamut(of: rendition))
      if let identity, let place = places[identity] {
        blocks[place].append(index)
      } else {
        if let identity { places[identity] = blocks.count }
        blocks.append([index])
      }
    }
    return blocks
  }

  private func receive(_ outcome: Outcome, of user: PlannedRendition) {
    switch outcome {
    case .failure(let failure): result.diagnostics.append(failure.diagnostic(about: user))
    case .success(let made):
      for rendition in made {
        var planned = user
        switch rendition {
        case .block(let first, let block):
          planned.key.gamut = first.key.gamut
          let id = sharedBlock[planned.key.gamut] ?? append(block)
          sharedBlock[planned.key.gamut] = id
          result.stored.append((planned, id))
        case .small(var picture):
          planned.key.gamut = picture.planned.key.gamut
          picture.planned = planned
          keep(picture)
        }
      }
    }
  }

  private func keep(_ picture: SmallPicture) {
    var picture = picture
    let size = picture.bitmap?.pixels.count ?? 0
    if smallBytes + size > smallPictureBudget {
      picture.bitmap = nil
    } else {
      smallBytes += size
    }
    smallPictures.append(picture)
  }
}

extension Result where Success == [MadeRendition] {
  /// The memory that the outcome holds until it is received.
  fileprivate var byteCount: Int {
    guard case .success(let made) = self else { return 0 }
    return made.reduce(0) { sum, rendition in
      switch rendition {
      case .block(_, let block): sum + block.count
      case .small(let picture): sum + (picture.bitmap?.pixels.count ?? 0)
      }
    }
  }
}

// MARK: - Atlases

/// An atlas with the number that tells it from others of the same key.
private struct NumberedAtlas: Sendable {
  var group: SpriteGroup
  var number: UInt16
  var width: Int
  var height: Int
  var frames: [(picture: Int, x: Int, y: Int)]
}

/// What came of an atlas, or of a small picture that has none.
private enum PackedOutcome: Sendable {
  case atlas([UInt8])
  case alone([UInt8])
  case failed(PlannedRendition, EncodingFailure)
}

extension Encoding {
  private func encodeAtlases() {
    let pictures = smallPictures
    smallPictures = []
    let atlases = numberedAtlases(of: pictures)
    let packed = Set(atlases.flatMap { $0.frames.map(\.picture) })
    let alone = pictures.indices.filter { !packed.contains($0) }
    let delivery = OrderedDelivery<PackedOutcome>(budget: waitingBudget) { index, outcome in
      switch outcome {
      case .failed(let planned, let failure):
        self.result.diagnostics.append(failure.diagnostic(about: planned))
      case .alone(let block):
        let planned = pictures[alone[index - atlases.count]].planned
        self.result.stored.append((planned, self.append(block)))
      case .atlas(let block): self.store(atlases[index], block, pictures)
      }
    }
    let workers = workers
    parallelForEach(count: atlases.count + alone.count, jobs: jobs) { index, worker in
      let outcome =
        index < atlases.count
        ? workers[worker].pack(atlases[index], of: pictures)
        : workers[worker].finishAlone(pictures[alone[index - atlases.count]])
      delivery.deliver(outcome, at: index, cost: 0)
    }
  }

  private func numberedAtlases(of pictures: [SmallPicture]) -> [NumberedAtlas] {
    let sprites = pictures.map { picture in
      Sprite(
        width: picture.width, height: picture.height,
        identifier: numbers[picture.planned.facet] ?? 0, group: picture.group)
    }
    let packed = packAtlases(sprites) { AtlasLimits(scale: max(1, Int($0.key.scale))) }
    var next: [VariantKey: UInt16] = [:]
    let ordered = packed.enumerated().sorted {
      ($0.element.group, $0.offset) < ($1.element.group, $1.offset)
    }
    return ordered.map { _, atlas in
      let number = next[atlas.group.key, default: 0]
      next[atlas.group.key] = number + 1
      return NumberedAtlas(
        group: atlas.group, number: number, width: atlas.width, height: atlas.height,
        frames: atlas.frames.map { ($0.sprite, $0.x, $0.y) })
    }
  }

  private func store(_ atlas: NumberedAtlas, _ block: [UInt8], _ pictures: [SmallPicture]) {
    guard
      var key = variants.key(
        element: Element.atlas, part: Part.regular, identifier: 0, variant: atlas.group.key)
    else { return }
    key[.dimension1] = atlas.number
    result.atlases.append((atlas.group.key, atlas.number, append(block)))
    for (index, x, y) in atlas.frames {
      let picture = pictures[index]
      let link = picture.planned.linkBlock(
        width: picture.width, height: picture.height, picture.layout, x: x, y: y, atlas: key)
      result.stored.append((picture.planned, append(link)))
    }
  }
}

extension Worker {
  /// Draws the pictures of an atlas into one bitmap and compresses it.
  fileprivate func pack(_ atlas: NumberedAtlas, of pictures: [SmallPicture]) -> PackedOutcome {
    let layout = atlas.group.layout
    let bytesPerRow = layout.bytesPerRow(width: atlas.width)
    var pixels = [UInt8](repeating: 0, count: bytesPerRow * atlas.height)
    for (index, x, y) in atlas.frames {
      let picture = pictures[index]
      do throws(EncodingFailure) {
        let bitmap = try bitmap(of: picture)
        let top = atlas.height - y - bitmap.height
        bitmap.draw(into: &pixels, bytesPerRow: bytesPerRow, x: x, y: top)
        if picture.bitmap == nil { recycle(bitmap) }
      } catch {
        return .failed(picture.planned, error)
      }
    }
    let bitmap = Bitmap(
      width: atlas.width, height: atlas.height, layout: layout, isOpaque: atlas.group.isOpaque,
      isGray: atlas.group.isGray, pixels: pixels)
    return .atlas(atlas.group.atlasBlock(bitmap, payload: payload(of: bitmap)))
  }

  /// The pixels that were kept, or decoded once more.
  private func bitmap(of picture: SmallPicture) throws(EncodingFailure) -> Bitmap {
    if let bitmap = picture.bitmap { return bitmap }
    return try bitmap(of: picture.planned)
  }

  fileprivate func finishAlone(_ picture: SmallPicture) -> PackedOutcome {
    do throws(EncodingFailure) {
      let bitmap = try bitmap(of: picture)
      return .alone(picture.planned.bitmapBlock(bitmap, payload: payload(of: bitmap)))
    } catch {
      return .failed(picture.planned, error)
    }
  }
}

extension Bitmap {
  /// Copies the rows to a place in a larger bitmap of the same layout, which must hold them.
  func draw(into target: inout [UInt8], bytesPerRow targetRow: Int, x: Int, y: Int) {
    let length = width * layout.bytesPerPixel
    for row in 0..<height {
      let source = row * bytesPerRow
      let place = (y + row) * targetRow + x * layout.bytesPerPixel
      target.replaceSubrange(place..<place + length, with: pixels[source..<source + length])
    }
  }
  /// The same picture with its rows close together, as the oldest systems want them.
  func withoutPadding() -> Bitmap {
    let length = width * layout.bytesPerPixel
    if length == bytesPerRow { return self }
    var rows: [UInt8] = []
    rows.reserveCapacity(length * height)
    for row in 0..<height {
      rows += pixels[row * bytesPerRow..<row * bytesPerRow + length]
    }
    return Bitmap(
      width: width, height: height, layout: layout, bytesPerRow: length, isOpaque: isOpaque,
      isGray: isGray, hasWiderSource: hasWiderSource, pixels: rows)
  }
}
