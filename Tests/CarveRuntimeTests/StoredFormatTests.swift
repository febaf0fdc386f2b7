// Checks the stored values of an archive through the interface of apps: every pixel format, insets,
// slicing, flags, and the constraints of keys.

import Archive
import CarveRuntime
import Codecs
import Testing
import Traits

@Suite struct StoredFormatTests {
  private func half(_ value: Float) -> [UInt8] {
    let bits = Float16(value).bitPattern
    return [UInt8(bits & 255), UInt8(bits >> 8)]
  }

  private func variant(
    _ format: StoredFormat, _ pixel: [UInt8], _ name: String = "P"
  ) throws -> (Catalog, Variant) {
    var header = CSIHeader(layout: .onePartScale, name: "picture.png")
    (header.width, header.height, header.scaleFactor) = (2, 1, 100)
    header.pixelFormat = format
    var payload = Array("MLEC".utf8)
    for number in [0, 0, UInt32(2 * pixel.count)] { payload.append(number, .little) }
    let row = UInt32(2 * pixel.count)
    var builder = CatalogBuilder()
    builder.addBlock(
      name, VariantKey(), RenditionHead(header, [.bytesPerRow(row)]), payload + pixel + pixel)
    let catalog = try builder.catalog()
    return (catalog, try #require(catalog.view(for: Environment()).find(name)))
  }

  private func pixels(
    _ shown: (catalog: Catalog, variant: Variant), _ layout: PixelLayout,
    _ space: PixelSpace = .sRGB
  ) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 2 * layout.bytesPerPixel)
    try bytes.withUnsafeMutableBytes {
      try shown.catalog.decode(
        shown.variant, as: layout, space: space, into: $0, rowStride: 2 * layout.bytesPerPixel)
    }
    // Both pixels are the same.
    #expect(bytes.prefix(layout.bytesPerPixel) == bytes.suffix(layout.bytesPerPixel))
    return Array(bytes.prefix(layout.bytesPerPixel))
  }

  @Test func wideColorsKeepTheirChannels() throws {
    let stored = half(1.25) + half(0.5) + half(-0.25) + half(1)
    let shown = try variant(.wide, stored)
    #expect(try pixels(shown, .rgba16Float) == stored)
    #expect(try pixels(shown, .rgba8) == [255, 128, 0, 255])
    #expect(try pixels(shown, .bgra8) == [0, 128, 255, 255])
  }

  @Test func graysKeepTheirAlpha() throws {
    let gray = try variant(.grayAlpha8, [100, 200])
    #expect(try pixels(gray, .grayAlpha8) == [100, 200])
    #expect(try pixels(gray, .bgra8) == [100, 100, 100, 200])
    #expect(try pixels(gray, .gray8) == [100])
    #expect(try pixels(gray, .rgba8, .displayP3) == [100, 100, 100, 200])
    // The values are 16-bit integers: the first is half of white, the second is white.
    let deep = try variant(.grayAlpha16, [0xFF, 0x7F, 0xFF, 0xFF])
    #expect(try pixels(deep, .grayAlpha8) == [127, 255])
    let halves = try pixels(deep, .rgba16Float)
    #expect(
      halves == half(32767.0 / 65535) + half(32767.0 / 65535) + half(32767.0 / 65535) + half(1))
  }

  @Test func fiveBitsAreRedGreenAndBlue() throws {
    let word: UInt16 = 31 << 10 | 16 << 5 | 1
    let shown = try variant(.rgb5, [UInt8(word & 255), UInt8(word >> 8)])
    #expect(try pixels(shown, .rgba8) == [255, 132, 8, 255])
  }

  @Test func spacesDiffer() throws {
    var picture = TestPicture(width: 2, height: 1, seed: 0)
    picture.pixels = [0, 0, 255, 255, 0, 0, 255, 255]
    var builder = CatalogBuilder()
    builder.addImage("P", VariantKey(), picture)
    let catalog = try builder.catalog()
    let shown = (catalog, try #require(catalog.view(for: Environment()).find("P")))
    #expect(try pixels(shown, .bgra8) == [0, 0, 255, 255])
    #expect(try pixels(shown, .bgra8, .displayP3) == [35, 51, 234, 255])
    // Luma weights red, green and blue.
    #expect(try pixels(shown, .gray8) == [54])
  }

  @Test(arguments: [true, false]) func layoutIsWhatTheArchiveSays(indexed: Bool) throws {
    var insets = Metrics(width: 10, height: 10)
    (insets.top, insets.left, insets.bottom, insets.right) = (2, 4, 6, 8)
    var builder = CatalogBuilder()
    for (name, flags) in [
      ("Template", RenditionFlags.template), ("Automatic", .automatic), ("Original", []),
      ("Vector", [.automatic, .preservesVector]),
    ] {
      builder.addImage(
        name, key { $0.scale = 2 }, TestPicture(width: 20, height: 10, seed: 1), insets: insets,
        flags: flags)
    }
    let layouts: [(String, RenditionLayout, SlicingFill, SlicingFill)] = [
      ("Across", .ninePartHorizontalUniformVerticalScale, .uniform, .stretch),
      ("Down", .ninePartHorizontalScaleVerticalUniform, .stretch, .uniform),
      ("Hollow", .ninePartEdgesOnly, .stretch, .stretch),
    ]
    for (name, layout, _, _) in layouts {
      builder.addImage(
        name, VariantKey(), TestPicture(width: 10, height: 10, seed: 1), layout: layout,
        slices: DecodeTests.nine)
    }
    builder.addFile("PDF", VariantKey(), [1], format: .pdf, layout: .vector)
    builder.addFile("SVG", VariantKey(), [1], format: .svg, layout: .vector)
    builder.addFile("HEIF", VariantKey(), [1], format: .heif, layout: .onePartScale)
    let view = try builder.catalog(indexed: indexed).view(for: environment { $0.scale = 2 })
    func found(_ name: String) throws -> Variant { try #require(view.find(name)) }
    let intents = try ["Template", "Automatic", "Original"].map { try found($0).templateIntent }
    #expect(intents == [.template, .automatic, .original])
    let vector = try found("Vector")
    let original = try found("Original")
    #expect(vector.preservesVector && !original.preservesVector)
    #expect(vector.alignmentInsets == EdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
    #expect(vector.alignmentRect == PointRect(x: 2, y: 1, width: 4, height: 1))
    #expect(vector.pointSize ?? (0, 0) == (10, 5))
    for (name, _, across, down) in layouts {
      let slicing = try #require(try found(name).slicing)
      #expect(slicing.across == across && slicing.down == down)
      #expect(slicing.mode == (name == "Hollow" ? .edgesOnly : .ninePart))
      #expect(slicing.caps == EdgeInsets(top: 3, left: 2, bottom: 4, right: 4))
    }
    let contents = try ["PDF", "SVG", "HEIF"].map { try found($0).content }
    #expect(contents == [.pdf, .svg, .heif])
  }

  /// Tests each constraint alone and all together, from the archive's key to the key of the run
  /// time.
  @Test(arguments: [true, false]) func keysKeepTheirConstraints(indexed: Bool) throws {
    var all = VariantKey()
    (all.idiom, all.scale, all.width, all.height) = (.pad, 2, .compact, .regular)
    (all.style, all.contrast, all.gamut, all.direction) = (.dark, .high, .p3, .rightToLeft)
    (all.memory, all.graphics, all.subtype) = (3, .apple2, 2436)
    (all.osGeneration, all.contentSize, all.locale) = (7, .ax2, 1234)
    var keys = [VariantKey(), all, key { $0.memory = 4 }, key { $0.width = .regular }]
    keys += [key { $0.direction = .leftToRight }, key { $0.contentSize = .s }]
    var builder = CatalogBuilder()
    for (number, key) in keys.enumerated() {
      builder.addImage("A\(number)", key, TestPicture(seed: number))
    }
    let catalog = try builder.catalog(indexed: indexed)
    for (number, key) in keys.enumerated() {
      #expect(catalog.keys(of: AssetID("A\(number)")) == [key])
    }
  }

  /// Tests pictures of three parts, and one that lies in an atlas.
  @Test(arguments: [true, false]) func threePartsHaveTwoCaps(indexed: Bool) throws {
    let across = [
      Slice(x: 0, y: 0, width: 2, height: 3), Slice(x: 2, y: 0, width: 1, height: 3),
      Slice(x: 3, y: 0, width: 4, height: 3),
    ]
    let down = [
      Slice(x: 0, y: 5, width: 3, height: 2), Slice(x: 0, y: 4, width: 3, height: 1),
      Slice(x: 0, y: 0, width: 3, height: 4),
    ]
    var builder = CatalogBuilder()
    builder.addImage(
      "Across", VariantKey(), TestPicture(width: 7, height: 3, seed: 1),
      layout: .threePartHorizontalScale, slices: across)
    builder.addImage(
      "Down", VariantKey(), TestPicture(width: 3, height: 7, seed: 2),
      layout: .threePartVerticalTile, slices: down)
    var head = CatalogBuilder.head(
      TestPicture(width: 7, height: 3, seed: 1), scale: 1, layout: .internalLink, slices: across,
      bytesPerRow: 0)
    let link = InternalLink(
      x: 0, y: 0, width: 7, height: 3, layout: .threePartHorizontalTile, key: [])
    head.properties = head.properties.dropLast() + [.link(link)]
    builder.addBlock("Sprite", VariantKey(), head, [])
    let catalog = try builder.catalog(indexed: indexed)
    let view = catalog.view(for: Environment())
    func slicing(_ name: String) throws -> Slicing {
      try #require(view.find(name)?.slicing)
    }
    #expect(try slicing("Across").caps == EdgeInsets(left: 2, right: 4))
    #expect(try slicing("Down").caps == EdgeInsets(top: 2, bottom: 4))
    #expect(try slicing("Down").down == .tile)
    let sprite = try slicing("Sprite")
    #expect(sprite.mode == .threePartHorizontal && sprite.across == .tile)
    let shown = try #require(view.find("Across"))
    #expect(catalog.storedName(of: shown) == "picture.png")
  }
}
