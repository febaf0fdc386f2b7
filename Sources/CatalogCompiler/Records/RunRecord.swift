// The record of a run, as it lies in the cache: rows of what was seen, the paths, and what the run said.
// Rows are compared where they lie, without being taken apart: a catalogue has tens of thousands.
//
//   0   magic, checksum of what follows, number of rows, where places and answer begin, key  7 × 8 bytes
//   56  rows                                                                        64 bytes each
//       paths, each with a zero at its end
//       where pixels lie in the archive: numbers of 4 bytes, or none
//       the answer, as JSON

import Bytes
import CDeflate
import Codecs
import Host

/// A record that is whole. Its rows lie within its bytes, and so do their paths.
struct RunRecord: Sendable {
  private(set) var bytes: [UInt8]
  let count: Int
  private let placesStart: Int
  private let answerStart: Int

  /// "CRVRUN03"
  private static let magic: UInt64 = 0x3330_4e55_5256_5243
  private static let headSize = 56
  private static let rowSize = 64

  /// Of the command line, so that a record under another name is none.
  var key: Digest128 { Digest128(first: bytes.little(at: 40), second: bytes.little(at: 48)) }

  /// A record of these rows.
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

  /// Nil for anything that is no whole record of this version.
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
    // The last path ends before what follows: so does every other.
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

  /// Where pixels lie in the archive, where the run said so.
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
  /// nil where nobody took it: then the file is what its identity says, or another one.
  var digest: Digest128?
  var isSettled: Bool
  /// Where in the record its path begins.
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

  /// At a place that has the bytes of a row.
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
  /// The least byte first.
  mutating func append(little number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Eight bytes at an offset that is known to be in range.
  func little(at offset: Int) -> UInt64 {
    withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}
