// The pass that turns the plan into blocks. Pictures are decoded, converted and compressed on all
// cores, and their memory is freed at once. The output takes the blocks in the order of the plan.
// Small pictures wait for their atlas. Renditions with the same content share a block; a rendition
// that cannot be made is reported.

import Bytes
import CatalogModel

/// The destination of encoded renditions: an archive or an object.
protocol EncodingOutput: AnyObject {
  /// The number of renditions or blocks so far, for `--timing`.
  var count: Int { get }
  var byteCount: Int { get }
  /// Adds the results for renditions that share their blocks. It is called in the order of the
  /// plan, and never by two threads at once.
  func add(_ encoded: [EncodedRendition], for block: SharedBlock, _ settings: EncodingSettings)
  /// Adds what is made after all renditions are encoded: atlases. Returns diagnostics.
  func addRest(_ encoding: Encoding) -> [Diagnostic]
  /// Writes the rest of the file and commits it. Returns the numbers of names and renditions.
  func finish() throws(CompileError) -> (names: Int, renditions: Int)
}

/// The encoding of all planned renditions.
struct Encoding {
  let plan: RenditionPlan
  let settings: EncodingSettings
  let pool: EncoderPool
  private let progress: (Int, Int) -> Void

  /// The blocks that one thread makes as one task. Most tasks have one block, for which an array
  /// would be a waste.
  private typealias Task = (first: SharedBlock, others: [SharedBlock])

  init(
    _ plan: RenditionPlan, settings: EncodingSettings, jobs: Int,
    progress: @escaping (Int, Int) -> Void
  ) {
    self.plan = plan
    self.settings = settings
    pool = EncoderPool(settings, jobs: jobs)
    self.progress = progress
  }

  /// Encodes all renditions into the output, and returns the diagnostics.
  func run(into output: some EncodingOutput) -> [Diagnostic] {
    let renditions = plan.renditions
    let tasks = tasks(of: sharedBlocks(renditions))
    var findings = EncodingFindings(plan)
    let delivery = OrderedDelivery<[EncodingResult]>(budget: settings.room.mostWaiting) {
      index, results in
      for (block, result) in zip([tasks[index].first] + tasks[index].others, results) {
        findings.add(result, of: block)
        if case .success(let encoded) = result { output.add(encoded, for: block, settings) }
      }
      progress(index + 1, tasks.count)
    }
    pool.forEach(count: tasks.count) { index, encoder in
      let task = tasks[index]
      return encoder.encode(
        sharing: [renditions[task.first.first]] + task.others.map { renditions[$0.first] })
    } then: { index, results in
      delivery.deliver(results, at: index, cost: results.reduce(0) { $0 + $1.byteCount })
    }
    return findings.diagnostics + output.addRest(self)
  }

  /// Groups the renditions that share a block, in the order of the first rendition of each group.
  private func sharedBlocks(_ renditions: [PlannedRendition]) -> [SharedBlock] {
    func identity(_ rendition: PlannedRendition) -> BlockIdentity? {
      BlockIdentity(rendition, isWidened: settings.derivesWideGamut(of: rendition))
    }
    // The table has the hash values of the identities as keys, because an identity is large.
    // For 40,000 renditions it takes 1.9 MB; with identities as keys it would take 9 MB, and four
    // times as long. The identity of a block is made again to compare it.
    var places: [Int: Int] = [:]
    var blocks: [SharedBlock] = []
    for (index, rendition) in renditions.enumerated() {
      if let own = identity(rendition) {
        var hash = own.hashValue
        while let place = places[hash], identity(renditions[blocks[place].first]) != own {
          hash &+= 1
        }
        if let place = places[hash] {
          blocks[place].others.append(index)
          continue
        }
        places[hash] = blocks.count
      }
      blocks.append(SharedBlock(first: index))
    }
    return blocks
  }

  /// Divides the blocks into tasks: all bitmaps of one vector and its file, or all bitmaps of one
  /// layered icon, which are then read once, or a single block.
  private func tasks(of blocks: [SharedBlock]) -> [Task] {
    var places: [ByteString: Int] = [:]
    var tasks: [Task] = []
    for block in blocks {
      let path = plan.renditions[block.first].commonSource
      if let path, let place = places[path] {
        tasks[place].others.append(block)
      } else {
        if let path { places[path] = tasks.count }
        tasks.append((block, []))
      }
    }
    return tasks
  }
}

extension EncodingResult {
  /// The memory that the result holds until the output takes it.
  fileprivate var byteCount: Int {
    guard case .success(let encoded) = self else { return 0 }
    return encoded.reduce(0) { $0 + $1.byteCount }
  }
}
