// Pictures of every kind are decoded exactly, on both paths.

import Support
import Testing

@testable import Imaging

/// Returns the pixels of a bitmap, four bytes each, and checks that the padding is zero.
func bgraPixels(_ bitmap: Bitmap) -> [[UInt8]] {
  var pixels: [[UInt8]] = []
  let size = bitmap.layout.bytesPerPixel
  for y in 0..<bitmap.height {
    let row = bitmap.pixels[y * bitmap.bytesPerRow..<(y + 1) * bitmap.bytesPerRow]
    #expect(row.dropFirst(bitmap.width * size).allSatisfy { $0 == 0 })
    for x in 0..<bitmap.width {
      let pixel = Array(row.dropFirst(x * size).prefix(size))
      pixels.append(size == 2 ? [pixel[0], pixel[0], pixel[0], pixel[1]] : pixel)
    }
  }
  return pixels
}

private func expectPixels(
  _ sample: PNGSample, _ depth: Int, _ options: PictureOptions, fast: Bool
) throws {
  var decoder = PictureDecoder()
  decoder.usesFastPath = fast
  let bitmap = try decoded(sample.file, &decoder, options: options).get()
  let expected = sample.premultiplied(depth: depth)
  #expect(bgraPixels(bitmap) == expected)
  let isGray = expected.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] }
  #expect(bitmap.isGray == isGray)
  #expect(bitmap.layout == (isGray && options.allowsGray ? .ga8 : .bgra8))
  #expect(bitmap.isOpaque == expected.allSatisfy { $0[3] == 255 })
}

@Suite struct PictureDecoderTests {
  @Test(arguments: PNGKind.all)
  func `every kind of PNG is decoded exactly`(kind: PNGKind) throws {
    var random = SeededGenerator(seed: 1)
    for width in [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33] {
      let sample = PNGSample(
        kind, width: width, height: Int.random(in: 1...9, using: &random), random: &random,
        pieces: width % 3 + 1)
      for gray in [true, false] {
        try expectPixels(sample, kind.depth, PictureOptions(allowsGray: gray), fast: true)
      }
      try expectPixels(sample, kind.depth, PictureOptions(), fast: false)
    }
  }

  @Test(arguments: PNGKind.all.filter { !$0.isInterlaced && $0.depth <= 8 }, 0..<5 as Range<UInt8>)
  func `the fast path undoes each filter`(kind: PNGKind, filter: UInt8) throws {
    var random = SeededGenerator(seed: UInt64(filter))
    let sample = PNGSample(kind, width: 50, height: 6, random: &random, filters: [filter])
    try expectPixels(sample, kind.depth, PictureOptions(), fast: true)
  }

  @Test func `premultiplication rounds to the nearest for every value and alpha`() throws {
    var samples: [UInt8] = []
    for alpha in 0...255 as ClosedRange<UInt8> {
      for value in 0...255 as ClosedRange<UInt8> { samples += [value, 255 - value, 7, alpha] }
    }
    let file = png(width: 256, height: 256, color: .rgba, samples: samples)
    var decoder = PictureDecoder()
    let bitmap = try decoded(file, &decoder).get()
    var wrong = 0
    for alpha in 0...255 {
      for value in 0...255 {
        let at = 1024 * alpha + 4 * value
        if Int(bitmap.pixels[at + 2]) != (value * alpha + 127) / 255 { wrong += 1 }
        if Int(bitmap.pixels[at + 1]) != ((255 - value) * alpha + 127) / 255 { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test func `gamma and chromaticities alone change no pixel`() throws {
    let gamma = pngChunk("gAMA", bigEndian(100_000))
    let file = png(
      width: 1, height: 1, color: .rgb, samples: [128, 64, 200], extra: [gamma])
    var decoder = PictureDecoder()
    #expect(try bgraPixels(decoded(file, &decoder).get()) == [[200, 64, 128, 255]])
  }

  @Test func `Apple's own kind of PNG is taken as it is`() throws {
    // The rows of premultiplied BGRA are in a raw deflate stream, after the chunk CgBI.
    let rows: [UInt8] = [0, 10, 20, 30, 40, 0, 0, 0, 0, 1, 1, 2, 3, 255, 9, 9, 9, 0]
    let raw = Array(storedZlib(rows).dropFirst(2).dropLast(4))
    let header = bigEndian(2) + bigEndian(2) + [8, 6, 0, 0, 0]
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    file += pngChunk("CgBI", [0x50, 0, 0x20, 2]) + pngChunk("IHDR", header)
    file += pngChunk("IDAT", raw) + pngChunk("IEND", [])
    var decoder = PictureDecoder()
    let bitmap = try decoded(file, &decoder).get()
    let first: [[UInt8]] = [[10, 20, 30, 40], [0, 0, 0, 0]]
    #expect(bgraPixels(bitmap) == first + [[1, 2, 3, 255], [10, 11, 12, 255]])
  }

  @Test func `a decoder that is used again gives the same bytes`() throws {
    var random = SeededGenerator(seed: 3)
    var used = PictureDecoder()
    for kind in PNGKind.all {
      let sample = PNGSample(
        kind, width: Int.random(in: 1...40, using: &random),
        height: Int.random(in: 1...20, using: &random), random: &random)
      var fresh = PictureDecoder()
      let bitmap = try decoded(sample.file, &used).get()
      #expect(try bitmap == decoded(sample.file, &fresh).get())
      used.recycle(bitmap)
    }
  }
}
