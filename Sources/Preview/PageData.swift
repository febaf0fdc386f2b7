// Everything that a page shows of one archive, as values: who decides, decodes and draws is asked here
// and nowhere else.

import Archive
import ArchiveTools
import CarveRuntime
import Documents
import Host
import Traits

package struct PageData: Sendable {
  /// What changed since an older archive.
  package private(set) var difference: PageDifference?
  let options: PreviewOptions
  let situations: Situations
  let tables: [AnswerTable]
  let assets: [PageAsset]
  let pictures: PagePictures
  /// Nil where renditions are damaged: nothing can be decided about them.
  let bytes: PageBytes?
  let byteCount: Int
  let languages: [UInt16: String]
  let platform: String
  /// Those of the devices, at which vectors are drawn.
  let scales: [Int]
  let layers: PageLayers?
  let damaged: [DamagedRendition]

  /// The caller keeps the bytes alive and unchanged while this is made.
  package init(
    of file: UnsafeRawBufferPointer, _ options: PreviewOptions
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
    let localizations = catalog.localizations.map { (name: $0.name, number: $0.number) }
    languages = Dictionary(
      localizations.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    var situations = Situations(
      devices, Looks(Set(signatures.joined()), localizations: localizations))
    tables = situations.answers(of: signatures) { signatures, situations in
      parallelMap(signatures, jobs: availableProcessors()) { AnswerTable($0, in: situations) }
    }
    self.situations = situations
    layers = PageLayers(archive, catalog)
    pictures = PagePictures(
      assets.flatMap(\.requests), of: catalog, file, makesThumbnails: options.makesThumbnails)
    self.assets = assets
    bytes = thinner.flatMap { try? PageBytes($0, devices: devices) }
  }
}

extension PageData {
  /// Compares with an older archive. Both are kept alive and unchanged by the caller.
  package mutating func compare(
    _ file: UnsafeRawBufferPointer, with old: UnsafeRawBufferPointer, titled title: String
  ) throws(PreviewError) {
    difference = try PageDifference(from: old, to: file, titled: title, self)
  }

  /// All pictures of the page.
  var allPictures: [PagePicture] { pictures.pictures + (difference?.pictures.pictures ?? []) }

  /// How much there is to see, in words.
  package var summary: String {
    "\(counted(assets.count, "asset")), \(counted(situations.devices.count, "device")), "
      + counted(pictures.pictures.count, "picture")
  }
}
