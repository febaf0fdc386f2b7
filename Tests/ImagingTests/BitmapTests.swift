// Bitmaps without files: rows, parts, opacity, the survey of pixels, and scaling.

import Support
import Testing

@testable import Imaging

/// Returns a bitmap with one byte for all four channels of a pixel.
private func bitmap(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt8) -> Bitmap {
  let stride = BitmapLayout.bgra8.bytesPerRow(width: width)
  var pixels = [UInt8](repeating: 0, count: stride * height)
  for y in 0..<height {
    for x in 0..<width {
      for channel in 0..<4 { pixels[y * stride + x * 4 + channel] = value(x, y) }
    }
  }
  return Bitmap(
    width: width, height: height, layout: .bgra8, isOpaque: false, isGray: true, pixels: pixels)
}

@Suite struct BitmapTests {
  @Test(
    arguments: [
      (.bgra8, 8, 32), (.bgra8, 9, 64), (.ga8, 16, 32), (.ga8, 17, 64), (.rgbw, 4, 32),
      (.rgbw, 5, 64),
    ] as [(BitmapLayout, Int, Int)])
  func rowsFillUnitsOf32Bytes(layout: BitmapLayout, width: Int, bytes: Int) {
    #expect(layout.bytesPerRow(width: width) == bytes)
  }

  @Test func aPartCountsFromTheLowerLeftCorner() throws {
    let whole = bitmap(5, 4) { x, y in UInt8(10 * y + x) }
    let part = try #require(whole.cut(x: 1, y: 0, width: 3, height: 2))
    #expect(part == bitmap(3, 2) { x, y in UInt8(10 * (y + 2) + x + 1) })
    #expect(whole.cut(x: 0, y: 0, width: 5, height: 4) == whole)
  }

  @Test(
    arguments: [(0, 0, 6, 1), (3, 0, 3, 1), (0, 4, 1, 1), (0, 0, 0, 1), (.max, 0, 1, 1)]
      as [(Int, Int, Int, Int)])
  func noPartLeavesThePicture(x: Int, y: Int, width: Int, height: Int) {
    #expect(bitmap(5, 4) { _, _ in 0 }.cut(x: x, y: y, width: width, height: height) == nil)
  }

  @Test func rowsWithoutPaddingKeepThePixels() {
    let tight = bitmap(3, 2) { x, y in UInt8(10 * y + x) }.withoutPadding()
    #expect(tight.bytesPerRow == 12)
    #expect(tight.pixels == [0, 1, 2, 10, 11, 12].flatMap { [$0, $0, $0, $0] })
  }

  @Test(
    arguments: [
      ([7, 7, 7, 255], true, true), ([7, 7, 7, 254], false, true), ([6, 7, 7, 255], true, false),
      ([7, 7, 6, 255], true, false), ([0, 9, 0, 128], false, false),
    ] as [([UInt8], Bool, Bool)])
  func theSurveyLooksAtEveryPixelAndNotAtThePadding(
    last: [UInt8], isOpaque: Bool, isGray: Bool
  ) {
    // The picture is 3 × 2 pixels: opaque grey except for the last pixel.
    var pixels = [UInt8](repeating: 0, count: 64)
    for place in [0, 4, 8, 32, 36] {
      pixels.replaceSubrange(place..<place + 4, with: [1, 1, 1, 255])
    }
    pixels.replaceSubrange(40..<44, with: last)
    let surveyed = Bitmap(surveying: pixels, width: 3, height: 2)
    #expect(surveyed.isOpaque == isOpaque)
    #expect(surveyed.isGray == isGray)
    #expect(surveyed.hasFullAlpha == isOpaque)
  }

  @Test(
    arguments: [
      (.bgra8, [1, 2, 3, 255], [1, 2, 3, 254]), (.ga8, [1, 255], [255, 254]),
      (.rgbw, [0, 0, 0, 0, 0, 0, 0, 0x3C], [0, 0, 0, 0, 0, 0, 0xFF, 0x3B]),
      (.ga16, [0, 0, 255, 255], [255, 255, 254, 255]),
      (.ga16Half, [0, 0, 0, 0x3C], [0, 0x3C, 0xFF, 0x3B]),
    ] as [(BitmapLayout, [UInt8], [UInt8])])
  func fullAlphaIsThatOfTheLayout(layout: BitmapLayout, opaque: [UInt8], other: [UInt8]) {
    for (pixel, expected) in [(opaque, true), (other, false)] {
      let row = opaque + pixel
      let picture = Bitmap(
        width: 2, height: 1, layout: layout, isOpaque: false, isGray: false,
        pixels: row + [UInt8](repeating: 0, count: 32 - row.count))
      #expect(picture.hasFullAlpha == expected)
    }
  }

  @Test func premultiplicationIsUndone() {
    #expect(straightChannel(9, alpha: 0) == 0)
    #expect(straightChannel(9, alpha: 255) == 9)
    #expect(straightChannel(64, alpha: 128) == 128)
    #expect(straightChannel(200, alpha: 100) == 255)
  }
}

