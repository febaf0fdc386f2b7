// Compares the pixels of `drawSliced` with its plain definition.

import Archive
import CarveRuntime
import Support
import Testing
import Traits

private let layouts: [RenditionLayout] = [
  .onePartScale, .threePartHorizontalTile, .threePartHorizontalScale, .threePartHorizontalUniform,
  .threePartVerticalTile, .threePartVerticalScale, .ninePartTile, .ninePartScale,
  .ninePartHorizontalUniformVerticalScale, .ninePartHorizontalScaleVerticalUniform,
  .ninePartEdgesOnly,
]

@Suite struct DrawingTests {
  /// Returns a catalogue with a picture with random slices, which is mirrored in right-to-left
  /// windows.
  private func catalog(
    _ layout: RenditionLayout, _ generator: inout SeededGenerator
  ) throws -> (Catalog, Variant, [Slice]) {
    var picture = TestPicture(
      width: generator.pick(1...40), height: generator.pick(1...30), seed: 1)
    picture.pixels = generator.bytes(picture.pixels.count)
    func cut(_ length: Int) -> [Range<Int>] {
      let a = generator.pick(0...length)
      let b = generator.pick(a...length)
      return [0..<a, a..<b, b..<length]
    }
    let columns = cut(picture.width)
    let rows = cut(picture.height)
    // The rows of the parameters count from the top, those of slices from the bottom.
    func slice(_ x: Range<Int>, _ y: Range<Int>) -> Slice {
      Slice(
        x: Int32(x.lowerBound), y: Int32(picture.height - y.upperBound), width: UInt32(x.count),
        height: UInt32(y.count))
    }
    let all = 0..<picture.height
    let slices: [Slice] =
      switch layout.rawValue {
      case 20...22: columns.map { slice($0, all) }
      case 23...25: rows.map { slice(0..<picture.width, $0) }
      case 30...34: rows.flatMap { row in columns.map { slice($0, row) } }
      default: [slice(0..<picture.width, all)]
      }
    var builder = CatalogBuilder()
    builder.addImage(
      "P", key { $0.direction = .leftToRight }, picture, layout: layout, slices: slices)
    let catalog = try builder.catalog()
    var window = Environment()
    window.direction = generator.pick(0...1) == 1 ? .rightToLeft : .leftToRight
    return (catalog, try #require(catalog.view(for: window).find("P")), slices)
  }

  @Test(arguments: layouts)
  func everySizeAndLayoutIsDrawnAsItIsDefined(layout: RenditionLayout) throws {
    var generator = SeededGenerator.forTest(UInt64(layout.rawValue))
    for _ in 0..<40 {
      let (catalog, variant, slices) = try catalog(layout, &generator)
      let pixels = [PixelLayout.bgra8, .rgba8, .gray8, .grayAlpha8][generator.pick(0...3)]
      let (width, height) = (generator.pick(1...90), generator.pick(1...70))
      let size = variant.pixelSize
      var source = [UInt8](repeating: 0, count: try catalog.decodedSize(of: variant, as: pixels))
      try source.withUnsafeMutableBytes {
        try catalog.decode(
          variant, as: pixels, into: $0, rowStride: size.width * pixels.bytesPerPixel)
      }
      let plain = PlainDrawing(
        source: source, sourceWidth: size.width, bytesPerPixel: pixels.bytesPerPixel,
        plan: StretchPlan(variant.slicing, slices, width: size.width, height: size.height),
        isMirrored: variant.isMirrored)
      let row = width * pixels.bytesPerPixel
      var drawn = [UInt8](repeating: 0, count: row * height)
      try drawn.withUnsafeMutableBytes {
        try catalog.drawSliced(
          variant, as: pixels, width: width, height: height, into: $0, rowStride: row)
      }
      #expect(
        drawn == plain.drawn(width: width, height: height),
        "\(size) to \(width)x\(height) as \(pixels), \(generator)")
    }
  }

  @Test func aDecoderDrawsTheSameAndDecodesTheAtlasOnce() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    let view = catalog.view(for: Environment())
    let decoder = AtlasDecoder(catalog)
    for name in ["SpriteA", "SpriteB", "SpriteA"] {
      let variant = try #require(view.find(name))
      for layout in [PixelLayout.bgra8, .rgba8, .gray8] {
        let row = 9 * layout.bytesPerPixel
        var alone = [UInt8](repeating: 1, count: row * 11)
        var kept = [UInt8](repeating: 2, count: row * 11)
        try alone.withUnsafeMutableBytes {
          try catalog.drawSliced(
            variant, as: layout, width: 9, height: 11, into: $0, rowStride: row)
        }
        try kept.withUnsafeMutableBytes {
          try decoder.drawSliced(
            variant, as: layout, width: 9, height: 11, into: $0, rowStride: row)
        }
        #expect(alone == kept)
      }
    }
    #expect(decoder.decodedCount == 1)
  }
}
