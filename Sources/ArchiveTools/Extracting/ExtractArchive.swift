// What is inside of an archive as ordinary files: pictures as PNG, colours as JSON, data and vectors
// as they were. Pictures that share an atlas are cut out of it. Nothing is written here.

import Archive
import Bytes
import Codecs
import Host
import Synchronization
import Vectors

/// One file that came out of an archive.
package struct ExtractedFile: Sendable {
  /// Below the folder for everything; safe to create.
  package var path: ByteString
  package var bytes: [UInt8]
}

/// A rendition that no file was made of.
package struct LeftOut: Sendable, Hashable {
  package var name: ByteString
  /// What distinguishes it from others of its name, in words.
  package var variant: String
  package var reason: String
  /// Whether the archive is damaged there, rather than of a kind that Carve does not extract.
  package var isDamage: Bool
}

/// Calls `body` with each file, in the order of the archive but for atlases, whose pictures come
/// together. With a scale, vectors are drawn too, at so many pixels per unit. Gives what was left out.
package func extractArchive<Failure: Error>(
  _ file: UnsafeRawBufferPointer, drawingScale: Int? = nil,
  _ body: (ExtractedFile) throws(Failure) -> Void
) throws(ExtractError<Failure>) -> [LeftOut] {
  let extraction = try Extraction.reading(file, drawingScale, failure: Failure.self)
  var leftOut = extraction.leftOut
  for portion in extraction.portions {
    do throws(Failure) { leftOut += try extraction.extract(portion, body) } catch {
      throw .body(error)
    }
  }
  return leftOut
}

/// The same on `jobs` threads: `body` is called by several at once, for each file in no order. Names and
/// what was left out are as if there were one.
package func extractArchive<Failure: Error>(
  _ file: UnsafeRawBufferPointer, drawingScale: Int?, jobs: Int,
  _ body: @escaping @Sendable (ExtractedFile) throws(Failure) -> Void
) throws(ExtractError<Failure>) -> [LeftOut] {
  let extraction = try Extraction.reading(file, drawingScale, failure: Failure.self)
  let hasFailed = Atomic<Bool>(false)
  let outcomes = parallelMap(extraction.portions, jobs: jobs) {
    portion -> Result<[LeftOut], Failure> in
    // Where one file could not be written, the others need not be made.
    if hasFailed.load(ordering: .relaxed) { return .success([]) }
    do throws(Failure) { return .success(try extraction.extract(portion, body)) } catch {
      hasFailed.store(true, ordering: .relaxed)
      return .failure(error)
    }
  }
  var leftOut = extraction.leftOut
  for outcome in outcomes {
    switch outcome {
    case .success(let portion): leftOut += portion
    case .failure(let error): throw .body(error)
    }
  }
  return leftOut
}

package enum ExtractError<Failure: Error>: Error {
  case format(FormatError)
  case body(Failure)
}

/// Why there is no file for a rendition.
package enum Obstacle: Error, Sendable {
  case unsupported(String)
  case damaged(String)

  package var reason: String {
    switch self {
    case .unsupported(let reason), .damaged(let reason): reason
    }
  }

  func leftOut(_ name: ByteString, _ words: [String]) -> LeftOut {
    let isDamage = if case .damaged = self { true } else { false }
    return LeftOut(
      name: name, variant: words.joined(separator: ", "), reason: reason, isDamage: isDamage)
  }
}

struct Extraction: Sendable {
  enum Kind: Sendable { case bitmap, link(InternalLink), color, file, drawing(scale: Int) }

  struct Item: Sendable {
    var name: ByteString
    var path: ByteString
    var kind: Kind
    var rendition: Rendition
    var key: RenditionKey

    /// Pictures of one atlas come together, behind all others.
    var atlas: RenditionKey? {
      if case .link(let link) = kind { link.target } else { nil }
    }
  }

  let archive: Archive
  let words: KeyWords
  let gate = MemoryGate()
  private(set) var allowance = PictureAllowance(fileSize: 0)
  /// nil where vectors are not drawn.
  let drawingScale: Int?
  var atlases: [RenditionKey: RenditionEntry] = [:]
  var items: [Item] = []
  var leftOut: [LeftOut] = []

  init(_ archive: Archive, drawingScale: Int?) throws(FormatError) {
    self.archive = archive
    self.drawingScale = drawingScale
    allowance = PictureAllowance(fileSize: archive.bytes.count)
    words = try KeyWords(of: archive)
    let assets = try AssetNames(of: archive)
    var names = ExtractedNames()
    let (readable, damaged) = try archive.readableRenditions()
    for rendition in damaged {
      leaveOut(DamagedRendition(rendition.key, rendition.error, names: assets, words: words))
    }
    for (entry, rendition) in readable {
      if rendition.header.layout == .atlas {
        atlases[entry.key] = entry
        continue
      }
      do throws(FormatError) {
        try add(entry, rendition, assets[entry.key], &names)
      } catch {
        leaveOut(DamagedRendition(entry.key, error, names: assets, words: words))
      }
    }
    gatherAtlases()
  }

  static func reading<Failure: Error>(
    _ file: UnsafeRawBufferPointer, _ drawingScale: Int?, failure: Failure.Type
  ) throws(ExtractError<Failure>) -> Extraction {
    do throws(FormatError) {
      return try Extraction(try Archive(file), drawingScale: drawingScale)
    } catch {
      throw .format(error)
    }
  }

