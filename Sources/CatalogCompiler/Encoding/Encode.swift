// The pass that turns the plan into blocks. Pictures are decoded, converted and compressed on all
// cores, and their memory is freed at once. The output takes the blocks in the order of the plan.
// Small pictures wait for their atlas. Renditions with the same content share a block; a rendition
// that cannot be made is reported.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Imaging
import Traits
import Vectors

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

/// Renditions that share their blocks, as indices in the plan: a file in several slots is decoded,
/// compressed and stored once.
struct SharedBlock {
  let first: Int
  fileprivate(set) var others: [Int] = []

  func forEach(_ body: (Int) -> Void) {
    body(first)
    for index in others { body(index) }
  }
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
    // The table has the hash values of the identities as keys, because an identity has 128 bytes.
    // For 40,000 renditions it takes 1.9 MB; with identities as keys it would take 9 MB, and four
    // times as long. The identity of a block is made again to compare it.
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

/// The diagnostics about renditions that failed, and about vectors that are not drawn completely.
private struct EncodingFindings {
  private let plan: RenditionPlan
  private(set) var diagnostics: [Diagnostic] = []
  private var reportedVectors: Set<ByteString> = []
  /// The names whose pictures other renditions name, so that none of them can be left out.
  private lazy var neededNames = plan.neededNames

  init(_ plan: RenditionPlan) { self.plan = plan }

  mutating func add(_ result: EncodingResult, of block: SharedBlock) {
    switch result {
    case .failure(let failure):
      block.forEach { index in
        let planned = plan.renditions[index]
        var finding = failure.diagnostic(about: planned)
        if finding.severity != .error, neededNames.contains(planned.facet) {
          finding.severity = .error
          finding.notes.append(
            Note("this asset needs the picture, so it cannot be left out", file: planned.file))
        }
        diagnostics.append(finding)
      }
    case .success(let encoded):
      block.forEach { index in
        for rendition in encoded { addUndrawn(rendition.facts, of: index) }
      }
    }
  }

  /// Reports the features that a vector's bitmaps do not show, once for each file.
  private mutating func addUndrawn(_ facts: PictureFacts?, of index: Int) {
    let planned = plan.renditions[index]
    guard let path = planned.drawnFile?.path, reportedVectors.insert(path).inserted else { return }
    diagnostics += planned.undrawnFeatures(facts)
  }
}

extension RenditionPlan {
  /// The names of pictures on which other renditions depend: those of icons, layers and members of
  /// groups and sprite atlases.
  fileprivate var neededNames: Set<ByteString> {
    var names: Set<ByteString> = []
    for rendition in renditions {
      switch rendition.content {
      case .iconSizes: names.insert(rendition.facet)
      case .stack(let stack): names.formUnion(stack.layers.map(\.facet))
      case .names(let members): names.formUnion(members)
      default: break
      }
    }
    return names
  }
}

extension EncodingResult {
  /// The memory that the result holds until the output takes it.
  fileprivate var byteCount: Int {
    guard case .success(let encoded) = self else { return 0 }
    return encoded.reduce(0) { $0 + $1.byteCount }
  }
}

// MARK: - Shared blocks

// The condition under which two renditions share one block: the same file, the same processing and
// the same header.

struct BlockIdentity: Hashable {
  private var content: PlannedContent
  private var flags: RenditionFlags
  private var scale: UInt8
  private var gamut: Gamut
  /// Whether a wide-gamut rendition is made beside this one.
  private var isWidened: Bool
  /// The properties that decide whether the picture may be in an atlas, and in which kind of atlas.
  private var isIcon: Bool
  private var standsAlone: Bool
  private var atlas: ByteString?
  private var keepsExactPixels: Bool
  private var statedName: ByteString?

  /// Creates the identity of a rendition; nil if it is not made from a file.
  init?(_ planned: PlannedRendition, isWidened: Bool) {
    guard planned.source != nil else { return nil }
    content = planned.content
    flags = planned.flags
    scale = planned.key.scale
    gamut = planned.key.gamut
    self.isWidened = isWidened
    isIcon = planned.kind == .icon
    atlas = planned.atlas
    standsAlone = planned.standsAlone || planned.key.subtype != 0
    keepsExactPixels = planned.keepsExactPixels
    statedName = planned.statedName
  }
}

// MARK: - Results

// The result of making a planned rendition, on its way from the thread that made it to the file.

typealias EncodingResult = Result<[EncodedRendition], EncodingFailure>

/// The result of making a planned rendition: a finished block, or a small picture for an atlas.
enum EncodedRendition: Sendable {
  case block(Gamut, [UInt8], PictureFacts? = nil)
  /// A finished block in the bytes of an object.
  case linked(Gamut, FileBytes, PictureFacts?)
  case small(Gamut, DecodedPicture)

  var facts: PictureFacts? {
    switch self {
    case .block(_, _, let facts), .linked(_, _, let facts): facts
    case .small(_, let picture): picture.facts
    }
  }

