// Builds small archives in memory for the tests of this folder, with pictures that can be
// recognised by their pixels.

import Archive
import Bytes
import CarveRuntime
import Codecs
import struct Archive.StoredFormat
import Traits

/// A picture with four bytes for each pixel: B, G, R, A.
struct TestPicture {
  var width = 4
  var height = 3
  var pixels: [UInt8]

  /// Makes a picture whose pixels all differ from their neighbours and from those of other seeds.
  init(width: Int = 4, height: Int = 3, seed: Int) {
    self.width = width
    self.height = height
    pixels = []
    for y in 0..<height {
      for x in 0..<width {
        let alpha = 255 - (x + y) % 3
        pixels += [
          UInt8((seed * 7 + x) % 200), UInt8((seed * 3 + y) % 200), UInt8((x * y + seed) % 200),
          UInt8(alpha),
        ]
      }
    }
  }

  /// The uncompressed payload, with rows aligned to 32 bytes.
  var payload: (bytes: [UInt8], bytesPerRow: Int) {
    let bytesPerRow = (width * 4 + 31) / 32 * 32
    var rows: [UInt8] = []
    for y in 0..<height {
      rows += pixels[y * width * 4..<(y + 1) * width * 4]
      rows += [UInt8](repeating: 0, count: bytesPerRow - width * 4)
    }
    var bytes = Array("MLEC".utf8)
    for number in [0, 0, UInt32(rows.count)] { bytes.append(number, .little) }
    return (bytes + rows, bytesPerRow)
  }

  /// The compressed payload, as the compiler writes it.
  var packedPayload: [UInt8] {
    let (stored, bytesPerRow) = payload
    var encoder = BitmapEncoder()
    var packed: [UInt8] = []
    stored.dropFirst(16).withUnsafeBytes { rows in
      _ = encoder.encode(
        BitmapRows(
          rows, format: .argb, width: width, height: height, bytesPerRow: bytesPerRow,
          isOpaque: false), appendingTo: &packed)
    }
    return packed
  }
}

struct CatalogBuilder {
  private var writer = ArchiveWriter(into: MemorySink())
  var contents: ArchiveContents
  private let numbers = VariantNumbers(appearances: [], semantics: .phone)

  init() {
    let header = CatalogHeader(
      coreUIVersion: 972, mainVersion: "@(#)PROGRAM:CoreUI  PROJECT:CoreUI-972.1\n",
      toolVersion: "Carve")
    contents = ArchiveContents(
      header: header,
      metadata: CatalogMetadata(platform: "ios", platformVersion: "15.0", authoringTool: "Carve"))
  }

  private mutating func add(
    _ name: String, part: UInt16, _ key: VariantKey, _ head: RenditionHead, _ payload: [UInt8]
  ) {
    let identifier = nameIdentifier(name.utf8)
    if !contents.facets.contains(where: { $0.name == ByteString(name) }) {
      contents.facets.append(Facet(name: ByteString(name), part: part, identifier: identifier))
    }
    guard let key = numbers.key(part: part, identifier: identifier, variant: key) else { return }
    append(key, head, payload)
  }

  private mutating func append(_ key: RenditionKey, _ head: RenditionHead, _ payload: [UInt8]) {
    contents.renditions.append((key, writer.append(head, payload: payload)))
  }

  static func head(
    _ picture: TestPicture, scale: UInt8, layout: RenditionLayout = .onePartScale,
    insets: Metrics? = nil, slices: [Slice]? = nil, flags: RenditionFlags = .automatic,
    bytesPerRow: Int
  ) -> RenditionHead {
    var header = CSIHeader(layout: layout, name: "picture.png")
    header.flags = flags
    header.width = UInt32(picture.width)
    header.height = UInt32(picture.height)
    header.scaleFactor = 100 * UInt32(scale)
    header.pixelFormat = .argb
    header.colorSpace = .sRGB
    let whole = Slice(x: 0, y: 0, width: header.width, height: header.height)
    let metrics = insets ?? Metrics(width: header.width, height: header.height)
    return RenditionHead(
      header,
      [
        .slices(slices ?? [whole]), .metrics([metrics]), .composition(blendMode: 0, opacity: 1),
        .orientation(1), .bytesPerRow(UInt32(bytesPerRow)),
      ])
  }

  mutating func addImage(
    _ name: String, _ key: VariantKey, _ picture: TestPicture,
    layout: RenditionLayout = .onePartScale, insets: Metrics? = nil, slices: [Slice]? = nil,
    flags: RenditionFlags = .automatic
  ) {
    let (payload, bytesPerRow) = picture.payload
    let head = CatalogBuilder.head(
      picture, scale: key.scale, layout: layout, insets: insets, slices: slices, flags: flags,
      bytesPerRow: bytesPerRow)
    add(name, part: Part.regular, key, head, payload)
  }

  /// Adds another key of the name for the block that was added last.
  mutating func addTwin(_ name: String, _ key: VariantKey) {
    guard let block = contents.renditions.last?.block,
      let key = numbers.key(
        part: Part.regular, identifier: nameIdentifier(name.utf8), variant: key)
    else { return }
    contents.renditions.append((key, block))
  }

  mutating func addPacked(_ name: String, _ picture: TestPicture) {
    let head = CatalogBuilder.head(
      picture, scale: 1, bytesPerRow: picture.payload.bytesPerRow)
    add(name, part: Part.regular, VariantKey(), head, picture.packedPayload)
  }

