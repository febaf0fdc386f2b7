// Fuzz targets for the readers of binary formats: archives and their index.

import Archive
import Bytes
@testable import Colors

extension FuzzTarget {
  /// Reads an archive to its last table and property, checks it, and writes it again.
  static let archive = FuzzTarget("archive") { bytes in
    _ = Archive.validate(bytes, limit: 20)
    guard let archive = try? Archive(bytes) else { return }
    _ = try? archive.metadata()
    _ = try? archive.facets()
    _ = try? archive.localizations()
    let numbers = try? VariantNumbers(of: archive)
    guard let entries = try? archive.renditionTable() else { return }
    for entry in entries.prefix(256) {
      _ = numbers?.variant(of: entry.key)
      if let rendition = try? archive.rendition(entry) { readAll(of: rendition) }
    }
    let kept = entries.selecting(entries.indices.filter { $0 % 2 == 0 })
    // Blocks may overlap, so the sum of their lengths is not limited by the file.
    guard kept.reduce(0, { $0 + $1.range.count }) < 1 << 20 else { return }
    var writer = ArchiveWriter(into: MemorySink())
    _ = try? writer.rewrite(archive, keeping: kept)
  }

  /// Reads the block of one rendition.
  static let rendition = FuzzTarget("rendition") { bytes in
    if let rendition = try? Rendition(FileBytes(bytes)) { readAll(of: rendition) }
    _ = RenditionFacts(block: FileBytes(bytes))
  }

  /// Uses the lookup index of an archive without its identity and its checksum, as a lookup would
  /// use a damaged file.
  static let index = FuzzTarget("index", seeds: "archive") { bytes in
    guard let store = try? BlockStore(FileBytes(bytes)),
      let block = try? store.bytes(named: Archive.indexName),
      let index = try? IndexReader(block.buffer, of: store)
    else { return }
    for kind in UInt8(0)...5 {
      "Star".utf8.withContiguousStorageIfAvailable { name in
        guard let start = name.baseAddress else { return }
        let number = withUnsafePointer(to: index) {
          $0.cell(named: start, count: name.count, kind: kind)
        }
        if let cell = index.cells[number] { _ = index.name(of: cell)?.last }
      }
    }
    let signatures = try? SignatureTable(index)
    for place in 0..<min(index.order.count, 256) {
      guard let cell = index.cell(at: place), let name = index.name(of: cell) else { continue }
      withUnsafePointer(to: index) { _ = $0.cell(of: AssetNameHash(of: name, kind: 1)) }
      let signature = index.signature(of: cell)
      for ordinal in 0..<min(signatures?.keys(of: signature).count ?? 0, 4) {
        let first = signatures?.firstRendition(of: signature, key: ordinal) ?? 0
        readAll(of: first + index.assetNumber(of: cell), in: index)
      }
    }
    for number in 0..<min(index.renditionCount, 256) { readAll(of: number, in: index) }
    _ = try? IndexReader.validateChecksum(of: block.buffer)
  }
}

private func readAll(of rendition: Int, in index: IndexReader) {
  if let stretch = index.facts(of: rendition)?.stretch {
    _ = stretch.loadUnaligned(fromByteOffset: FoundFacts.stretchLength - 4, as: Float.self)
  }
  _ = index.record(of: rendition)
  _ = index.block(of: rendition).flatMap { index.entry(ofBlock: $0) }
  _ = index.atlas(RenditionKey())
}

private func readAll(of rendition: Rendition) {
  _ = try? rendition.allProperties()
  _ = try? rendition.slices()
  _ = try? rendition.metrics()
  _ = try? rendition.link()
  _ = try? rendition.uti()
  _ = try? rendition.references()
  _ = try? ColorPayload(rendition.payload)
  _ = try? MultisizePayload(rendition.payload)
  _ = try? FilePayload(rendition.payload)
  _ = try? BitmapPayloadHeader(rendition.payload)
}