  private mutating func leaveOut(_ rendition: DamagedRendition) {
    leftOut.append(
      LeftOut(
        name: rendition.name, variant: rendition.variant, reason: "\(rendition.error)",
        isDamage: true))
  }

  /// Puts the pictures of each atlas together, so that it is decoded once.
  private mutating func gatherAtlases() {
    var ranks: [RenditionKey: Int] = [:]
    let ranked = items.enumerated().map { index, item -> (rank: Int, index: Int) in
      guard let atlas = item.atlas else { return (-1, index) }
      let rank = ranks[atlas] ?? ranks.count
      ranks[atlas] = rank
      return (rank, index)
    }
    items = ranked.sorted { $0 < $1 }.map { items[$0.index] }
  }

  /// How many files a thread makes before it looks for more; those of an atlas stay together.
  private static let portionSize = 16

  /// Parts of the work that need nothing of one another.
  var portions: [Range<Int>] {
    var portions: [Range<Int>] = []
    var first = 0
    for place in items.indices {
      let next = place + 1
      let isLast =
        next == items.count
        || (items[next].atlas == items[place].atlas
          ? items[place].atlas == nil && next - first == Extraction.portionSize : true)
      if isLast {
        portions.append(first..<next)
        first = next
      }
    }
    return portions
  }

  /// Makes the files of a portion, and gives what was left out of it.
  func extract<Failure: Error>(
    _ portion: Range<Int>, _ body: (ExtractedFile) throws(Failure) -> Void
  ) throws(Failure) -> [LeftOut] {
    var desk = ExtractionDesk()
    // The atlas stays decoded for all of its pictures.
    if let atlas = items[portion].first?.atlas {
      return try gate.share(memory(ofAtlas: atlas)) { () throws(Failure) in
        var leftOut: [LeftOut] = []
        for item in items[portion] { try extract(item, &desk, &leftOut, body) }
        return leftOut
      }
    }
    var leftOut: [LeftOut] = []
    for item in items[portion] {
      try gate.share(memory(of: item)) { () throws(Failure) in
        try extract(item, &desk, &leftOut, body)
      }
    }
    return leftOut
  }

  private func extract<Failure: Error>(
    _ item: Item, _ desk: inout ExtractionDesk, _ leftOut: inout [LeftOut],
    _ body: (ExtractedFile) throws(Failure) -> Void
  ) throws(Failure) {
    let bytes: [UInt8]
    do throws(Obstacle) {
      bytes = try contents(of: item, &desk)
    } catch {
      leftOut.append(error.leftOut(item.name, words.words(for: item.key)))
      return
    }
    try body(ExtractedFile(path: item.path, bytes: bytes))
  }

  /// What making the file of an item takes at one time, by the headers. A vector's is known after it was read.
  private func memory(of item: Item) -> Int {
    switch item.kind {
    case .bitmap: Bitmap.memory(of: item.rendition)
    case .file: item.rendition.fileMemory
    case .drawing(let scale): item.rendition.drawingMemory(scale)
    case .color, .link: 0
    }
  }

  private func memory(ofAtlas key: RenditionKey) -> Int {
    guard let entry = atlases[key], let atlas = try? archive.rendition(entry) else { return 0 }
    return 2 * Bitmap.memory(of: atlas)
  }

  private mutating func add(
    _ entry: RenditionEntry, _ rendition: Rendition, _ asset: ByteString?,
    _ names: inout ExtractedNames
  ) throws(FormatError) {
    let header = rendition.header
    let kind: Kind
    var pathExtension: ByteString?
    if let link = try rendition.link() {
      (kind, pathExtension) = (.link(link), "png")
    } else if rendition.payload.hasPrefix("MLEC") {
      (kind, pathExtension) = (.bitmap, "png")
    } else if header.layout == .color {
      (kind, pathExtension) = (.color, "json")
    } else if let file = try FilePayload(rendition.payload), file.contents.count > 0 {
      kind = .file
      pathExtension = [.pdf: "pdf", .svg: "svg", .jpeg: "jpg", .heif: "heic"][header.pixelFormat]
    } else {
      leftOut.append(
        LeftOut(
          name: asset ?? header.name, variant: "", reason: header.layout.withoutFile,
          isDamage: false))
      return
    }
    let words = words.words(for: entry.key)
    func add(_ kind: Kind, named file: ByteString, _ pathExtension: ByteString?) {
      let path = names.path(
        asset: asset ?? "", file: file, pathExtension: pathExtension, words: words)
      items.append(
        Item(
          name: asset ?? header.name, path: path, kind: kind, rendition: rendition, key: entry.key))
    }
    add(kind, named: header.name, pathExtension)
    if let drawingScale, rendition.isVectorFile {
      let stem = ExtractedNames.stem(of: header.name)
      add(.drawing(scale: drawingScale), named: "\(stem)@\(drawingScale)x.png", "png")
    }
  }
}

extension RenditionLayout {
  /// What a rendition of this layout is, where it is none that a file could be made of.
  fileprivate var withoutFile: String {
    switch self {
    case .multisize: "a table of an icon's sizes"
    case .namedContents: "a list of names"
    case .layerStack, .iconStack, .iconGroup: "a stack of layers"
    case .gradient, .namedGradient: "a gradient"
    case .externalLink: "a link out of the archive"
    case .texture: "a texture of several pictures"
    default: "a rendition of layout \(rawValue)"
    }
  }
}

/// What one thread keeps from one file to the next.
struct ExtractionDesk: ~Copyable {
  var lastAtlas: (key: RenditionKey, pixels: Bitmap)?
  var rasterizer = Rasterizer()
}
