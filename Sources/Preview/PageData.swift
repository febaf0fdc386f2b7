// Everything that a page shows about one archive, as values. Answers.swift asks the rule, and
// PagePictures.swift decodes and draws.

import Archive
import ArchiveTools
import Bytes
import CarveRuntime
import Documents
import Host
import Traits

package struct PageData: Sendable {
  /// The changes since an older archive; nil if the page compares with no archive.
  package private(set) var difference: PageDifference?
  let options: PreviewOptions
  let situations: Situations
  let tables: [AnswerTable]
  let assets: [PageAsset]
  let pictures: PagePictures
  /// Nil if renditions are damaged: then thinning cannot decide about them.
  let bytes: PageBytes?
  let byteCount: Int
  let languages: [UInt16: String]
  let platform: String
  /// The scales of the devices, at which vectors are drawn.
  let scales: [Int]
  let layers: PageLayers?
  package let damaged: [DamagedRendition]
  /// The times of the passes that made the page.
  package private(set) var clock: PassClock

  /// Reads the archive. The caller keeps the bytes alive and unchanged meanwhile. A given clock may
  /// have measured earlier passes.
  package init(
    of file: UnsafeRawBufferPointer, _ options: PreviewOptions, clock: PassClock = PassClock()
  ) throws(CatalogError) {
    self.options = options
    let catalog = try Catalog(lending: file)
    let archive: Archive
    do throws(FormatError) { archive = try Archive(file) } catch { throw .format(error) }
    byteCount = file.count
    let metadata = (try? archive.metadata()) ?? nil
    platform = metadata?.platform ?? "ios"
    damaged = archive.damagedRenditions()
    let all = Device.all(reading: metadata?.platform)
    let devices = options.devices.isEmpty ? all : options.devices
    let found = Set(devices.flatMap(\.scales)).map { Int($0) }.sorted()
    scales = found.isEmpty ? [2] : found
    let thinner = try? Thinner(file)
    var reader = AssetReader(
      catalog: catalog, file: file, options: options, scales: scales,
      charges: BlockCharges(thinner?.opened))
    let (assets, signatures) = reader.read()
    do throws(FormatError) {
      for signature in signatures { try checkCombinations(of: signature) }
    } catch {
      throw .format(error)
    }
    var clock = clock
    clock.end("read", items: assets.count)
    let localizations = catalog.localizations.map { (name: $0.name, number: $0.number) }
    languages = Dictionary(
      localizations.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    var situations = Situations(
      devices, PageTraits(Set(signatures.joined()), localizations: localizations))
    tables = situations.answers(of: signatures) { signatures, situations in
      parallelMap(signatures, jobs: availableProcessors()) { AnswerTable($0, in: situations) }
    }
    self.situations = situations
    clock.end("answers", items: signatures.count)
    layers = PageLayers(archive, catalog)
    pictures = PagePictures(
      assets.flatMap(\.requests) + (layers?.requests ?? []), of: catalog, file,
      icons: layers?.icons, options)
    self.assets = assets
    clock.end("pictures", items: pictures.pictures.count)
    bytes = thinner.flatMap { try? PageBytes($0, devices: devices) }
    clock.end("devices", items: devices.count)
    self.clock = clock
  }
}

extension PageData {
  /// Whether no asset is shown.
  package var isEmpty: Bool { assets.isEmpty }

  /// Compares with an older archive; `options.comparesArchives` must be true. The caller keeps both
  /// archives alive and unchanged. `isUnchanged` says whether both archives made a variant from
  /// equal files; nil if that is not known.
  package mutating func compare(
    _ file: UnsafeRawBufferPointer, with old: UnsafeRawBufferPointer, titled title: String,
    isUnchanged: @escaping (ByteString, VariantKey) -> Bool? = { _, _ in nil }
  ) throws(PreviewError) {
    precondition(options.comparesArchives, "the page was made without digests of its pictures")
    difference = try PageDifference(
      from: old, to: file, titled: title, self, isUnchanged: isUnchanged)
    clock.end("compare", items: difference?.changes.count)
  }

  /// All pictures of the page.
  var allPictures: [PagePicture] { pictures.pictures + (difference?.pictures.stored ?? []) }

  /// The numbers of assets, devices and pictures, in words.
  package var summary: String {
    "\(counted(assets.count, "asset")), \(counted(situations.devices.count, "device")), "
      + counted(pictures.pictures.count, "picture")
  }
}
