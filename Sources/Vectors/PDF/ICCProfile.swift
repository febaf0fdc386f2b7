// ICC profiles of matrix and curves, and of a gray curve: how their colours become sRGB's.

/// What a profile means, as far as colours are converted by calculation.
struct ICCProfile {
  private var curves: [ToneCurve]
  /// From linear values of the profile to linear sRGB, row by row; empty for gray.
  private var matrix: [Double]

  enum Kind {
    /// Nothing to convert.
    case standard
    case calculated(ICCProfile)
    /// Tables of all colours, or nothing that makes sense: taken for the device colours.
    case unknown
  }

  static func read(_ bytes: [UInt8], components: Int) -> Kind {
    let data = FontBytes(bytes)
    guard data.count >= 132 else { return .unknown }
    let tags = tagTable(data)
    if components == 1 {
      guard let curve = tags["kTRC"].flatMap({ ToneCurve(data, $0) }) else { return .unknown }
      return .calculated(ICCProfile(curves: [curve], matrix: []))
    }
    guard components == 3 else { return .unknown }
    if let place = tags["desc"], saysStandard(data.bytes[place]) { return .standard }
    var curves: [ToneCurve] = []
    var columns: [[Double]] = []
    for channel in ["r", "g", "b"] {
      guard let xyz = tags[channel + "XYZ"], xyz.count >= 20,
        let curve = tags[channel + "TRC"].flatMap({ ToneCurve(data, $0) })
      else { return .unknown }
      curves.append(curve)
      columns.append((0..<3).map { fixed(data, xyz.lowerBound + 8 + 4 * $0) })
    }
    let profile = ICCProfile(curves: curves, matrix: product(fromXYZ, columns))
    return profile.isStandard ? .standard : .calculated(profile)
  }

  /// From D50 XYZ to linear sRGB.
  private static let fromXYZ = [
    3.133_856_1, -1.616_866_7, -0.490_614_6, -0.978_768_4, 1.916_141_5, 0.033_454_0,
    0.071_945_3, -0.228_991_4, 1.405_242_7,
  ]

  private static func product(_ matrix: [Double], _ columns: [[Double]]) -> [Double] {
    var result: [Double] = []
    for row in 0..<3 {
      for column in columns {
        result.append(
          matrix[3 * row] * column[0] + matrix[3 * row + 1] * column[1]
            + matrix[3 * row + 2] * column[2])
      }
    }
    return result
  }

  static func fixed(_ data: FontBytes, _ offset: Int) -> Double {
    Double(Int32(truncatingIfNeeded: data.u32(offset))) / 65536
  }

  private static func tagTable(_ data: FontBytes) -> [String: Range<Int>] {
    var tags: [String: Range<Int>] = [:]
    for index in 0..<min(data.u32(128), 100) {
      let record = 132 + 12 * index
      let name = data.bytes[data.clamped(record, count: 4)]
      tags[String(decoding: name, as: UTF8.self)] = data.clamped(
        data.u32(record + 4), count: data.u32(record + 8))
    }
    return tags
  }

  /// Whether a description, in one or two bytes a letter, begins a word with `sRGB`.
  private static func saysStandard(_ bytes: ArraySlice<UInt8>) -> Bool {
    let letters = bytes.filter { $0 != 0 }
    let wanted = Array("sRGB".utf8)
    guard letters.count >= wanted.count else { return false }
    return (0...letters.count - wanted.count).contains {
      letters[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
  }

  /// The primaries and curves of sRGB, to about half a unit of a byte.
  private var isStandard: Bool {
    for (index, value) in matrix.enumerated()
    where abs(value - (index % 4 == 0 ? 1 : 0)) > 0.003 {
      return false
    }
    return curves.allSatisfy { curve in
      [0.02, 0.1, 0.3, 0.5, 0.8].allSatisfy { abs(SRGB.encoded(curve.linear($0)) - $0) < 0.003 }
    }
  }

  /// The colour for values from 0 to 1, one for each curve.
  func color(_ values: [Double]) -> Color {
    guard curves.count == 3, values.count >= 3 else {
      let gray = SRGB.encoded(curves[0].linear(values.first ?? 0))
      return Color(gray, gray, gray)
    }
    let (r, g, b) = (
      curves[0].linear(values[0]), curves[1].linear(values[1]), curves[2].linear(values[2])
    )
    func channel(_ row: Int) -> Double {
      SRGB.encoded(matrix[row] * r + matrix[row + 1] * g + matrix[row + 2] * b)
    }
    return Color(channel(0), channel(3), channel(6))
  }
}

/// A curve from values of a profile to intensities.
private struct ToneCurve {
  private var table: [Double] = []
  private var gamma = 1.0
  /// (a·x + b)^gamma + e from `limit` on, c·x + f below.
  private var a = 1.0
  private var b = 0.0
  private var c = 0.0
  private var limit = -1.0
  private var e = 0.0
  private var f = 0.0

  init?(_ data: FontBytes, _ place: Range<Int>) {
    let start = place.lowerBound
    let type = data.bytes[place.prefix(4)]
    if type.elementsEqual("curv".utf8) {
      let count = data.u32(start + 8)
      guard count <= 65536, place.count >= 12 + 2 * count else { return nil }
      if count == 1 {
        gamma = Double(data.u16(start + 12)) / 256
      } else {
        table = (0..<count).map { Double(data.u16(start + 12 + 2 * $0)) / 65535 }
      }
    } else if type.elementsEqual("para".utf8) {
      let counts = [1, 3, 4, 5, 7]
      let kind = data.u16(start + 8)
      guard kind < counts.count, place.count >= 12 + 4 * counts[kind] else { return nil }
      setParameters(kind, (0..<counts[kind]).map { ICCProfile.fixed(data, start + 12 + 4 * $0) })
    } else {
      return nil
    }
  }

  private mutating func setParameters(_ kind: Int, _ p: [Double]) {
    gamma = p[0]
    guard kind > 0 else { return }
    (a, b) = (p[1], p[2])
    switch kind {
    case 1: limit = a == 0 ? 0 : -b / a
    case 2:
      limit = a == 0 ? 0 : -b / a
      (e, f) = (p[3], p[3])
    default: (c, limit) = (p[3], p[4])
    }
    if kind == 4 { (e, f) = (p[5], p[6]) }
  }

  func linear(_ value: Double) -> Double {
    let x = min(max(value, 0), 1)
    guard table.isEmpty else {
      guard table.count > 1 else { return x }
      let place = x * Double(table.count - 1)
      let low = min(Int(place), table.count - 2)
      return table[low] + (place - Double(low)) * (table[low + 1] - table[low])
    }
    guard x >= limit else { return c * x + f }
    return Mathematics.power(max(a * x + b, 0), gamma) + e
  }
}

/// The transfer curve of sRGB.
enum SRGB {
  /// The byte-like value, from 0 to 1, of an intensity.
  static func encoded(_ value: Double) -> Double {
    guard value > 0.003_130_8 else { return value > 0 ? value * 12.92 : 0 }
    return value < 1 ? 1.055 * Mathematics.power(value, 1 / 2.4) - 0.055 : 1
  }
}
