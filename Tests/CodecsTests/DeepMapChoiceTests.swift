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
          let chosen = row.withUnsafeBufferPointer { row in
            above.withUnsafeBufferPointer { above in
              NaturalLogarithms.ofNarrowSizes.withUnsafeBufferPointer { logarithms in
                DeepMapRows(
                  row: row.baseAddress! + step, above: above.baseAddress! + step, count: count,
                  step: step, logarithms: logarithms.baseAddress!
                ).bestPredictor(isFirst: isFirst)
              }
            }
          }
          #expect(chosen == plainPredictor(row, above, step, isFirst: isFirst))
        }
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
        return (color &+ ramp &* UInt32(index % width) &* 0x01_0101) | 0xFF00_0000
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

  /// Returns the first of the smallest blobs, each written as a whole.
  private func smallest(_ rows: SourceRows, _ streams: inout LZFSEEncoder) -> [UInt8] {
    var encoder = DeepMap2Encoder(DeepMapAims())
    var best: [UInt8] = []
    func keep(_ isWritten: Bool) {
      if isWritten, best.isEmpty || encoder.attempt.count < best.count { best = encoder.attempt }
    }
    keep(encoder.writeResiduals(rows, &streams) != nil)
    keep(encoder.writePalette(rows, entry: 4, &streams))
    keep(encoder.writePalette(rows, entry: 3, &streams))
    keep(encoder.writePixels(rows, &streams))
    return best
  }
}
