// Bitmaps that are written as PNG and read again are equal.

import Support
import Testing

@testable import Colors
@testable import Imaging

private func again(
  _ bitmap: Bitmap, _ gamut: PictureOptions.DecodedGamut = .sRGB, _ packing: PNGPacking = .fast
) throws -> Bitmap {
  var decoder = PictureDecoder()
  return try decoded(bitmap.pngFile(packing), &decoder, options: PictureOptions(gamut: gamut)).get()
}

private let packings: [PNGPacking] = [.fast, .plain, .small]

/// Returns a picture of `colors` colours, whose rows do not fill bytes at less than 8 bits.
private func picture(colors: Int, isOpaque: Bool, isGray: Bool) -> Bitmap {
  let (width, height) = (37, 19)
  let layout = isGray ? BitmapLayout.ga8 : .bgra8
  let gap = layout.bytesPerRow(width: width) - width * layout.bytesPerPixel
  var pixels: [UInt8] = []
  for y in 0..<height {
    for x in 0..<width {
      let number = (y * width + x) % colors
      let (low, high) = (UInt8(number % 128), UInt8(number / 128))
      let alpha = isOpaque ? 255 : UInt8(255 - number % 3 * 50)
      pixels += isGray ? [low, alpha] : [low, high, 9, alpha]
    }
    pixels += [UInt8](repeating: 0, count: gap)
  }
  return Bitmap(
    width: width, height: height, layout: layout, isOpaque: isOpaque, isGray: isGray, pixels: pixels
  )
}

@Suite struct PNGWritingTests {
  @Test(arguments: packings)
  func `every premultiplied value of every alpha comes back`(packing: PNGPacking) throws {
    var pixels: [UInt8] = []
    for alpha in 0...255 as ClosedRange<UInt8> {
      for value in 0...255 as ClosedRange<UInt8> {
        pixels += [min(value, alpha), alpha - min(value, alpha), 0, alpha]
      }
    }
    let bitmap = Bitmap(
      width: 256, height: 256, layout: .bgra8, isOpaque: false, isGray: false, pixels: pixels)
    #expect(try again(bitmap, .sRGB, packing) == bitmap)
  }

  @Test(arguments: PNGKind.all, packings)
  func `a file of every kind is written and read without a change`(
    kind: PNGKind, packing: PNGPacking
  ) throws {
    var random = SeededGenerator(seed: 8)
    let sample = PNGSample(kind, width: 13, height: 7, random: &random)
    var decoder = PictureDecoder()
    let bitmap = try decoded(sample.file, &decoder).get()
    #expect(try again(bitmap, .sRGB, packing) == bitmap)
  }

  /// The bytes of the header are the bits of a channel or a place, and the type: 3 is a palette.
  @Test(
    arguments: [
      (1, 1), (2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8), (256, 8), (257, nil),
    ] as [(Int, UInt8?)])
  func `few colours become a palette that loses nothing`(colors: Int, depth: UInt8?) throws {
    for isOpaque in [true, false] {
      let bitmap = picture(colors: colors, isOpaque: isOpaque, isGray: false)
      let file = bitmap.pngFile(.small)
      #expect(Array(file[24...25]) == (depth.map { [$0, 3] } ?? [8, isOpaque ? 2 : 6]))
      #expect(try again(bitmap, .sRGB, .small).pixels == bitmap.pixels)
    }
  }

  /// Each row walks from its own start in small steps, so its pixels resemble those on their left.
  @Test func `rows have the filter that fits them`() throws {
    var random = SeededGenerator(seed: 11)
    let (width, height) = (256, 64)
    var pixels: [UInt8] = []
    for _ in 0..<height {
      var color = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      for _ in 0..<width {
        for channel in color.indices { color[channel] &+= UInt8.random(in: 0...2, using: &random) }
        pixels += color + [255]
      }
    }
    let bitmap = Bitmap(
      width: width, height: height, layout: .bgra8, isOpaque: true, isGray: false, pixels: pixels)
    let (small, fast) = (bitmap.pngFile(.small), bitmap.pngFile())
    #expect(small.count * 2 < fast.count)
    #expect(try again(bitmap, .sRGB, .small) == bitmap)
  }

