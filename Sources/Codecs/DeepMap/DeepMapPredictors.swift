// Which predictor a row of a deepmap gets: the rule of Apple's tool to the last bit, with sums that
// are broken off where they cannot win any more.

/// Rows of planes with channels interleaved and a pixel of zeros before the first. `step` is the
/// number of channels, 1 or 3.
struct DeepMapRows {
  let row: UnsafePointer<Int16>
  let above: UnsafePointer<Int16>
  /// Values of the row.
  let count: Int
  let step: Int
  let logarithms: UnsafePointer<Float>

  /// Of the first row of a tile only these two can be told.
  private static let ofFirstRow: [UInt8] = [2, 0]
  /// In the order in which they usually win, so that the others are broken off soon.
  private static let ofOtherRows: [UInt8] = [3, 2, 4, 1, 0]
  /// Which of equals wins: the first in the order 0, 2, 3, 4, 1.
  private static func rank(_ predictor: UInt8) -> UInt8 { predictor == 1 ? 5 : predictor }

  func bestPredictor(isFirst: Bool) -> UInt8 {
    var best: UInt8 = 0
    var least = Float.infinity
    for predictor in isFirst ? Self.ofFirstRow : Self.ofOtherRows {
      let cost = step == 3 ? cost(of: predictor, 3, least) : cost(of: predictor, 1, least)
      if cost < least || cost == least && Self.rank(predictor) < Self.rank(best) {
        best = predictor
        least = cost
      }
    }
    return best
  }

  /// The sum of the logarithms of the residuals, or something above `limit`.
  @inline(__always)
  private func cost(of predictor: UInt8, _ step: Int, _ limit: Float) -> Float {
    switch predictor {
    case 0: return sum(limit, from: 0, 0) { row[$0] }
    case 2: return sum(limit, from: 0, 0) { row[$0] &- row[$0 &- step] }
    case 3: return sum(limit, from: 0, 0) { row[$0] &- above[$0] }
    case 4:
      let first = sum(limit, from: 0, to: step, 0) { row[$0] &- above[$0] }
      return sum(limit, from: step, first) {
        row[$0] &- Self.mean(row[$0 &- step], above[$0])
      }
    default: return choiceCost(step, limit)
    }
  }

  @inline(__always)
  private func sum(
    _ limit: Float, from start: Int, to end: Int? = nil, _ initial: Float,
    _ residual: (Int) -> Int16
  ) -> Float {
    var total = initial
    var index = start
    let end = end ?? count
    while index < end, total <= limit {
      let stop = min(end, index &+ 24)
      while index < stop {
        total += logarithms[Int(residual(index).magnitude)]
        index &+= 1
      }
    }
    return total
  }

  /// Where there are three channels, those of a pixel are added up first.
  @inline(__always)
  private func choiceCost(_ step: Int, _ limit: Float) -> Float {
    var total: Float = 0
    var index = 0
    while index < count, total <= limit {
      let stop = min(count, index &+ 24)
      while index < stop {
        let left = index > 0 && followsLeft(index, step)
        let neighbour = left ? row + (index &- step) : above + index
        var pixel: Float = logarithms[Int((row[index] &- neighbour[0]).magnitude)]
        if step == 3 {
          pixel += logarithms[Int((row[index &+ 1] &- neighbour[1]).magnitude)]
          pixel += logarithms[Int((row[index &+ 2] &- neighbour[2]).magnitude)]
        }
        total += pixel
        index &+= step
      }
    }
    return total
  }

  /// Half of the sum and one, towards zero; the sum wraps.
  @inline(__always)
  static func mean(_ left: Int16, _ up: Int16) -> Int16 {
    let sum = left &+ up &+ 1
    return (sum &- sum &>> 15) &>> 1
  }

  /// Whether predictor 1 takes the left pixel: the corner lies farther from it than from the upper.
  @inline(__always)
  func followsLeft(_ index: Int, _ step: Int) -> Bool {
    let corner = Int(above[index &- step])
    return abs(Int(above[index]) &- corner) <= abs(Int(row[index &- step]) &- corner)
  }

  /// Writes the residuals with their sign in the lowest bit, high and low bytes apart; false where one
  /// has no sign to give: the least of 16 bits.
  func fold(
    _ predictor: UInt8, high: UnsafeMutablePointer<UInt8>, low: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    step == 3 ? fold(predictor, 3, high, low) : fold(predictor, 1, high, low)
  }

  @inline(__always)
  private func fold(
    _ predictor: UInt8, _ step: Int, _ high: UnsafeMutablePointer<UInt8>,
    _ low: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    var widest: UInt16 = 0
    @inline(__always) func put(_ index: Int, _ residual: Int16) {
      let size = residual.magnitude
      widest |= size
      let folded = size &<< 1 | UInt16(bitPattern: residual &>> 15) & 1
      high[index] = UInt8(truncatingIfNeeded: folded &>> 8)
      low[index] = UInt8(truncatingIfNeeded: folded)
    }
    switch predictor {
    case 0: for index in 0..<count { put(index, row[index]) }
    case 2: for index in 0..<count { put(index, row[index] &- row[index &- step]) }
    case 3: for index in 0..<count { put(index, row[index] &- above[index]) }
    case 4:
      for index in 0..<step { put(index, row[index] &- above[index]) }
      for index in step..<max(step, count) {
        put(index, row[index] &- Self.mean(row[index &- step], above[index]))
      }
    default:
      for index in stride(from: 0, to: count, by: step) {
        let left = index > 0 && followsLeft(index, step)
        let neighbour = left ? row + (index &- step) : above + index
        for channel in 0..<step {
          put(index &+ channel, row[index &+ channel] &- neighbour[channel])
        }
      }
    }
    return widest < 1 << 15
  }
}
