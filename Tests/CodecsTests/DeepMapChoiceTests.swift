// The choices of the encoder of deepmaps: the fast loops and the attempts that are given up early
// must decide as the plain rule does.

import Support
import Testing

@testable import Codecs

@Suite struct DeepMapChoiceTests {
  @Test("blocks of residuals give the predictor of the plain rule", arguments: [1, 3])
  func predictors(step: Int) {
    var random = SeededGenerator.forTest(29)
    for width in 1...70 {
      for round in 0..<40 {
        let count = step * width
        // A pixel of zeros lies before both rows.
        let zeros = [Int16](repeating: 0, count: step)
        let range = [1, 3, 20, 255][round % 4]
        func values() -> [Int16] {
          var last: Int16 = 0
          return (0..<count).map { _ in
            if random.pick(0...2) > 0 { last = Int16(random.pick(-range...range)) }
            return last
          }
        }
        let row = zeros + values()
        let above = zeros + (round % 5 == 0 ? Array(row.dropFirst(step)) : values())
        for isFirst in [false, true] {
          let above = isFirst ? [Int16](repeating: 0, count: count + step) : above
          let chosen = withRows(row, above, step) { $0.bestPredictor(isFirst: isFirst) }
          #expect(chosen == plainPredictor(row, above, step, isFirst: isFirst))
        }
      }
    }
  }

  /// Calls `body` with rows that begin with a pixel of zeros.
  private func withRows<Result>(
    _ row: [Int16], _ above: [Int16], _ step: Int, _ body: (DeepMapRows) -> Result
  ) -> Result {
    func call(
      _ row: UnsafePointer<Int16>, _ above: UnsafePointer<Int16>, _ logarithms: UnsafePointer<Float>
    ) -> Result {
      body(
        DeepMapRows(
          row: row + step, above: above + step, count: count, step: step, isNarrow: true,
          logarithms: logarithms))
    }
    let count = row.count - step
    return call(row, above, NaturalLogarithms.ofNarrowSizes)
  }

  @Test("residuals and the fast choice of a predictor follow their definitions", arguments: [1, 3])
  func residuals(step: Int) {
    var random = SeededGenerator.forTest(31)
    for width in Array(1...50) + [90, 300, 1100] {
      for range in [1, 4, 255] {
        func values() -> [Int16] {
          (0..<step * (width + 1)).map { $0 < step ? 0 : Int16(random.pick(-range...range)) }
        }
        let row = values()
        let above = values()
        var sizes: [Int] = []
        for predictor in UInt8(0)...4 {
          let residuals = plainResiduals(row, above, step, predictor)
          var measured = residuals
          if predictor == 4 {
            // The choice makes no exception for the first pixel.
            for index in 0..<step {
              measured[index] = row[step + index] - (above[step + index] + 1) / 2
            }
          }
          sizes.append(sampledSize(measured))
          let folded = residuals.map { UInt16($0.magnitude) << 1 | ($0 < 0 ? 1 : 0) }
          var high = [UInt8](repeating: 0, count: residuals.count)
          var low = high
          #expect(withRows(row, above, step) { $0.fold(predictor, high: &high, low: &low) })
          #expect(high == folded.map { UInt8($0 >> 8) } && low == folded.map { UInt8($0 & 255) })
        }
        for isFirst in [true, false] {
          let possible: [UInt8] = isFirst ? [0, 2] : [0, 2, 3, 4]
          let expected = possible.min { sizes[Int($0)] < sizes[Int($1)] }
          let likely = withRows(row, above, step) { $0.likelyPredictor(isFirst: isFirst) }
          #expect(likely == expected, "\(width) pixels of \(step) channels")
        }
      }
    }
  }

  @Test("the least number has no residual with a sign") func leastNumber() {
    for place in 1...40 {
      var row = [Int16](repeating: 0, count: 41)
      row[place] = .min
      let above = [Int16](repeating: 0, count: 41)
      var high = [UInt8](repeating: 0, count: 40)
      var low = high
      #expect(!withRows(row, above, 1) { $0.fold(0, high: &high, low: &low) })
    }
  }

  /// Returns the sum of the sizes of which the fast choice reads a part: eight of every eight, of
  /// sixteen from 256 values on, and of 32 from 1,024 values on.
  private func sampledSize(_ residuals: [Int16]) -> Int {
    let stride = residuals.count < 256 ? 8 : residuals.count < 1024 ? 16 : 32
    return Swift.stride(from: 0, through: residuals.count - 8, by: stride).reduce(0) { sum, first in
      residuals[first..<first + 8].reduce(sum) { $0 + Int($1.magnitude) }
    }
  }

