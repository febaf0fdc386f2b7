// The archive of a compilation while it is written: blocks go into the growing file as they are
// finished; then come the tables, the index and the name of the file.

import Archive
import Bytes
import CatalogModel
import Host
import Traits

/// An archive while it is written to disk.
final class ArchiveOutput: EncodingOutput {
  private let plan: RenditionPlan
  private let target: CompileTarget
  private let writesIndex: Bool
  /// Whether the archive has the bytes of Apple's tool as far as possible.
  private let isIdentical: Bool
  private let numbers: NameNumbers
  private let variants: VariantNumbers
  private let file: FileSink
  private var writer: ArchiveWriter<FileSink>
  /// The renditions, including those of the atlases, in the order of their blocks.
  private var renditions: [(key: RenditionKey, block: BlockID)] = []
  /// Whether each rendition of the plan is in the archive. A name without renditions is left out.
  private var isStored: [Bool]
  /// The blocks that hold the pixels of each file; nil if the options do not request them.
  private(set) var pixels: PixelPlaces?
  /// The sources of the renditions; nil if the options do not request them.
  private(set) var stored: Set<ByteString>?
  private var smallPictures = SmallPictures()
  private var twins: BlockTwins

  init(
    _ plan: RenditionPlan, _ numbers: NameNumbers, _ options: CompileOptions, into file: FileSink
  ) {
    (self.plan, self.numbers, self.file) = (plan, numbers, file)
    target = options.target
    writesIndex = options.writesIndex
    isIdentical = options.optimization == .identical
    twins = BlockTwins(ignoresNames: options.optimization == .space)
    let semantics = KeySemantics(rawValue: options.target.platform.keySemantics)
    variants = VariantNumbers(appearances: [], semantics: semantics)
    isStored = Array(repeating: false, count: plan.renditions.count)
    writer = ArchiveWriter(into: file)
    if options.remembersPixels { pixels = PixelPlaces(of: plan) }
    if options.listsStored { stored = [] }
  }

  var count: Int { renditions.count }
  var byteCount: Int { file.byteCount }

  func add(
    _ encoded: [EncodedRendition], for block: SharedBlock, _ settings: EncodingSettings
  ) {
    /// The blocks that the renditions share, by gamut.
    var blocks: [Gamut: BlockID] = [:]
    block.forEach { index in
      for rendition in encoded {
        switch rendition {
        case .block(let gamut, let bytes, let facts):
          bytes.withUnsafeBytes { add($0, facts, of: index, gamut, &blocks, settings) }
        case .linked(let gamut, let bytes, let facts):
          add(bytes.buffer, facts, of: index, gamut, &blocks, settings)
        case .small(let gamut, let picture):
          smallPictures.add(picture, of: plan.rendition(index, gamut), number: index, settings)
        }
      }
    }
  }

  /// Appends a block, unless a block with the same contents was appended before.
  private func append(_ bytes: UnsafeRawBufferPointer) -> BlockID {
    twins.block(bytes) {
      writer.append(csi: $0)
    } reading: { block in
      writer.bytes(of: block) { file.read($0, into: $1) }
    }
  }

  /// Appends a block for a rendition. Renditions with the same block append it once.
  private func add(
    _ bytes: UnsafeRawBufferPointer, _ facts: PictureFacts?, of index: Int, _ gamut: Gamut,
    _ blocks: inout [Gamut: BlockID], _ settings: EncodingSettings
  ) {
    let planned = plan.rendition(index, gamut)
    if let block = blocks[gamut] { return add(planned, at: index, in: block) }
    let block = append(bytes)
    pixels?.add(planned, facts, settings.demands(of: planned), in: block)
    blocks[gamut] = block
    add(planned, at: index, in: block)
  }

  private func add(_ planned: PlannedRendition, at index: Int, in block: BlockID) {
    // Every name of the plan has a number, and the platform has numbers for all appearances.
    guard let identifier = numbers[planned.facet],
      var key = variants.key(
        element: planned.element, part: planned.part, identifier: identifier, variant: planned.key)
    else { return }
    key.details = planned.details
    if case .nothing = planned.content { key.markAsNothing() }
    renditions.append((key, block))
    isStored[index] = true
    stored?.insert(planned.jsonFile)
  }

  /// Packs the small pictures into atlases, and adds those that are in no atlas.
  func addRest(_ encoding: Encoding) -> [Diagnostic] {
    let pictures = smallPictures.take()
    return encoding.encodeAtlases(of: pictures, numbers) { [self] packed, bytes in
      switch packed {
      case .atlas(let atlas): add(atlas, bytes, pictures)
      case .alone(let index):
        let picture = pictures[index]
        let planned = plan.rendition(picture.rendition, picture.gamut)
        let block = bytes.withUnsafeBytes { append($0) }
        pixels?.add(planned, picture.facts, picture.demands, in: block)
        add(planned, at: picture.rendition, in: block)
      }
    }
  }