  /// The memory that the result holds, in bytes.
  var byteCount: Int {
    switch self {
    case .block(_, let block, _): block.count
    case .linked: 0
    case .small(_, let picture): (picture.bitmap?.pixels.count ?? 0) + picture.packed.count
    }
  }
}

/// A small picture for an atlas. `bitmap` is nil if its pixels are decoded only when the atlas is
/// drawn, or if they are in `packed`.
struct DecodedPicture: Sendable {
  var facts: PictureFacts
  var bitmap: Bitmap?
  /// The key in the cache; nil if there is no cache and no object is made.
  var key: CacheKey?
  /// The compressed pixels that an object stores.
  var packed: [UInt8] = []
}

// MARK: - Failures

// The reasons why a rendition could not be made, and the diagnostics that report them.

/// The reason why a rendition could not be made.
enum EncodingFailure: Error, Sendable {
  case unreadable(FileError)
  case broken(PictureError)
  /// A PDF or SVG file that cannot be drawn.
  case undrawable(VectorError)
  /// A PDF or SVG file that cannot be read, of a layer of an icon.
  case undrawableLayer(SourceFile, VectorError)
  /// A picture of a layer that cannot be decoded.
  indirect case damagedLayer(SourceFile, EncodingFailure)
  /// A layered icon or a stack with more layers than Carve draws: their number and the limit.
  case tooManyLayers(Int, most: Int)
  /// A file that changed after it was first read.
  case changed
  /// A file whose header cannot be read.
  case header(ImageHeaderError)
  /// A file that ends within its pixels.
  case cut(ImageKind)
  /// A picture of a kind that is not compiled, or not under this name.
  case kind(ImageKind)
  case unsupported

  /// Makes the failure for a file that cannot be decoded.
  init(_ error: PictureError, in bytes: [UInt8]) {
    do throws(ImageHeaderError) {
      let kind = try ImageHeader.read(bytes).kind
      switch error.reason {
      case .unknownKind: self = .kind(kind)
      case .truncated: self = .cut(kind)
      default: self = .broken(error)
      }
    } catch {
      self = .header(error)
    }
  }

  /// Makes the failure for a file that is named as a vector and cannot be drawn.
  init(_ error: VectorError, in bytes: [UInt8]) {
    do throws(ImageHeaderError) {
      let kind = try ImageHeader.read(bytes).kind
      self = kind.isVector ? .undrawable(error) : .kind(kind)
    } catch {
      self = .header(error)
    }
  }

  /// Returns advice about a vector that cannot be drawn, to follow the message; it can be empty.
  private func advice(about error: VectorError) -> String {
    guard case .overLimit(.bitmapPixels, _) = error else { return "" }
    return "; make its page smaller, or raise the limit with --max-vector-pixels"
  }

  func diagnostic(about planned: PlannedRendition) -> Diagnostic {
    planned.source.map { diagnostic(about: $0) } ?? diagnostic(about: planned.facet, planned)
  }

  /// Returns the diagnostic about a file. Its place is the file, as for the checks.
  private func diagnostic(about file: SourceFile) -> Diagnostic {
    switch self {
    case .unreadable(let error): return unreadPicture(.unreadable(error), file: file.path)
    case .header(let error): return unreadPicture(error, file: file.path)
    case .cut(let kind): return cutPicture(kind, file: file.path)
    case .undrawable(let error), .undrawableLayer(_, let error):
      return CatalogModel.undrawable(error, advice: advice(about: error), file: file.path)
    case .damagedLayer(let layer, let failure): return failure.diagnostic(about: layer)
    case .kind(let kind):
      let folder = parentFolder(file.path)
      return uncompiled(kind, file, in: FolderRole.setType(pathExtension(folder)))
    case .broken(let error):
      return Diagnostic(.brokenImage, "the file is damaged: \(error)", file: file.path)
    case .changed:
      return Diagnostic(
        .unreadableFile, "the file changed while it was compiled; compile again", file: file.path)
    case .unsupported, .tooManyLayers:
      return Diagnostic(.unsupportedImage, "the picture cannot be compiled", file: file.path)
    }
  }

  /// Returns the diagnostic about a picture that is made of several files.
  private func diagnostic(about name: ByteString, _ planned: PlannedRendition) -> Diagnostic {
    let pointer = planned.pointer.isEmpty ? nil : planned.pointer + "/filename"
    let code: DiagnosticCode
    let what: String
    switch self {
    case .damagedLayer(let layer, let failure): return failure.diagnostic(about: layer)
    case .unreadable(let error):
      (code, what) = (.unreadableFile, "cannot be read: \(error.reason)")
    case .broken(let error): (code, what) = (.brokenImage, "is damaged: \(error)")
    case .undrawable(let error):
      (code, what) = (.brokenImage, "cannot be drawn: \(error.words)\(advice(about: error))")
    case .undrawableLayer(let file, let error):
      (code, what) = (
        .brokenImage,
        "cannot be drawn because of \(quoted(file.name)): \(error.words)\(advice(about: error))"
      )
    case .tooManyLayers(let count, let most):
      (code, what) = (
        .brokenImage, "cannot be drawn: it has \(count) layers, but at most \(most) can be drawn"
      )
    case .changed:
      (code, what) = (.unreadableFile, "changed while it was compiled; compile again")
    case .header, .cut:
      (code, what) = (.brokenImage, "is not a picture; save it as PNG, JPEG or HEIF")
    case .kind, .unsupported:
      (code, what) = (
        .unsupportedImage,
        "is left out: it is not a PNG, JPEG or HEIF picture; save it as one of them"
      )
    }
    return Diagnostic(code, "\(quoted(name)) \(what)", file: planned.file, pointer: pointer)
  }
}
