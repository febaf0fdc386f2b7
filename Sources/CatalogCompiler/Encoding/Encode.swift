// The pass that turns the plan into blocks of the archive. Pictures are decoded, converted and
// compressed on all cores, and their memory is freed at once. Small pictures wait for their atlas.

import Archive
import Bytes
import CatalogModel
import Host
import Traits

/// The keys and blocks of the renditions that were appended to the archive, with the diagnostics.
struct EncodedRenditions {
  /// The renditions, including those of the atlases, in the order of their blocks.
  var renditions: [(key: RenditionKey, block: BlockID)] = []
  var diagnostics: [Diagnostic] = []
  var pixels: PixelPlaces?
}

/// The encoding of all planned renditions, which appends their blocks to the archive.
final class Encoding {
  let plan: Plan
  let crew: WorkerCrew
  let numbers: NameNumbers
  let variants: VariantNumbers
  let append: (UnsafeRawBufferPointer) -> BlockID
  var result = EncodedRenditions()
  /// The object that receives the finished renditions; nil if an archive is made.
  var object: ObjectWriter?
  /// The blocks that hold the pixels of each file; nil if the options do not ask for them.
  var pixels: PixelPlaces?
  private let settings: EncodingSettings
  private let progress: (Int, Int) -> Void
  /// The block that the renditions being received share, by gamut.
  private var sharedBlock: [Gamut: BlockID] = [:]
  private var smallPictures: [SmallPicture] = []
  private var groups: [SpriteGroup: SharedGroup] = [:]
  private var reportedVectors: Set<ByteString> = []
  private var smallBytes = 0

  /// The limit in bytes for blocks that wait until an earlier block is finished.
  let waitingBudget: Int
  /// The limit in bytes for the pixels of small pictures. The pixels beyond it are dropped, and
  /// decoded again when their atlas is made.
  private let smallPictureBudget: Int

  init(
    _ plan: Plan, settings: EncodingSettings, jobs: Int, numbers: NameNumbers,
    variants: VariantNumbers, progress: @escaping (Int, Int) -> Void,
    append: @escaping (UnsafeRawBufferPointer) -> BlockID
  ) {
    self.plan = plan
    self.settings = settings
    crew = WorkerCrew(settings, jobs: jobs)
    self.numbers = numbers
    self.variants = variants
    waitingBudget = settings.room.mostWaiting
    smallPictureBudget = settings.room.mostSmall
    self.progress = progress
    self.append = append
  }

  func run() -> EncodedRenditions {
    encodeRenditions()
    if object != nil { return result }
    let waiting = smallPictures
    smallPictures = []
    encodeAtlases(of: waiting)
    result.pixels = pixels
    return result
  }

  /// Returns a rendition of the plan with the gamut in which it was made.
  func planned(_ index: Int, _ gamut: Gamut) -> PlannedRendition {
    var planned = plan.renditions[index]
    planned.key.gamut = gamut
    return planned
  }

  func store(_ planned: PlannedRendition, _ block: BlockID) {
    // Every name of the plan has a number, and the platform has numbers for all appearances.
    guard let identifier = numbers[planned.facet],
      var key = variants.key(
        element: planned.element, part: planned.part, identifier: identifier, variant: planned.key)
    else { return }
    key.details = planned.details
    if case .nothing = planned.content { key.marksNothing() }
    result.renditions.append((key, block))
  }
}

// MARK: - Renditions

extension Encoding {
  /// Renditions that share one block: a file in several slots is decoded, compressed and stored
  /// once.
  private typealias SharedBlock = (first: Int, others: [Int])
  /// The blocks that one thread makes as one task. Most tasks have one block, for which an array
  /// would be a waste.
  private typealias Unit = (first: SharedBlock, others: [SharedBlock])

  private func encodeRenditions() {
    let renditions = plan.renditions
    let units = units(of: sharedBlocks(renditions))
    let delivery = OrderedDelivery<[EncodingOutcome]>(budget: waitingBudget) { index, outcomes in
      for (block, outcome) in zip([units[index].first] + units[index].others, outcomes) {
        self.collect(outcome, of: block)
        self.receive(outcome, of: block.first)
        for other in block.others { self.receive(outcome, of: other) }
        self.sharedBlock = [:]
      }
      self.progress(index + 1, units.count)
    }
    crew.forEach(count: units.count) { index, worker in
      let unit = units[index]
      return worker.make([renditions[unit.first.first]] + unit.others.map { renditions[$0.first] })
    } then: { index, outcomes in
      delivery.deliver(outcomes, at: index, cost: outcomes.reduce(0) { $0 + $1.byteCount })
    }
  }

