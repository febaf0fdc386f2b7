// Reads ICC profiles of the simple kind: a matrix and three curves, or one curve for grey. Profiles
// with tables for all colours at once are not read; pictures with such a profile keep their
// numbers.

/// A curve from stored values to amounts of light.
package enum ToneCurve: Sendable, Equatable {
  /// The function of ICC's parametric curves: (a·x + b)^g + e from d on, c·x + f below.
  case function(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)
  /// Evenly spaced samples.
  case table([UInt16])

  package static func power(_ exponent: Double) -> ToneCurve {
    .function(g: exponent, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0)
  }

  package static let sRGB = ToneCurve.function(
    g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0)

  package func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .function(let g, let a, let b, let c, let d, let e, let f):
      let light = x >= d ? Colors.power(max(0, a * x + b), g) + e : c * x + f
      return min(1, max(0, light))
    case .table(let samples):
      let position = x * Double(samples.count - 1)
      let low = min(Int(position), samples.count - 2)
      let part = position - Double(low)
      return (Double(samples[low]) * (1 - part) + Double(samples[low + 1]) * part) / 65535
    }
  }

  /// Returns the largest difference from another curve.
  package func distance(to other: ToneCurve) -> Double {
    (0...64).reduce(0) { worst, step in
      max(worst, abs(self(Double(step) / 64) - other(Double(step) / 64)))
    }
  }
}

package enum ColorProfile: Sendable, Equatable {
  /// The columns of `toConnection` are the colorants in XYZ under the D50 white of profiles.
  case rgb(curves: [ToneCurve], toConnection: Matrix)
  case gray(ToneCurve)

  /// The colorants of sRGB, as its profiles state them.
  package static let sRGBColorants: Matrix = [
    [0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169],
    [0.0139322, 0.0971045, 0.7141733],
  ]
  package static let displayP3Colorants: Matrix = [
    [0.5151215, 0.2919769, 0.1571045], [0.2411957, 0.6922455, 0.0665741],
    [-0.0010529, 0.0418854, 0.7840729],
  ]
  package static let bt2020Colorants: Matrix = [
    [0.6734590, 0.1656590, 0.1251009], [0.2790330, 0.6753402, 0.0456268],
    [-0.0019337, 0.0299797, 0.7971622],
  ]
}

extension ColorProfile {
  /// Reads a profile. Returns nil if the profile is damaged or of another kind.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 132, bytes.bigEndian32(at: 36) == 0x6163_7370 else { return nil }
    guard bytes.bigEndian32(at: 20) == 0x5859_5a20 else { return nil }
    let tags = TagTable(bytes)
    switch bytes.bigEndian32(at: 16) {
    case 0x5247_4220:
      var curves: [ToneCurve] = []
      var columns: [SIMD3<Double>] = []
      for letter in [0x72, 0x67, 0x62] as [UInt32] {
        guard let curve = tags.curve(letter << 24 | 0x54_5243),
          let column = tags.xyz(letter << 24 | 0x58_595a)
        else { return nil }
        curves.append(curve)
        columns.append(column)
      }
      self = .rgb(
        curves: curves,
        toConnection: (0..<3).map { [columns[0][$0], columns[1][$0], columns[2][$0]] })
    case 0x4752_4159:
      guard let curve = tags.curve(0x6b54_5243) else { return nil }
      self = .gray(curve)
    default: return nil
    }
  }
}

extension ColorProfile {
  /// Creates the profile of the coding-independent code points of a PNG (cICP): primaries, transfer
  /// function, matrix, range. Returns nil if they are not known.
  package init?(codePoints values: [UInt8]) {
    guard values.count == 4, values[2] == 0, values[3] == 1 else { return nil }
    let colorants: Matrix
    switch values[0] {
    case 1: colorants = ColorProfile.sRGBColorants
    case 9: colorants = ColorProfile.bt2020Colorants
    case 12: colorants = ColorProfile.displayP3Colorants
    default: return nil
    }
    let curve: ToneCurve
    switch values[1] {
    case 8: curve = .power(1)
    case 13: curve = .sRGB
    case 1, 6, 14, 15:
      curve = .function(
        g: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081, e: 0, f: 0)
    default: return nil
    }
    self = .rgb(curves: [curve, curve, curve], toConnection: colorants)
  }
}

extension ColorProfile {
  /// Returns whether the description of a profile contains `sRGB`. The text has one or two bytes
  /// for each letter.
  package static func saysStandard(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 132, let text = TagTable(bytes).description else { return false }
    let letters = text.filter { $0 != 0 }
    let wanted = Array("sRGB".utf8)
    return letters.indices.dropLast(wanted.count - 1).contains {
      letters[$0...].starts(with: wanted)
    }
  }
}

