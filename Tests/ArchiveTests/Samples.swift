// Archives for the tests of this folder, which the writer makes.

import Archive
import Bytes
import Testing
import Traits

enum Sample {
  static func header(_ semantics: KeySemantics = .phone) -> CatalogHeader {
    var header = CatalogHeader(
      coreUIVersion: 972, mainVersion: "@(#)PROGRAM:CoreUI  PROJECT:CoreUI-972.1\n",
      toolVersion: "Carve")
    header.keySemantics = semantics
    return header
  }

  static let metadata = CatalogMetadata(
    platform: "ios", platformVersion: "15.0", authoringTool: "Carve")

  /// Returns a rendition of 1 × 1 pixels, stored without compression.
  static func picture(_ name: String, scale: UInt32) -> (RenditionHead, [UInt8]) {
    var header = CSIHeader(layout: .onePartScale, name: ByteString(name))
    header.flags = .automatic
    header.width = 1
    header.height = 1
    header.scaleFactor = 100 * scale
    header.pixelFormat = .argb
    header.colorSpace = .sRGB
    let head = RenditionHead(
      header,
      [
        .slices([Slice(x: 0, y: 0, width: 1, height: 1)]),
        .metrics([Metrics(width: 1, height: 1)]), .composition(blendMode: 0, opacity: 1),
        .orientation(1), .bytesPerRow(32),
      ])
    var payload = Array("MLEC".utf8)
    payload.append(UInt32(0), .little)
    payload.append(UInt32(0), .little)
    payload.append(UInt32(32), .little)
    payload.append(contentsOf: [1, 2, 3, 4])
    payload.append(zeros: 28)
    return (head, payload)
  }

  /// Returns contents with `renditions` pictures, divided evenly among the names. The pictures of a
  /// name have the scales 1, 2, 3, 1, 2 …; `dimension1` distinguishes those of one scale.
  static func contents<Sink>(
    names: [String], renditions: Int, in writer: inout ArchiveWriter<Sink>
  ) throws -> ArchiveContents {
    let numbers = try NameNumbers(names.map { ByteString($0) })
    var contents = ArchiveContents(header: header(), metadata: metadata)
    for (index, name) in names.enumerated() {
      guard let number = numbers[ByteString(name)] else { continue }
      contents.facets.append(Facet(name: ByteString(name), part: Part.regular, identifier: number))
      let share = (index + 1) * renditions / names.count - index * renditions / names.count
      for place in 0..<share {
        let scale = UInt32(place % 3 + 1)
        let (head, payload) = picture("\(name)@\(scale)x.png", scale: scale)
        var key = RenditionKey([
          .element: Element.universal, .part: Part.regular, .identifier: number,
          .scale: UInt16(scale),
        ])
        key[.dimension1] = UInt16(place / 3)
        contents.renditions.append((key, writer.append(head, payload: payload)))
      }
    }
    return contents
  }

  static func archive(names: [String], renditions: Int) throws -> [UInt8] {
    var writer = ArchiveWriter(into: MemorySink())
    let contents = try contents(names: names, renditions: renditions, in: &writer)
    return try writer.finish(contents).bytes
  }

  static func indexed(names count: Int, renditions: Int) throws -> [UInt8] {
    var writer = ArchiveWriter(into: MemorySink())
    let contents = try contents(names: names(count), renditions: renditions, in: &writer)
    return try writer.finishIndexed(contents).bytes
  }

  static func names(_ count: Int) -> [String] { (0..<count).map { "Group/Star \($0)" } }
}

