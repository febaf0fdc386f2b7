// Deepmap bitmaps, compared with a plain encoder in this file that writes each predictor forwards.

import Support
import Testing

@testable import Codecs

/// Writes `dmp2` and `dmap` blobs of one tile.
private struct DeepMapMaker {
  let width: Int
  let height: Int
  /// Luma and two differences, or gray alone: `channels` values for each pixel.
  let values: [Int]
  let channels: Int
  let alpha: [UInt8]

  func residuals(predictors: [UInt8]) -> [Int] {
    func value(_ x: Int, _ y: Int, _ c: Int) -> Int {
      x < 0 || y < 0 ? 0 : values[(y * width + x) * channels + c]
    }
    var result: [Int] = []
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<channels {
          let (left, up) = (value(x - 1, y, c), value(x, y - 1, c))
          let corner = value(x - 1, y - 1, 0)
          let towardsUp = abs(value(x, y - 1, 0) - corner)
          let towardsLeft = abs(value(x - 1, y, 0) - corner)
          let prediction =
            switch predictors[y] {
            case 1: x == 0 ? up : towardsUp <= towardsLeft ? left : up
            case 2: left
            case 3: up
            case 4: x == 0 ? up : (left + up + 1) / 2
            default: 0
            }
          result.append(value(x, y, c) - prediction)
        }
      }
    }
    return result
  }

  func tile(predictors: [UInt8]) -> [UInt8] {
    let folded = residuals(predictors: predictors).map { abs($0) << 1 | ($0 < 0 ? 1 : 0) }
    let planes =
      alpha + predictors + folded.map { UInt8($0 >> 8) } + folded.map { UInt8($0 & 255) }
    var packed: [UInt8] = []
    planes.withUnsafeBytes { LZVN.encode($0, appendingTo: &packed) }
    return packed
  }

  func payload(generation: Int, quality: UInt8, code: UInt8, predictors: [UInt8]) -> [UInt8] {
    let tile = tile(predictors: predictors)
    var blob = Array((generation == 1 ? "dmap" : "dmp2").utf8) + [2, quality, 10, code]
    if generation == 2 {
      blob.append(littleEndian: UInt16(width))
      blob.append(littleEndian: UInt16(height))
    }
    blob.append(littleEndian: UInt32(tile.count))
    blob += tile
    return wrapped(blob, version: generation == 1 ? 5 : 1, code: code)
  }
}

private func wrapped(_ blob: [UInt8], version: UInt32, code: UInt8) -> [UInt8] {
  var payload: [UInt8] = []
  payload.append(littleEndian: version)
  payload.append(littleEndian: UInt32(code))
  payload.append(littleEndian: UInt64(blob.count))
  return payload + blob
}

struct DeepMapTests {
  private func decode(
    _ payload: [UInt8], generation: Int, _ format: PixelFormat, _ width: Int, _ height: Int
  ) throws -> [UInt8] {
    let stride = width * format.bytesPerPixel
    return try decoded(payload, room: stride * height) { source, target in
      let all = DeepMapRequest(format: format, width: width, height: height, rows: 0..<height)
      if generation == 1 {
        try DeepMap.decode(source, all, into: target, rowStride: stride)
      } else {
        try DeepMap2.decode(source, all, into: target, rowStride: stride)
      }
      return target.count
    }
  }

  @Test("Gray with alpha comes back through every predictor", arguments: [1, 2])
  func grayTiles(_ generation: Int) throws {
    let (width, height) = (13, 10)
    let gray = (0..<width * height).map { $0 * $0 / 7 % 256 }
    let alpha = (0..<width * height).map { UInt8(255 - $0) }
    let maker = DeepMapMaker(
      width: width, height: height, values: gray, channels: 1, alpha: alpha)
    let payload = maker.payload(
      generation: generation, quality: 0, code: 2, predictors: [0, 1, 2, 3, 4, 4, 3, 2, 1, 0])
    let expected = zip(gray, alpha).flatMap { [UInt8($0), $1] }
    #expect(try decode(payload, generation: generation, .ga8, width, height) == expected)
  }

