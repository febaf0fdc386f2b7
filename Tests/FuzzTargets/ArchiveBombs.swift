// Archives that demand much: many keys that name one payload, atlases that are needed in turn,
// sizes without bytes in the file, pages in a circle, tables for every variant.

import Archive
import Bytes
import CarveRuntime
import Codecs
import Traits

extension Bomb {
  static let archives: [Bomb] = [
    archive("archive-shared-picture", extracting) { Sketch.sharedPicture(keys: 20_000) },
    archive("archive-shared-picture-shown", ["preview", "A.car", "-o", "out.html"]) {
      Sketch.sharedPicture(keys: 20_000)
    },
    archive("archive-shared-data", extracting) { Sketch.sharedData(keys: 20_000) },
    archive("archive-shared-drawings", ["info", "A.car"]) { Sketch.sharedDrawing(keys: 20_000) },
    archive("archive-many-properties", ["info", "A.car"]) {
      Sketch.sharedProperties(keys: 30_000, properties: 8_000)
    },
    archive("archive-many-slices", ["validate", "A.car"]) {
      Sketch.sharedSlices(keys: 30_000, slices: 4_000)
    },
    archive("archive-deepmap-4096", extracting) { Sketch.flatPicture(side: 4_096, .deepMap2) },
    archive("archive-shared-color", ["info", "--json", "A.car"]) {
      Sketch.sharedColor(keys: 20_000, components: 20_000)
    },
    archive("archive-shared-sizes", ["info", "--json", "A.car"]) {
      Sketch.sharedSizes(keys: 20_000, sizes: 12_000)
    },
    archive("archive-long-name", ["info", "A.car"]) {
      Sketch.longName(keys: 4_000, length: 300_000)
    },
    archive("archive-shared-vector", extracting + ["--png", "3"]) {
      Sketch.sharedVector(keys: 300, layers: 40)
    },
    archive("archive-frames-of-one-atlas", ["info", "--json", "A.car"]) {
      Sketch.frames(links: 4_000, side: 3_000)
    },
    archive("archive-frames-shown", ["preview", "A.car", "-o", "out.html"]) {
      Sketch.frames(links: 1_000, side: 3_000)
    },
    archive("archive-many-subtypes", ["diff", "A.car", "A.car"]) {
      Sketch.manySubtypes(keys: 4_000)
    },
    archive("archive-filtered", ["assetutil", "--scale", "2", "A.car", "-o", "out.car"]) {
      Sketch.manyLanguages(keys: 60_000)
    },
    archive("archive-lzfse-4096", extracting) { Sketch.flatPicture(side: 4_096, .lzfse) },
    archive("archive-palette-4096", extracting) { Sketch.flatPicture(side: 4_096, .palette) },
    archive("archive-unjustified-size", extracting) {
      Sketch.statedPicture(width: 1 << 31, height: 1)
    },
    archive("archive-unjustified-area", extracting) {
      Sketch.statedPicture(width: 65_535, height: 65_535)
    },
    archive("archive-lzfse-stated", extracting) { Sketch.statedData(size: 1 << 31) },
    archive("archive-lzfse-text", extracting + ["--png", "1"]) { Sketch.unfoldingSVG },
    archive("archive-page-loop", ["validate", "A.car"]) { Sketch.damagedPages(.loop) },
    archive("archive-pages-shared", ["info", "A.car"]) { Sketch.damagedPages(.shared) },
    archive("archive-many-signatures", thinning) { Sketch.manySignatures(assets: 6_000) },
    archive("archive-many-signatures-proved", thinning + ["--prove"]) {
      Sketch.manySignatures(assets: 3_000)
    },
    archive("archive-many-languages", thinning) { Sketch.manyLanguages(keys: 30_000) },
    archive(
      "archive-one-signature", ["resolve", "A.car", "A", "--windows", "all", "--device", "iPad5,3"]
    ) {
      Sketch.manyLanguages(keys: 30_000)
    },
    archive(
      "archive-all-windows", ["resolve", "A.car", "A7", "--windows", "all", "--device", "iPad5,3"]
    ) {
      Sketch.manySignatures(assets: 6_000)
    },
    Bomb("archive-atlases-in-turn", nil, ["diff", "A.car", "B.car"]) {
      [
        ("A.car", Sketch.atlases(links: 4_000, side: 2_048, 0)),
        ("B.car", Sketch.atlases(links: 4_000, side: 2_048, 9)),
      ]
    },
    Bomb("archive-atlases-shared", nil, ["diff", "A.car", "B.car"]) {
      [
        ("A.car", Sketch.manyAtlases(count: 2_000, side: 2_048, 0)),
        ("B.car", Sketch.manyAtlases(count: 2_000, side: 2_048, 9)),
      ]
    },
    archive("archive-atlases-extracted", extracting) {
      Sketch.atlases(links: 4_000, side: 2_048, 0)
    },
    Bomb("lzfse-repeated", "codecs", ["info", "A.car"]) {
      [
        ("first", [0] + Sketch.lzfse([UInt8](repeating: 0, count: 64 << 20))),
        ("A.car", Sketch.statedData(size: 9)),
      ]
    },
    Bomb("deflate-repeated", "codecs", ["info", "A.car"]) {
      [("first", [3] + unfolding(64 << 20)), ("A.car", Sketch.statedData(size: 9))]
    },
    // Blocks without contents cost a header each, and make no progress.
    Bomb("deflate-empty-blocks", "codecs", ["info", "A.car"]) {
      [
        ("first", [2] + (0..<200_000).flatMap { _ in [0, 0, 0, 0xff, 0xff] as [UInt8] }),
        ("A.car", Sketch.statedData(size: 9)),
      ]
    },
  ]

