// LZFSE and LZVN: round trips, streams of other programs, and damaged streams.

import Support
import Testing

@testable import Codecs

struct LempelZivTests {
  private func encode(_ bytes: [UInt8], _ encoder: inout LZFSEEncoder) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBytes { encoder.encode($0, appendingTo: &output) }
    return output
  }

  private func decode(_ bytes: [UInt8], room: Int) throws -> [UInt8] {
    try decoded(bytes, room: room) { try LZFSE.decode($0, into: $1) }
  }

  @Test("LZFSE gives back what it was given", arguments: LZFSEEncoder.Effort.allCases)
  func roundTrips(_ effort: LZFSEEncoder.Effort) throws {
    // One encoder for all inputs, so that each one starts with the tables of the previous one.
    var encoder = LZFSEEncoder(effort: effort)
    for sample in Sample.all {
      let encoded = encode(sample.bytes, &encoder)
      #expect(try decode(encoded, room: sample.bytes.count) == sample.bytes, "\(sample)")
      let sizes = try encoded.withUnsafeBytes { try LZFSE.sizes($0) }
      #expect(sizes == (sample.bytes.count, encoded.count), "\(sample)")
      #expect(encoded.count <= sample.bytes.count + 12, "\(sample) grows")
    }
  }

  @Test("The search for long matches gives back what it was given")
  func roundTripsWithLongMatches() throws {
    var encoder = LZFSEEncoder(effort: .fast)
    encoder.fastMatches = .long
    for sample in Sample.all {
      let encoded = encode(sample.bytes, &encoder)
      #expect(try decode(encoded, room: sample.bytes.count) == sample.bytes, "\(sample)")
    }
  }

  @Test("Only the search for all matches takes nine bytes", arguments: [9, 40])
  func takesLongMatchesOnly(length: Int) {
    // Pieces of the first bytes, and three random bytes before each.
    let random = Sample.noise(20_000).bytes
    var bytes = Array(random[..<64])
    for place in stride(from: 64, to: 6000, by: 3) {
      let start = place * 7 % 24
      bytes += random[place..<place + 3] + random[start..<start + length]
    }
    var encoder = LZFSEEncoder(effort: .fast)
    let all = encode(bytes, &encoder).count
    encoder.fastMatches = .long
    let long = encode(bytes, &encoder).count
    #expect(length == 9 ? all < long * 4 / 5 : abs(all - long) < all / 20, "\(all), \(long)")
  }

  @Test("Streams of every effort keep their bytes, after any earlier effort of the encoder")
  func keepsBytes() {
    var encoder = LZFSEEncoder()
    var lines = ""
    for sample in Sample.all {
      for effort in LZFSEEncoder.Effort.allCases {
        encoder.effort = effort
        let stream = encode(sample.bytes, &encoder)
        let sum = stream.withUnsafeBytes { Checksum.crc32($0) }
        lines += "\(effort) \(sample): \(stream.count) bytes, \(String(sum, radix: 16))\n"
      }
    }
    golden(lines, "streams.txt")
  }

  @Test("LZVN gives back what it was given", arguments: Sample.all)
  func bareRoundTrips(_ sample: Sample) throws {
    var encoded: [UInt8] = []
    sample.bytes.withUnsafeBytes { LZVN.encode($0, appendingTo: &encoded) }
    let back = try decoded(encoded, room: sample.bytes.count) { try LZVN.decode($0, into: $1) }
    #expect(back == sample.bytes)
  }

  @Test("The same input gives the same bytes, after any earlier input")
  func forgetsEarlierInputs() {
    var used = LZFSEEncoder()
    for sample in Sample.all { _ = encode(sample.bytes, &used) }
    var copy = used
    for sample in [Sample.picture(5000), .twoTone(4096), .picture(271)] {
      var fresh = LZFSEEncoder()
      let expected = encode(sample.bytes, &fresh)
      #expect(encode(sample.bytes, &used) == expected)
      #expect(encode(sample.bytes, &copy) == expected)
    }
  }

  @Test("Streams of the reference encoder are read")
  func readsTheReference() throws {
    let entropy = Fixtures.bytes(Fixtures.entropyCoded)
    #expect(try decode(entropy, room: 6000) == Fixtures.pattern(6000))
    let bytes = Fixtures.bytes(Fixtures.byteCoded)
    #expect(try decode(bytes, room: 700) == Fixtures.pattern(700))
    #expect(try decode(entropy + bytes, room: 9000).count == 6000, "the end mark ends it")
  }

  @Test("The default is not larger than the reference encoder's stream")
  func isSmall() {
    var encoder = LZFSEEncoder()
    let size = encode(Fixtures.pattern(6000), &encoder).count
    #expect(size <= Fixtures.bytes(Fixtures.entropyCoded).count)
  }

  @Test("More effort gives no more bytes on pictures")
  func effortPays() {
    let picture = Sample.picture(50_000).bytes
    let sizes = [LZFSEEncoder.Effort.fast, .standard, .smallest].map { effort in
      var encoder = LZFSEEncoder(effort: effort)
      return encode(picture, &encoder).count
    }
    #expect(sizes == sizes.sorted(by: >))
  }

  @Test("A stream cut at any byte is refused, and a destination too small as well")
  func refusesCutStreams() {
    for stream in [Fixtures.entropyCoded, Fixtures.byteCoded].map(Fixtures.bytes) {
      for count in 0..<stream.count {
        #expect(throws: CodecError.self) { try decode(Array(stream.prefix(count)), room: 6000) }
      }
      for room in [0, 1, 699] {
        #expect(throws: CodecError.self) { try decode(stream, room: room) }
      }
    }
  }

  @Test("Changed bytes never trap and never write past the destination")
  func survivesMutations() {
    var generator = SeededGenerator.forTest(3)
    let streams = [Fixtures.entropyCoded, Fixtures.byteCoded].map(Fixtures.bytes)
    for _ in 0..<600 {
      var stream = streams[generator.pick(0...1)]
      for _ in 0...generator.pick(0...3) {
        stream[generator.pick(0...stream.count - 1)] = UInt8(truncatingIfNeeded: generator.next())
      }
      let room = generator.pick(0...6100)
      var output = [UInt8](repeating: 0xA5, count: room + 64)
      stream.withUnsafeBytes { source in
        output.withUnsafeMutableBytes { target in
          let part = UnsafeMutableRawBufferPointer(rebasing: target[..<room])
          _ = try? LZFSE.decode(source, into: part)
          _ = try? LZVN.decode(source, into: part)
        }
      }
      #expect(output[room...].allSatisfy { $0 == 0xA5 }, "\(generator)")
    }
  }
}
