// The last passes: encoding into the growing file, then the tables, the index and the name of the
// file.

import Archive
import Bytes
import CatalogModel
import Codecs
import Colors
import Host
import Traits

extension Plan {
  /// Encodes the renditions and writes the archive. If a diagnostic is an error, writes nothing and
  /// leaves the old file as it is.
  func write(
    to destination: Destination, _ tree: FileTree, _ options: CompileOptions,
    _ observer: CompileObserver, ifEmpty empty: Diagnostic,
    _ report: inout CompileReport, _ clock: inout PassClock
  ) throws(CompileError) {
    let builder = try ArchiveBuilder(self, options, destination)
    let cache = PictureCache(options)
    let encoded = builder.encode(self, tree, options, cache, observer)
    cache?.settle()
    (report.cache, report.cacheTrouble) = (cache?.use.counts, cache?.trouble)
    clock.end(
      "encode", items: encoded.renditions.count, bytes: builder.byteCount,
      parts: options.work?.parts ?? [])
    report.add(located(encoded.diagnostics, in: tree), observer.judge)
    if !report.isRefused, encoded.renditions.isEmpty {
      guard options.writesEmptyArchive else { return }
      report.add([empty], observer.judge)
    }
    guard !report.isRefused else { return }
    try builder.finish(encoded, report: &report)
    report.pixels = encoded.pixels
    clock.end("write", items: report.renditionCount, bytes: report.byteCount)
  }
}

/// An archive while it is written to disk.
private final class ArchiveBuilder {
  private let target: CompileTarget
  private let facets: [Facet]
  private let locales: [UInt16: String]
  private let writesIndex: Bool
  private let numbers: NameNumbers
  private let variants: VariantNumbers
  private let file: FileSink
  private var writer: ArchiveWriter<FileSink>

  init(
    _ plan: Plan, _ options: CompileOptions, _ destination: Destination
  ) throws(CompileError) {
    target = options.target
    locales = plan.locales
    writesIndex = options.writesIndex
    let semantics = KeySemantics(rawValue: options.target.platform.keySemantics)
    variants = VariantNumbers(appearances: [], semantics: semantics)
    do throws(ArchiveError) {
      numbers = try NameNumbers(plan.renditions.lazy.map(\.facet))
    } catch {
      throw .archive(error)
    }
    do throws(OutputError) { file = try FileSink(destination) } catch { throw .output(error) }
    facets = plan.facets(numbers)
    writer = ArchiveWriter(into: file)
  }

  func encode(
    _ plan: Plan, _ tree: FileTree, _ options: CompileOptions, _ cache: PictureCache?,
    _ observer: CompileObserver
  ) -> EncodedRenditions {
    let settings = EncodingSettings(plan, in: tree, options, numbers: numbers, cache: cache)
    let encoding = Encoding(
      plan, settings: settings, jobs: options.jobs, numbers: numbers,
      variants: variants,
      progress: observer.progress, append: append)
    if options.remembersPixels { encoding.pixels = PixelPlaces(of: plan) }
    return encoding.run()
  }

  /// The number of bytes that were written so far.
  var byteCount: Int { file.byteCount }

  private func append(_ block: UnsafeRawBufferPointer) -> BlockID { writer.append(csi: block) }

  func finish(
    _ encoded: EncodedRenditions, report: inout CompileReport
  ) throws(CompileError) {
    let platform = target.platform.archiveName
    let version = "\(target.minimum.major).\(target.minimum.minor)"
    var header = CatalogHeader(
      coreUIVersion: 972, mainVersion: "@(#)PROGRAM:CoreUI  PROJECT:CoreUI-972.1\n",
      toolVersion: "Carve \(carveVersion)")
    header.schemaVersion = target.platform.schemaVersion
    header.keySemantics = KeySemantics(rawValue: target.platform.keySemantics)
    var contents = ArchiveContents(
      header: header,
      metadata: CatalogMetadata(
        platform: platform, platformVersion: version,
        authoringTool: "@(#)PROGRAM:Carve  PROJECT:Carve-\(carveVersion)\n"))
    contents.facets = facets
    contents.renditions = encoded.renditions
    contents.localizations = locales.sorted { $0.key < $1.key }.map { NamedNumber($1, $0) }
    do throws(ArchiveError) {
      _ = try writesIndex ? writer.finishIndexed(contents) : writer.finish(contents)
    } catch {
      throw .archive(error)
    }
    report.nameCount = facets.count
    report.renditionCount = contents.renditions.count
    report.byteCount = file.byteCount
    do throws(OutputError) { try file.commit() } catch { throw .output(error) }
  }
}

extension Plan {
  /// Returns one facet for each name. If a name has several kinds of renditions, the facet has the
  /// part of the picture (`precedes`).
  fileprivate func facets(_ numbers: NameNumbers) -> [Facet] {
    var facets: [ByteString: Facet] = [:]
    for rendition in renditions {
      guard let identifier = numbers[rendition.facet] else { continue }
      var facet = Facet(
        name: rendition.facet, element: rendition.element, part: rendition.facetPart,
        identifier: identifier)
      if rendition.kind == .symbol {
        facet.attributes.append(Facet.Pair(.deploymentTarget, Generation.ofSymbols))
      }
      if let other = facets[rendition.facet], Plan.precedes(other, facet) { continue }
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

  /// The keys of the renditions for which the sources themselves state a wide gamut.
  var wideKeys: Set<WideKey> {
    Set(
      renditions.lazy.filter { $0.key.gamut == .p3 }.map { WideKey($0) })
  }
}

extension EncodingSettings {
  init(
    _ plan: Plan, in tree: FileTree, _ options: CompileOptions, numbers: NameNumbers,
    cache: PictureCache?
  ) {
    self.init(
      tree: tree, target: options.target, numbers: numbers,
      optimization: options.optimization.codec, keepsExactPixels: options.keepsExactPixels,
      packsSprites: options.packsSprites && !options.target.predatesLZFSE, wideKeys: plan.wideKeys,
      cache: cache, objects: options.objects, work: options.work, room: PictureRoom(options))
    mostVectorPixels = options.mostVectorPixels
    largestScales = plan.largestScales
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
