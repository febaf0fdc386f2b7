// A deepmap tile of residuals: undoes the prediction of each row and the colour transform.

/// Planes of a tile: alpha where there is one, a predictor for each row, the high bytes and the low
/// bytes of the residuals, channels interleaved.
struct DeepMapResiduals {
  private let blob: DeepMapBlob
  private let tile: PixelRows
  private let alpha: UnsafeRawBufferPointer
  private let predictors: UnsafeRawBufferPointer
  private let high: UnsafeRawBufferPointer
  private let low: UnsafeRawBufferPointer
  private let channels: Int
  private var row: [Int16]
  private var above: [Int16]

  /// `bytes` has exactly the bytes of the planes.
  init(_ blob: DeepMapBlob, _ bytes: UnsafeRawBufferPointer, _ tile: PixelRows) {
    self.blob = blob
    self.tile = tile
    channels = blob.pixels.channels
    let area = tile.width * tile.height
    var start = 0
    func plane(_ count: Int) -> UnsafeRawBufferPointer {
      defer { start += count }
      return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
    }
    alpha = plane(blob.pixels.hasAlpha ? area : 0)
    predictors = plane(tile.height)
    high = plane(area * channels)
    low = plane(area * channels)
    row = [Int16](repeating: 0, count: tile.width * channels)
    above = row
  }

  /// False where a row names a predictor that does not exist.
  mutating func decode() -> Bool {
    for y in 0..<tile.height {
      loadResiduals(y)
      let predictor = predictors[y]
      guard predictor <= 4 else { return false }
      let step = channels
      row.withUnsafeMutableBufferPointer { row in
        above.withUnsafeBufferPointer { above in
          undo(predictor, row, above, step: step)
        }
      }
      if !blob.pixels.hasColor && !blob.pixels.isWide {
        for index in row.indices { row[index] = min(max(row[index], 0), 255) }
      }
      store(y)
      swap(&row, &above)
    }
    return true
  }

  /// The lowest bit of a residual is its sign.
  private mutating func loadResiduals(_ y: Int) {
    let count = row.count
    let start = y * count
    for index in 0..<count {
      let folded = UInt16(high[start + index]) << 8 | UInt16(low[start + index])
      let size = Int16(bitPattern: folded >> 1)
      row[index] = folded & 1 == 0 ? size : 0 &- size
    }
  }

  /// Writes a row of the tile from the values in `row`.
  private func store(_ y: Int) {
    let target = tile.base + y * tile.stride
    let isWide = blob.pixels.isWide
    let precision = blob.parameter == 0 ? 10 : Int(blob.parameter)
    let unit = Double(sign: .plus, exponent: precision - 1, significand: 1)
    let lanes = tile.bytesPerPixel / (isWide ? 2 : 1)
    for x in 0..<tile.width {
      let opacity = alpha.isEmpty ? 255 : alpha[y * tile.width + x]
      let colors = channels == 3 ? self.color(x) : (Int(row[x]), 0, 0)
      let pixel = target + x * tile.bytesPerPixel
      func put(_ lane: Int, _ value: Int) {
        if isWide {
          pixel.storeBytes(
            of: HalfFloat.bits(Double(value) / unit).littleEndian, toByteOffset: 2 * lane,
            as: UInt16.self)
        } else {
          pixel.storeBytes(
            of: UInt8(truncatingIfNeeded: value), toByteOffset: lane, as: UInt8.self)
        }
      }
      put(0, colors.0)
      if channels == 3 {
        put(1, colors.1)
        put(2, colors.2)
      }
      guard lanes > channels else { continue }
      if isWide {
        pixel.storeBytes(
          of: HalfFloat.bits(Double(opacity) / 255).littleEndian, toByteOffset: 2 * channels,
          as: UInt16.self)
      } else {
        pixel.storeBytes(of: opacity, toByteOffset: channels, as: UInt8.self)
      }
    }
  }

  /// The colours of a pixel in memory order, from luma and two differences.
  private func color(_ x: Int) -> (Int, Int, Int) {
    let scale = blob.quality == 0 ? 1 : 2
    let orange = Int(row[3 * x + 1]) * scale
    let green = Int(row[3 * x + 2]) * scale
    let middle = Int(row[3 * x]) - green / 2
    let last = middle - orange / 2
    return (last + orange, middle + green, last)
  }
}

/// Adds the prediction to each residual of a row in place; sums wrap at 16 bits.
private func undo(
  _ predictor: UInt8, _ row: UnsafeMutableBufferPointer<Int16>,
  _ above: UnsafeBufferPointer<Int16>, step: Int
) {
  switch predictor {
  case 1: undoChoice(row, above, step: step)
  case 2: for index in step..<max(step, row.count) { row[index] &+= row[index - step] }
  case 3: for index in row.indices { row[index] &+= above[index] }
  case 4:
    for index in 0..<step { row[index] &+= above[index] }
    for index in step..<max(step, row.count) {
      let sum = row[index - step] &+ above[index] &+ 1
      row[index] &+= sum / 2
    }
  default: break
  }
}

/// Each pixel follows its left or its upper neighbour, whichever the corner between them lies
/// farther from, judged by the first channel.
private func undoChoice(
  _ row: UnsafeMutableBufferPointer<Int16>, _ above: UnsafeBufferPointer<Int16>, step: Int
) {
  for index in 0..<step { row[index] &+= above[index] }
  for first in stride(from: step, to: row.count, by: step) {
    let corner = Int(above[first - step])
    let left = Int(row[first - step])
    let up = Int(above[first])
    let followsLeft = abs(up - corner) <= abs(left - corner)
    for index in first..<first + step {
      row[index] &+= followsLeft ? row[index - step] : above[index]
    }
  }
}
