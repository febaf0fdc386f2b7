import Bytes
import Support
import Testing

@testable import Codecs

/// Tests the PNG decoder for pictures inside of vectors. The fuzz target `picture` compares it with
/// the libraries, for all kinds of files.
@Suite struct PNGDecoderTests {
  private func decode(_ file: [UInt8], input: Int = 1 << 16) throws -> PNGPicture {
    try PNGDecoder.decode(file, budget: Budget(input: input))
  }

  /// Files of two pixels, with their pixels as red, green, blue and alpha.
  private static let kinds: [(PNGColor, depth: Int, samples: [UInt8], pixels: [UInt8])] = [
    (.gray, 1, [0b0100_0000], [0, 0, 0, 255, 255, 255, 255, 255]),
    (.gray, 2, [0b0111_0000], [85, 85, 85, 255, 255, 255, 255, 255]),
    (.gray, 4, [0x3F], [51, 51, 51, 255, 255, 255, 255, 255]),
    (.gray, 8, [7, 200], [7, 7, 7, 255, 200, 200, 200, 255]),
    (.gray, 16, [7, 0, 200, 255], [7, 7, 7, 255, 200, 200, 200, 255]),
    (.rgb, 8, [1, 2, 3, 4, 5, 6], [1, 2, 3, 255, 4, 5, 6, 255]),
    (.rgb, 16, [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0], [1, 2, 3, 255, 4, 5, 6, 255]),
    (.palette, 1, [0b0100_0000], [9, 8, 7, 255, 6, 5, 4, 128]),
    (.palette, 8, [1, 2], [6, 5, 4, 128, 0, 0, 0, 255]),
    (.grayAlpha, 8, [7, 0, 200, 90], [7, 7, 7, 0, 200, 200, 200, 90]),
    (.grayAlpha, 16, [7, 0, 90, 0, 8, 0, 91, 0], [7, 7, 7, 90, 8, 8, 8, 91]),
    (.rgba, 8, [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]),
    (
      .rgba, 16, [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0],
      [1, 2, 3, 4, 5, 6, 7, 8]
    ),
  ]

  private static let palette = [
    pngChunk("PLTE", [9, 8, 7, 6, 5, 4]), pngChunk("tRNS", [255, 128]),
  ]

  @Test(arguments: kinds.indices) func everyKindOfSamplesIsRead(_ index: Int) throws {
    let kind = PNGDecoderTests.kinds[index]
    let file = png(
      width: 2, height: 1, color: kind.0, depth: kind.depth, samples: kind.samples,
      extra: kind.0 == .palette ? PNGDecoderTests.palette : [])
    let picture = try decode(file)
    #expect((picture.width, picture.height) == (2, 1))
    #expect(picture.pixels == kind.pixels)
    #expect(picture.isGray == (kind.0 == .gray || kind.0 == .grayAlpha))
  }

  @Test func oneColourCanBeTransparent() throws {
    let gray = png(
      width: 2, height: 1, color: .gray, samples: [7, 8], extra: [pngChunk("tRNS", [0, 7])])
    #expect(try decode(gray).pixels == [7, 7, 7, 0, 8, 8, 8, 255])
    let colors = png(
      width: 2, height: 1, color: .rgb, samples: [1, 2, 3, 1, 2, 4],
      extra: [pngChunk("tRNS", [0, 1, 0, 2, 0, 3])])
    #expect(try decode(colors).pixels == [1, 2, 3, 0, 1, 2, 4, 255])
  }

