// The colours of PNG files: the profiles that are converted, and the results.

import Support
import Testing

@testable import Codecs
@testable import Colors
@testable import Imaging

/// Returns the bytes of a profile with a matrix and one curve for all channels.
private func profile(_ colorants: Matrix, curve: [UInt8]) -> [UInt8] {
  func fixed(_ value: Double) -> [UInt8] {
    bigEndian(UInt32(bitPattern: Int32((value * 65536).rounded())))
  }
  var tags: [(String, [UInt8])] = []
  for (column, letter) in ["r", "g", "b"].enumerated() {
    let xyz = colorants.flatMap { fixed($0[column]) }
    tags.append((letter + "XYZ", Array("XYZ ".utf8) + bigEndian(0) + xyz))
    tags.append((letter + "TRC", curve))
  }
  var table = bigEndian(UInt32(tags.count))
  var bodies: [UInt8] = []
  for (name, body) in tags {
    let place = 132 + 12 * tags.count + bodies.count
    table += Array(name.utf8) + bigEndian(UInt32(place)) + bigEndian(UInt32(body.count))
    bodies += body
  }
  var header = [UInt8](repeating: 0, count: 128)
  header.replaceSubrange(16..<24, with: Array("RGB XYZ ".utf8))
  header.replaceSubrange(36..<40, with: Array("acsp".utf8))
  return header + table + bodies
}

private func gamma(_ exponent: Double) -> [UInt8] {
  let word = UInt16(exponent * 256)
  return Array("curv".utf8) + bigEndian(0) + bigEndian(1) + [UInt8(word >> 8), UInt8(word & 255)]
}

private let sRGBCurve: [UInt8] =
  Array("para".utf8) + bigEndian(0) + [0, 3, 0, 0]
  + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap { (value: Double) in
    bigEndian(UInt32(value * 65536 + 0.5))
  }

private func chunk(_ profile: [UInt8]) -> [UInt8] {
  pngChunk("iCCP", Array("x".utf8) + [0, 0] + storedZlib(profile))
}

private func picture(_ samples: [UInt8], _ profile: [UInt8]) -> [UInt8] {
  png(
    width: samples.count / 3, height: 1, color: .rgb, samples: samples, extra: [chunk(profile)])
}

private func bytes(_ file: [UInt8]) throws -> [[UInt8]] {
  var decoder = PictureDecoder()
  let bitmap = try decoded(file, &decoder, options: PictureOptions(allowsGray: false)).get()
  return bgraPixels(bitmap)
}

@Suite struct ColorTests {
  @Test func `a profile of sRGB changes nothing`() throws {
    let same = profile(ColorProfile.sRGBColorants, curve: sRGBCurve)
    let file = picture([200, 100, 50, 1, 2, 3], same)
    #expect(try bytes(file) == [[50, 100, 200, 255], [3, 2, 1, 255]])
  }

  @Test func `Display P3 is brought into sRGB and is known to be wider`() throws {
    let samples: [UInt8] = [255, 255, 255, 0, 0, 0, 128, 128, 128, 200, 100, 50, 255, 0, 0]
    let file = picture(samples, profile(ColorProfile.displayP3Colorants, curve: sRGBCurve))
    // The fourth colour follows from the published matrix between the two spaces; the last is
    // outside of sRGB and clipped.
    #expect(
      try bytes(file) == [
        [255, 255, 255, 255], [0, 0, 0, 255], [128, 128, 128, 255], [31, 93, 215, 255],
        [0, 0, 255, 255],
      ])
    var decoder = PictureDecoder()
    #expect(try decoded(file, &decoder).get().hasWiderSource)
    let wide = try decoded(file, &decoder, options: PictureOptions(gamut: .displayP3)).get()
    let red = (0..<4).map { channel in
      let at = 32 + 2 * channel
      return Double(Float16(bitPattern: UInt16(wide.pixels[at]) | UInt16(wide.pixels[at + 1]) << 8))
    }
    // The red of Display P3 in extended sRGB.
    #expect(zip(red, [1.093, -0.227, -0.150, 1]).allSatisfy { abs($0 - $1) < 0.002 }, "\(red)")
  }

  /// Apple's tool stores such a picture once (`hasWiderSource` asks for a second copy).
  @Test(arguments: [
    ([255, 255, 255, 255], false), ([128, 130, 126, 255], false), ([200, 100, 50, 255], false),
    ([255, 0, 0, 255], true), ([255, 0, 0, 0], false), ([0, 255, 0, 1], true),
  ])
  func `a picture of Display P3 is wide if a visible pixel is outside of sRGB`(
    pixel: [UInt8], isWide: Bool
  ) throws {
    let wide = profile(ColorProfile.displayP3Colorants, curve: sRGBCurve)
    let plain = [UInt8](repeating: 255, count: 4)
    let file = png(
      width: 3, height: 1, color: .rgba, samples: plain + pixel + plain, extra: [chunk(wide)])
    var decoder = PictureDecoder()
    #expect(try decoded(file, &decoder).get().hasWiderSource == isWide)
  }

  @Test func `another gamma is converted`() throws {
    let file = picture([128, 128, 128], profile(ColorProfile.sRGBColorants, curve: gamma(1.8)))
    // The profile stores the gamma 1.796875, and (128 / 255) ^ 1.796875 = 0.2898 of light is 146.6
    // in sRGB.
    #expect(try bytes(file) == [[147, 147, 147, 255]])
  }

  @Test func `profiles that are cut anywhere are passed over`() throws {
    let whole = profile(ColorProfile.displayP3Colorants, curve: gamma(2.2))
    for count in 0..<whole.count {
      let pixels = try bytes(picture([200, 100, 50], Array(whole[..<count])))
      #expect(pixels == [[50, 100, 200, 255]], "cut at \(count)")
    }
  }

  /// A JPEG has the pixels of a PNG with the same profile.
  @Test func `the profile of a JPEG is converted`() throws {
    let swapped = Matrix(
      ColorProfile.sRGBColorants.map { SIMD3($0.z, $0.y, $0.x) })
    let picture = JPEGPicture(
      width: 2, height: 1, components: 3, samples: [200, 100, 50, 9, 9, 9],
      profile: profile(swapped, curve: sRGBCurve))
    #expect(bgraPixels(Bitmap(picture, orientation: 1)) == [[200, 100, 50, 255], [9, 9, 9, 255]])
  }

  /// The places of the pixels 1 to 6, which are stored as two rows, in each of the orientations.
  @Test(
    arguments: [
      (1, [[1, 2, 3], [4, 5, 6]]), (2, [[3, 2, 1], [6, 5, 4]]), (3, [[6, 5, 4], [3, 2, 1]]),
      (4, [[4, 5, 6], [1, 2, 3]]), (5, [[1, 4], [2, 5], [3, 6]]), (6, [[4, 1], [5, 2], [6, 3]]),
      (7, [[6, 3], [5, 2], [4, 1]]), (8, [[3, 6], [2, 5], [1, 4]]), (9, [[1, 2, 3], [4, 5, 6]]),
    ] as [(Int, [[UInt8]])])
  func `a JPEG becomes upright`(orientation: Int, rows: [[UInt8]]) {
    let picture = JPEGPicture(width: 3, height: 2, components: 1, samples: [1, 2, 3, 4, 5, 6])
    let bitmap = Bitmap(picture, orientation: orientation)
    #expect(bitmap.width == rows[0].count && bitmap.height == rows.count)
    #expect(bgraPixels(bitmap) == rows.joined().map { [$0, $0, $0, 255] })
  }
}