  /// Opaque grey takes a byte for each pixel without a palette, so only few greys get one.
  @Test(arguments: [(16, true), (17, false)])
  func `few greys become a palette`(colors: Int, hasPalette: Bool) throws {
    let bitmap = picture(colors: colors, isOpaque: true, isGray: true)
    #expect((bitmap.pngFile(.small)[25] == 3) == hasPalette)
    #expect(try again(bitmap, .sRGB, .small).pixels == bitmap.pixels)
  }

  @Test func `half floats of grey become the grey that they say`() throws {
    // Grey and alpha, premultiplied, with a value above white and one that is infinite.
    let halves: [Float16] = [0.25, 0.5, 1, 1, 0, 0, 2, 1, .infinity, 1]
    var pixels = halves.flatMap { value -> [UInt8] in
      [UInt8(value.bitPattern & 255), UInt8(value.bitPattern >> 8)]
    }
    pixels += repeatElement(0, count: 32 - pixels.count)
    let bitmap = Bitmap(
      width: 5, height: 1, layout: .ga16Half, isOpaque: false, isGray: true, pixels: pixels)
    let other = try again(bitmap)
    #expect(other.isGray)
    let values = stride(from: 0, to: 20, by: 2).map { place in
      Int(other.pixels[place / 4 * 2 + place / 2 % 2])
    }
    #expect(values == [64, 128, 255, 255, 0, 0, 255, 255, 0, 255])
  }

  @Test func `half floats beyond sRGB come back through Display P3`() throws {
    var random = SeededGenerator(seed: 9)
    let p3 = pngChunk("cICP", [12, 13, 0, 1])
    let sample = PNGSample(
      PNGKind(color: .rgba, depth: 16), width: 9, height: 5, random: &random, extra: [p3])
    var decoder = PictureDecoder()
    let options = PictureOptions(gamut: .displayP3)
    let bitmap = try decoded(sample.file, &decoder, options: options).get()
    #expect(bitmap.layout == .rgbw && bitmap.hasWiderSource)
    let other = try again(bitmap, .displayP3)
    #expect(other.hasWiderSource && other.pixels.count == bitmap.pixels.count)
    let worst = zip(halves(bitmap), halves(other)).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(worst < 0.003)
  }
}

extension PNGWritingTests {
  @Test func `colours beyond sRGB are the same by fast powers and by exact ones`() throws {
    let inverse = try #require(ColorProfile.displayP3Colorants.inverse)
    let colors = WideColors(fromSRGB: inverse * ColorProfile.sRGBColorants)
    var random = SeededGenerator(seed: 10)
    func channel() -> Double { Double(random.next() >> 11) * 0x1p-53 * 1.5 - 0.25 }
    var samples = (0..<20_000).map { _ in SIMD3(channel(), channel(), channel()) }
    // Greys on both sides of the boundary between two words, and where the parts of the curve meet.
    for word in stride(from: 0, through: 65_535, by: 97) {
      for step in -2...2 {
        samples.append(SIMD3(repeating: (Double(word) + 0.5 + Double(step) * 1e-4) / 65_535))
      }
    }
    for step in -40...40 { samples.append(SIMD3(repeating: 0.04045 + Double(step) * 1e-8)) }
    for value in [-1, 0, 1, 1.999, 2, 2.001, 65_504, 1e12] {
      samples += [SIMD3(repeating: value), SIMD3(value, 0, 0.5), SIMD3(0.5, value, -value)]
    }
    let different = samples.filter { colors.words($0) != colors.exactWords($0) }
    #expect(different.isEmpty)
  }
}

private func halves(_ bitmap: Bitmap) -> [Double] {
  stride(from: 0, to: bitmap.pixels.count, by: 2).map {
    Double(Float16(bitPattern: UInt16(bitmap.pixels[$0]) | UInt16(bitmap.pixels[$0 + 1]) << 8))
  }
}
