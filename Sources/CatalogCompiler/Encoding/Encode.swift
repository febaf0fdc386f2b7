// The pass that turns the plan into blocks of the archive: pictures are decoded, converted and
// compressed on all cores and leave memory at once; small ones wait for their atlas.

import Archive
import CatalogModel
import Host
import Traits

/// Where renditions went while the archive grew.
struct EncodedRenditions {
  /// With those of the atlases, in the order of their blocks.
  var renditions: [(key: RenditionKey, block: BlockID)] = []
  var diagnostics: [Diagnostic] = []
}

/// Encodes every planned rendition and appends its block to the archive.
final class Encoding {
  let plan: Plan
  let jobs: Int
  let workers: [Worker]
  let numbers: NameNumbers
  let variants: VariantNumbers
  let append: ([UInt8]) -> BlockID
  var result = EncodedRenditions()
  private let settings: EncodingSettings
  private let progress: (Int, Int) -> Void
  /// Where the block of the renditions that are just being received lies, by gamut.
  private var sharedBlock: [Gamut: BlockID] = [:]
  private var smallPictures: [SmallPicture] = []
  private var smallBytes = 0

  /// Blocks that wait for a slower neighbour hold at most this many bytes.
  let waitingBudget: Int
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
    let waiting = smallPictures
    smallPictures = []
    encodeAtlases(of: waiting)
    return result
  }

  /// A rendition of the plan, in the gamut in which it was made.
  func planned(_ index: Int, _ gamut: Gamut) -> PlannedRendition {
    var planned = plan.renditions[index]
    planned.key.gamut = gamut
    return planned
  }

  func store(_ planned: PlannedRendition, _ block: BlockID) {
    // Every name of the plan was numbered, and the platform has numbers for all appearances.
    guard let identifier = numbers[planned.facet],
      var key = variants.key(part: planned.part, identifier: identifier, variant: planned.key)
    else { return }
    key[.dimension2] = planned.dimension2
    result.renditions.append((key, block))
  }
}

// MARK: - Renditions

extension Encoding {
  private typealias Outcome = Result<[MadeRendition], EncodingFailure>

  private func encodeRenditions() {
    let renditions = plan.renditions
    let blocks = sharedBlocks(renditions)
    let delivery = OrderedDelivery<Outcome>(budget: waitingBudget) { index, outcome in
      self.receive(outcome, of: blocks[index].first)
      for other in blocks[index].others { self.receive(outcome, of: other) }
      self.sharedBlock = [:]
      self.progress(index + 1, blocks.count)
    }
    let workers = workers
    parallelForEach(count: blocks.count, jobs: jobs) { index, worker in
      let outcome: Outcome
      do throws(EncodingFailure) {
        outcome = .success(try workers[worker].make(renditions[blocks[index].first]))
      } catch {
        outcome = .failure(error)
      }
      delivery.deliver(outcome, at: index, cost: outcome.byteCount)
    }
  }

  /// The renditions that are one block, in the order of their first: a file in several slots is
  /// decoded, compressed and stored once.
  private func sharedBlocks(
    _ renditions: [PlannedRendition]
  ) -> [(first: Int, others: [Int])] {
    var places: [BlockIdentity: Int] = [:]
    var blocks: [(first: Int, others: [Int])] = []
    for (index, rendition) in renditions.enumerated() {
      let identity = BlockIdentity(rendition, isWidened: settings.derivesWideGamut(of: rendition))
      if let identity, let place = places[identity] {
        blocks[place].others.append(index)
      } else {
        if let identity { places[identity] = blocks.count }
        blocks.append((index, []))
      }
    }
    return blocks
  }

  private func receive(_ outcome: Outcome, of index: Int) {
    switch outcome {
    case .failure(let failure):
      result.diagnostics.append(failure.diagnostic(about: plan.renditions[index]))
    case .success(let made):
      for rendition in made {
        switch rendition {
        case .block(let gamut, let block):
          let id = sharedBlock[gamut] ?? append(block)
          sharedBlock[gamut] = id
          store(planned(index, gamut), id)
        case .small(let gamut, let picture): keep(picture, of: index, gamut)
        }
      }
    }
  }

  private func keep(_ picture: DecodedPicture, of index: Int, _ gamut: Gamut) {
    let size = picture.bitmap?.pixels.count ?? 0
    let fits = smallBytes + size <= smallPictureBudget
    if fits { smallBytes += size }
    smallPictures.append(
      SmallPicture(planned(index, gamut), number: index, picture, keepsPixels: fits))
  }
}

extension Result where Success == [MadeRendition] {
  /// The memory that the outcome holds until it is received.
  fileprivate var byteCount: Int {
    guard case .success(let made) = self else { return 0 }
    return made.reduce(0) { sum, rendition in
      switch rendition {
      case .block(_, let block): sum + block.count
      case .small(_, let picture): sum + (picture.bitmap?.pixels.count ?? 0)
      }
    }
  }
}
