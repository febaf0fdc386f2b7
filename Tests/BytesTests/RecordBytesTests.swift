// Tests the serialiser of Carve's own files: values come back as they were written, and bytes that
// are cut short or state wrong lengths are refused.

import Bytes
import Testing

@Suite struct RecordBytesTests {
  private static let bytes: [UInt8] = {
    var bytes: [UInt8] = []
    bytes.append(number: 0x0102_0304_0506_0708)
    bytes.append(word: 7)
    bytes.append(digest: Digest128(first: 1, second: .max))
    bytes.append(run: [1, 2, 3])
    bytes.append(name: "A.xcassets")
    return bytes
  }()

  private func read(
    _ bytes: [UInt8]
  ) throws -> (UInt64, UInt32, Digest128, [UInt8], ByteString, Bool) {
    try bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      return (
        try reader.number(), try reader.word(), try reader.digest(), Array(try reader.run()),
        try reader.name(), reader.isAtEnd
      )
    }
  }

  @Test func valuesComeBackAsTheyWereWritten() throws {
    let found = try read(Self.bytes)
    #expect(found.0 == 0x0102_0304_0506_0708 && found.1 == 7)
    #expect(found.2 == Digest128(first: 1, second: .max))
    #expect(found.3 == [1, 2, 3] && found.4 == "A.xcassets" && found.5)
    #expect(Self.bytes.number(at: 0) == 0x0102_0304_0506_0708 && Self.bytes[0] == 8)
  }

  @Test func everyShorterRecordIsRefused() {
    for count in Self.bytes.indices {
      #expect(throws: RecordDamage.self) { _ = try read(Array(Self.bytes[..<count])) }
    }
  }

  @Test(arguments: [UInt64.max, 1 << 57, 1 << 63, 9])
  func aRunLongerThanTheRestIsRefused(count: UInt64) {
    var bytes: [UInt8] = []
    bytes.append(number: count)
    bytes += [UInt8](repeating: 1, count: 8)
    #expect(throws: RecordDamage.self) {
      try bytes.withUnsafeBytes { bytes in
        var reader = RecordReader(bytes)
        _ = try reader.run()
      }
    }
  }

  @Test func aNameWithAZeroByteIsRefused() {
    var bytes: [UInt8] = []
    bytes.append(run: [65, 0, 66])
    #expect(throws: RecordDamage.self) {
      try bytes.withUnsafeBytes { bytes in
        var reader = RecordReader(bytes)
        _ = try reader.name()
      }
    }
  }
}
