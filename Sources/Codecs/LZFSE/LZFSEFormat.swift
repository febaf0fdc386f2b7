// The constants of the LZFSE format: block marks, limits, the value classes of literal lengths (L),
// match lengths (M) and distances (D), and the code of the frequency tables.

enum LZFSEBlock {
  static let end: UInt32 = 0x2478_7662  // bvx$
  static let raw: UInt32 = 0x2D78_7662  // bvx-
  static let lzvn: UInt32 = 0x6E78_7662  // bvxn
  static let plainTables: UInt32 = 0x3178_7662  // bvx1
  static let packedTables: UInt32 = 0x3278_7662  // bvx2

  static let maximumLiterals = 40_000
  static let maximumMatches = 10_000
  static let maximumLiteralRun = 315
  static let maximumMatch = 2359
  static let maximumDistance = 262_139
  /// The bytes of a `bvx1` header, and of the fixed part of a `bvx2` header.
  static let plainHeaderSize = 772
  static let packedHeaderSize = 32
}

/// An alphabet of a block: its number of symbols, and the number of states of its coder.
struct LZFSEAlphabet {
  let symbols: Int
  let states: Int

  static let literalRun = LZFSEAlphabet(symbols: 20, states: 64)
  static let match = LZFSEAlphabet(symbols: 20, states: 64)
  static let distance = LZFSEAlphabet(symbols: 64, states: 256)
  static let literal = LZFSEAlphabet(symbols: 256, states: 1024)

  /// The four alphabets in the order in which a block lists their frequencies, 360 in total.
  static let all = [literalRun, match, distance, literal]
  static let frequencyCount = 360
}

/// Value classes: a symbol stands for `base + extra bits`.
struct LZFSEValues: Sendable {
  let bits: [UInt8]
  let base: [UInt32]

  init(bits: [UInt8]) {
    self.bits = bits
    var next: UInt32 = 0
    base = bits.map { count in
      defer { next += 1 << UInt32(count) }
      return next
    }
  }

  static let literalRun = LZFSEValues(bits: [UInt8](repeating: 0, count: 16) + [2, 3, 5, 8])
  static let match = LZFSEValues(bits: [UInt8](repeating: 0, count: 16) + [3, 5, 8, 11])
  static let distance = LZFSEValues(bits: (0..<64).map { UInt8($0 / 4) })
}

/// The code of one frequency, read from the lowest bits up: 2, 3, 5, 8 or 14 bits.
enum LZFSEFrequencyCode {
  static func decode(_ bits: UInt32) -> (value: UInt16, length: Int) {
    switch bits & 7 {
    case 0, 4: (0, 2)
    case 2, 6: (1, 2)
    case 1: (2, 3)
    case 5: (3, 3)
    case 3: (UInt16(4 + (bits >> 3 & 3)), 5)
    default:
      if bits & 15 == 7 {
        (UInt16(8 + (bits >> 4 & 15)), 8)
      } else {
        (UInt16(24 + (bits >> 4 & 1023)), 14)
      }
    }
  }

  static func encode(_ value: UInt16) -> (bits: UInt32, length: Int) {
    let value = UInt32(value)
    switch value {
    case 0: return (0, 2)
    case 1: return (2, 2)
    case 2: return (1, 3)
    case 3: return (5, 3)
    case 4...7: return (3 | (value - 4) << 3, 5)
    case 8...23: return (7 | (value - 8) << 4, 8)
    default: return (15 | (value - 24) << 4, 14)
    }
  }
}
