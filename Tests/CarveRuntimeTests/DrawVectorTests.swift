// Tests vectors that are drawn at run time: every pixel of small pages, sizes, layouts, tints,
// mirrors, limits, and malicious files.

import Archive
import CarveRuntime
import Testing
import Traits

/// A page of 4 by 2 points: the left half is red, the right half blue with half opacity; the lower
/// row of the left half is empty.
let flagSVG = """
  <svg xmlns="http://www.w3.org/2000/svg" width="4" height="2" viewBox="0 0 4 2">
  <path d="M0 0h2v1H0z" fill="#f00"/><path d="M2 0h2v2H2z" fill="#00f" fill-opacity="0.5"/></svg>
  """

let squarePDF = """
  %PDF-1.4
  1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
  2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
  3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 3.4 2]/Contents 4 0 R>> endobj
  4 0 obj <</Length 20>> stream
  0 1 0 rg 0 0 1 1 re f
  endstream endobj
  trailer <</Root 1 0 R>>

  """

@Suite struct DrawVectorTests {
  private static func builder() -> CatalogBuilder {
    var builder = CatalogBuilder()
    let files: [(String, String, StoredFormat)] = [
      ("Flag", flagSVG, .svg), ("Square", squarePDF, .pdf), ("Broken", "<svg", .svg),
      ("Empty", "", .pdf),
    ]
    for (name, text, format) in files {
      builder.addFile(name, VariantKey(), Array(text.utf8), format: format, layout: .vector)
    }
    builder.addFile(
      "Arrow", key { $0.direction = .leftToRight }, Array(flagSVG.utf8), format: .svg,
      layout: .vector)
    builder.addImage("Plain", VariantKey(), TestPicture(seed: 1))
    return builder
  }

  private let catalog: Catalog

  init() throws {
    var builder = Self.builder()
    catalog = try builder.catalog()
  }

  private func variant(
    _ name: String, _ direction: Direction = .leftToRight
  ) throws -> Variant {
    try #require(catalog.view(for: environment { $0.direction = direction }).find(name))
  }

  /// Returns words with blue in the lowest byte, red, and alpha in the highest.
  private func draw(
    _ name: String, _ width: Int, _ height: Int, as layout: PixelLayout = .bgra8,
    tint: Tint? = nil, direction: Direction = .leftToRight, limits: DecodeLimits = DecodeLimits(),
    padding: Int = 0
  ) throws -> [UInt32] {
    let stride = width * 4 + padding
    var pixels = [UInt8](repeating: 7, count: stride * height)
    let variant = try variant(name, direction)
    try pixels.withUnsafeMutableBytes {
      try catalog.drawVector(
        variant, as: layout, width: width, height: height, tint: tint, into: $0,
        rowStride: stride, limits: limits)
    }
    return pixels.withUnsafeBytes { bytes in
      (0..<width * height).map {
        bytes.loadUnaligned(fromByteOffset: $0 / width * stride + $0 % width * 4, as: UInt32.self)
      }
    }
  }

  private static let red: UInt32 = 0xFFFF_0000

  private func isBlue(_ pixel: UInt32) -> Bool {
    pixel == 0x7F00_007F || pixel == 0x8000_0080
  }

  @Test func everyPixelOfAPage() throws {
    let pixels = try draw("Flag", 4, 2)
    #expect(pixels[0] == Self.red && pixels[1] == Self.red)
    #expect(pixels[4] == 0 && pixels[5] == 0)
    #expect([2, 3, 6, 7].allSatisfy { isBlue(pixels[$0]) }, "\(pixels)")
    // The square is in the lower left corner; it is as wide as the page says and no wider.
    #expect(try draw("Square", 3, 2) == [0, 0, 0, 0xFF00_FF00, 0, 0])
  }