  private static let extracting = ["extract", "A.car", "-o", "out"]
  private static let thinning = ["thin", "A.car", "-o", "out.car", "--device", "iPhone8,1"]

  private static func archive(
    _ name: String, _ command: [String], _ make: @escaping @Sendable () -> [UInt8]
  ) -> Bomb {
    Bomb(name, "calls", command) { [("A.car", make())] }
  }
}

/// Makes the archives, with one function for each fault.
private enum Sketch {
  /// Returns an archive whose renditions `add` makes.
  private static func archive(
    names: [ByteString],
    _ add: (inout ArchiveWriter<MemorySink>, (ByteString) -> UInt16) -> [(RenditionKey, BlockID)]
  ) -> [UInt8] {
    var writer = ArchiveWriter(into: MemorySink())
    guard let numbers = try? NameNumbers(names) else { return [] }
    var contents = ArchiveContents(
      header: CatalogHeader(
        coreUIVersion: 972, mainVersion: "@(#)PROGRAM:CoreUI  PROJECT:CoreUI-972.1\n",
        toolVersion: "A bomb"),
      metadata: CatalogMetadata(platform: "ios", platformVersion: "15.0", authoringTool: "A bomb"))
    contents.facets = names.compactMap { name in
      numbers[name].map { Facet(name: name, part: Part.regular, identifier: $0) }
    }
    contents.renditions = add(&writer) { numbers[$0] ?? 0 }.map { ($0.0, $0.1) }
    return (try? writer.finish(contents).bytes) ?? []
  }

  /// Returns keys of one name that differ in all attributes that a key may have.
  private static func keys(_ count: Int, of identifier: UInt16) -> [RenditionKey] {
    (0..<count).map { place in
      var key = RenditionKey([
        .element: Element.universal, .part: Part.regular, .identifier: identifier,
        .scale: UInt16(place % 3 + 1),
      ])
      key[.dimension1] = UInt16(place / 3 % 60_000)
      return key
    }
  }