  /// The columns and rows of the seven passes: the first pixel, and the distances.
  private static let passes = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
  ]

  @Test(arguments: [(1, 1), (3, 2), (5, 9), (8, 8), (17, 11)])
  func interlacedPicturesAreRead(_ width: Int, _ height: Int) throws {
    func value(_ x: Int, _ y: Int) -> UInt8 { UInt8((x * 13 + y * 29) & 255) }
    var rows: [UInt8] = []
    for (x, y, across, down) in PNGDecoderTests.passes where x < width {
      for row in stride(from: y, to: height, by: down) {
        rows.append(0)
        for column in stride(from: x, to: width, by: across) { rows.append(value(column, row)) }
      }
    }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += pngChunk(
      "IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 0, 0, 0, 1])
    file += pngChunk("IDAT", storedZlib(rows)) + pngChunk("IEND", [])
    let picture = try decode(file)
    let grays = stride(from: 0, to: picture.pixels.count, by: 4).map { picture.pixels[$0] }
    #expect(grays == (0..<height).flatMap { y in (0..<width).map { x in value(x, y) } })
  }

  @Test func pixelsCanBeInSeveralChunks() throws {
    let whole = png(width: 2, height: 1, color: .gray, samples: [7, 8])
    let rows = storedZlib([0, 7, 8])
    var parts = Array(whole.prefix(33))
    for byte in rows { parts += pngChunk("IDAT", [byte]) }
    parts += pngChunk("tEXt", [0]) + pngChunk("IEND", [])
    #expect(try decode(parts).pixels == decode(whole).pixels)
  }

  @Test func codePointsAndProfilesAreKept() throws {
    let profile = Array("A profile".utf8)
    let file = png(
      width: 1, height: 1, color: .rgb, samples: [1, 2, 3],
      extra: [
        pngChunk("cICP", [12, 13, 0, 1]), pngChunk("iCCP", [0x61, 0, 0] + storedZlib(profile)),
      ])
    let picture = try decode(file)
    #expect(picture.codePoints == [12, 13, 0, 1])
    #expect(picture.profile == profile)
  }

  // MARK: Damage

  @Test func damagedFilesAreRefused() throws {
    let file = png(width: 3, height: 2, red: 9, green: 8, blue: 7)
    #expect(try decode(file).pixels.count == 24)
    for count in 0..<file.count {
      #expect(throws: CodecError.self) { try decode(Array(file.prefix(count))) }
    }
    // Every bit from the header's length on belongs to a length, a name, a checksum or what it
    // covers.
    for place in 8..<file.count - 12 {
      var damaged = file
      damaged[place] ^= 0x10
      #expect(throws: CodecError.self) { try decode(damaged) }
    }
  }

  @Test func impossibleHeadersAreRefused() throws {
    let headers: [[UInt8]] = [
      [0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0, 8, 0, 0, 0, 0],
      [0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1, 16, 3, 0, 0, 0],
      [0, 0, 0, 1, 0, 0, 0, 1, 4, 2, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1, 8, 1, 0, 0, 0],
      [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 1, 0],
      [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 2], [0, 1, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0],
      [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0],
    ]
    for header in headers {
      var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      file +=
        pngChunk("IHDR", header) + pngChunk("IDAT", storedZlib([0, 0])) + pngChunk("IEND", [])
      #expect(throws: CodecError.self) { try decode(file) }
    }
    let withoutPalette = png(width: 1, height: 1, color: .palette, samples: [0])
    #expect(throws: CodecError.self) { try decode(withoutPalette) }
    let unknown = png(
      width: 1, height: 1, color: .gray, samples: [0], extra: [pngChunk("ABCD", [])])
    #expect(throws: CodecError.self) { try decode(unknown) }
  }

  /// A small file that states many pixels is refused before memory is allocated for them.
  @Test func largeSizesNeedLargeFiles() throws {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += pngChunk("IHDR", [0, 1, 0, 0, 0, 1, 0, 0, 16, 6, 0, 0, 0])
    file += pngChunk("IDAT", storedZlib([0, 0])) + pngChunk("IEND", [])
    let budget = Budget(input: file.count)
    #expect(throws: CodecError.self) { try PNGDecoder.decode(file, budget: budget) }
    #expect(budget.peakMemory < 1 << 16)
  }
}
