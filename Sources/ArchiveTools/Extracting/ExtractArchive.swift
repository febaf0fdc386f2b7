// Extracts the contents of an archive as ordinary files: pictures as PNG, colours as JSON, data and
// vectors as they were. Pictures are cut out of their atlases. ExtractedNames.swift chooses the
// names of the files. No file is written here; the caller writes them.

import Archive
import Bytes
import Host
import Imaging
import Synchronization
import Vectors

/// A file that was extracted from an archive.
package struct ExtractedFile: Sendable {
  /// The path below the folder of all files. It is safe to create.
  package var path: ByteString
  package var bytes: [UInt8]

  package init(path: ByteString, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
}

/// A rendition for which there is no file.
package struct SkippedRendition: Sendable, Hashable {
  package var name: ByteString
  /// The words that distinguish the rendition from others of its name.
  package var variant: String
  package var reason: String
  /// Whether the rendition is damaged. Otherwise it is of a kind that Carve does not extract.
  package var isDamage: Bool
}

/// Extracts an archive on `jobs` threads. Several threads call `body` at the same time, with the
/// files in any order. With a scale, vectors are drawn, too, at this number of pixels per unit.
/// Returns the renditions without a file. The names and the result are the same for any `jobs`.
package func extractArchive<Failure: Error>(
  _ file: UnsafeRawBufferPointer, drawingScale: Int?, jobs: Int,
  _ body: @escaping @Sendable (ExtractedFile) throws(Failure) -> Void
) throws(ExtractError<Failure>) -> [SkippedRendition] {
  let extraction = try Extraction.reading(file, drawingScale, failure: Failure.self)
  return extraction.skipped
    + (try writeAll(extraction.portions, jobs: jobs) { (portion) throws(Failure) in
      try extraction.extract(portion, body)
    })
}

/// Writes the files of all parts of an archive on `jobs` threads, and returns the remarks about
/// them in the order of the parts. If one file cannot be written, the others are not needed.
package func writeAll<Part: Sendable, Remark: Sendable, Failure: Error>(
  _ parts: [Part], jobs: Int, _ write: @escaping @Sendable (Part) throws(Failure) -> [Remark]
) throws(ExtractError<Failure>) -> [Remark] {
  let hasFailed = Atomic<Bool>(false)
  let outcomes = parallelMap(parts, jobs: jobs) { part -> Result<[Remark], Failure> in
    if hasFailed.load(ordering: .relaxed) { return .success([]) }
    do throws(Failure) { return .success(try write(part)) } catch {
      hasFailed.store(true, ordering: .relaxed)
      return .failure(error)
    }
  }
  var remarks: [Remark] = []
  for outcome in outcomes {
    switch outcome {
    case .success(let some): remarks += some
    case .failure(let error): throw .body(error)
    }
  }
  return remarks
}

package enum ExtractError<Failure: Error>: Error {
  case format(FormatError)
  case body(Failure)
}

/// The reason why there is no file for a rendition.
package enum SkipReason: Error, Sendable {
  case unsupported(String)
  case damaged(String)

  package var reason: String {
    switch self {
    case .unsupported(let reason), .damaged(let reason): reason
    }
  }

  package var isDamage: Bool { if case .damaged = self { true } else { false } }

  func skipped(_ name: ByteString, _ variant: String) -> SkippedRendition {
    SkippedRendition(name: name, variant: variant, reason: reason, isDamage: isDamage)
  }
}

/// The files to extract from an archive.
struct Extraction: Sendable {
  enum Kind: Sendable { case bitmap, link(InternalLink), color, file, drawing(scale: Int) }

  struct Item: Sendable {
    var name: ByteString
    var path: ByteString
    var kind: Kind
    var rendition: Rendition
    var key: RenditionKey

    /// The key of the atlas in which the picture lies; nil for all other items.
    var atlas: RenditionKey? {
      if case .link(let link) = kind { link.target } else { nil }
    }
  }

  let archive: Archive
  let words: KeyWords
  let gate = MemoryGate()
  private(set) var allowance = PictureAllowance(fileSize: 0)
  /// The number of pixels for each unit of a vector; nil if vectors are not drawn.
  let drawingScale: Int?
  var atlases: [RenditionKey: RenditionEntry] = [:]
  var items: [Item] = []
  var skipped: [SkippedRendition] = []

  init(_ archive: Archive, drawingScale: Int?) throws(FormatError) {
    self.archive = archive
    self.drawingScale = drawingScale
    allowance = PictureAllowance(fileSize: archive.bytes.count)
    words = try KeyWords(of: archive)
    let assets = try FacetNames(of: archive)
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
        try add(entry, rendition: rendition, asset: assets[entry.key], names: &names)
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
    skipped.append(
      SkippedRendition(
        name: rendition.name, variant: rendition.variant, reason: "\(rendition.error)",
        isDamage: true))
  }

  /// Sorts the items: first those that lie in no atlas, then the pictures of each atlas together,
  /// so that each atlas is decoded once.
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

  /// The number of files that a thread makes before it takes the next portion. The pictures of an
  /// atlas are one portion.
  private static let portionSize = 16

  /// The portions of the work, which do not depend on one another.
  var portions: [Range<Int>] {
    var portions: [Range<Int>] = []
    var first = 0
    for index in items.indices {
      let next = index + 1
      let isFull = items[index].atlas == nil && next - first == Extraction.portionSize
      if next == items.count || items[next].atlas != items[index].atlas || isFull {
        portions.append(first..<next)
        first = next
      }
    }
    return portions
  }

  /// Extracts the files of a portion. Returns the renditions without a file.
  func extract<Failure: Error>(
    _ portion: Range<Int>, _ body: (ExtractedFile) throws(Failure) -> Void
  ) throws(Failure) -> [SkippedRendition] {
    var scratch = ExtractionScratch()
    // The decoded atlas stays in memory until all its pictures are cut out.
    if let atlas = items[portion].first?.atlas {
      return try gate.share(memory(ofAtlas: atlas)) { () throws(Failure) in
        var skipped: [SkippedRendition] = []
        for item in items[portion] { try extract(item, &scratch, &skipped, body) }
        return skipped
      }
    }
    var skipped: [SkippedRendition] = []
    for item in items[portion] {
      // A drawing takes its share itself, as soon as its size is known.
      if case .drawing = item.kind {
        try extract(item, &scratch, &skipped, body)
        continue
      }
      try gate.share(memory(of: item)) { () throws(Failure) in
        try extract(item, &scratch, &skipped, body)
      }
    }
    return skipped
  }

  private func extract<Failure: Error>(
    _ item: Item, _ scratch: inout ExtractionScratch, _ skipped: inout [SkippedRendition],
    _ body: (ExtractedFile) throws(Failure) -> Void
  ) throws(Failure) {
    let bytes: [UInt8]
    do throws(SkipReason) {
      bytes = try contents(of: item, &scratch)
    } catch {
      skipped.append(error.skipped(item.name, words.text(for: item.key)))
      return
    }
    try body(ExtractedFile(path: item.path, bytes: bytes))
  }

  /// Returns the memory for the extraction of an item, as its header states it.
  private func memory(of item: Item) -> Int {
    switch item.kind {
    case .bitmap: Bitmap.memory(of: item.rendition)
    case .file: item.rendition.fileMemory
    case .color, .link, .drawing: 0
    }
  }

  private func memory(ofAtlas key: RenditionKey) -> Int {
    guard let entry = atlases[key], let atlas = try? archive.rendition(entry) else { return 0 }
    return 2 * Bitmap.memory(of: atlas)
  }

  private mutating func add(
    _ entry: RenditionEntry, rendition: Rendition, asset: ByteString?,
    names: inout ExtractedNames
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
      skipped.append(
        SkippedRendition(
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
  /// The words for a rendition of this layout, for which there is no file.
  fileprivate var withoutFile: String {
    switch self {
    case .multisize: "a table of an icon's sizes"
    case .namedContents: "a list of names"
    case .layerStack, .solidStack, .iconStack, .iconGroup: "a stack of layers"
    case .gradient, .namedGradient: "a gradient"
    case .externalLink: "a link out of the archive"
    case .texture: "a texture of several pictures"
    default: "a rendition of layout \(rawValue)"
    }
  }
}

/// The values that one thread keeps from one file to the next.
struct ExtractionScratch: ~Copyable {
  var lastAtlas: (key: RenditionKey, pixels: Bitmap)?
  /// The file that was drawn last. Several keys may name one block.
  var lastDrawing: (range: Range<Int>, file: [UInt8])?
  var rasterizer = Rasterizer()
}
