// Rules of PDF that pictures of a few pixels do not show: corners of meshes, ends of intervals,
// colour keys, and blend modes for extreme values.

import Bytes
import Testing

@testable import Vectors

@Suite struct PDFRuleTests {
  // MARK: Meshes

  private func mesh(_ type: Int, _ bytes: [UInt8]) throws -> Drawing {
    var sketch = PDFSketch("/S sh")
    let stream = sketch.addStream(
      """
      /ShadingType \(type) /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8
      /BitsPerFlag 8 /Decode [0 255 0 255 0 1 0 1 0 1]
      """, bytes)
    sketch.resources = "/Shading << /S \(stream) 0 R >>"
    return try sketch.drawing()
  }

  /// A vertex with flag 1 forms a triangle with the last two corners, a vertex with flag 2 with the
  /// first and the last corner.
  @Test(
    arguments: [
      (1, [10, 20, 30]), (2, [0, 20, 30]),
    ] as [(UInt8, [Double])])
  func trianglesGoOnFromASide(flag: UInt8, corners: [Double]) throws {
    let grey: [UInt8] = [0, 0, 0]
    var start: [UInt8] = []
    for place: UInt8 in [0, 10, 20] { start += [0, place, 0] + grey }
    let drawing = try mesh(4, start + [flag, 30, 0] + grey)
    #expect(drawing.vertices.map(\.point.x) == [0, 10, 20] + corners)
  }

  /// The places in the grid that defines the surface, for the points of a patch in the order of a
  /// stream: twelve on the border and four inside.
  private static let order = [0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4, 5, 6, 10, 9]

