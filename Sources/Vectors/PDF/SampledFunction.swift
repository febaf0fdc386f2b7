// Functions of type 0: a table of samples with linear interpolation between them.

import Bytes

struct SampledFunction {
  var domain: Intervals
  var range: Intervals
  /// The number of samples along each argument; the first argument varies fastest.
  var counts: [Int]
  var encode: Intervals
  var decode: Intervals
  /// The samples, from 0 to 1.
  var samples: [Double]
  let budget: Budget

  static func samples(_ bytes: [UInt8], bits: Int, count: Int) -> [Double] {
    var reader = BitReader(bytes)
    let scale = 1 / Double(1 << bits - 1)
    var samples: [Double] = []
    samples.reserveCapacity(count)
    for _ in 0..<count { samples.append(Double(reader.take(bits)) * scale) }
    return samples
  }

  func evaluate(_ input: [Double]) -> [Double] {
    let arguments = domain.count
    let results = range.count
    budget.spend(.functionSteps, 8 + (1 << arguments) * (arguments + results) / 4)
    var low: [Int] = []
    var fraction: [Double] = []
    for index in 0..<arguments {
      let x = domain.clip(index < input.count ? input[index] : 0, index)
      let place = Intervals.map(
        x, domain.low(index), domain.high(index), encode.low(index), encode.high(index))
      let last = Double(counts[index] - 1)
      let clipped = place == place ? min(max(place, 0), last) : 0
      let whole = min(clipped.rounded(.down), max(0, last - 1))
      low.append(Int(whole))
      fraction.append(clipped - whole)
    }
    var sums = [Double](repeating: 0, count: results)
    // The result is interpolated between the corners of the cell that contains the arguments.
    for corner in 0..<1 << arguments {
      var weight = 1.0
      var offset = 0
      var step = 1
      for index in 0..<arguments {
        let upper = corner >> index & 1
        weight *= upper == 1 ? fraction[index] : 1 - fraction[index]
        offset += min(low[index] + upper, counts[index] - 1) * step
        step *= counts[index]
      }
      guard weight != 0 else { continue }
      for result in 0..<results { sums[result] += weight * samples[offset * results + result] }
    }
    return sums.indices.map { index in
      range.clip(
        decode.low(index) + sums[index] * (decode.high(index) - decode.low(index)), index)
    }
  }
}

/// A reader of values of some bits each, highest bit first. After the end it gives zeros.
struct BitReader {
  let bytes: [UInt8]
  private(set) var bit = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { bit >= bytes.count * 8 }

  /// Reads a value of at most 32 bits.
  mutating func take(_ count: Int) -> Int {
    var value = 0
    var left = count
    while left > 0 {
      let inByte = 8 - bit & 7
      let taken = min(inByte, left)
      let byte = bit >> 3 < bytes.count ? Int(bytes[bit >> 3]) : 0
      value = value << taken | byte >> (inByte - taken) & (1 << taken - 1)
      bit += taken
      left -= taken
    }
    return value
  }

  mutating func alignToByte() { bit = (bit + 7) & ~7 }
}
