// Chooses the predictor for a row of a deepmap by the rule of Apple's tool, exact to the last bit.

/// Rows of planes with interleaved channels, after a pixel of zeros. `step` is the number of
/// channels, 1 or 3.
struct DeepMapRows {
  let row: UnsafePointer<Int16>
  let above: UnsafePointer<Int16>
  /// The number of values in the row.
  let count: Int
  let step: Int
  let logarithms: UnsafePointer<Float>

  /// The number of values after which sums are compared: a multiple of both steps.
  private static let block = 24

  func bestPredictor(isFirst: Bool) -> UInt8 {
    step == 3 ? bestPredictor(isFirst, 3) : bestPredictor(isFirst, 1)
  }

  /// Returns the predictor with the least sum of logarithms; of equal sums the first in the order
  /// 0, 2, 3, 4, 1.
  @inline(__always)
  private func bestPredictor(_ isFirst: Bool, _ step: Int) -> UInt8 {
    // In the first row of a tile only two predictors differ.
    var sums = isFirst ? Sums(left: sumOfLeft(step)) : sums(step)
    // Without prediction residuals are large, so this sum soon exceeds the others.
    sums.none = sumOfNone(limit: sums.least)
    return sums.best
  }

  private struct Sums {
    var none = Float.infinity
    var left = Float.infinity
    var up = Float.infinity
    var mean = Float.infinity
    var choice = Float.infinity

    var least: Float { min(min(left, up), min(mean, choice)) }

    var best: UInt8 {
      let least = self.least
      if none <= least { return 0 }
      return left == least ? 2 : up == least ? 3 : mean == least ? 4 : 1
    }
  }

  /// Computes four sums side by side, because each is a chain of additions that wait for one
  /// another.
  @inline(__always)
  private func sums(_ step: Int) -> Sums {
    var sums = Sums(left: 0, up: 0, mean: 0, choice: 0)
    var pixel: Float = 0
    for index in 0..<step {
      // The first pixel has no left neighbour, so mean and choice predict the upper one.
      let up = logarithm(row[index] &- above[index])
      sums.left += logarithm(row[index])
      sums.up += up
      sums.mean += up
      pixel += up
    }
    sums.choice = pixel
    var index = step
    while index < count {
      let stop = min(count, index &+ Self.block)
      if stop &- index == Self.block {
        if isFlat(index, step) {
          // Only the mean of negative values differs, because it is rounded towards zero.
          while index < stop {
            if row[index] < 0 { sums.mean += logarithms[1] }
            index &+= 1
          }
        } else {
          addBlock(index, step, to: &sums)
          index = stop
        }
        continue
      }
      while index < stop {
        let left = followsLeft(index, step)
        var pixel: Float = 0
        for channel in index..<index &+ step {
          let value = row[channel]
          let byLeft = logarithm(value &- row[channel &- step])
          let byUp = logarithm(value &- above[channel])
          sums.left += byLeft
          sums.up += byUp
          sums.mean += logarithm(value &- Self.mean(row[channel &- step], above[channel]))
          pixel = channel == index ? (left ? byLeft : byUp) : pixel + (left ? byLeft : byUp)
        }
        sums.choice += pixel
        index &+= step
      }
    }
    return sums
  }

