// The records of the format: they have no gaps and no overlaps, and a written record is read as it
// was.

import Bytes
import Support
import Testing
import Traits

@testable import Archive

@Suite struct RecordTests {
  static let records: [(name: String, size: Int, members: [any RecordMember])] = [
    ("StoreHeader", StoreHeader.size, StoreHeader.members),
    ("IndexEntry", IndexEntry.size, IndexEntry.members),
    ("VariableEntry", VariableEntry.size, VariableEntry.members),
    ("TreeHeader", TreeHeader.size, TreeHeader.members),
    ("TreePage", TreePage.size, TreePage.members),
    ("TreePair", TreePair.size, TreePair.members),
    ("KeyFormatRecord", KeyFormatRecord.size, KeyFormatRecord.members),
    ("CatalogHeaderRecord", CatalogHeaderRecord.size, CatalogHeaderRecord.members),
    ("CatalogMetadataRecord", CatalogMetadataRecord.size, CatalogMetadataRecord.members),
    ("FacetRecord", FacetRecord.size, FacetRecord.members),
    ("AttributePair", AttributePair.size, AttributePair.members),
    ("CSIRecord", CSIRecord.size, CSIRecord.members),
    ("PropertyRecord", PropertyRecord.size, PropertyRecord.members),
    ("Slice", Slice.Record.size, Slice.Record.members),
    ("Metrics", Metrics.Record.size, Metrics.Record.members),
    ("InternalLink", InternalLink.Record.size, InternalLink.Record.members),
    ("LayerReference", LayerReference.Record.size, LayerReference.Record.members),
    ("LayerAttributes", LayerAttributes.Record.size, LayerAttributes.Record.members),
    ("LayerEffects", LayerEffects.Record.size, LayerEffects.Record.members),
    ("LayerRefraction", LayerRefraction.Record.size, LayerRefraction.Record.members),
    ("GlyphMetrics", GlyphMetrics.Record.size, GlyphMetrics.Record.members),
    (
      "GlyphMetrics.RasterRecord", GlyphMetrics.RasterRecord.size,
      GlyphMetrics.RasterRecord.members
    ),
    ("GlyphRendering", GlyphRendering.Record.size, GlyphRendering.Record.members),
    ("FilePayload", FilePayload.Record.size, FilePayload.Record.members),
    ("ColorPayload", ColorPayload.Record.size, ColorPayload.Record.members),
    ("MultisizePayload", MultisizePayload.Record.size, MultisizePayload.Record.members),
    (
      "MultisizePayload.Size", MultisizePayload.SizeRecord.size, MultisizePayload.SizeRecord.members
    ),
    ("BitmapPayload", BitmapPayloadHeader.Record.size, BitmapPayloadHeader.Record.members),
    (
      "BitmapPayload.Chunk", BitmapPayloadHeader.Chunk.size, BitmapPayloadHeader.Chunk.members
    ),
    ("TexturePayload", TexturePayload.size, TexturePayload.members),
    ("TexturePayload.Mip", TexturePayload.Mip.size, TexturePayload.Mip.members),
    ("BitmapKeys", BitmapKeys.Record.size, BitmapKeys.Record.members),
  ]

  @Test func `records have neither gaps nor overlaps`() {
    for record in RecordTests.records {
      var end = 0
      for member in record.members.sorted(by: { $0.offset < $1.offset }) {
        #expect(member.offset == end, "\(record.name) at \(end)")
        end = member.offset + member.size
      }
      #expect(end == record.size, "\(record.name)")
    }
  }

  @Test func `every property is read as it was written`() throws {
    var metrics = GlyphMetrics(revision: 7, pointSize: 17)
    (metrics.depth, metrics.rightMargin, metrics.version) = (1.5, -2, 5)
    metrics.rasterSizes = [.init(index: 0, points: 16), .init(index: 1, points: 17)]
    let properties: [RenditionProperty] = [
      .slices([Slice(x: -1, y: 2, width: 3, height: .max), Slice(x: 0, y: 0, width: 0, height: 0)]),
      .metrics([Metrics(width: 5, height: 6)]), .composition(blendMode: 7, opacity: 0.5),
      .uti("public.text"), .orientation(1), .bytesPerRow(64),
      .link(
        InternalLink(
          x: 1, y: 2, width: 3, height: 4, layout: .ninePartTile, key: [Facet.Pair(.element, 9)])),
      .names(["a", "é"]), .physicalSize(width: 1.5, height: 2.5),
      .layers([LayerReference(x: 1, y: 2, width: 3, height: 4, key: [Facet.Pair(.part, 181)])]),
      .other(tag: 1016, body: [1, 2, 3]), .glyphMetrics(metrics),
      .glyphRendering(GlyphRendering(hasLayers: true)),
    ]
    let head = RenditionHead(CSIHeader(layout: .onePartScale, name: "ü.png"), properties)
    let block = head.block(payload: [9, 8, 7])
    try block.withUnsafeBytes { bytes in
      let rendition = try Rendition(FileBytes(bytes))
      #expect(rendition.header == head.header)
      #expect(Array(rendition.payload.buffer) == [9, 8, 7])
      let again = RenditionHead(rendition.header, try rendition.allProperties())
      #expect(again.block(payload: [9, 8, 7]) == block)
      #expect(try rendition.uti() == "public.text")
      #expect(try rendition.bytesPerRow() == 64)
      #expect(try rendition.link()?.target[.element] == 9)
      #expect(try rendition.slices().count == 2)
      #expect(try rendition.glyphMetrics() == metrics)
    }
  }