@Suite struct ScalingTests {
  @Test(arguments: [(4, 4), (2, 2), (1, 1), (3, 2), (7, 5)])
  func anEvenPictureStaysEven(width: Int, height: Int) {
    let scaled = bitmap(9, 6) { _, _ in 77 }.scaled(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { #expect(scaled.pixels[y * scaled.bytesPerRow + x * 4] == 77) }
    }
  }

  /// Every channel differs, so a channel that is taken for another has a wrong mean.
  @Test(
    arguments: [(13, 9), (5, 4), (1, 1), (40, 20)] as [(Int, Int)],
    [BitmapLayout.bgra8, .ga8])
  func `each channel is the mean of the area`(size: (Int, Int), layout: BitmapLayout) {
    var random = SeededGenerator(seed: 5)
    let (width, height, channels) = (27, 14, layout.bytesPerPixel)
    let stride = layout.bytesPerRow(width: width)
    let pixels = (0..<stride * height).map { _ in UInt8.random(in: 0...255, using: &random) }
    let whole = Bitmap(
      width: width, height: height, layout: layout, isOpaque: false, isGray: false, pixels: pixels)
    let scaled = whole.scaled(width: size.0, height: size.1)
    /// Returns the part of pixel `source` in the area of pixel `target`.
    func share(_ source: Int, _ target: Int, _ step: Double) -> Double {
      let start = max(Double(source), Double(target) * step)
      return max(0, min(Double(source + 1), Double(target + 1) * step) - start) / step
    }
    let across = Double(width) / Double(size.0)
    let down = Double(height) / Double(size.1)
    for y in 0..<size.1 {
      for place in 0..<size.0 * channels {
        var mean = 0.0
        for row in 0..<height {
          for column in 0..<width {
            mean +=
              share(row, y, down) * share(column, place / channels, across)
              * Double(pixels[row * stride + column * channels + place % channels])
          }
        }
        #expect(abs(Double(scaled.pixels[y * scaled.bytesPerRow + place]) - mean) < 0.51)
      }
    }
  }

  @Test func `bitmaps with one different byte or flag are not equal`() {
    let whole = bitmap(7, 5) { x, y in UInt8(x + y) }
    var other = whole
    other.pixels[other.pixels.count - 1] ^= 1
    #expect(whole != other && !whole.shows(other))
    other.pixels = whole.pixels
    #expect(whole == other)
    other.hasWiderSource = true
    #expect(whole != other && whole.shows(other))
  }

  /// Halves of 16 bits, as integers or as floats, are scaled by the same rule.
  @Test(arguments: [
    (BitmapLayout.ga16, [UInt16(1000), 40_000, 3000, 20_000], [UInt16(2000), 30_000]),
    (.ga16Half, [0x3C00, 0x3800, 0x3800, 0x3C00], [0x3A00, 0x3A00]),
    (.ga16Half, [0xBC00, 0x0001, 0x3C00, 0x0003], [0x0000, 0x0002]),
    (
      .rgbw, [0x3C00, 0xB800, 0x4000, 0x3C00, 0x3400, 0x3800, 0x7C00, 0x3C00],
      [0x3900, 0x0000, 0x3C00, 0x3C00]
    ),
  ]) func channelsOf16BitsAreScaled(layout: BitmapLayout, words: [UInt16], mean: [UInt16]) {
    var pixels = words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    pixels += [UInt8](repeating: 0, count: layout.bytesPerRow(width: 2) - pixels.count)
    let bitmap = Bitmap(
      width: 2, height: 1, layout: layout, isOpaque: false, isGray: layout != .rgbw, pixels: pixels)
    let scaled = bitmap.scaled(width: 1, height: 1)
    let found = mean.indices.map {
      UInt16(scaled.pixels[2 * $0]) | UInt16(scaled.pixels[2 * $0 + 1]) << 8
    }
    #expect(found == mean)
  }

  @Test func aPixelIsTheMeanOfTheAreaThatItCovers() {
    let scaled = bitmap(3, 1) { x, _ in [0, 100, 200][x] }.scaled(width: 2, height: 1)
    // The expected values are (0 + 50) / 1.5 and (50 + 200) / 1.5.
    #expect(scaled.pixels[0] == 33)
    #expect(scaled.pixels[4] == 167)
  }

  @Test(
    arguments: [
      (.width(atMost: 4), 4, 8), (.longerSide(atMost: 4), 2, 4), (.width(atMost: 5), 5, 10),
      (.longerSide(atMost: 10), 5, 10), (.longerSide(atMost: 1), 1, 1),
    ] as [(Reduction, Int, Int)])
  func aLimitKeepsTheProportion(reduction: Reduction, width: Int, height: Int) {
    let reduced = bitmap(5, 10) { _, _ in 1 }.reduced(reduction)
    #expect(reduced.width == width && reduced.height == height)
  }
}