  private static func header(
    _ layout: RenditionLayout, _ format: StoredFormat, _ width: Int = 0, _ height: Int = 0
  ) -> CSIHeader {
    var header = CSIHeader(layout: layout, name: "a")
    header.width = UInt32(width)
    header.height = UInt32(height)
    header.scaleFactor = 100
    header.pixelFormat = format
    header.colorSpace = .sRGB
    return header
  }

  private static func shared(
    _ count: Int, _ head: RenditionHead, _ payload: [UInt8]
  ) -> [UInt8] {
    archive(names: ["A"]) { writer, number in
      let block = writer.append(head, payload: payload)
      return keys(count, of: number("A")).map { ($0, block) }
    }
  }

  // MARK: One block

  static func flat(_ side: Int, _ reader: OldestReader, value: UInt8 = 7) -> [UInt8] {
    let pixels = [UInt8](repeating: value, count: side * side * 4)
    var encoder = BitmapEncoder(optimization: .time, oldestReader: reader)
    var payload: [UInt8] = []
    pixels.withUnsafeBytes { bytes in
      let rows = BitmapRows(
        bytes, format: .argb, width: side, height: side, bytesPerRow: side * 4, isOpaque: false)
      _ = encoder.encode(rows, appendingTo: &payload)
    }
    return payload
  }

  static func sharedPicture(keys: Int) -> [UInt8] {
    let head = RenditionHead(header(.onePartScale, .argb, 2_048, 2_048), [.bytesPerRow(8_192)])
    return shared(keys, head, flat(2_048, .lzfse))
  }

  static func flatPicture(side: Int, _ reader: OldestReader) -> [UInt8] {
    let head = RenditionHead(
      header(.onePartScale, .argb, side, side), [.bytesPerRow(UInt32(side * 4))])
    return shared(1, head, flat(side, reader))
  }

  static func statedPicture(width: Int, height: Int) -> [UInt8] {
    shared(1, RenditionHead(header(.onePartScale, .argb, width, height), []), flat(64, .lzfse))
  }

  static func lzfse(_ bytes: [UInt8]) -> [UInt8] {
    var encoder = LZFSEEncoder()
    var stream: [UInt8] = []
    bytes.withUnsafeBytes { encoder.encode($0, appendingTo: &stream) }
    return stream
  }

  private static func file(_ stream: [UInt8]) -> [UInt8] {
    FilePayload.head(length: stream.count, isCompressed: true) + stream
  }

  static func sharedData(keys: Int) -> [UInt8] {
    let stream = lzfse([UInt8](repeating: 7, count: 16 << 20))
    return shared(keys, RenditionHead(header(.data, .data), []), file(stream))
  }

  private static let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">"#