  @Test func `colours and icon sizes are read as they were written`() throws {
    let color = ColorPayload(space: .displayP3, components: [0.1, 0.2, 0.3, 1], systemName: "x")
    let read = try color.bytes().withUnsafeBytes { try ColorPayload(FileBytes($0)) }
    #expect(read == color)
    let sizes = MultisizePayload([.init(width: 20, height: 20, index: 1)])
    try sizes.bytes().withUnsafeBytes { bytes in
      let read = try MultisizePayload(FileBytes(bytes))
      let other = try ColorPayload(FileBytes(bytes))
      #expect(read == sizes)
      #expect(other == nil)
    }
  }

  @Test(arguments: [126, 127, 128, 300]) func `a long name is cut between characters`(
    length: Int
  ) throws {
    let name = String(repeating: "x", count: length - 2) + "é"
    let block = RenditionHead(CSIHeader(layout: .color, name: ByteString(name)), []).block(
      payload: [])
    try block.withUnsafeBytes { bytes in
      let read = try Rendition(FileBytes(bytes)).header.name
      #expect(read.count <= 127)
      #expect(ByteString(name).hasPrefix(read))
      #expect(length > 127 || read == name)
    }
  }

  @Test func `variants survive the way into a key and back`() throws {
    var random = SeededGenerator.forTest(0xCA7)
    for semantics in [KeySemantics.phone, .mac] {
      let words = VariantNumbers(appearances: [], semantics: semantics)
      for _ in 0..<500 {
        var variant = VariantKey()
        variant.style = Style.allCases.randomElement(using: &random) ?? .any
        variant.contrast =
          variant.style == .tinted ? .normal : random.next() % 2 == 0 ? .high : .normal
        variant.locale = UInt16(truncatingIfNeeded: random.next())
        variant.memory = UInt8(random.pick(0...14))
        variant.graphics = GraphicsClass.allCases.randomElement(using: &random) ?? .gles2
        variant.scale = UInt8(random.pick(0...3))
        variant.osGeneration = UInt8(random.pick(0...12))
        variant.direction = Direction.allCases.randomElement(using: &random) ?? .none
        variant.gamut = Gamut.allCases.randomElement(using: &random) ?? .sRGB
        variant.idiom = Idiom.allCases.randomElement(using: &random) ?? .universal
        variant.width = SizeClass.allCases.randomElement(using: &random) ?? .any
        variant.height = SizeClass.allCases.randomElement(using: &random) ?? .any
        variant.contentSize = ContentSize.allCases.randomElement(using: &random) ?? .any
        let part = variant.scale == 0 && random.next() % 2 == 0 ? Part.vector : Part.regular
        let key = try #require(words.key(part: part, identifier: 7, variant: variant), "\(random)")
        #expect(words.variant(of: key) == variant, "\(random)")
      }
    }
  }

  @Test func `the memory classes 3 and 4 are swapped`() {
    let words = VariantNumbers(appearances: [], semantics: .phone)
    var key = RenditionKey([.element: Element.universal, .scale: 1, .memoryClass: 3])
    #expect(words.variant(of: key)?.memory == 4)
    key[.memoryClass] = 4
    #expect(words.variant(of: key)?.memory == 3)
    key[.memoryClass] = 15
    #expect(words.variant(of: key) == nil)
  }

  @Test func `appearances are known by their names, with any numbers`() {
    let named = [
      NamedNumber("UIAppearanceDark", 8), NamedNumber("UIAppearanceAny", 0),
      NamedNumber("NSAppearanceNameVibrantDark", 1),
    ]
    let words = VariantNumbers(appearances: named, semantics: .phone)
    var key = RenditionKey([.element: Element.universal, .scale: 1, .appearance: 8])
    #expect(words.variant(of: key)?.style == .dark)
    key[.appearance] = 1
    #expect(words.variant(of: key) == nil)
    key[.appearance] = 4
    #expect(words.variant(of: key)?.style == .light)
  }
}