  /// Groups the renditions that share a block, in the order of the first rendition of each group.
  private func sharedBlocks(_ renditions: [PlannedRendition]) -> [SharedBlock] {
    func identity(_ rendition: PlannedRendition) -> BlockIdentity? {
      BlockIdentity(rendition, isWidened: settings.derivesWideGamut(of: rendition))
    }
    // The table is indexed by hash values, because a table of identities would be larger than the
    // plan.
    var places: [Int: Int] = [:]
    var blocks: [SharedBlock] = []
    for (index, rendition) in renditions.enumerated() {
      if let own = identity(rendition) {
        var slot = own.hashValue
        while let place = places[slot], identity(renditions[blocks[place].first]) != own {
          slot &+= 1
        }
        if let place = places[slot] {
          blocks[place].others.append(index)
          continue
        }
        places[slot] = blocks.count
      }
      blocks.append((index, []))
    }
    return blocks
  }

  /// Divides the blocks into tasks: all bitmaps of one vector, which is then read once, or a single
  /// block.
  private func units(of blocks: [SharedBlock]) -> [Unit] {
    var places: [ByteString: Int] = [:]
    var units: [Unit] = []
    for block in blocks {
      let path = plan.renditions[block.first].drawnFile?.path
      if let path, let place = places[path] {
        units[place].others.append(block)
      } else {
        if let path { places[path] = units.count }
        units.append((block, []))
      }
    }
    return units
  }

  private func receive(_ outcome: EncodingOutcome, of index: Int) {
    switch outcome {
    case .failure(let failure):
      result.diagnostics.append(failure.diagnostic(about: plan.renditions[index]))
    case .success(let made):
      for rendition in made {
        reportUndrawn(rendition.facts, of: index)
        switch rendition {
        case .block(let gamut, let block, let facts):
          block.withUnsafeBytes { store($0, facts, of: index, gamut) }
        case .held(let gamut, let block, let facts):
          store(block.buffer, facts, of: index, gamut)
        case .small where object != nil: break
        case .small(let gamut, let picture): keep(picture, of: index, gamut)
        }
      }
    }
  }

  /// Appends a block for a rendition. Renditions with the same block append it once.
  private func store(
    _ block: UnsafeRawBufferPointer, _ facts: PictureFacts?, of index: Int, _ gamut: Gamut
  ) {
    let planned = planned(index, gamut)
    let id = sharedBlock[gamut] ?? append(block)
    if sharedBlock[gamut] == nil {
      pixels?.add(planned, facts, settings.demands(of: planned), in: id)
    }
    sharedBlock[gamut] = id
    store(planned, id)
  }

  /// Adds the result of making a block to the object.
  private func collect(_ outcome: EncodingOutcome, of block: SharedBlock) {
    guard let object, case .success(let made) = outcome else { return }
    let renditions = ([block.first] + block.others).map { plan.renditions[$0] }
    for rendition in made { object.add(rendition, of: renditions) }
  }

  /// Reports the features that a vector's bitmaps do not show, once for each file.
  private func reportUndrawn(_ facts: PictureFacts?, of index: Int) {
    let planned = plan.renditions[index]
    guard let path = planned.drawnFile?.path, reportedVectors.insert(path).inserted else { return }
    result.diagnostics += planned.undrawnFeatures(facts)
  }

  private func keep(_ picture: DecodedPicture, of index: Int, _ gamut: Gamut) {
    let size = picture.bitmap?.pixels.count ?? 0
    let fits = smallBytes + size <= smallPictureBudget
    if fits { smallBytes += size }
    let planned = planned(index, gamut)
    smallPictures.append(
      SmallPicture(
        planned, number: index, picture, demands: settings.demands(of: planned),
        keepsPixels: fits, in: &groups))
  }
}

extension EncodingOutcome {
  /// The memory that the outcome holds until it is received.
  fileprivate var byteCount: Int {
    guard case .success(let made) = self else { return 0 }
    return made.reduce(0) { $0 + $1.byteCount }
  }
}
