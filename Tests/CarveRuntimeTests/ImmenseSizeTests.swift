// Tests sizes that files only claim, with the default limits and with limits that allow everything:
// no product of them overflows, and no memory is allocated that the system does not have.

import Archive
import CarveRuntime
import Codecs
import FuzzTargets
import Testing
import Traits

@Suite struct ImmenseSizeTests {
  private static let sides: [UInt32] = [1, 1 << 16, .max]
  private static let formats: [StoredFormat] = [.argb, .grayAlpha8, .wide, .jpeg]
  private static let greatest = DecodeLimits(width: .max, height: .max, scratchBytes: .max)

  /// Returns the header of a picture whose payload has less than a thousandth of the claimed bytes.
  private func head(
    _ width: UInt32, _ height: UInt32, _ format: StoredFormat, bytesPerRow: UInt32?,
    layout: RenditionLayout = .onePartScale, slices: [Slice]? = nil
  ) -> RenditionHead {
    var header = CSIHeader(layout: layout, name: "picture.png")
    header.width = width
    header.height = height
    header.scaleFactor = 100
    header.pixelFormat = format
    var metrics = Metrics(width: width, height: height)
    metrics.left = .max
    metrics.right = .min
    let whole = Slice(x: 0, y: 0, width: width, height: height)
    let row = bytesPerRow.map { [RenditionProperty.bytesPerRow($0)] } ?? []
    return RenditionHead(header, [.slices(slices ?? [whole]), .metrics([metrics])] + row)
  }

  private func payload(_ compression: Compression) -> [UInt8] {
    var bytes = Array("MLEC".utf8)
    let body =
      Array("bvx-".utf8) + [8, 0, 0, 0] + [UInt8](repeating: 7, count: 8) + Array("bvx$".utf8)
    for number in [0, compression.rawValue, UInt32(body.count)] { bytes.append(number, .little) }
    return bytes + body
  }

  private func askEverything(_ builder: inout CatalogBuilder) throws {
    let bytes = try builder.bytes()
    #expect(try Catalog(bytes: bytes).assetCount > 0)
    for target in [FuzzTarget.catalog, .interface] {
      // These limits allow any size, so no bound on the cost applies.
      bytes.withUnsafeBytes { _ = target.cost(of: $0) }
    }
  }

  @Test(arguments: formats) func picturesOfAnySizeAreRefusedOrDecoded(format: StoredFormat) throws {
    for width in Self.sides {
      var builder = CatalogBuilder()
      for height in Self.sides {
        for compression in [Compression.uncompressed, .lzfse] {
          for (number, row) in [nil, width &* 4].enumerated() {
            builder.addBlock(
              "\(height) \(compression.rawValue) \(number)", VariantKey(),
              head(width, height, format, bytesPerRow: row), payload(compression))
          }
        }
      }
      try askEverything(&builder)
    }
  }

  @Test func slicesOfAnySizeAreDrawn() throws {
    let values: [UInt32] = [0, 1, 1 << 30, .max]
    let layouts: [RenditionLayout] = [.ninePartScale, .threePartHorizontalTile, .onePartScale]
    for layout in layouts {
      var builder = CatalogBuilder()
      for a in values {
        for b in values {
          let slice = Slice(
            x: Int32(truncatingIfNeeded: a), y: Int32(truncatingIfNeeded: b), width: b, height: a)
          let (count, side): (Int, UInt32) = layout == .ninePartScale ? (9, 0) : (3, 1 << 27)
          builder.addBlock(
            "\(a) \(b)", VariantKey(),
            head(
              side, side, .argb, bytesPerRow: nil, layout: layout,
              slices: Array(repeating: slice, count: count)), payload(.lzfse))
        }
      }
      try askEverything(&builder)
    }
  }

  @Test func aFileThatClaimsMoreThanThereIsMemoryIsRefused() throws {
    var stream: [UInt8] = []
    // The blocks state four gigabytes each; the first one ends the decoding.
    for _ in 0..<64 {
      stream += Array("bvxn".utf8)
      stream += [0xFF, 0xFF, 0xFF, 0xFF, 8, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
    }
    stream += Array("bvx$".utf8)
    var builder = CatalogBuilder()
    builder.addFile("Large", VariantKey(), stream, isCompressed: true)
    let catalog = try builder.catalog()
    let variant = try #require(catalog.view(for: Environment()).find("Large", .data))
    #expect(try catalog.fileSize(of: variant) == 64 * Int(UInt32.max))
    #expect(throws: CatalogError.self) { try catalog.file(of: variant) }
    var small = [UInt8](repeating: 0, count: 100)
    _ = small.withUnsafeMutableBytes { buffer in
      #expect(throws: CatalogError.self) { try catalog.readFile(of: variant, into: buffer) }
    }
    try askEverything(&builder)
  }

  @Test func theSizeOfPixelsIsWhatDecodingTakes() throws {
    var builder = CatalogBuilder()
    builder.addBlock("Wide", VariantKey(), head(.max, .max, .argb, bytesPerRow: 32), payload(.zip))
    builder.addImage("Plain", VariantKey(), TestPicture(width: 7, height: 5, seed: 1))
    let catalog = try builder.catalog()
    let view = catalog.view(for: Environment())
    let wide = try #require(view.find("Wide"))
    for limits in [DecodeLimits(), Self.greatest] {
      #expect(throws: CatalogError.self) {
        try catalog.decodedSize(of: wide, as: .rgba16Float, limits: limits)
      }
    }
    let plain = try #require(view.find("Plain"))
    #expect(try catalog.decodedSize(of: plain, as: .rgba16Float) == 7 * 5 * 8)
    #expect(throws: CatalogError.self) {
      try catalog.decodedSize(of: plain, as: .gray8, limits: DecodeLimits(width: 6))
    }
  }

  /// Rows that have another stride than the caller's are converted and then drawn, so that memory
  /// is counted three times.
  @Test func allMemoryOfACallCountsTogether() throws {
    var builder = CatalogBuilder()
    let picture = TestPicture(width: 33, height: 64, seed: 1)
    builder.addPacked("Packed", picture)
    let catalog = try builder.catalog()
    let variant = try #require(catalog.view(for: Environment()).find("Packed"))
    var pixels = [UInt8](repeating: 0, count: 33 * 64 * 4)
    func draws(_ bytes: Int) -> Bool {
      let limits = DecodeLimits(scratchBytes: bytes)
      return pixels.withUnsafeMutableBytes { buffer in
        (try? catalog.drawSliced(
          variant, as: .rgba8, width: 33, height: 64, into: buffer, rowStride: 132, limits: limits))
          != nil
      }
    }
    func decodes(_ bytes: Int) -> Bool {
      let limits = DecodeLimits(scratchBytes: bytes)
      return pixels.withUnsafeMutableBytes { buffer in
        (try? catalog.decode(variant, as: .bgra8, into: buffer, rowStride: 132, limits: limits))
          != nil
      }
    }
    let stored = picture.payload.bytesPerRow * 64
    #expect(draws(1 << 20) && !draws(stored + 33 * 64 * 4) && !draws(stored))
    #expect(decodes(1 << 20) && !decodes(stored - 1))
    #expect(pixels == picture.pixels)
  }
}