/// The tags of a profile. The offsets and lengths of the file are checked against its bytes.
private struct TagTable {
  let bytes: UnsafeRawBufferPointer
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    // The header of 128 bytes and the count exist; the size of the file limits the table.
    count = min(Int(bytes.bigEndian32(at: 128)), (bytes.count - 132) / 12, 128)
  }

  private func element(_ tag: UInt32, atLeast size: Int) -> UnsafeRawBufferPointer? {
    for index in 0..<count where bytes.bigEndian32(at: 132 + 12 * index) == tag {
      let start = Int(bytes.bigEndian32(at: 136 + 12 * index))
      let length = Int(bytes.bigEndian32(at: 140 + 12 * index))
      guard length >= size, start <= bytes.count, length <= bytes.count - start else { return nil }
      return UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
    }
    return nil
  }

  var description: UnsafeRawBufferPointer? { element(0x6465_7363, atLeast: 0) }

  func xyz(_ tag: UInt32) -> SIMD3<Double>? {
    guard let body = element(tag, atLeast: 20), body.bigEndian32(at: 0) == 0x5859_5a20 else {
      return nil
    }
    return [body.fixed(at: 8), body.fixed(at: 12), body.fixed(at: 16)]
  }

  func curve(_ tag: UInt32) -> ToneCurve? {
    guard let body = element(tag, atLeast: 12) else { return nil }
    switch body.bigEndian32(at: 0) {
    case 0x6375_7276: return sampledCurve(body)
    case 0x7061_7261: return parametricCurve(body)
    default: return nil
    }
  }

  private func sampledCurve(_ body: UnsafeRawBufferPointer) -> ToneCurve? {
    let count = Int(body.bigEndian32(at: 8))
    guard count <= 65_536, 12 + 2 * count <= body.count else { return nil }
    if count == 0 { return .power(1) }
    if count == 1 { return .power(Double(body.bigEndian16(at: 12)) / 256) }
    return .table((0..<count).map { body.bigEndian16(at: 12 + 2 * $0) })
  }

  private func parametricCurve(_ body: UnsafeRawBufferPointer) -> ToneCurve? {
    let kind = Int(body.bigEndian16(at: 8))
    let counts = [1, 3, 4, 5, 7]
    guard counts.indices.contains(kind), body.count >= 12 + 4 * counts[kind] else { return nil }
    let p = (0..<counts[kind]).map { body.fixed(at: 12 + 4 * $0) }
    switch kind {
    case 0: return .power(p[0])
    case 1, 2:
      guard p[1] != 0 else { return nil }
      let offset = kind == 2 ? p[3] : 0
      return .function(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: offset, f: offset)
    case 3: return .function(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
    default: return .function(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
    }
  }
}

// MARK: - Conversion

/// The way from stored values to amounts of light in the primaries of sRGB.
package struct LightFromProfile: Sendable {
  /// The curves of red, green and blue.
  package let curves: [ToneCurve]
  /// The matrix from the stored primaries to those of sRGB, row by row.
  package let matrix: [Float]
  /// Whether the primaries contain many more colours than sRGB.
  package let isWide: Bool

  /// Creates the conversion of a profile; nil if the profile is sRGB, or so close to it that the
  /// difference does not matter.
  package init?(_ profile: ColorProfile) {
    switch profile {
    case .gray(let curve):
      // Archives store grey with a gamma of 2.2, so a profile with that gamma changes nothing.
      guard curve.distance(to: .sRGB) > 0.012 else { return nil }
      curves = [curve, curve, curve]
      matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]
      isWide = false
    case .rgb(let curves, let toConnection):
      guard let back = ColorProfile.sRGBColorants.inverse else { return nil }
      let values = (back * toConnection).flatMap { [$0.x, $0.y, $0.z] }
      guard values.allSatisfy({ abs($0) < 16 }) else { return nil }
      let isSame = zip(values, [1, 0, 0, 0, 1, 0, 0, 0, 1]).allSatisfy { abs($0 - $1) < 0.004 }
      guard !isSame || curves.contains(where: { $0.distance(to: .sRGB) > 0.002 }) else {
        return nil
      }
      self.curves = curves
      matrix = values.map { Float($0) }
      isWide = toConnection.gamutArea > 1.2 * ColorProfile.sRGBColorants.gamutArea
    }
  }

  /// Returns, for each curve, the amount of light of each of `count` evenly spaced values.
  package func tables(_ count: Int) -> [[Float]] {
    var tables: [[Float]] = []
    for (index, curve) in curves.enumerated() {
      if let twin = curves[..<index].firstIndex(of: curve) {
        tables.append(tables[twin])
      } else {
        tables.append((0..<count).map { Float(curve(Double($0) / Double(count - 1))) })
      }
    }
    return tables
  }
}

extension UnsafeRawBufferPointer {
  /// Returns a big-endian number. The callers have checked the bounds.
  @inlinable package func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Returns a big-endian number. The callers have checked the bounds.
  @inlinable package func bigEndian16(at offset: Int) -> UInt16 {
    UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// Returns a number with 16 bits before and 16 after the point. The callers have checked the
  /// bounds.
  fileprivate func fixed(at offset: Int) -> Double {
    Double(Int32(bitPattern: bigEndian32(at: offset))) / 65536
  }
}

// MARK: - Matrices

/// Three rows of three numbers.
package typealias Matrix = [SIMD3<Double>]

extension Matrix {
  package static func * (a: Matrix, b: Matrix) -> Matrix {
    a.map { row in row.x * b[0] + row.y * b[1] + row.z * b[2] }
  }

  /// The inverse; nil if it does not exist.
  package var inverse: Matrix? {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }
    let columns = [cross(self[1], self[2]), cross(self[2], self[0]), cross(self[0], self[1])]
    let determinant = (self[0] * columns[0]).sum()
    guard abs(determinant) > 1e-6 else { return nil }
    return (0..<3).map { [columns[0][$0], columns[1][$0], columns[2][$0]] / determinant }
  }

  /// Twice the area of the triangle that the primaries form in the chromaticity diagram.
  package var gamutArea: Double {
    let points = (0..<3).map { column -> (x: Double, y: Double) in
      let sum = self[0][column] + self[1][column] + self[2][column]
      return sum == 0 ? (0, 0) : (self[0][column] / sum, self[1][column] / sum)
    }
    let (a, b, c) = (points[0], points[1], points[2])
    return abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y))
  }
}