  /// Adds a block that the caller has made.
  mutating func addBlock(
    _ name: String, _ key: VariantKey, _ head: RenditionHead, _ payload: [UInt8]
  ) { add(name, part: Part.regular, key, head, payload) }

  mutating func addColor(
    _ name: String, _ key: VariantKey, _ components: [Double], space: ColorSpaceID = .sRGB,
    systemName: String? = nil
  ) {
    let head = RenditionHead(
      CSIHeader(layout: .color, name: ByteString(name)), [.composition(blendMode: 0, opacity: 0)])
    let payload = ColorPayload(space: space, components: components, systemName: systemName)
    add(name, part: Part.color, key, head, payload.bytes())
  }

  mutating func addFile(
    _ name: String, _ key: VariantKey, _ bytes: [UInt8], format: StoredFormat = .data,
    layout: RenditionLayout = .data, isCompressed: Bool = false,
    properties: [RenditionProperty] = [.orientation(1)]
  ) {
    var header = CSIHeader(layout: layout, name: ByteString(name))
    header.scaleFactor = UInt32(key.scale) * 100
    header.pixelFormat = format
    let head = RenditionHead(
      header, [.composition(blendMode: 0, opacity: 1)] + properties)
    add(
      name, part: Part.regular, key, head,
      FilePayload.head(length: bytes.count, isCompressed: isCompressed) + bytes)
  }

  /// Adds a JPEG file of 16 by 16 pixels, unless `slices` state another size.
  mutating func addPhoto(
    _ name: String, _ file: [UInt8], isCompressed: Bool = false,
    slices: [Slice] = [Slice(x: 0, y: 0, width: 16, height: 16)],
    layout: RenditionLayout = .onePartScale
  ) {
    addFile(
      name, key { $0.scale = 1 }, file, format: .jpeg, layout: layout, isCompressed: isCompressed,
      properties: [.slices(slices), .orientation(1)])
  }

  /// Adds an atlas with pictures side by side, each of which is found through a link.
  mutating func addAtlas(_ sprites: [(name: String, picture: TestPicture)], scale: UInt8) {
    let width = sprites.map { $0.picture.width + 2 }.reduce(2, +)
    let height = (sprites.map(\.picture.height).max() ?? 0) + 4
    var atlas = TestPicture(width: width, height: height, seed: 0)
    atlas.pixels = [UInt8](repeating: 0, count: width * height * 4)
    var key = VariantKey()
    key.scale = scale
    var target = RenditionKey()
    target[.element] = Element.atlas
    target[.part] = Part.regular
    target[.scale] = UInt16(scale)
    var x = 2
    for (name, picture) in sprites {
      for y in 0..<picture.height {
        let row = picture.pixels[y * picture.width * 4..<(y + 1) * picture.width * 4]
        let start = ((height - 2 - picture.height + y) * width + x) * 4
        atlas.pixels.replaceSubrange(start..<start + row.count, with: row)
      }
      let link = InternalLink(
        x: UInt32(x), y: 2, width: UInt32(picture.width), height: UInt32(picture.height),
        layout: .onePartScale, key: InternalLink.pairs(of: target))
      var head = CatalogBuilder.head(picture, scale: scale, layout: .internalLink, bytesPerRow: 0)
      head.properties.removeLast()
      head.properties.insert(.link(link), at: 2)
      add(name, part: Part.regular, key, head, [])
      x += picture.width + 2
    }
    let (payload, bytesPerRow) = atlas.payload
    let head = CatalogBuilder.head(
      atlas, scale: scale, layout: .atlas, flags: [], bytesPerRow: bytesPerRow)
    append(target, head, payload)
  }

  mutating func bytes(indexed: Bool = true) throws -> [UInt8] {
    indexed ? try writer.finishIndexed(contents).bytes : try writer.finish(contents).bytes
  }

  mutating func catalog(indexed: Bool = true) throws -> Catalog {
    try Catalog(bytes: try bytes(indexed: indexed))
  }
}

/// Returns a key that differs from the plain one in a few traits.
func key(_ change: (inout VariantKey) -> Void) -> VariantKey {
  var key = VariantKey()
  change(&key)
  return key
}

func environment(_ change: (inout Environment) -> Void) -> Environment {
  var environment = Environment()
  change(&environment)
  return environment
}

/// Returns a builder with an asset of every kind.
func sampleBuilder() -> CatalogBuilder {
  var builder = CatalogBuilder()
  for scale in UInt8(1)...3 {
    for style in [Style.any, .dark] {
      builder.addImage(
        "Group/Star",
        key {
          $0.scale = scale
          $0.style = style
        }, TestPicture(width: 4 * Int(scale), seed: Int(scale) + (style == .dark ? 10 : 0)))
    }
  }
  builder.addImage("Plain", key { $0.scale = 2 }, TestPicture(width: 8, height: 8, seed: 20))
  builder.addImage("Arrow", key { $0.direction = .leftToRight }, TestPicture(seed: 21))
  builder.addColor("Accent", VariantKey(), [0.25, 0.5, 0.75, 1])
  builder.addColor("Accent", key { $0.style = .dark }, [0.1, 0.2])
  builder.addFile("Level", VariantKey(), Array("level data".utf8))
  builder.addAtlas(
    [
      ("SpriteA", TestPicture(width: 5, height: 4, seed: 30)),
      ("SpriteB", TestPicture(width: 3, height: 6, seed: 40)),
    ], scale: 1)
  return builder
}
