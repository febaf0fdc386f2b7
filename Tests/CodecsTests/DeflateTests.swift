// Carve's deflate streams: they are read back, and compared with those of zlib byte by byte.

import Support
import Testing

@testable import Codecs

struct DeflateTests {
  private func encode(_ bytes: [UInt8], _ encoder: inout GzipEncoder) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBytes { encoder.encode($0, appendingTo: &output) }
    return output
  }

  private func decode(_ stream: [UInt8], room: Int) throws -> [UInt8] {
    try decoded(stream, room: room) { try Inflate.decode($0, wrapper: .gzip, into: $1) }
  }

  @Test("Deflated bytes are inflated to the same bytes, after any earlier use of the encoder")
  func roundTrips() throws {
    var used = GzipEncoder()
    for sample in Sample.all {
      let stream = encode(sample.bytes, &used)
      #expect(try decode(stream, room: sample.bytes.count) == sample.bytes, "\(sample)")
      var fresh = GzipEncoder()
      #expect(encode(sample.bytes, &fresh) == stream, "\(sample)")
    }
  }

  @Test("Random pixels come back")
  func roundTripsPixels() throws {
    var generator = SeededGenerator.forTest(21)
    var encoder = GzipEncoder()
    for _ in 0..<40 {
      let colors = (0...generator.pick(0...40)).map { _ in generator.bytes(4) }
      var bytes: [UInt8] = []
      for _ in 0..<generator.pick(0...900) {
        let color = colors[generator.pick(0...colors.count - 1)]
        for _ in 0..<generator.pick(1...generator.pick(1...20)) { bytes += color }
      }
      let stream = encode(bytes, &encoder)
      #expect(try decode(stream, room: bytes.count) == bytes, "\(generator)")
    }
  }

  /// Members that zlib 1.2.13 wrote at level 6: their sizes and check values.
  struct Member: CustomStringConvertible, Sendable {
    let sample: Sample
    let size: Int
    let check: UInt32
    var description: String { sample.description }
  }

  @Test(
    "The bytes are those of zlib's sixth level",
    arguments: [
      Member(sample: .zeros(0), size: 20, check: 0xC6EE_70FB),
      Member(sample: .noise(7), size: 27, check: 0xB7B9_52D8),
      Member(sample: .zeros(70_000), size: 103, check: 0xE408_58C9),
      Member(sample: .twoTone(5000), size: 228, check: 0x63E6_5D66),
      Member(sample: .noise(40_003), size: 40_036, check: 0xEE8D_62F4),
      Member(sample: .longRuns(45_000), size: 15_380, check: 0x5C6E_417D),
      Member(sample: .longRuns(120_000), size: 120_058, check: 0x6D7F_88A3),
      Member(sample: .picture(300_000), size: 121_307, check: 0xB415_CD90),
      Member(
        sample: Sample(name: "pattern", bytes: Fixtures.pattern(6000)), size: 1684,
        check: 0x3304_93EB),
    ])
  func agreesWithZlib(_ member: Member) {
    var encoder = GzipEncoder()
    let stream = encode(member.sample.bytes, &encoder)
    #expect(stream.count == member.size)
    #expect(stream.withUnsafeBytes { Checksum.crc32($0) } == member.check)
  }

  @Test("A prefix code fills its space and keeps to its longest word", arguments: [7, 15])
  func limitsCodes(_ longest: Int) {
    var generator = SeededGenerator.forTest(22)
    for _ in 0..<200 {
      // If counts double from symbol to symbol, the optimal words are as long as there are symbols.
      let steepness = generator.pick(0...2)
      let counts = (0..<generator.pick(3...30)).map { symbol in
        generator.pick(0...3) == 0 ? 0 : generator.pick(1...9) << (steepness * symbol / 2)
      }
      let code = PrefixCode(counts, longest: longest)
      let space = code.lengths.reduce(0) { $1 == 0 ? $0 : $0 + 1 << (longest - $1) }
      #expect(space == 1 << longest, "\(generator)")
      #expect(code.lengths.allSatisfy { $0 <= longest }, "\(generator)")
      #expect(zip(counts, code.lengths).allSatisfy { $0 == 0 || $1 > 0 }, "\(generator)")
    }
  }

  @Test(
    "Apple's tool deflates the same pixels to the same bytes",
    .enabled(if: corpusRoot != nil, "CARVE_CORPUS names no folder"))
  func agreesWithApple() throws {
    var found = 0
    for path in corpusFiles(endingWith: ".car") {
      for member in gzipMembers(in: contents(ofFile: path)) {
        let room = member.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let pixels = try decode(member, room: room)
        var encoder = GzipEncoder()
        #expect(encode(pixels, &encoder) == member, "\(path)")
        found += 1
      }
    }
    #expect(found > 0, "the corpus has no bitmap that is deflated")
  }

  /// Returns the deflated bodies of the bitmap payloads that have one chunk.
  private func gzipMembers(in file: [UInt8]) -> [[UInt8]] {
    let mark = Array("MLEC".utf8)
    return file.indices.dropLast(16).compactMap { place in
      guard file[place] == mark[0], Array(file[place..<place + 4]) == mark,
        file[place + 4] & 1 == 0, file[place + 8] == 2
      else { return nil }
      let size = file[place + 12..<place + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard size <= file.count - place - 16 else { return nil }
      return Array(file[place + 16..<place + 16 + size])
    }
  }
}