  private func plainResiduals(
    _ row: [Int16], _ above: [Int16], _ step: Int, _ predictor: UInt8
  ) -> [Int16] {
    (step..<row.count).map { index in
      let isFirst = index < 2 * step
      let pixel = index - index % step
      let corner = Int(above[pixel - step])
      let followsLeft =
        !isFirst && abs(Int(above[pixel]) - corner) <= abs(Int(row[pixel - step]) - corner)
      let sum = Int(row[index - step]) + Int(above[index]) + 1
      return switch predictor {
      case 0: row[index]
      case 1: row[index] - (followsLeft ? row[index - step] : above[index])
      case 2: row[index] - row[index - step]
      case 3: row[index] - above[index]
      default: row[index] - (isFirst ? above[index] : Int16(sum / 2))
      }
    }
  }

  /// Returns the predictor with the least sum of logarithms, value by value.
  private func plainPredictor(
    _ row: [Int16], _ above: [Int16], _ step: Int, isFirst: Bool
  ) -> UInt8 {
    func size(_ residual: Int16) -> Float {
      NaturalLogarithms.ofNarrowSizes[Int(residual.magnitude)]
    }
    var (none, left, up, mean, choice): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
    for pixel in stride(from: step, to: row.count, by: step) {
      let corner = Int(above[pixel - step])
      let followsLeft =
        pixel > step
        && abs(Int(above[pixel]) - corner) <= abs(Int(row[pixel - step]) - corner)
      var chosen: Float = 0
      for index in pixel..<pixel + step {
        let sum = row[index - step] &+ above[index] &+ 1
        let middle = pixel == step ? above[index] : (sum &- sum >> 15) >> 1
        let byLeft = size(row[index] &- row[index - step])
        let byUp = size(row[index] &- above[index])
        none += size(row[index])
        left += byLeft
        up += byUp
        mean += size(row[index] &- middle)
        chosen += followsLeft ? byLeft : byUp
      }
      choice += chosen
    }
    if isFirst { return none <= left ? 0 : 2 }
    let least = min(min(none, left), min(up, min(mean, choice)))
    return none == least ? 0 : left == least ? 2 : up == least ? 3 : mean == least ? 4 : 1
  }

  @Test("attempts that are given up do not change the chosen bytes")
  func attempts() {
    var random = SeededGenerator.forTest(30)
    for round in 0..<60 {
      let (width, height) = (random.pick(20...120), random.pick(30...120))
      let count = [2, 200, 300, 2000][round % 4]
      let colors = (0..<count).map { _ in UInt32(random.pick(0...0xFF_FFFF)) }
      let ramp = UInt32(round % 3)
      let pixels = (0..<width * height).map { index in
        let color = colors[random.pick(0...(index % 7 == 0 ? colors.count - 1 : 0))]
        // Every fifth picture may have too many colours with alpha, and fewer without.
        let alpha = round % 5 == 0 ? UInt32(random.pick(0...255)) << 24 : 0xFF00_0000
        return (color &+ ramp &* UInt32(index % width) &* 0x01_0101) & 0xFF_FFFF | alpha
      }
      pixels.withUnsafeBytes { bytes in
        let rows = SourceRows(
          base: bytes.baseAddress!, stride: 4 * width, width: width, height: height, format: .argb)
        var streams = LZFSEEncoder(effort: .reference)
        #expect(chosen(rows, DeepMapAims(), .reference) == smallest(rows, &streams))
        // With a limit that is just large enough, the bytes are complete.
        var encoder = DeepMap2Encoder(DeepMapAims())
        guard encoder.writePixels(rows, &streams) else { return }
        let whole = encoder.attempt
        #expect(encoder.writePixels(rows, most: whole.count, &streams))
        #expect(encoder.attempt == whole)
        #expect(!encoder.writePixels(rows, most: whole.count - 1, &streams))
      }
    }
  }

  private func chosen(
    _ rows: SourceRows, _ aims: DeepMapAims, _ effort: LZFSEEncoder.Effort
  ) -> [UInt8] {
    var encoder = DeepMap2Encoder(aims)
    var streams = LZFSEEncoder(effort: effort)
    var output: [UInt8] = []
    return encoder.encode(rows, with: &streams, appendingTo: &output) ? encoder.best : []
  }

  /// Returns the first of the smallest blobs, each written as a whole by an encoder of its own.
  private func smallest(_ rows: SourceRows, _ streams: inout LZFSEEncoder) -> [UInt8] {
    var best: [UInt8] = []
    func keep(_ write: (inout DeepMap2Encoder) -> Bool) {
      var encoder = DeepMap2Encoder(DeepMapAims())
      guard write(&encoder) else { return }
      if best.isEmpty || encoder.attempt.count < best.count { best = encoder.attempt }
    }
    keep { $0.writeResiduals(rows, &streams) != nil }
    keep { $0.writePalette(rows, entry: 4, &streams) }
    keep { $0.writePalette(rows, entry: 3, &streams) }
    keep { $0.writePixels(rows, &streams) }
    return best
  }

