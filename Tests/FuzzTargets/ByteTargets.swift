// Readers of binary formats: archives, their index, pictures.

import Archive
import CatalogCompiler

extension FuzzTarget {
  /// An archive, read to its last table and property.
  static let archive = FuzzTarget("archive") { bytes in
    guard let archive = try? Archive(bytes) else { return }
    _ = try? archive.metadata()
    _ = try? archive.facets()
    _ = try? archive.appearances()
    _ = try? archive.localizations()
    guard let entries = try? archive.renditions() else { return }
    for entry in entries.prefix(256) {
      guard let rendition = try? archive.rendition(entry) else { continue }
      _ = try? rendition.allProperties()
      _ = try? rendition.slices()
      _ = try? rendition.metrics()
      _ = try? rendition.link()
      _ = try? rendition.uti()
    }
  }

  /// The lookup index, used without its checksum: what a damaged file can do to a lookup.
  static let index = FuzzTarget("index") { bytes in
    guard let index = try? IndexReader(bytes) else { return }
    for kind in UInt8(0)...5 {
      "Star".utf8.withContiguousStorageIfAvailable { name in
        guard let start = name.baseAddress else { return }
        let number = index.asset(named: start, count: name.count, kind: kind)
        if let record = index.assets[number] { _ = index.name(of: record) }
      }
    }
    for number in 0..<min(index.assets.count, 256) {
      if let record = index.assets[number] { _ = index.name(of: record)?.count }
    }
    _ = try? IndexReader.validateChecksum(of: bytes)
  }

  static let picture = FuzzTarget("picture") { bytes in
    var decoder = PictureDecoder()
    for gamut in [PictureOptions.Gamut.sRGB, .displayP3] {
      _ = try? decoder.decode(bytes, options: PictureOptions(maximumPixels: 1 << 16, gamut: gamut))
    }
  }
}