  /// Adds a whole block to the sums. The sizes of its residuals are computed eight at a time; each
  /// sum has the same additions in the same order as for a shorter block, so it is equal to the
  /// last bit.
  @inline(__always)
  private func addBlock(_ first: Int, _ step: Int, to sums: inout Sums) {
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 3 * Self.block) { buffer in
      guard let sizes = buffer.baseAddress else { return }
      for part in stride(from: 0, to: Self.block, by: 8) {
        let value = vector(row + (first &+ part))
        let before = vector(row + (first &+ part &- step))
        let over = vector(above + (first &+ part))
        let sum = before &+ over &+ 1
        store(value &- before, at: sizes + part)
        store(value &- over, at: sizes + (Self.block &+ part))
        store(value &- ((sum &- sum &>> 15) &>> 1), at: sizes + (2 &* Self.block &+ part))
      }
      var (left, up, mean, choice) = (sums.left, sums.up, sums.mean, sums.choice)
      var place = 0
      while place < Self.block {
        let isLeft = followsLeft(first &+ place, step)
        var pixel: Float = 0
        for channel in 0..<step {
          let size = sizes + (place &+ channel)
          left += logarithms[Int(size[0])]
          up += logarithms[Int(size[Self.block])]
          mean += logarithms[Int(size[2 &* Self.block])]
          let chosen = logarithms[Int(size[isLeft ? 0 : Self.block])]
          pixel = channel == 0 ? chosen : pixel + chosen
        }
        choice += pixel
        place &+= step
      }
      (sums.left, sums.up, sums.mean, sums.choice) = (left, up, mean, choice)
    }
  }

  /// Stores the absolute values; the least 16-bit number has one, too.
  @inline(__always)
  private func store(_ values: SIMD8<Int16>, at place: UnsafeMutablePointer<UInt16>) {
    UnsafeMutableRawPointer(place).storeBytes(
      of: SIMD8<UInt16>(truncatingIfNeeded: pointwiseMax(values, 0 &- values)),
      as: SIMD8<UInt16>.self)
  }

  /// Returns whether a block equals the block one pixel to its left and the block above.
  @inline(__always)
  private func isFlat(_ index: Int, _ step: Int) -> Bool {
    var difference = SIMD8<Int16>()
    for offset in [0, 8, 16] {
      let values = vector(row + (index &+ offset))
      difference |= values ^ vector(above + (index &+ offset))
      difference |= values ^ vector(row + (index &+ offset &- step))
    }
    return difference == SIMD8()
  }

  @inline(__always)
  func vector(_ values: UnsafePointer<Int16>) -> SIMD8<Int16> {
    UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Int16>.self)
  }

  @inline(__always)
  private func logarithm(_ residual: Int16) -> Float { logarithms[Int(residual.magnitude)] }

  private func sumOfLeft(_ step: Int) -> Float {
    var sum: Float = 0
    for index in 0..<count { sum += logarithm(row[index] &- row[index &- step]) }
    return sum
  }

  /// Returns the sum of the values themselves, or any number above `limit`.
  private func sumOfNone(limit: Float) -> Float {
    var sum: Float = 0
    var index = 0
    while index < count, sum <= limit {
      let stop = min(count, index &+ Self.block)
      while index < stop {
        sum += logarithm(row[index])
        index &+= 1
      }
    }
    return sum
  }

  /// Returns half of the sum plus one, rounded towards zero. The sum wraps at 16 bits.
  @inline(__always)
  static func mean(_ left: Int16, _ up: Int16) -> Int16 {
    let sum = left &+ up &+ 1
    return (sum &- sum &>> 15) &>> 1
  }

  /// Returns whether predictor 1 takes the left pixel: the corner pixel differs more from the left
  /// one than from the upper one.
  @inline(__always)
  func followsLeft(_ index: Int, _ step: Int) -> Bool {
    let corner = Int(above[index &- step])
    return abs(Int(above[index]) &- corner) <= abs(Int(row[index &- step]) &- corner)
  }

  /// Writes the residuals with the sign in the lowest bit, high and low bytes in separate planes.
  /// Returns false for the least 16-bit number, whose sign cannot be stored.
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

// MARK: - A faster choice

// Chooses a predictor for a row of a deepmap several times as fast as the rule of Apple's tool
// does.

extension DeepMapRows {
  /// Returns the predictor with the least sum of sizes. On real pictures it saves as much as the
  /// rule of Apple's tool, to within a thousandth. It needs narrow values and at least eight of
  /// them in a row. The last values of a row that do not fill eight are ignored.
  func likelyPredictor(isFirst: Bool) -> UInt8 {
    step == 3 ? likelyPredictor(isFirst, 3) : likelyPredictor(isFirst, 1)
  }

  /// The number of values from which on every second eight are left out; from four times this
  /// number on, three of four.
  private static let longRow = 256

  @inline(__always)
  private func likelyPredictor(_ isFirst: Bool, _ step: Int) -> UInt8 {
    var (none, left, up, mean): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    var index = 0
    // A part of the values of a long row decides as well as all of them.
    let stride = count < Self.longRow ? 8 : count < 4 &* Self.longRow ? 16 : 32
    while index &+ 8 <= count {
      // A size is below 512, so that the sum of 64 sizes fits into a lane.
      let stop = min(count &- 7, index &+ 64 &* stride)
      var sums = (SIMD8<Int16>(), SIMD8<Int16>(), SIMD8<Int16>(), SIMD8<Int16>())
      while index < stop {
        let value = vector(row + index)
        let before = vector(row + (index &- step))
        let over = vector(above + index)
        let sum = before &+ over &+ 1
        sums.0 &+= size(value)
        sums.1 &+= size(value &- before)
        sums.2 &+= size(value &- over)
        sums.3 &+= size(value &- ((sum &- sum &>> 15) &>> 1))
        index &+= stride
      }
      none &+= total(sums.0)
      left &+= total(sums.1)
      up &+= total(sums.2)
      mean &+= total(sums.3)
    }
    if isFirst { return none <= left ? 0 : 2 }
    let least = min(min(none, left), min(up, mean))
    return none == least ? 0 : left == least ? 2 : up == least ? 3 : 4
  }

  @inline(__always)
  private func size(_ values: SIMD8<Int16>) -> SIMD8<Int16> {
    pointwiseMax(values, 0 &- values)
  }

  @inline(__always)
  private func total(_ sums: SIMD8<Int16>) -> UInt32 {
    SIMD8<UInt32>(truncatingIfNeeded: SIMD8<UInt16>(truncatingIfNeeded: sums)).wrappedSum()
  }
}