  /// Returns a point of the surface that a grid of sixteen points defines.
  private func surface(_ grid: [Point], _ u: Double, _ v: Double) -> Point {
    func weights(_ t: Double) -> [Double] {
      let s = 1 - t
      return [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
    }
    var point = Point(0, 0)
    for row in 0..<4 {
      for column in 0..<4 {
        let weight = weights(u)[row] * weights(v)[column]
        point.x += weight * grid[4 * row + column].x
        point.y += weight * grid[4 * row + column].y
      }
    }
    return point
  }

  /// Each of the four inner points attracts its own part of the surface.
  @Test(arguments: [5, 6, 9, 10]) func pointsWithinAPatchHaveTheirPlaces(pulled: Int) throws {
    var grid: [Point] = []
    for place in 0..<16 { grid.append(Point(Double(place / 4 * 60), Double(place % 4 * 60))) }
    grid[pulled] = Point(200, 10)
    var bytes: [UInt8] = [0]
    for place in Self.order { bytes += [UInt8(grid[place].x), UInt8(grid[place].y)] }
    bytes += [UInt8](repeating: 0, count: 12)
    let drawing = try mesh(7, bytes)
    // The first corner of the cell in row 3 and column 7 of the 10 by 10 cells.
    let found = drawing.vertices[(3 * 10 + 7) * 6].point
    let wanted = surface(grid, 0.3, 0.7)
    #expect(abs(found.x - wanted.x) < 1e-9 && abs(found.y - wanted.y) < 1e-9)
  }

  /// A patch with the flag f begins with the side of the patch before that leads from the corner f
  /// to the next corner, and with the colours of these two corners.
  @Test(arguments: [UInt8(1), 2, 3]) func patchesGoOnWithPointsAndColours(flag: UInt8) throws {
    let around: [UInt8] = [0, 0, 0, 1, 0, 2, 0, 3, 1, 3, 2, 3, 3, 3, 3, 2, 3, 1, 3, 0, 2, 0, 1, 0]
    let colors: [UInt8] = [51, 0, 0, 102, 0, 0, 153, 0, 0, 204, 0, 0]
    let first: [UInt8] = [0] + around + colors
    let second: [UInt8] = [flag] + [UInt8](repeating: 9, count: 16) + [255, 0, 0, 255, 0, 0]
    let drawing = try mesh(6, first + second)
    let begin = 600
    #expect(drawing.vertices.count == 1200)
    let corners = [(0.0, 0.0), (0, 3), (3, 3), (3, 0)]
    func check(_ vertex: MeshVertex, _ corner: Int) {
      #expect(vertex.point == Point(corners[corner].0, corners[corner].1))
      #expect(abs(vertex.color.red - Double(corner + 1) / 5) < 1e-9)
    }
    check(drawing.vertices[begin], Int(flag))
    check(drawing.vertices[begin + 9 * 6 + 1], (Int(flag) + 1) % 4)
  }

  // MARK: Functions

  @Test func resultsOfStitchedFunctionsAreClippedToTheirRange() {
    let part = ExponentialFunction(
      domain: Intervals([0, 1]), range: nil, start: [0], end: [1], exponent: 1,
      budget: Budget(input: 1 << 10))
    let function = StitchedFunction(
      domain: Intervals([0, 1]), range: Intervals([0.25, 0.5]), parts: [.exponential(part)],
      bounds: [], encode: Intervals([0, 1]), budget: Budget(input: 1 << 10))
    #expect(function.evaluate([0]) == [0.25] && function.evaluate([0.375]) == [0.375])
    #expect(function.evaluate([1]) == [0.5])
  }

  // MARK: Samples

  /// Both ends of a key's range belong to it. Each component has its own range.
  @Test func keysHoldTheirEnds() {
    let gray = ImageSamples(
      width: 4, height: 1, bits: 8, space: .gray, decode: nil, bytes: [9, 10, 20, 21])
    #expect(gray.unkeyed([10, 20]) == [255, 0, 0, 255])
    let rgb = ImageSamples(
      width: 3, height: 1, bits: 8, space: .rgb, decode: nil, bytes: [1, 2, 3, 1, 2, 4, 0, 2, 3])
    #expect(rgb.unkeyed([1, 1, 2, 2, 3, 3]) == [0, 255, 255])
  }

  // MARK: Blending

  /// Returns one channel of the backdrop `b` and the source `s`, by the formulas of the compositing
  /// standard.
  private func blend(_ b: Double, _ s: Double, _ mode: BlendMode) -> Double {
    func hard(_ b: Double, _ s: Double) -> Double {
      s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
    }
    switch mode {
    case .multiply: return b * s
    case .screen: return 1 - (1 - b) * (1 - s)
    case .overlay: return hard(s, b)
    case .darken: return b < s ? b : s
    case .lighten: return b > s ? b : s
    case .colorDodge: return b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
    case .colorBurn: return b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
    case .hardLight: return hard(b, s)
    case .softLight:
      if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
      let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
      return b + (2 * s - 1) * (d - b)
    case .difference: return abs(b - s)
    case .exclusion: return b + s - 2 * b * s
    default: return s
    }
  }

  private static let modes: [BlendMode] = [
    .multiply, .screen, .overlay, .darken, .lighten, .colorDodge, .colorBurn, .hardLight,
    .softLight,
    .difference, .exclusion,
  ]
  private static let levels: [UInt32] = [0, 1, 26, 51, 64, 127, 128, 204, 254, 255]

  @Test(arguments: modes) func opaqueColoursBlendByTheStandard(mode: BlendMode) {
    for source in Self.levels {
      for below in Self.levels {
        let found = blended(0xFF00_0000 | source << 16 | source, 0xFF00_0000 | below << 16, mode)
        let wanted = blend(Double(below) / 255, Double(source) / 255, mode) * 255
        #expect(abs(Double(found >> 16 & 255) - wanted) <= 0.51, "\(source) on \(below)")
        #expect(found >> 24 == 255)
      }
    }
  }

  /// The result of the mode counts half if the source is half transparent; the other half is the
  /// pixel below.
  @Test(arguments: modes) func halfOfASourceBlendsHalf(mode: BlendMode) {
    let found = blended(0x8040_4040, 0xFF99_9999, mode)
    let alpha = 128 / 255.0
    let mixed = blend(0.6, 0x40 / 128.0, mode)
    let wanted = ((1 - alpha) * 0.6 + alpha * mixed) * 255
    #expect(abs(Double(found & 255) - wanted) <= 1, "\(mode)")
  }
}
