// Tests decoded pixels: layouts, strides, limits, atlases, stretching.

import Archive
import CarveRuntime
import Testing
import Traits

@Suite struct DecodeTests {
  private func plain(_ picture: TestPicture) throws -> (Catalog, Variant) {
    var builder = CatalogBuilder()
    builder.addImage("P", VariantKey(), picture)
    let catalog = try builder.catalog()
    return (catalog, try #require(catalog.view(for: Environment()).find("P")))
  }

  private func decoded(
    _ variant: Variant, _ catalog: Catalog, as layout: PixelLayout, space: PixelSpace = .sRGB
  ) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: try catalog.decodedSize(of: variant, as: layout))
    let stride = variant.pixelSize.width * layout.bytesPerPixel
    try bytes.withUnsafeMutableBytes {
      try catalog.decode(variant, as: layout, space: space, into: $0, rowStride: stride)
    }
    return bytes
  }

  @Test func eachLayoutHoldsTheSamePicture() throws {
    let picture = TestPicture(width: 7, height: 5, seed: 3)
    let (catalog, variant) = try plain(picture)
    #expect(try decoded(variant, catalog, as: .bgra8) == picture.pixels)
    let rgba = try decoded(variant, catalog, as: .rgba8)
    let gray = try decoded(variant, catalog, as: .gray8)
    let grayAlpha = try decoded(variant, catalog, as: .grayAlpha8)
    let halves = try decoded(variant, catalog, as: .rgba16Float)
    for pixel in 0..<35 {
      let stored = picture.pixels[pixel * 4..<pixel * 4 + 4].map { $0 }
      let (blue, green, red, alpha) = (stored[0], stored[1], stored[2], stored[3])
      #expect(Array(rgba[pixel * 4..<pixel * 4 + 4]) == [red, green, blue, alpha])
      let luma = 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
      #expect(abs(Double(gray[pixel]) - luma) <= 0.51)
      #expect(grayAlpha[pixel * 2] == gray[pixel] && grayAlpha[pixel * 2 + 1] == alpha)
      let bits = UInt16(halves[pixel * 8]) | UInt16(halves[pixel * 8 + 1]) << 8
      #expect(abs(Double(Float16(bitPattern: bits)) * 255 - Double(red)) < 0.2)
    }
  }

  @Test func displayP3NarrowsSaturatedColorsAndKeepsGrays() throws {
    var picture = TestPicture(width: 2, height: 1, seed: 0)
    picture.pixels = [0, 0, 255, 255, 128, 128, 128, 255]
    let (catalog, variant) = try plain(picture)
    let pixels = try decoded(variant, catalog, as: .rgba8, space: .displayP3)
    // These are known values of sRGB red in Display P3.
    #expect(pixels[0...3].elementsEqual([234, 51, 35, 255]))
    #expect(pixels[4...7].elementsEqual([128, 128, 128, 255]))
  }

  @Test func aStrideLeavesRoomBetweenRows() throws {
    let picture = TestPicture(width: 5, height: 4, seed: 3)
    let (catalog, variant) = try plain(picture)
    var bytes = [UInt8](repeating: 0, count: 3 * 100 + 20)
    try bytes.withUnsafeMutableBytes {
      try catalog.decode(variant, as: .bgra8, into: $0, rowStride: 100)
    }
    for y in 0..<4 {
      #expect(
        bytes[y * 100..<y * 100 + 20].elementsEqual(picture.pixels[y * 20..<y * 20 + 20]))
    }
  }

  @Test(arguments: [(19, 20), (79, 20), (80, 19), (80, -20), (80, Int.max), (0, 0)])
  func aBufferThatIsTooSmallIsRefused(size: Int, stride: Int) throws {
    let (catalog, variant) = try plain(TestPicture(width: 5, height: 4, seed: 3))
    var bytes = [UInt8](repeating: 0, count: size)
    _ = bytes.withUnsafeMutableBytes { buffer in
      #expect(throws: CatalogError.self) {
        try catalog.decode(variant, as: .bgra8, into: buffer, rowStride: stride)
      }
    }
  }

  @Test func limitsOfTheCallerHold() throws {
    let (catalog, variant) = try plain(TestPicture(width: 5, height: 4, seed: 3))
    var bytes = [UInt8](repeating: 0, count: 80)
    bytes.withUnsafeMutableBytes { buffer in
      for limits in [
        DecodeLimits(width: 4), DecodeLimits(height: 3),
      ] {
        #expect(throws: CatalogError.self) {
          try catalog.decode(variant, as: .bgra8, into: buffer, rowStride: 20, limits: limits)
        }
      }
      #expect(throws: CatalogError.self) {
        try catalog.decode(
          variant, as: .gray8, into: buffer, rowStride: 5, limits: DecodeLimits(scratchBytes: 10))
      }
    }
  }

  @Test func picturesInAnAtlasAreCutOut() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    let view = catalog.view(for: Environment())
    let a = try #require(view.find("SpriteA"))
    let b = try #require(view.find("SpriteB"))
    #expect(a.content == .atlasLink)
    let pictureA = TestPicture(width: 5, height: 4, seed: 30)
    let pictureB = TestPicture(width: 3, height: 6, seed: 40)
    #expect(try decoded(a, catalog, as: .bgra8) == pictureA.pixels)
    #expect(try decoded(b, catalog, as: .bgra8) == pictureB.pixels)
  }

  @Test func aDecoderKeepsOneAtlas() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    let view = catalog.view(for: Environment())
    let decoder = AtlasDecoder(catalog)
    func pixels(_ name: String) throws -> [UInt8] {
      let variant = try #require(view.find(name))
      var pixels = [UInt8](repeating: 0, count: try catalog.decodedSize(of: variant, as: .bgra8))
      try pixels.withUnsafeMutableBytes {
        try decoder.decode(
          variant, as: .bgra8, into: $0, rowStride: variant.pixelSize.width * 4)
      }
      return pixels
    }
    for _ in 0..<3 {
      #expect(try pixels("SpriteA") == TestPicture(width: 5, height: 4, seed: 30).pixels)
      #expect(try pixels("SpriteB") == TestPicture(width: 3, height: 6, seed: 40).pixels)
    }
    #expect(decoder.decodedCount == 1)
    decoder.forgetAtlas()
    #expect(try pixels("SpriteB") == TestPicture(width: 3, height: 6, seed: 40).pixels)
    #expect(decoder.decodedCount == 2)
  }

  @Test func aDecoderThatFailedKeepsNothing() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    let sprite = try #require(catalog.view(for: Environment()).find("SpriteA"))
    let decoder = AtlasDecoder(catalog)
    var pixels = [UInt8](repeating: 0, count: 80)
    _ = pixels.withUnsafeMutableBytes { buffer in
      #expect(throws: CatalogError.self) {
        try decoder.decode(
          sprite, as: .bgra8, into: buffer, rowStride: 20, limits: DecodeLimits(scratchBytes: 10))
      }
    }
    #expect(decoder.decodedCount == 0)
  }

  @Test func theAlignmentRectangleOfAMirroredPictureIsThatOnTheScreen() throws {
    var builder = CatalogBuilder()
    var metrics = Metrics(width: 7, height: 8)
    metrics.left = 1
    metrics.right = 2
    builder.addImage(
      "Arrow", key { $0.direction = .leftToRight }, TestPicture(width: 10, height: 8, seed: 1),
      insets: metrics)
    let catalog = try builder.catalog()
    let left = try #require(catalog.view(for: Environment()).find("Arrow"))
    let right = try #require(
      catalog.view(for: environment { $0.direction = .rightToLeft }).find("Arrow"))
    #expect(left.alignmentRect == PointRect(x: 1, y: 0, width: 7, height: 8))
    #expect(right.isMirrored && right.alignmentInsets == left.alignmentInsets)
    #expect(right.alignmentRect == PointRect(x: 2, y: 0, width: 7, height: 8))
  }

  @Test func insetsAndSlicingAreInPoints() throws {
    var builder = CatalogBuilder()
    var metrics = Metrics(width: 6, height: 6)
    metrics.left = 3
    metrics.top = 1
    builder.addImage(
      "Button", key { $0.scale = 2 }, TestPicture(width: 10, height: 10, seed: 1),
      layout: .ninePartTile, insets: metrics, slices: Self.nine, flags: .template)
    let catalog = try builder.catalog()
    let button = try #require(catalog.view(for: environment { $0.scale = 2 }).find("Button"))
    #expect(button.alignmentInsets == EdgeInsets(top: 0.5, left: 1.5))
    #expect(button.alignmentRect == PointRect(x: 1.5, y: 0.5, width: 3.5, height: 4.5))
    #expect(button.templateIntent == .template)
    let slicing = try #require(button.slicing)
    #expect(slicing.mode == .ninePart && slicing.across == .tile && slicing.down == .tile)
    #expect(slicing.caps == EdgeInsets(top: 1.5, left: 1, bottom: 2, right: 2))
    #expect(slicing.centerWidth == 2 && slicing.centerHeight == 1.5)
  }

  /// The header of such a file has no size, and it has several slices.
  @Test(arguments: [StoredFormat.jpeg, .heif], [true, false])
  func aSlicedFileHasTheSizeOfItsSlices(format: StoredFormat, indexed: Bool) throws {
    var builder = CatalogBuilder()
    let across = [
      Slice(x: 0, y: 0, width: 20, height: 9), Slice(x: 20, y: 0, width: 1, height: 9),
      Slice(x: 21, y: 0, width: 11, height: 9),
    ]
    for (name, layout, slices) in [
      ("Nine", RenditionLayout.ninePartTile, Self.nine),
      ("Three", .threePartHorizontalScale, across),
      ("One", .onePartScale, [Slice(x: 0, y: 0, width: 7, height: 5)]),
      ("Beyond", .onePartScale, [Slice(x: 1, y: -9, width: .max, height: 5)]),
    ] {
      builder.addFile(
        name, key { $0.scale = 2 }, [1, 2, 3], format: format, layout: layout,
        properties: [.slices(slices)])
    }
    let view = try builder.catalog(indexed: indexed).view(for: environment { $0.scale = 2 })
    func size(_ name: String) throws -> PixelSize { try #require(view.find(name)).pixelSize }
    #expect(try size("Nine") == PixelSize(width: 10, height: 10))
    #expect(try size("Three") == PixelSize(width: 32, height: 9))
    #expect(try size("One") == PixelSize(width: 7, height: 5))
    #expect(try size("Beyond") == PixelSize(width: Int(UInt32.max), height: 0))
    #expect(try #require(view.find("Nine")).slicing?.caps.left == 1)
  }

  /// The nine slices of 10 × 10 pixels: caps of 2 and 4 pixels horizontally, of 3 and 4 vertically;
  /// listed from the top, with y counted from the bottom.
  static let nine = [
    Slice(x: 0, y: 7, width: 2, height: 3), Slice(x: 2, y: 7, width: 4, height: 3),
    Slice(x: 6, y: 7, width: 4, height: 3), Slice(x: 0, y: 4, width: 2, height: 3),
    Slice(x: 2, y: 4, width: 4, height: 3), Slice(x: 6, y: 4, width: 4, height: 3),
    Slice(x: 0, y: 0, width: 2, height: 4), Slice(x: 2, y: 0, width: 4, height: 4),
    Slice(x: 6, y: 0, width: 4, height: 4),
  ]

  private func drawn(
    _ picture: TestPicture, _ layout: RenditionLayout, _ slices: [Slice]?, _ width: Int,
    _ height: Int
  ) throws -> [UInt32] {
    var builder = CatalogBuilder()
    builder.addImage("P", VariantKey(), picture, layout: layout, slices: slices)
    let catalog = try builder.catalog()
    let variant = try #require(catalog.view(for: Environment()).find("P"))
    var pixels = [UInt32](repeating: 0, count: width * height)
    try pixels.withUnsafeMutableBytes {
      try catalog.drawSliced(
        variant, as: .bgra8, width: width, height: height, into: $0, rowStride: width * 4)
    }
    return pixels
  }

  private func pixel(_ picture: TestPicture, _ x: Int, _ y: Int) -> UInt32 {
    let at = (y * picture.width + x) * 4
    return picture.pixels[at..<at + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  @Test func tilesRepeatBetweenTheCaps() throws {
    let picture = TestPicture(width: 10, height: 10, seed: 5)
    let pixels = try drawn(picture, .ninePartTile, Self.nine, 17, 16)
    for y in 0..<16 {
      let sourceY = y < 3 ? y : y >= 12 ? y - 6 : 3 + (y - 3) % 3
      for x in 0..<17 {
        let sourceX = x < 2 ? x : x >= 13 ? x - 7 : 2 + (x - 2) % 4
        #expect(pixels[y * 17 + x] == pixel(picture, sourceX, sourceY))
      }
    }
  }

  @Test(arguments: [
    RenditionLayout.ninePartTile, .ninePartScale, .ninePartHorizontalUniformVerticalScale,
    .onePartScale,
  ])
  func theOwnSizeGivesTheOwnPixels(layout: RenditionLayout) throws {
    let picture = TestPicture(width: 10, height: 10, seed: 5)
    let slices = layout == .onePartScale ? nil : Self.nine
    let pixels = try drawn(picture, layout, slices, 10, 10)
    for y in 0..<10 { for x in 0..<10 { #expect(pixels[y * 10 + x] == pixel(picture, x, y)) } }
  }

  @Test func aStretchedMiddleLeavesTheCapsAlone() throws {
    let picture = TestPicture(width: 10, height: 10, seed: 5)
    let pixels = try drawn(picture, .ninePartScale, Self.nine, 31, 10)
    for y in 0..<10 {
      for x in 0..<2 { #expect(pixels[y * 31 + x] == pixel(picture, x, y)) }
      for x in 0..<4 { #expect(pixels[y * 31 + 27 + x] == pixel(picture, 6 + x, y)) }
    }
  }

  @Test func edgesOnlyLeavesTheMiddleEmpty() throws {
    let picture = TestPicture(width: 10, height: 10, seed: 5)
    let pixels = try drawn(picture, .ninePartEdgesOnly, Self.nine, 20, 20)
    #expect(pixels[10 * 20 + 10] == 0)
    #expect(pixels[0] == pixel(picture, 0, 0))
  }

  @Test(arguments: 1...12)
  func everySizeIsFilledWithColorsOfThePicture(size: Int) throws {
    var picture = TestPicture(width: 10, height: 10, seed: 5)
    picture.pixels = [UInt8](repeating: 200, count: 400)
    for layout in [RenditionLayout.ninePartTile, .ninePartScale] {
      let pixels = try drawn(picture, layout, Self.nine, size, 13 - size)
      #expect(pixels.allSatisfy { $0 == 0xC8C8_C8C8 })
    }
  }

  @Test func lyingSlicesStretchTheWholePicture() throws {
    let picture = TestPicture(width: 4, height: 4, seed: 5)
    let pixels = try drawn(picture, .ninePartTile, Self.nine, 4, 4)
    for y in 0..<4 { for x in 0..<4 { #expect(pixels[y * 4 + x] == pixel(picture, x, y)) } }
  }
}