  @Test("pixels that a sample favours are packed at least as well as by Apple's tool")
  func favouredPixels() {
    var random = SeededGenerator.forTest(32)
    for _ in 0..<20 {
      let (width, height) = (random.pick(320...400), random.pick(64...200))
      // A pattern of random colours, repeated in rows on a plain ground.
      let side = random.pick(18...24)
      let pattern = (0..<side * side).map { _ in UInt32(random.pick(0...0xFF_FFFF)) | 0xFF00_0000 }
      var pixels = [UInt32](repeating: 0xFFCC_CCCC, count: width * height)
      for top in stride(from: 0, to: height - side, by: side + random.pick(0...4)) {
        for left in stride(from: random.pick(0...3), to: width - side, by: side + 2) {
          for y in 0..<side {
            let start = (top + y) * width + left
            pixels.replaceSubrange(
              start..<start + side, with: pattern[y * side..<(y + 1) * side])
          }
        }
      }
      pixels.withUnsafeBytes { bytes in
        let rows = SourceRows(
          base: bytes.baseAddress!, stride: 4 * width, width: width, height: height, format: .argb)
        let apples = chosen(rows, DeepMapAims(), .reference)
        #expect(DeepMapChoice(blob: apples) == .pixels)
        let ours = chosen(rows, DeepMapAims(skipsUnlikely: true), .reference)
        #expect(DeepMapChoice(blob: ours) == .pixels && ours.count <= apples.count)
      }
    }
  }

  @Test("favoured pixels with a tile that does not become smaller give way to residuals")
  func tileOfNoise() {
    var random = SeededGenerator.forTest(34)
    let (width, height, side) = (512, 1100, 16)
    let pattern = (0..<side * side).map { _ in UInt32(random.pick(0...0xFF_FFFF)) | 0xFF00_0000 }
    let shades = (0..<16).map { UInt32($0) * 0x01_0101 | 0xFF00_0000 }
    // A tile has 1,024 rows of this width. The rows after them are noise.
    let pixels = (0..<width * height).map { index -> UInt32 in
      let (x, y) = (index % width, index / width)
      if y >= 1024 { return UInt32(random.pick(0...Int(UInt32.max))) }
      return x % 40 < side ? pattern[y % side * side + x % 40] : shades[y % 16]
    }
    pixels.withUnsafeBytes { bytes in
      let rows = SourceRows(
        base: bytes.baseAddress!, stride: 4 * width, width: width, height: height, format: .argb)
      var encoder = DeepMap2Encoder(DeepMapAims(skipsUnlikely: true))
      var streams = LZFSEEncoder(effort: .reference)
      #expect(!encoder.writePixels(rows, &streams))
      #expect(
        DeepMapChoice(blob: chosen(rows, DeepMapAims(skipsUnlikely: true), .reference))
          == .residuals)
    }
  }

  @Test("a fine pattern stays pixels, and a photograph with such a part in the middle residuals")
  func bandsOfPixels() {
    var random = SeededGenerator.forTest(35)
    let (width, height) = (300, 256)
    let colors = (0..<600).map { _ in UInt32(random.pick(0...0xFF_FFFF)) | 0xFF00_0000 }
    // The rows of the pattern. The middle eighth of the rows alone suggests pixels, too.
    for (pattern, choice) in [(0..<height, DeepMapChoice.pixels), (112..<144, .residuals)] {
      let pixels = (0..<width * height).map { index -> UInt32 in
        let (x, y) = (index % width, index / width)
        if pattern.contains(y) { return colors[random.pick(0...colors.count - 1)] }
        let shade = UInt32(x / 3 + y / 4 + random.pick(0...7))
        return shade * 0x01_0101 &+ UInt32(random.pick(0...3)) | 0xFF00_0000
      }
      pixels.withUnsafeBytes { bytes in
        let rows = SourceRows(
          base: bytes.baseAddress!, stride: 4 * width, width: width, height: height, format: .argb)
        #expect(
          DeepMapChoice(blob: chosen(rows, DeepMapAims(skipsUnlikely: true), .reference)) == choice)
      }
    }
  }

  @Test("blocks that are only measured have nearly as many bytes as written ones")
  func measuredBlocks() {
    var random = SeededGenerator.forTest(33)
    for round in 0..<24 {
      let count = random.pick(5_000...400_000)
      let range = [3, 20, 255][round % 3]
      var bytes = (0..<count).map { _ in UInt8(random.pick(0...range)) }
      // Half of the inputs repeat their earlier bytes.
      for start in stride(from: 2_000, to: round % 2 == 0 ? count - 300 : 0, by: 500) {
        let earlier = random.pick(0...start - 300)
        bytes.replaceSubrange(start..<start + 300, with: Array(bytes[earlier..<earlier + 300]))
      }
      var streams = LZFSEEncoder(effort: .fast)
      var (written, measured): ([UInt8], [UInt8]) = ([], [])
      bytes.withUnsafeBytes { bytes in
        _ = streams.appendTile(bytes, to: &written)
        _ = streams.measuring { $0.appendTile(bytes, to: &measured) }
      }
      #expect(abs(written.count - measured.count) <= 16 + written.count / 16)
    }
  }
}
