import Bytes
import Support
import Testing

@testable import Codecs

/// Tests the JPEG decoder with pictures of 16 by 16 pixels. Their quarters are red and blue above
/// green and white.
@Suite struct JPEGTests {
  private func decode(_ name: String, transform: Int? = nil) throws -> JPEGPicture {
    try JPEGDecoder.decode(
      jpegFile(name), colorTransform: transform, budget: Budget(input: 1 << 20))
  }

  /// Returns the samples in the middle of each quarter.
  private func quarters(_ picture: JPEGPicture) -> [[Int]] {
    [(4, 4), (12, 4), (4, 12), (12, 12)].map { x, y in
      (0..<picture.components).map {
        Int(picture.samples[(y * picture.width + x) * picture.components + $0])
      }
    }
  }

  private func isNear(_ a: [[Int]], _ b: [[Int]], by most: Int) -> Bool {
    zip(a.joined(), b.joined()).allSatisfy { abs($0 - $1) <= most } && a.count == b.count
  }

  @Test(arguments: ["baseline", "progressive", "restarted", "subsampled"])
  func colors(name: String) throws {
    let picture = try decode(name)
    #expect(picture.width == 16 && picture.height == 16 && picture.components == 3)
    let expected = [[255, 0, 0], [0, 0, 255], [0, 255, 0], [255, 255, 255]]
    #expect(isNear(quarters(picture), expected, by: name == "subsampled" ? 24 : 6))
  }

  @Test func otherNumbersOfComponents() throws {
    let gray = try decode("gray")
    #expect(isNear(quarters(gray), [[76], [29], [150], [255]], by: 4))
    // Adobe's marker states that these four components are not YCCK.
    let inks = try decode("inks", transform: 1)
    #expect(
      isNear(
        quarters(inks),
        [[255, 0, 0, 255], [0, 0, 255, 255], [0, 255, 0, 255], [255, 255, 255, 255]], by: 6))
  }

  /// Without Adobe's marker three components are YCbCr, and four components are inks.
  @Test func fourComponentsAreInksUnlessSomethingSaysOtherwise() throws {
    var plain = jpegFile("inks")
    #expect(plain[2...3] == [0xFF, 0xEE] && plain[4...5] == [0, 14])
    plain.removeSubrange(2..<18)
    func samples(_ transform: Int?) throws -> [UInt8] {
      try JPEGDecoder.decode(
        plain, colorTransform: transform, budget: Budget(input: 1 << 20)
      ).samples
    }
    #expect(try samples(nil) == samples(0))
    #expect(try samples(nil) != samples(1))
  }

  @Test func colorTransformsAreGiven() throws {
    let plain = try quarters(decode("baseline", transform: 0))
    #expect(
      isNear(plain, [[76, 85, 255], [29, 255, 107], [150, 44, 21], [255, 128, 128]], by: 4))
  }

  /// If nothing states a transform, components with the names R, G and B are not transformed.
  @Test func componentsNamedByColorsAreNotTransformed() throws {
    var named = jpegFile("baseline")
    let frame = try #require(named.firstRange(of: [0xFF, 0xC0])).lowerBound
    let scan = try #require(named.firstRange(of: [0xFF, 0xDA])).lowerBound
    for (index, name) in "RGB".utf8.enumerated() {
      named[frame + 10 + 3 * index] = name
      named[scan + 5 + 2 * index] = name
    }
    func samples(_ transform: Int?) throws -> [UInt8] {
      try JPEGDecoder.decode(
        named, colorTransform: transform, budget: Budget(input: 1 << 20)
      ).samples
    }
    #expect(try samples(nil) == decode("baseline", transform: 0).samples)
    #expect(try samples(1) == decode("baseline").samples)
  }

  /// Decoding incomplete or damaged data ends soon, with or without a picture.
  @Test(arguments: ["baseline", "progressive", "restarted", "inks"])
  func damagedFilesAreDecodedOrRefused(name: String) throws {
    let whole = jpegFile(name)
    var (decoded, refused) = (0, 0)
    func decode(_ bytes: [UInt8]) {
      guard let picture = try? JPEGDecoder.decode(bytes, budget: Budget(input: 1 << 20)) else {
        refused += 1
        return
      }
      decoded += 1
      let count = picture.width * picture.height * picture.components
      #expect(picture.samples.count == count)
    }
    for count in 0..<whole.count { decode(Array(whole.prefix(count))) }
    for place in whole.indices {
      for value in [255, whole[place] ^ 1] {
        var damaged = whole
        damaged[place] = value
        decode(damaged)
      }
    }
    #expect(decoded > 0 && refused > 0)
  }
}
