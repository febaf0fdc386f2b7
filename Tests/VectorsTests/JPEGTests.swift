import Bytes
import Foundation
import Testing

@testable import Vectors

/// Tests the JPEG decoder with pictures of 16 by 16 pixels. Their quarters are red and blue above
/// green and white.
@Suite struct JPEGTests {
  private static let files: [String: String] = [
    "baseline": """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQ \
    DQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQU \
    FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQABADAREAAhEBAxEB/8QAFgABAQEAAAAA \
    AAAAAAAAAAAACQcI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABcBAQEBAQAAAAAAAAAAAAAAAAkIBwr/xAAU \
    EQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwDOjDCpoEcYOhQ3OYhojC4COv/Z
    """,
    "subsampled": """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQ \
    DQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQU \
    FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQABADASIAAhEBAxEB/8QAFgABAQEAAAAA \
    AAAAAAAAAAAACQcI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABUBAQEAAAAAAAAAAAAAAAAAAAAB/8QAJhEA \
    AQICCQUAAAAAAAAAAAAAERITBxQAAQMFFRYXJEMhQWFiY//aAAwDAQACEQMRAD8AzogRQyMEDImZcxLZuONc \
    iQl30rJNJecYdaUbCUlDyurdHzs0pb8k9h1//9k=
    """,
    "progressive": """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQ \
    DQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQU \
    FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wgARCAAQABADAREAAhEBAxEB/8QAFgABAQEAAAAA \
    AAAAAAAAAAAACAYH/8QAFwEBAQEBAAAAAAAAAAAAAAAACAcGCf/aAAwDAQACEAMQAAABznCqmBcY6UPOaGIy \
    4I//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAEFAh//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAED \
    AQE/AR//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAECAQE/AR//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oA \
    CAEBAAY/Ah//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/IR//2gAMAwEAAgADAAAAEOrP/8QAFBEB \
    AAAAAAAAAAAAAAAAAAAAIP/aAAgBAwEBPxAf/8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgBAgEBPxAf/8QA \
    FBABAAAAAAAAAAAAAAAAAAAAIP/aAAgBAQABPxAf/9k=
    """,
    "gray": """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQ \
    DQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/wAALCAAQABABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAACQcI \
    /8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwDOiBFDIw//2Q==
    """,
    "inks": """
    /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0O \
    EQ4LCxAWEBETFBUVFQwPFxgWFBgSFBUU/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAA \
    AAAAAAAKCf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBEMATQBZAEsAAD8A1TZVMqmqaVcVUAqoSriqgVUD \
    /9k=
    """,
    "restarted": """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQ \
    DQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQU \
    FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQABADAREAAhEBAxEB/8QAFgABAQEAAAAA \
    AAAAAAAAAAAACQYI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABgBAAIDAAAAAAAAAAAAAAAAAAAJBgcI/8QA \
    FBEBAAAAAAAAAAAAAAAAAAAAAP/dAAQAAf/aAAwDAQACEQMRAD8Azoow1N//0D3NTQd//9G7YfLif//SVMB/ \
    /9k=
    """,
  ]

  private func bytes(_ name: String) throws -> [UInt8] {
    let text = try #require(Self.files[name])
    return [UInt8](try #require(Data(base64Encoded: text.filter { $0 != " " })))
  }

  private func decode(_ name: String, transform: Int? = nil) throws -> JPEGPicture {
    try #require(
      JPEGDecoder.decode(bytes(name), colorTransform: transform, budget: Budget(input: 1 << 20)))
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
    var plain = try bytes("inks")
    #expect(plain[2...3] == [0xFF, 0xEE] && plain[4...5] == [0, 14])
    plain.removeSubrange(2..<18)
    func samples(_ transform: Int?) throws -> [UInt8] {
      try #require(
        JPEGDecoder.decode(plain, colorTransform: transform, budget: Budget(input: 1 << 20))
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
    var named = try bytes("baseline")
    let frame = try #require(named.firstRange(of: [0xFF, 0xC0])).lowerBound
    let scan = try #require(named.firstRange(of: [0xFF, 0xDA])).lowerBound
    for (index, name) in "RGB".utf8.enumerated() {
      named[frame + 10 + 3 * index] = name
      named[scan + 5 + 2 * index] = name
    }
    func samples(_ transform: Int?) throws -> [UInt8] {
      try #require(
        JPEGDecoder.decode(named, colorTransform: transform, budget: Budget(input: 1 << 20))
      ).samples
    }
    #expect(try samples(nil) == decode("baseline", transform: 0).samples)
    #expect(try samples(1) == decode("baseline").samples)
  }

  @Test func picturesInPDFs() throws {
    for (name, space) in [("baseline", "RGB"), ("gray", "Gray"), ("progressive", "Gray")] {
      var sketch = PDFSketch("8 0 0 8 0 0 cm /I Do")
      let image = sketch.addStream(
        "/Subtype /Image /Width 9 /Height 9 /ColorSpace /Device\(space) /Filter /DCTDecode",
        try bytes(name))
      sketch.resources = "/XObject << /I \(image) 0 R >>"
      let picture = try sketch.picture()
      #expect(picture.isNear(2, 2, name == "gray" ? [76, 76, 76, 255] : red, by: 8), "\(name)")
      #expect(picture.isNear(6, 6, white, by: 8))
    }
  }

  /// Decoding incomplete or damaged data ends soon, with or without a picture.
  @Test(arguments: ["baseline", "progressive", "restarted", "inks"])
  func damagedPictures(name: String) throws {
    let whole = try bytes(name)
    for count in 0..<whole.count {
      _ = JPEGDecoder.decode(
        Array(whole.prefix(count)), colorTransform: nil, budget: Budget(input: 1 << 20))
    }
    for place in whole.indices {
      for value in [255, whole[place] ^ 1] {
        var damaged = whole
        damaged[place] = value
        _ = JPEGDecoder.decode(damaged, colorTransform: nil, budget: Budget(input: 1 << 20))
      }
    }
  }
}