extension Sample {
  /// Returns an archive with one asset of each kind, an atlas, a dark and a localized variant, and
  /// an index.
  static func rich() throws -> [UInt8] {
    var writer = ArchiveWriter(into: MemorySink())
    let names = ["Star", "Accent", "Notes", "AppIcon", "Sprite", "Stack"]
    let numbers = try NameNumbers(names.map { ByteString($0) })
    var contents = ArchiveContents(header: header(), metadata: metadata)
    contents.localizations = [NamedNumber("de", nameIdentifier("de".utf8))]
    func add(_ name: String, _ part: UInt16, _ variant: VariantKey, _ block: BlockID) throws {
      let number = try #require(numbers[ByteString(name)])
      let words = VariantNumbers(appearances: [], semantics: .phone)
      let key = try #require(words.key(part: part, identifier: number, variant: variant))
      contents.renditions.append((key, block))
      if !contents.facets.contains(where: { $0.name == ByteString(name) }) {
        contents.facets.append(Facet(name: ByteString(name), part: part, identifier: number))
      }
    }
    var variant = VariantKey()
    variant.scale = 2
    let (head, payload) = picture("Star@2x.png", scale: 2)
    let star = writer.append(head, payload: payload)
    try add("Star", Part.regular, variant, star)
    variant.locale = nameIdentifier("de".utf8)
    try add("Star", Part.regular, variant, star)
    variant = VariantKey()
    try add("Accent", Part.color, variant, writer.append(color("Accent"), payload: red))
    variant.style = .dark
    try add("Accent", Part.color, variant, writer.append(color("Accent"), payload: system))
    variant = VariantKey()
    let file = FilePayload.head(length: 5) + Array("notes".utf8)
    try add("Notes", Part.regular, variant, writer.append(data, payload: file))
    let sizes = MultisizePayload([.init(width: 60, height: 60, index: 1)]).bytes()
    try add("AppIcon", Part.multisize, variant, writer.append(multisize, payload: sizes))
    let (atlasKey, atlas) = atlas(in: &writer)
    contents.renditions.append((atlasKey, atlas))
    try add("Sprite", Part.regular, variant, writer.append(link(to: atlasKey)))
    try add("Stack", Part.regular, variant, writer.append(stack))
    return try writer.finishIndexed(contents).bytes
  }

  static let red = ColorPayload(space: .sRGB, components: [1, 0, 0, 0.5]).bytes()
  static let system = ColorPayload(
    space: .grayGamma22, components: [0.25, 1], systemName: "labelColor"
  ).bytes()

  static func color(_ name: String) -> RenditionHead {
    RenditionHead(
      CSIHeader(layout: .color, name: ByteString(name)),
      [.composition(blendMode: 0, opacity: 0), .orientation(1)])
  }

  static var data: RenditionHead {
    var header = CSIHeader(layout: .data, name: "notes.txt")
    header.pixelFormat = .data
    header.scaleFactor = 100
    return RenditionHead(
      header, [.composition(blendMode: 0, opacity: 1), .uti("public.text"), .orientation(1)])
  }

  static var multisize: RenditionHead {
    RenditionHead(
      CSIHeader(layout: .multisize, name: "AppIcon"),
      [.composition(blendMode: 0, opacity: 0), .orientation(1)])
  }

  static var stack: RenditionHead {
    let star = InternalLink.pairs(
      of: RenditionKey([
        .element: Element.universal, .part: Part.regular, .identifier: nameIdentifier("Star".utf8),
      ]))
    return RenditionHead(
      CSIHeader(layout: .layerStack, name: "Stack"),
      [
        .layers([LayerReference(x: -1, y: 2, width: 3, height: 4, key: star)]),
        .composition(blendMode: 0, opacity: 1), .uti("public.layeredimage"), .orientation(1),
      ])
  }

  static func atlas(
    in writer: inout ArchiveWriter<MemorySink>
  ) -> (RenditionKey, BlockID) {
    let key = RenditionKey([.element: Element.atlas, .part: Part.regular, .scale: 1])
    var (head, payload) = picture("ZZZZPackedAsset-1.0.0-gamut0", scale: 1)
    head.header.layout = .atlas
    head.header.flags = []
    head.properties = [
      .slices([Slice(x: 0, y: 0, width: 0, height: 0)]), .composition(blendMode: 0, opacity: 1),
      .orientation(1), .bytesPerRow(32),
    ]
    return (key, writer.append(head, payload: payload))
  }

  static func link(to atlas: RenditionKey) -> RenditionHead {
    var (head, _) = picture("sprite.png", scale: 1)
    head.header.layout = .internalLink
    let link = InternalLink(
      x: 0, y: 0, width: 1, height: 1, layout: .onePartScale, key: InternalLink.pairs(of: atlas))
    head.properties = [
      .slices([Slice(x: 0, y: 0, width: 1, height: 1)]), .metrics([Metrics(width: 1, height: 1)]),
      .link(link), .composition(blendMode: 0, opacity: 1), .orientation(1),
    ]
    return head
  }
}
