// The edge of a piece of glass: the distance of each pixel from it, and what the ring, the band of
// light and the lift do to a colour.

import Colors

/// The distances of a piece's pixels from its outline, and the direction of the outline.
struct GlassEdge {
  private var distances: Plane
  /// The weights of the pixels around one, by which the slope is blurred: one vector for each row,
  /// of which the last weight is 0.
  private let smoothing: [SIMD8<Float>]
  private static let reach = 3

  /// Measures the part of a piece in these columns and rows of the canvas.
  init(
    _ pixels: GlassLayerPixels, _ plate: PlatePlace, _ columns: Range<Int>, _ rows: Range<Int>
  ) {
    let coverage = Plane(width: columns.count, height: rows.count) { target in
      pixels.pixels.withUnsafeBufferPointer { own in
        for y in rows {
          let start = (y - rows.lowerBound) * columns.count - columns.lowerBound
          let first = (y - pixels.y) * pixels.width - pixels.x
          for x in columns { target[start + x] = own[first + x].w }
        }
      }
    }
    distances = OutlineDistance.of(coverage, inside: Int(200 * plate.unit) + 2, outside: 5)
    let weights = gaussian(1.2)
    let around = -GlassEdge.reach...GlassEdge.reach
    smoothing = around.map { row in
      SIMD8(around.map { column in weights[abs(row)] * weights[abs(column)] } + [0])
    }
  }

  /// The distance of a pixel from the outline in pixels, positive inside.
  @inline(__always)
  func distance(_ x: Int, _ y: Int) -> Float {
    distances.values.withUnsafeBufferPointer { $0[y * distances.width + x] }
  }

  /// Returns the direction from a pixel to the outline, in eighths of a turn from the right over
  /// the top.
  func direction(_ x: Int, _ y: Int) -> Float {
    // The slope of the blurred distances.
    var (across, down) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    distances.values.withUnsafeBufferPointer { distances in
      let own = distances[y * self.distances.width + x]
      let least = SIMD8<Float>(repeating: -5)
      let most = SIMD8<Float>(repeating: own + 6)
      for row in -GlassEdge.reach...GlassEdge.reach {
        let values = near(x, y + row, own, distances)
        let lower = most.replacing(with: values, where: values .< most)
        let weighted =
          least.replacing(with: lower, where: lower .> least) * smoothing[row + GlassEdge.reach]
        across += weighted
        down += weighted * Float(row)
      }
    }
    return turn(-total(across * SIMD8(-3, -2, -1, 0, 1, 2, 3, 0)), total(down))
  }

  /// Returns the distances of the pixels of a row from three columns before one to four after it;
  /// `own` for those outside.
  @inline(__always)
  private func near(
    _ x: Int, _ y: Int, _ own: Float, _ values: UnsafeBufferPointer<Float>
  ) -> SIMD8<Float> {
    let (width, height) = (distances.width, distances.height)
    guard y >= 0, y < height else { return SIMD8(repeating: own) }
    let first = x - GlassEdge.reach
    if first >= 0, first + 8 <= width {
      return UnsafeRawBufferPointer(values).loadUnaligned(
        fromByteOffset: 4 * (y * width + first), as: SIMD8<Float>.self)
    }
    var result = SIMD8<Float>(repeating: own)
    for lane in 0..<8 where first + lane >= 0 && first + lane < width {
      result[lane] = values[y * width + first + lane]
    }
    return result
  }
}

/// Returns the sum of the lanes, in an order that no compiler changes.
@inline(__always)
private func total(_ lanes: SIMD8<Float>) -> Float {
  let four = lanes.lowHalf + lanes.highHalf
  let two = four.lowHalf + four.highHalf
  return two.x + two.y
}

/// Returns the direction of a vector in eighths of a turn, 0 to 8, from the right over the top, for
/// `y` upwards.
private func turn(_ x: Float, _ y: Float) -> Float {
  let (wide, high) = (abs(x), abs(y))
  let most = max(wide, high)
  guard most > 0 else { return 0 }
  let ratio = min(wide, high) / most
  // An approximation of the arc tangent, in eighths of a turn.
  let angle = ratio + 0.347_6 * ratio * (1 - ratio)
  let first = high > wide ? 2 - angle : angle
  let upper = x < 0 ? 4 - first : first
  return y < 0 ? 8 - upper : upper
}

/// The changes that glass makes to the colour of a layer.
struct GlassShade {
  private let translucency: Float
  private let isSpecular: Bool
  private let measures: GlassMeasures
  private let unit: Float
  private let lift: Float
  private let decay: Decay

  // The light by the direction of the edge, in eighths of a turn from the right over the top: how
  // much of the colour it takes away, and how much white it adds.
  private static let taken: [Float] = [0.16, 0.24, 0.22, 0.14, 0.15, 0.2, 0.17, 0.2, 0.16]
  private static let added: [Float] = [0.16, 0.3, 0.53, 0.6, 0.49, 0.26, 0.18, 0.21, 0.16]

  init(_ group: GlassGroup, _ measures: GlassMeasures, _ unit: Float) {
    translucency = group.translucency
    isSpecular = group.isSpecular
    self.measures = measures
    self.unit = unit
    lift = measures.lift + 0.05 * group.translucency
    decay = Decay(width: 48 * unit, reach: 200 * unit + 2)
  }

  /// Returns the share of the background that is seen through glass, at a part of its height.
  func clearness(at part: Float) -> Float {
    let part = max(0, min(part, 1))
    return part > 0 ? translucency * 1.03 * power(part, 1.7) : 0
  }

  @inline(__always)
  func lit(
    _ color: GlassColor, _ behind: GlassColor, clearness: Float, _ edge: GlassEdge, _ x: Int,
    _ y: Int
  ) -> GlassColor {
    let distance = edge.distance(x, y)
    let depth = measures.ringDepth * unit
    let ring = max(0, min(depth - distance + 0.5, 1))
    let clear = clearness * (1 - ring) + translucency * measures.ringClearness * ring
    var result = color.over(behind, 1 - clear)
    let share = lift * decay[distance]
    result += (GlassColor(repeating: 1) - result).clipped * share
    let end = measures.lightEnd * unit
    let soft = max(1.7 * unit, 1)
    if isSpecular, distance > depth - soft, distance < end + soft {
      let from = max(0, min((distance - depth) / soft + 0.5, 1))
      let to = max(0, min((end - distance) / soft + 0.5, 1))
      let near = max(0, min(1 - distance / (measures.lightWidth * unit), 1))
      let strength = from * to * near * measures.lightStrength
      if strength > 0 {
        let turn = edge.direction(x, y)
        let low = min(Int(turn), 7)
        let part = turn - Float(low)
        let taken = GlassShade.taken[low] * (1 - part) + GlassShade.taken[low + 1] * part
        let added = GlassShade.added[low] * (1 - part) + GlassShade.added[low + 1] * part
        let alpha = result.w
        result = result * (1 - taken * strength) + added * strength
        result.w = alpha
      }
    }
    return result
  }
}
