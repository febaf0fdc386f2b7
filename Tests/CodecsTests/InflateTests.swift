// Deflate streams of zlib, whole and damaged.

import Support
import Testing

@testable import Codecs

struct InflateTests {
  struct Case: CustomStringConvertible, Sendable {
    let description: String
    let wrapper: Inflate.Wrapper
    let stream: [UInt8]
    let expected: [UInt8]
  }

  static let cases = [
    Case(
      description: "fixed codes", wrapper: .raw, stream: Fixtures.bytes(Fixtures.fixedCodes),
      expected: Fixtures.pattern(700)),
    Case(
      description: "dynamic codes in zlib", wrapper: .zlib,
      stream: Fixtures.bytes(Fixtures.dynamicCodes), expected: Fixtures.pattern(6000)),
    Case(
      description: "a stored block", wrapper: .raw, stream: Fixtures.bytes(Fixtures.stored),
      expected: Array(Fixtures.pattern(700).prefix(40))),
    Case(
      description: "gzip with a name", wrapper: .gzip, stream: Fixtures.bytes(Fixtures.gzip),
      expected: Fixtures.pattern(700)),
  ]

  private func inflate(_ stream: [UInt8], _ wrapper: Inflate.Wrapper, room: Int) throws -> [UInt8] {
    try decoded(stream, room: room) { try Inflate.decode($0, wrapper: wrapper, into: $1) }
  }

  @Test("Streams of zlib are read, into exact room and more", arguments: cases)
  func reads(_ item: Case) throws {
    for extra in [0, 1, 400] {
      let room = item.expected.count + extra
      #expect(try inflate(item.stream, item.wrapper, room: room) == item.expected)
    }
  }

  @Test("A stream cut at any byte is refused", arguments: cases)
  func refusesCutStreams(_ item: Case) {
    for count in 0..<item.stream.count {
      #expect(throws: CodecError.self, "\(count)") {
        try inflate(Array(item.stream.prefix(count)), item.wrapper, room: item.expected.count)
      }
    }
    #expect(throws: CodecError.self) {
      try inflate(item.stream, item.wrapper, room: item.expected.count - 1)
    }
  }

  @Test("A wrong check value is refused, at its offset")
  func checksValues() {
    for (text, wrapper, tail) in [
      (Fixtures.dynamicCodes, Inflate.Wrapper.zlib, 4), (Fixtures.gzip, .gzip, 8),
    ] {
      var stream = Fixtures.bytes(text)
      stream[stream.count - 1] ^= 1
      stream[stream.count - tail] ^= 1
      #expect(throws: CodecError.corrupt(at: stream.count - tail)) {
        try inflate(stream, wrapper, room: 6000)
      }
    }
  }

  @Test("Changed bytes never trap and never write past the destination", arguments: cases)
  func survivesMutations(_ item: Case) {
    var generator = SeededGenerator.forTest(5)
    for _ in 0..<300 {
      var stream = item.stream
      stream[generator.pick(0...stream.count - 1)] = UInt8(truncatingIfNeeded: generator.next())
      let room = generator.pick(0...6100)
      var output = [UInt8](repeating: 0xA5, count: room + 64)
      stream.withUnsafeBytes { source in
        output.withUnsafeMutableBytes { target in
          let part = UnsafeMutableRawBufferPointer(rebasing: target[..<room])
          _ = try? Inflate.decode(source, wrapper: item.wrapper, into: part)
        }
      }
      #expect(output[room...].allSatisfy { $0 == 0xA5 }, "\(generator)")
    }
  }
}