  @Test func decodingDrawsThePageAtItsSize() throws {
    for (name, width, height) in [("Flag", 4, 2), ("Square", 3, 2)] {
      let variant = try variant(name)
      let page = try catalog.vectorPage(of: variant)
      #expect(page.pixelSize == PixelSize(width: width, height: height))
      #expect(page.width == (name == "Square" ? 3.4 : 4) && page.height == 2 && page.isComplete)
      #expect(try catalog.decodedSize(of: variant, as: .bgra8) == width * height * 4)
      var decoded = [UInt32](repeating: 7, count: width * height)
      try decoded.withUnsafeMutableBytes {
        try catalog.decode(variant, as: .bgra8, into: $0, rowStride: width * 4)
      }
      #expect(try draw(name, width, height) == decoded)
    }
  }

  @Test func anotherSizeStretchesThePage() throws {
    let whole = try draw("Flag", 8, 4)
    let plain = try draw("Flag", 4, 2)
    for y in 0..<4 {
      for x in 0..<8 { #expect(whole[y * 8 + x] == plain[y / 2 * 4 + x / 2]) }
    }
    let tall = try draw("Flag", 4, 6)
    for y in 0..<6 {
      for x in 0..<4 { #expect(tall[y * 4 + x] == plain[y / 3 * 4 + x]) }
    }
    // A page of 3.4 points that fills 34 pixels has ten pixels for each point.
    let wide = try draw("Square", 34, 2)
    #expect(wide[34..<44].allSatisfy { $0 == 0xFF00_FF00 } && wide[44] == 0 && wide[0] == 0)
  }

  @Test func layoutsRowsAndSpaces() throws {
    let plain = try draw("Flag", 4, 2)
    let swapped = try draw("Flag", 4, 2, as: .rgba8)
    for (a, b) in zip(plain, swapped) {
      #expect(b == a & 0xFF00_FF00 | a >> 16 & 0xFF | (a & 0xFF) << 16)
    }
    for padding in [1, 4, 64] { #expect(try draw("Flag", 4, 2, padding: padding) == plain) }
    let flag = try variant("Flag")
    var wide = [UInt8](repeating: 0, count: 4 * 2 * 4 + 1)
    try wide.withUnsafeMutableBytes { bytes in
      try catalog.drawVector(
        flag, as: .bgra8, space: .displayP3, width: 4, height: 2,
        into: UnsafeMutableRawBufferPointer(rebasing: bytes[1...]), rowStride: 16)
    }
    // This is red of sRGB in Display P3.
    #expect(Array(wide[1..<5]) == [35, 51, 234, 255])
    var gray = [UInt8](repeating: 9, count: 8)
    try gray.withUnsafeMutableBytes {
      try catalog.drawVector(flag, as: .gray8, width: 4, height: 2, into: $0, rowStride: 4)
    }
    #expect(gray[0] == 54 && gray[4] == 0)
  }

  @Test func aTintTakesThePlaceOfColorsAndKeepsAlpha() throws {
    let plain = try draw("Flag", 4, 2)
    let tinted = try draw("Flag", 4, 2, tint: Tint(red: 0, green: 1, blue: 0))
    for (a, b) in zip(plain, tinted) {
      #expect(b == a & 0xFF00_0000 | (a >> 24) << 8)
    }
    let faint = try draw("Flag", 4, 2, tint: Tint(red: 1, green: 1, blue: 1, alpha: 0.2))
    #expect(faint[0] == 0x3333_3333 && faint[4] == 0)
    let odd = try draw("Flag", 4, 2, tint: Tint(red: .nan, green: .infinity, blue: -1))
    #expect(odd[0] == 0xFF00_FF00)
    #expect(
      try draw("Flag", 4, 2, as: .rgba8, tint: Tint(red: 1, green: 0, blue: 0))[0] == 0xFF00_00FF)
  }

  @Test func aMirroredVariantIsDrawnMirrored() throws {
    let plain = try draw("Arrow", 4, 2)
    let mirrored = try draw("Arrow", 4, 2, direction: .rightToLeft)
    #expect(plain == (try draw("Flag", 4, 2)))
    for y in 0..<2 {
      #expect(Array(mirrored[y * 4..<y * 4 + 4]) == plain[y * 4..<y * 4 + 4].reversed())
    }
  }

  @Test func aDecoderDrawsTheSame() throws {
    let decoder = AtlasDecoder(catalog)
    for (name, width, height) in [
      ("Flag", 40, 31), ("Square", 7, 2), ("Flag", 4, 2), ("Broken", 2, 2), ("Flag", 40, 31),
    ] {
      var pixels = [UInt32](repeating: 7, count: width * height)
      let variant = try variant(name)
      let drawn: Void? = try? pixels.withUnsafeMutableBytes {
        try decoder.drawVector(
          variant, as: .bgra8, width: width, height: height, into: $0, rowStride: width * 4)
      }
      #expect((drawn == nil) == (name == "Broken"))
      if drawn != nil { #expect(try draw(name, width, height) == pixels) }
      if width == 7 { decoder.forgetAtlas() }
    }
  }

  private func error(_ body: () throws -> Void) -> CatalogError? {
    do {
      try body()
      return nil
    } catch {
      return error as? CatalogError
    }
  }

  @Test func contentsThatAreNoVectorsAreRefused() throws {
    for (name, reason) in [("Broken", "at byte"), ("Empty", "it is not a PDF")] {
      guard case .badVector(let words) = error({ _ = try draw(name, 2, 2) }) else {
        Issue.record("\(name) is drawn")
        continue
      }
      #expect(words.contains(reason))
    }
    guard case .wrongContent(.bitmap) = error({ _ = try draw("Plain", 4, 3) }) else {
      Issue.record("a bitmap is drawn as a vector")
      return
    }
  }

  @Test func limitsAreErrors() throws {
    func isOverLimit(_ width: Int, _ height: Int, _ limits: DecodeLimits) -> Bool {
      switch error({ _ = try draw("Flag", width, height, limits: limits) }) {
      case .overLimit, .vectorOverLimit: true
      default: false
      }
    }
    let all = DecodeLimits(width: .max, height: .max, scratchBytes: .max)
    #expect(isOverLimit(16_385, 1, all) && isOverLimit(0, 1, all))
    #expect(isOverLimit(5, 1, DecodeLimits(width: 4)) && isOverLimit(1, 5, DecodeLimits(height: 4)))
    #expect(isOverLimit(4, 2, DecodeLimits(scratchBytes: flagSVG.utf8.count)))
    #expect(!isOverLimit(4, 2, DecodeLimits(scratchBytes: 1 << 16)))
    let flag = try variant("Flag")
    var few = [UInt8](repeating: 0, count: 31)
    guard
      case .bufferTooSmall(needed: 32) = error({
        try few.withUnsafeMutableBytes {
          try catalog.drawVector(flag, as: .bgra8, width: 4, height: 2, into: $0, rowStride: 16)
        }
      })
    else {
      Issue.record("a buffer that is too small is written to")
      return
    }
  }

  /// No file causes a trap; each gives pixels or an error.
  @Test(arguments: [
    "<svg xmlns='http://www.w3.org/2000/svg' width='1e300' height='1e-300'/>",
    "<svg xmlns='http://www.w3.org/2000/svg' width='1e-300' height='1e-300'><path d='M0 0h9v9z'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' width='nan' height='-1'/>",
    "<!DOCTYPE svg [<!ENTITY a '&a;&a;'>]><svg width='1' height='1'>&a;</svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g id='a'><use href='#a'/></g></svg>",
  ])
  func hostileFilesEnd(_ text: String) throws {
    var builder = CatalogBuilder()
    builder.addFile("V", VariantKey(), Array(text.utf8), format: .svg, layout: .vector)
    // The text is not a PDF.
    builder.addFile("W", VariantKey(), Array(text.utf8), format: .pdf, layout: .vector)
    let catalog = try builder.catalog()
    let view = catalog.view(for: Environment())
    var pixels = [UInt32](repeating: 0, count: 64)
    for name in ["V", "W"] {
      let variant = try #require(view.find(name))
      let failure = error {
        try pixels.withUnsafeMutableBytes {
          try catalog.drawVector(variant, as: .rgba8, width: 8, height: 8, into: $0, rowStride: 32)
        }
      }
      #expect(name == "V" || failure != nil)
      _ = try? catalog.vectorPage(of: variant)
      _ = try? catalog.decodedSize(of: variant, as: .bgra8)
    }
  }
}
