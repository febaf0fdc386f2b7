// Tests the pixels of JPEG files: kinds of files, profiles, limits, and files that are refused.

import Archive
import CarveRuntime
import Codecs
import Support
import Testing
import Traits

@Suite struct DecodeJPEGTests {
  private func photo(
    _ file: [UInt8], isCompressed: Bool = false,
    slices: [Slice] = [Slice(x: 0, y: 0, width: 16, height: 16)],
    layout: RenditionLayout = .onePartScale
  ) throws -> (Catalog, Variant) {
    var builder = CatalogBuilder()
    builder.addPhoto("P", file, isCompressed: isCompressed, slices: slices, layout: layout)
    let catalog = try builder.catalog()
    return (catalog, try #require(catalog.view(for: Environment()).find("P")))
  }

  /// Returns the pixels in the middle of each quarter.
  private func quarters(_ pixels: Pixels) -> [[Int]] {
    let size = pixels.layout.bytesPerPixel
    return [(4, 4), (12, 4), (4, 12), (12, 12)].map { x, y in
      (0..<size).map { Int(pixels.bytes[(y * pixels.width + x) * size + $0]) }
    }
  }

  private func isNear(_ a: [[Int]], _ b: [[Int]], by most: Int) -> Bool {
    a.count == b.count && zip(a.joined(), b.joined()).allSatisfy { abs($0 - $1) <= most }
  }

  private static let colors = [
    [255, 0, 0, 255], [0, 0, 255, 255], [0, 255, 0, 255], [255, 255, 255, 255],
  ]

  @Test(arguments: ["baseline", "progressive", "restarted", "subsampled"])
  func colorsAreDecoded(kind: String) throws {
    let (catalog, variant) = try photo(jpegFile(kind))
    #expect(variant.content == .jpeg)
    let pixels = try catalog.pixels(of: variant)
    #expect(pixels.width == 16 && pixels.height == 16)
    #expect(isNear(quarters(pixels), Self.colors, by: kind == "subsampled" ? 24 : 6))
    let bgra = try catalog.pixels(of: variant, as: .bgra8)
    for place in stride(from: 0, to: bgra.bytes.count, by: 4) {
      #expect(bgra.bytes[place] == pixels.bytes[place + 2])
    }
  }

  @Test func grayIsDecoded() throws {
    let (catalog, variant) = try photo(jpegFile("gray"))
    let gray = [[76, 255], [29, 255], [150, 255], [255, 255]]
    #expect(isNear(quarters(try catalog.pixels(of: variant, as: .grayAlpha8)), gray, by: 4))
    let colors = gray.map { [$0[0], $0[0], $0[0], 255] }
    #expect(isNear(quarters(try catalog.pixels(of: variant)), colors, by: 4))
  }

  @Test func compressedFilesAreDecoded() throws {
    var encoder = LZFSEEncoder()
    var compressed: [UInt8] = []
    jpegFile("baseline").withUnsafeBytes { encoder.encode($0, appendingTo: &compressed) }
    let (catalog, variant) = try photo(compressed, isCompressed: true)
    #expect(isNear(quarters(try catalog.pixels(of: variant)), Self.colors, by: 6))
  }

  /// The pixels of other calls are those of `decode`.
  @Test func everyCallDrawsTheSame() throws {
    let (catalog, variant) = try photo(jpegFile("baseline"))
    let wanted = try catalog.pixels(of: variant).bytes
    var bytes = [UInt8](repeating: 0, count: wanted.count)
    let decoder = AtlasDecoder(catalog)
    try bytes.withUnsafeMutableBytes {
      try decoder.decode(variant, as: .rgba8, into: $0, rowStride: 64)
    }
    #expect(bytes == wanted)
    bytes = [UInt8](repeating: 0, count: wanted.count)
    try bytes.withUnsafeMutableBytes {
      try catalog.drawSliced(variant, as: .rgba8, width: 16, height: 16, into: $0, rowStride: 64)
    }
    #expect(bytes == wanted)
  }

  @Test func slicesOfAFileAreStretched() throws {
    let across = [
      Slice(x: 0, y: 0, width: 4, height: 16), Slice(x: 4, y: 0, width: 8, height: 16),
      Slice(x: 12, y: 0, width: 4, height: 16),
    ]
    let (catalog, variant) = try photo(
      jpegFile("baseline"), slices: across, layout: .threePartHorizontalScale)
    let whole = try catalog.pixels(of: variant).bytes
    var bytes = [UInt8](repeating: 0, count: 40 * 16 * 4)
    try bytes.withUnsafeMutableBytes {
      try catalog.drawSliced(variant, as: .rgba8, width: 40, height: 16, into: $0, rowStride: 160)
    }
    for y in 0..<16 {
      #expect(bytes[y * 160..<y * 160 + 16] == whole[y * 64..<y * 64 + 16])
      #expect(bytes[y * 160 + 144..<y * 160 + 160] == whole[y * 64 + 48..<y * 64 + 64])
    }
  }

  /// A profile of Display P3: its red is that of the requested space, and is clipped in sRGB.
  @Test func profilesAreConverted() throws {
    let plain = jpegFile("baseline")
    let profile = displayP3Profile()
    let head = Array("ICC_PROFILE\0".utf8) + [1, 1]
    let length = UInt16(head.count + profile.count + 2)
    var file = plain
    let marker: [UInt8] = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)]
    file.insert(contentsOf: marker + head + profile, at: 2)
    let (catalog, variant) = try photo(file)
    let wide = try catalog.pixels(of: variant, space: .displayP3)
    #expect(isNear(quarters(wide), Self.colors, by: 6))
    let (other, sRGB) = try photo(plain)
    let narrow = try other.pixels(of: sRGB, space: .displayP3)
    #expect(isNear([quarters(narrow)[0]], [[234, 51, 35, 255]], by: 6))
    #expect(isNear(quarters(try catalog.pixels(of: variant)), Self.colors, by: 6))
    let halves = try catalog.pixels(of: variant, as: .rgba16Float)
    let place = (4 * 16 + 4) * 8
    let red = UInt16(halves.bytes[place]) | UInt16(halves.bytes[place + 1]) << 8
    #expect(Float16(bitPattern: red) > 1.05)
  }

  private func displayP3Profile() -> [UInt8] {
    func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    func fixed(_ value: Double) -> [UInt8] {
      big(UInt32(bitPattern: Int32((value * 65536).rounded())))
    }
    let colorants: [[Double]] = [
      [0.5151215, 0.2411957, -0.0010529], [0.2919769, 0.6922455, 0.0418854],
      [0.1571045, 0.0665741, 0.7840729],
    ]
    let numbers: [Double] = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    var curve = Array("para".utf8) + big(0)
    curve += [0, 3, 0, 0]
    for number in numbers { curve += fixed(number) }
    var tags: [UInt8] = []
    var bodies: [UInt8] = []
    let start = 132 + 6 * 12
    func add(_ name: String, _ body: [UInt8]) {
      tags += Array(name.utf8)
      tags += big(UInt32(start + bodies.count))
      tags += big(UInt32(body.count))
      bodies += body
    }
    for (letter, xyz) in zip("rgb", colorants) {
      var body = Array("XYZ ".utf8) + big(0)
      for value in xyz { body += fixed(value) }
      add("\(letter)XYZ", body)
      add("\(letter)TRC", curve)
    }
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(16..<24, with: Array("RGB XYZ ".utf8))
    header.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return header + big(6) + tags + bodies
  }

  private func error(_ file: [UInt8], limits: DecodeLimits = DecodeLimits()) throws -> CatalogError?
  {
    let (catalog, variant) = try photo(file)
    do throws(CatalogError) {
      _ = try catalog.pixels(of: variant, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test func otherFilesAreRefusedByName() throws {
    let baseline = jpegFile("baseline")
    let inks = try #require(try error(jpegFile("inks")))
    #expect("\(inks)" == "JPEG in inks (CMYK) is not supported")
    var lossless = baseline
    let frame = try #require(baseline.firstRange(of: [0xFF, 0xC0])).lowerBound
    lossless[frame + 1] = 0xC3
    #expect(try error(lossless) != nil)
    #expect(try error([1, 2, 3]) != nil)
    #expect(try error(Array(baseline.prefix(frame + 20))) != nil)
    // The archive states another size than the file.
    let (catalog, variant) = try photo(
      baseline, slices: [Slice(x: 0, y: 0, width: 16, height: 15)])
    #expect(throws: CatalogError.self) { try catalog.pixels(of: variant) }
    // Parts that are missing at the end are grey.
    #expect(try error(Array(baseline.dropLast(20))) == nil)
    guard case .overLimit(16, 16) = try error(baseline, limits: DecodeLimits(width: 15)) else {
      Issue.record("a picture that is too wide")
      return
    }
    guard case .overLimit(16, 16) = try error(baseline, limits: DecodeLimits(scratchBytes: 900))
    else {
      Issue.record("a picture that takes too much memory")
      return
    }
  }

  @Test func heifIsAFileWithItsBytes() throws {
    var builder = CatalogBuilder()
    builder.addFile("P", key { $0.scale = 1 }, [1, 2, 3], format: .heif, layout: .onePartScale)
    let catalog = try builder.catalog()
    let variant = try #require(catalog.view(for: Environment()).find("P"))
    #expect(try catalog.file(of: variant) == [1, 2, 3])
    var room = [UInt8](repeating: 0, count: 64)
    let failure = room.withUnsafeMutableBytes { bytes in
      do throws(CatalogError) {
        try catalog.decode(variant, as: .rgba8, into: bytes, rowStride: 16)
        return "a HEIF file is decoded"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      failure
        == "the rendition holds a HEIF file, which is not decoded: only its bytes can be read")
  }
}