  static func sharedDrawing(keys: Int) -> [UInt8] {
    let text = Array(
      (svg + String(repeating: #"<rect width="9" height="9"/>"#, count: 20_000) + "</svg>").utf8)
    return shared(keys, RenditionHead(header(.vector, .svg), []), file(lzfse(text)))
  }

  static var unfoldingSVG: [UInt8] {
    let text = Array(svg.utf8) + [UInt8](repeating: 32, count: 32 << 20) + Array("</svg>".utf8)
    return shared(1, RenditionHead(header(.vector, .svg), []), file(lzfse(text)))
  }

  /// Returns an archive with a stream that states this decoded size.
  static func statedData(size: Int) -> [UInt8] {
    var stream = lzfse([UInt8](repeating: 7, count: 4_000))
    for place in 0..<4 { stream[4 + place] = UInt8(truncatingIfNeeded: size >> (8 * place)) }
    return shared(1, RenditionHead(header(.data, .data), []), file(stream))
  }

  static func sharedProperties(keys: Int, properties: Int) -> [UInt8] {
    let all = [RenditionProperty](repeating: .other(tag: 0x7777, body: []), count: properties)
    return shared(keys, RenditionHead(header(.onePartScale, .argb, 64, 64), all), flat(64, .lzfse))
  }

  static func sharedSlices(keys: Int, slices: Int) -> [UInt8] {
    let all = [Slice](repeating: Slice(x: 0, y: 0, width: 1, height: 1), count: slices)
    let head = RenditionHead(header(.onePartScale, .argb, 64, 64), [.slices(all)])
    return shared(keys, head, flat(64, .lzfse))
  }

  static func sharedColor(keys: Int, components: Int) -> [UInt8] {
    let color = ColorPayload(
      space: .sRGB, components: [Double](repeating: 0.25, count: components))
    return shared(keys, RenditionHead(header(.color, .none), []), color.bytes())
  }

  static func sharedSizes(keys: Int, sizes: Int) -> [UInt8] {
    let size = MultisizePayload.Size(width: 20, height: 20, index: 1)
    let table = MultisizePayload([MultisizePayload.Size](repeating: size, count: sizes))
    return shared(keys, RenditionHead(header(.multisize, .none), []), table.bytes())
  }

  static func longName(keys count: Int, length: Int) -> [UInt8] {
    let name = ByteString(String(repeating: "n", count: length))
    return archive(names: [name]) { writer, number in
      let block = tiny(in: &writer)
      return keys(count, of: number(name)).map { ($0, block) }
    }
  }

  /// Returns an archive of keys that name one vector, of as many layers over the whole page.
  static func sharedVector(keys: Int, layers: Int) -> [UInt8] {
    let layer = #"<path d="M0 0L1000 9L0 1000z" fill-opacity=".5" fill="red"/>"#
    let text =
      #"<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000">"#
      + String(repeating: layer, count: layers) + "</svg>"
    return shared(keys, RenditionHead(header(.vector, .svg), []), file(lzfse(Array(text.utf8))))
  }

  // MARK: Atlases

  /// Returns an archive of pictures that each are a whole atlas except for some pixels.
  static func frames(links: Int, side: Int) -> [UInt8] {
    let names = (0..<links).map { ByteString("A\($0)") }
    return archive(names: names) { writer, number in
      var renditions = [(atlasKey(0), atlas(side, 255, in: &writer))]
      for (place, name) in names.enumerated() {
        let link = InternalLink(
          x: UInt32(place % 64), y: UInt32(place / 64), width: UInt32(side - 64),
          height: UInt32(side - 64), layout: .onePartScale, key: InternalLink.pairs(of: atlasKey(0))
        )
        let head = RenditionHead(
          header(.internalLink, .argb, side - 64, side - 64), [.link(link)])
        renditions.append((keys(1, of: number(name))[0], writer.append(head, payload: [])))
      }
      return renditions
    }
  }

  private static func atlasKey(_ number: Int) -> RenditionKey {
    var key = RenditionKey([.element: Element.atlas, .part: Part.regular, .scale: 1])
    key[.dimension1] = UInt16(number)
    return key
  }

  private static func link(
    _ place: Int, to atlas: RenditionKey, in writer: inout ArchiveWriter<MemorySink>
  ) -> BlockID {
    let link = InternalLink(
      x: UInt32(place % 64), y: 1, width: 1, height: 1, layout: .onePartScale,
      key: InternalLink.pairs(of: atlas))
    return writer.append(
      RenditionHead(header(.internalLink, .argb, 1, 1), [.link(link)]), payload: [])
  }

  private static func atlas(
    _ side: Int, _ value: UInt8, in writer: inout ArchiveWriter<MemorySink>
  ) -> BlockID {
    let head = RenditionHead(header(.atlas, .argb, side, side), [.bytesPerRow(UInt32(side * 4))])
    return writer.append(head, payload: flat(side, .lzfse, value: value))
  }

  /// Returns an archive of pictures that lie in 64 atlases in turn.
  static func atlases(links: Int, side: Int, _ value: UInt8) -> [UInt8] {
    let names = (0..<links).map { ByteString("A\($0)") }
    return archive(names: names) { writer, number in
      let block = atlas(side, value, in: &writer)
      var renditions = (0..<64).map { (atlasKey($0), block) }
      for (place, name) in names.enumerated() {
        let own = link(place, to: atlasKey(place % 64), in: &writer)
        renditions.append((keys(1, of: number(name))[0], own))
      }
      return renditions
    }
  }

  /// Returns an archive with as many atlases as pictures. All atlases share one block.
  static func manyAtlases(count: Int, side: Int, _ value: UInt8) -> [UInt8] {
    let names = (0..<count).map { ByteString("A\($0)") }
    return archive(names: names) { writer, number in
      let block = atlas(side, value, in: &writer)
      var renditions = (0..<count).map { (atlasKey($0), block) }
      for (place, name) in names.enumerated() {
        let own = link(place, to: atlasKey(place), in: &writer)
        renditions.append((keys(1, of: number(name))[0], own))
      }
      return renditions
    }
  }

  // MARK: Variants

  private static let variants = VariantNumbers(appearances: [], semantics: .phone)

  private static func tiny(in writer: inout ArchiveWriter<MemorySink>) -> BlockID {
    writer.append(RenditionHead(header(.onePartScale, .argb, 8, 8), []), payload: flat(8, .lzfse))
  }

  /// Returns an archive in which no two assets have the same set of keys.
  static func manySignatures(assets: Int) -> [UInt8] {
    let names = (0..<assets).map { ByteString("A\($0)") }
    return archive(names: names) { writer, number in
      let block = tiny(in: &writer)
      return names.enumerated().flatMap { place, name in
        (0..<5).compactMap { ordinal -> (RenditionKey, BlockID)? in
          var key = VariantKey()
          key.scale = UInt8(ordinal % 3 + 1)
          key.locale = UInt16(place * 5 + ordinal + 1 & 0xffff)
          return variants.key(part: Part.regular, identifier: number(name), variant: key)
            .map { ($0, block) }
        }
      }
    }
  }

  /// Returns an archive of one asset, with a variant in each of `count` languages.
  static func manyLanguages(keys count: Int) -> [UInt8] {
    archive(names: ["A"]) { writer, number in
      let block = tiny(in: &writer)
      return (1...count).compactMap { place in
        var key = VariantKey()
        key.locale = UInt16(place)
        key.scale = 2
        return variants.key(part: Part.regular, identifier: number("A"), variant: key)
          .map { ($0, block) }
      }
    }
  }

  /// Returns an archive of one asset, with a variant for each of `count` displays.
  static func manySubtypes(keys count: Int) -> [UInt8] {
    archive(names: ["A"]) { writer, number in
      let block = tiny(in: &writer)
      return (1...count).compactMap { place in
        var key = VariantKey()
        key.subtype = UInt16(place)
        return variants.key(part: Part.regular, identifier: number("A"), variant: key)
          .map { ($0, block) }
      }
    }
  }

  // MARK: Pages

  enum Damage { case loop, shared }

  /// Returns an archive whose tree of renditions has a branch. All children of the branch are one
  /// page, or the branch itself.
  static func damagedPages(_ damage: Damage) -> [UInt8] {
    var bytes = shared(
      3_000, RenditionHead(header(.onePartScale, .argb, 8, 8), []), flat(8, .lzfse))
    let tree = bytes.withUnsafeBytes { bytes -> (page: Int, number: UInt32)? in
      guard let archive = try? Archive(bytes), let tree = try? archive.renditionTree() else {
        return nil
      }
      return (try? tree.store.range(of: tree.root)).map { ($0.lowerBound, tree.root.number) }
    }
    guard let tree else { return [] }
    // A page: its kind, the number of pairs, two neighbours, then value and key of each pair.
    let count = Int(bytes[tree.page + 2]) << 8 | Int(bytes[tree.page + 3])
    let first = Array(bytes[tree.page + 12..<tree.page + 16])
    for pair in 0...count {
      let place = tree.page + 12 + 8 * pair
      let child = damage == .loop ? bigEndian(Int(tree.number)) : first
      bytes.replaceSubrange(place..<place + 4, with: child)
    }
    return bytes
  }
}
