// Chooses the predictor for a row of a deepmap by the rule of Apple's tool, exact to the last bit.

import CRows

/// Rows of planes with interleaved channels, after a pixel of zeros. `step` is the number of
/// channels, 1 or 3.
struct DeepMapRows {
  let row: UnsafePointer<Int16>
  let above: UnsafePointer<Int16>
  /// The number of values in the row.
  let count: Int
  let step: Int
  /// Whether the size of every residual is below 512.
  let isNarrow: Bool
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
    if isNarrow, !isFirst, let clear = clearPredictor() { return clear }
    // In the first row of a tile only two predictors differ.
    var sums = isFirst ? Sums(left: sumOfLeft(step)) : sums(step)
    // Without prediction residuals are large, so this sum soon exceeds the others.
    sums.none = sumOfNone(limit: sums.least)
    return sums.best
  }

  /// Returns the predictor with the least sum; nil if another sum is so close that the errors of
  /// adding floats decide. A sum of logarithms is the logarithm of a product, which is computed
  /// without a table and without a long chain of additions.
  private func clearPredictor() -> UInt8? {
    withUnsafeTemporaryAllocation(of: carve_product.self, capacity: 5) { products in
      var channels = self.channels
      carve_size_products(&channels, products.baseAddress)
      var (best, least, second) = (0, Double.infinity, Double.infinity)
      for (predictor, product) in products.enumerated() {
        let sum = NaturalLogarithms.ofProduct(product.fraction, exponent: Int(product.exponent))
        if sum < least {
          (best, least, second) = (predictor, sum, least)
        } else {
          second = min(second, sum)
        }
      }
      // Each addition and each factor is rounded by at most 2^-24, and so is each logarithm. A
      // sixteenth more covers the products of errors.
      let error = Double(count + 8) * 0x1.1p-24
      return least + error * (1 + least) < second - error * (1 + second) ? UInt8(best) : nil
    }
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
          sums.mean += logarithm(value &- deepMapMean(row[channel &- step], above[channel]))
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
      var offset = 0
      while offset < Self.block {
        let isLeft = followsLeft(first &+ offset, step)
        var pixel: Float = 0
        for channel in 0..<step {
          let size = sizes + (offset &+ channel)
          left += logarithms[Int(size[0])]
          up += logarithms[Int(size[Self.block])]
          mean += logarithms[Int(size[2 &* Self.block])]
          let chosen = logarithms[Int(size[isLeft ? 0 : Self.block])]
          pixel = channel == 0 ? chosen : pixel + chosen
        }
        choice += pixel
        offset &+= step
      }
      (sums.left, sums.up, sums.mean, sums.choice) = (left, up, mean, choice)
    }
  }

  /// Stores the absolute values; the least 16-bit number has one, too.
  @inline(__always)
  private func store(_ values: SIMD8<Int16>, at address: UnsafeMutablePointer<UInt16>) {
    UnsafeMutableRawPointer(address).storeBytes(
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

  /// Returns the sum of the logarithms of the values, or any number above `limit`.
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

  /// Returns whether predictor 1 takes the left pixel: the corner pixel differs from the left one
  /// at least as much as from the upper one.
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
    var channels = self.channels
    return carve_fold_residuals(&channels, predictor, high, low)
  }

  private var channels: carve_channels {
    carve_channels(row: row, above: above, count: count, step: step)
  }
}

// MARK: - A faster choice

// Chooses a predictor for a row of a deepmap in a fraction of the time that the rule of Apple's
// tool takes.

extension DeepMapRows {
  /// Returns the predictor with the least sum of sizes. On real pictures it saves as much as the
  /// rule of Apple's tool, to within a thousandth. It needs narrow values and at least eight of
  /// them in a row. The last values of a row that do not fill eight are ignored.
  func likelyPredictor(isFirst: Bool) -> UInt8 {
    // A part of the values of a long row decides as well as all of them.
    let stride = count < Self.longRow ? 8 : count < 4 &* Self.longRow ? 16 : 32
    var channels = self.channels
    return carve_likely_predictor(&channels, stride, isFirst)
  }

  /// The number of values from which a row counts as long. In a long row, every second group of
  /// eight values is left out. In a row of four times this number, three of four groups are left
  /// out.
  private static let longRow = 256
}