  @Test("Colours come back from luma and two differences, halved or not", arguments: [0, 1])
  func colorTiles(_ quality: UInt8) throws {
    let (width, height) = (9, 5)
    let pixels = (0..<width * height).map { (($0 * 31) % 256, ($0 * 17) % 256, ($0 * 7) % 256) }
    var values: [Int] = []
    var expected: [UInt8] = []
    for (first, middle, last) in pixels {
      // Even differences, so that halving them loses no bit.
      let orange = (first - last) / 2 * 2
      let half = last + orange / 2
      let green = (middle - half) / 2 * 2
      let scale = quality == 0 ? 1 : 2
      values += [half + green / 2, orange / scale, green / scale]
      expected += [last + orange, half + green, last, 255].map { UInt8($0) }
    }
    let maker = DeepMapMaker(
      width: width, height: height, values: values, channels: 3, alpha: [])
    let payload = maker.payload(
      generation: 2, quality: quality, code: 3, predictors: [2, 1, 3, 4, 0])
    #expect(try decode(payload, generation: 2, .argb, width, height) == expected)
  }

  @Test(
    "Palettes of the first generation keep alpha beside the indices, whatever their word says",
    arguments: [0, 3, 4, 0xFFFF] as [UInt16])
  func firstPalettes(_ word: UInt16) throws {
    // Two tiles: the first is long enough for LZFSE, the second is so short that LZVN is used.
    let (width, height) = (300, 40)
    let colors: [UInt32] = [0x0011_2233, 0xFF44_5566, 0x8077_8899]
    var generator = SeededGenerator(seed: 20)
    let indices = (0..<width * height).map { _ in Int(generator.next() % 3) }
    let alpha = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 / 5) }
    var blob = Array("dmap".utf8) + [4, 1, 10, 4]
    blob.append(littleEndian: UInt16(colors.count))
    blob.append(littleEndian: word)
    for color in colors { blob.append(littleEndian: color) }
    for columns in [0..<256, 256..<width] {
      let places = (0..<height).flatMap { y in columns.map { y * width + $0 } }
      let tile = packed(places.map { alpha[$0] } + places.map { UInt8(indices[$0]) })
      blob.append(littleEndian: UInt32(tile.count))
      blob += tile
    }
    let expected = zip(indices, alpha).flatMap { index, alpha -> [UInt8] in
      let color = colors[index]
      return [0, 8, 16].map { UInt8(truncatingIfNeeded: color >> $0) } + [alpha]
    }
    let payload = wrapped(blob, version: 5, code: 4)
    #expect(try decode(payload, generation: 1, .argb, width, height) == expected)
  }

  private func packed(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    var encoder = LZFSEEncoder()
    bytes.withUnsafeBytes {
      if $0.count < 4096 {
        LZVN.encode($0, appendingTo: &stream)
      } else {
        encoder.encode($0, appendingTo: &stream)
      }
    }
    return stream
  }

  @Test("A payload cut at any byte is refused, and one of other pixels")
  func refusesBrokenOnes() {
    let maker = DeepMapMaker(
      width: 4, height: 2, values: [Int](repeating: 3, count: 8), channels: 1, alpha: [])
    let payload = maker.payload(generation: 2, quality: 0, code: 1, predictors: [2, 3])
    for count in 0..<payload.count {
      #expect(throws: CodecError.self) {
        try decode(Array(payload.prefix(count)), generation: 2, .ga8, 4, 2)
      }
    }
    #expect(throws: CodecError.corrupt(at: 23)) {
      try decode(payload, generation: 2, .argb, 4, 2)
    }
  }

  @Test(
    "Half floats are rounded to the nearest, ties to even",
    arguments: [
      (0.0, 0x0000), (1.0, 0x3C00), (-2.0, 0xC000), (65504, 0x7BFF), (65520, 0x7C00),
      (0x1p-24, 0x0001), (0x1p-25, 0x0000), (0x1.8p-25, 0x0001), (0.1, 0x2E66),
      (1 + 0x1p-11, 0x3C00),
    ] as [(Double, UInt16)])
  func halves(_ value: Double, _ bits: UInt16) {
    #expect(HalfFloat.bits(value) == bits)
  }
}
