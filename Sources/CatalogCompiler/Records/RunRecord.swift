// The record of a run, as the cache stores it: rows of observations, their paths, and the answer of
// the run. Rows are compared in place, without decoding the record, because a catalogue has tens of
// thousands.
//
//   0   magic, checksum of the rest, number of rows, start of places, start of answer, key
//                                                                             7 × 8 bytes
//   56  rows                                                                  64 bytes each
//       paths, each with a zero byte at its end
//       places of pixels in the archive: numbers of 4 bytes; may be empty
//       the answer, as JSON

import Bytes
import CDeflate
import Codecs
import Host

/// A complete record. Its rows and their paths are inside of its bytes.
struct RunRecord: Sendable {
  private(set) var bytes: [UInt8]
  let count: Int
  private let placesStart: Int
  private let answerStart: Int

  /// The text "CRVRUN03", read as a little-endian number.
  private static let magic: UInt64 = 0x3330_4e55_5256_5243
  private static let headSize = 56
  private static let rowSize = 64

  /// The key of the command line. With it, a record under the name of another key is not accepted.
  var key: Digest128 { Digest128(first: bytes.little(at: 40), second: bytes.little(at: 48)) }

  /// Creates a record with these rows.
  init(
    _ observations: [Observation], of key: Digest128, places: [UInt32] = [], answer: [UInt8]
  ) {
    count = observations.count
    var paths: [UInt8] = []
    var rows: [UInt8] = []
    rows.reserveCapacity(observations.count * RunRecord.rowSize)
    let start = RunRecord.headSize + observations.count * RunRecord.rowSize
    for observation in observations {
      let row = RecordRow(observation, path: start + paths.count)
      row.append(to: &rows)
      paths += observation.path.bytes + [0]
    }
    placesStart = start + paths.count
    answerStart = placesStart + 4 * places.count
    bytes = []
    bytes.reserveCapacity(answerStart + answer.count)
    for number in [
      RunRecord.magic, 0, UInt64(count), UInt64(placesStart), UInt64(answerStart), key.first,
      key.second,
    ] { bytes.append(little: number) }
    bytes += rows
    bytes += paths
    for word in places { Swift.withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    bytes += answer
    seal()
  }

  /// Reads a record; nil if the bytes are not a complete record of this version.
  init?(_ bytes: [UInt8]) {
    let head = RunRecord.headSize
    guard bytes.count >= head, bytes.little(at: 0) == RunRecord.magic,
      bytes.little(at: 8) == RunRecord.checksum(bytes),
      let count = Int(exactly: bytes.little(at: 16)),
      count <= (bytes.count - head) / RunRecord.rowSize,
      let placesStart = Int(exactly: bytes.little(at: 24)), placesStart <= bytes.count,
      let answerStart = Int(exactly: bytes.little(at: 32)), answerStart <= bytes.count,
      answerStart >= placesStart
    else { return nil }
    let paths = head + count * RunRecord.rowSize
    // The last path ends before the next part, and therefore every path does.
    guard placesStart > paths ? bytes[placesStart - 1] == 0 : count == 0 else { return nil }
    (self.bytes, self.count) = (bytes, count)
    (self.placesStart, self.answerStart) = (placesStart, answerStart)
    for index in 0..<count {
      let row = row(index)
      guard row.path >= paths, row.path < placesStart else { return nil }
    }
  }

  var answer: [UInt8] {
    get { Array(bytes[answerStart...]) }
    set {
      bytes.replaceSubrange(answerStart..., with: newValue)
      seal()
    }
  }

  /// The places of pixels in the archive; nil if the run stored none.
  var places: StoredPlaces? {
    let words = bytes.withUnsafeBytes { bytes in
      stride(from: placesStart, to: answerStart - 3, by: 4).map {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
      }
    }
    return StoredPlaces(words)
  }

  func row(_ index: Int) -> RecordRow {
    RecordRow(bytes, at: RunRecord.headSize + index * RunRecord.rowSize)
  }

  func path(of row: RecordRow) -> ByteString {
    ByteString(bytes: Array(bytes[row.path...].prefix { $0 != 0 }))
  }

  mutating func replace(_ rows: [(index: Int, row: RecordRow)]) {
    for (index, row) in rows {
      var fresh: [UInt8] = []
      row.append(to: &fresh)
      let start = RunRecord.headSize + index * RunRecord.rowSize
      bytes.replaceSubrange(start..<start + RunRecord.rowSize, with: fresh)
    }
    seal()
  }

  private mutating func seal() {
    let checksum = RunRecord.checksum(bytes)
    withUnsafeBytes(of: checksum.littleEndian) { value in
      bytes.replaceSubrange(8..<16, with: value)
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { all in
      let rest = UnsafeRawBufferPointer(rebasing: all[16...])
      return UInt64(carve_crc32(0, rest.baseAddress, rest.count)) << 32
        | UInt64(rest.count & 0xFFFF_FFFF)
    }
  }
}

/// One path in a record.
struct RecordRow: Sendable {
  var kind: Observation.Kind?
  var identity: FileIdentity
  /// The digest; nil if it was not made. The identity then decides alone whether the file changed.
  var digest: Digest128?
  var isSettled: Bool
  /// The offset of its path in the record.
  let path: Int

  init(_ observation: Observation, path: Int) {
    kind = observation.kind
    identity =
      observation.identity
      ?? FileIdentity(device: 0, inode: 0, size: 0, modified: 0, changed: 0)
    digest = observation.digest
    isSettled = observation.isSettled
    self.path = path
  }

  /// Reads a row at an offset that is known to be valid.
  init(_ bytes: [UInt8], at start: Int) {
    func number(_ place: Int) -> UInt64 { bytes.little(at: start + 8 * place) }
    identity = FileIdentity(
      device: number(0), inode: number(1), size: number(2),
      modified: Int64(bitPattern: number(3)), changed: Int64(bitPattern: number(4)))
    let last = number(7)
    digest = last >> 41 & 1 == 1 ? nil : Digest128(first: number(5), second: number(6))
    path = Int(last & 0xFFFF_FFFF)
    kind = Observation.Kind(rawValue: UInt8(last >> 32 & 0xFF))
    isSettled = last >> 40 & 1 == 1
  }

  func append(to bytes: inout [UInt8]) {
    let kind = UInt64((self.kind ?? .absent).rawValue)
    for number in [
      identity.device, identity.inode, identity.size, UInt64(bitPattern: identity.modified),
      UInt64(bitPattern: identity.changed), digest?.first ?? 0, digest?.second ?? 0,
      UInt64(path) | kind << 32 | (isSettled ? 1 << 40 : 0) | (digest == nil ? 1 << 41 : 0),
    ] { bytes.append(little: number) }
  }
}

extension [UInt8] {
  /// Appends a number, least significant byte first.
  mutating func append(little number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Returns the number in the eight bytes at an offset that is known to be valid.
  func little(at offset: Int) -> UInt64 {
    withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}