  /// Adds an atlas, and a link for each of its pictures.
  private func add(_ atlas: NumberedAtlas, _ bytes: [UInt8], _ pictures: [SmallPicture]) {
    guard
      var key = variants.key(
        element: Element.atlas, part: Part.regular,
        identifier: atlas.group.atlas.flatMap { numbers[$0] } ?? 0, variant: atlas.group.key)
    else { return }
    key[.dimension1] = atlas.number
    let block = bytes.withUnsafeBytes { append($0) }
    renditions.append((key, block))
    pixels?.add(atlas: atlas.facts, atlas.demands(of: pictures), in: block)
    for (first, x, y) in atlas.frames {
      for index in [first] + (atlas.twins[first] ?? []) {
        let picture = pictures[index]
        let planned = plan.rendition(picture.rendition, picture.gamut)
        pixels?.add(planned, picture.facts, picture.demands, in: block, at: (x, y))
        let link = planned.linkBlock(picture.facts, x: x, y: y, atlas: key)
        add(planned, at: picture.rendition, in: link.withUnsafeBytes { append($0) })
      }
    }
  }

  func finish() throws(CompileError) -> (names: Int, renditions: Int) {
    let version = "\(target.minimum.major).\(target.minimum.minor)"
    var header = CatalogHeader(
      coreUIVersion: 972, mainVersion: "@(#)PROGRAM:CoreUI  PROJECT:CoreUI-972.1\n",
      toolVersion: "Carve \(carveVersion)")
    header.schemaVersion = target.platform.schemaVersion
    header.keySemantics = KeySemantics(rawValue: target.platform.keySemantics)
    var contents = ArchiveContents(
      header: header,
      metadata: CatalogMetadata(
        platform: target.platform.archiveName, platformVersion: version,
        authoringTool: "@(#)PROGRAM:Carve  PROJECT:Carve-\(carveVersion)\n"))
    contents.hasSmallPages = !isIdentical
    contents.facets = plan.facets(numbers, of: isStored)
    contents.renditions = renditions
    contents.localizations = plan.locales.sorted { $0.key < $1.key }.map { NamedNumber($1, $0) }
    do throws(ArchiveError) {
      _ = try writesIndex ? writer.finishIndexed(contents) : writer.finish(contents)
    } catch {
      throw .archive(error)
    }
    do throws(OutputError) { try file.commit() } catch { throw .output(error) }
    return (contents.facets.count, renditions.count)
  }
}

extension RenditionPlan {
  /// Returns a rendition with the gamut in which it was made.
  fileprivate func rendition(_ index: Int, _ gamut: Gamut) -> PlannedRendition {
    var planned = renditions[index]
    planned.key.gamut = gamut
    return planned
  }
}

extension RenditionPlan {
  /// Returns one facet for each name that has renditions in the archive. If a name has several
  /// kinds of renditions, the facet has the part of the picture (`precedes`).
  fileprivate func facets(_ numbers: NameNumbers, of isStored: [Bool]) -> [Facet] {
    var facets: [ByteString: Facet] = [:]
    for (rendition, isStored) in zip(renditions, isStored) where isStored {
      guard let identifier = numbers[rendition.facet] else { continue }
      var facet = Facet(
        name: rendition.facet, element: rendition.element, part: rendition.facetPart,
        identifier: identifier)
      if rendition.kind == .symbol {
        facet.attributes.append(Facet.Pair(.deploymentTarget, Generation.ofSymbols))
      }
      if let other = facets[rendition.facet], RenditionPlan.precedes(other, facet) { continue }
      facets[rendition.facet] = facet
    }
    return Array(facets.values)
  }

  /// Returns whether the first of two facets with one name is written. The parts of preserved
  /// vectors and of symbols are used only if the name has no other part.
  private static func precedes(_ a: Facet, _ b: Facet) -> Bool {
    func rank(_ facet: Facet) -> Int {
      let part = Int(facet.part ?? 0)
      return part == Part.vector || part == Part.symbol ? part + Int(UInt16.max) : part
    }
    return rank(a) <= rank(b)
  }
}

extension PlannedRendition {
  /// The part that its facet has: `icon` for a table of icon sizes, `regular` for the flattened
  /// picture and the glow of a stack, otherwise the part of the rendition.
  fileprivate var facetPart: UInt16 {
    switch part {
    case Part.multisize: Part.icon
    case Part.flattened, Part.radiosity: Part.regular
    default: part
    }
  }
}
