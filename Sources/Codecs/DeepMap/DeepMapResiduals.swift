// Decodes a deepmap tile of residuals: undoes the prediction of each row and the colour transform.

/// The planes of a tile: alpha if the blob has it, a predictor for each row, the high bytes and the
/// low bytes of the residuals with interleaved channels.
struct DeepMapResiduals {
  private let blob: DeepMapBlob
  private let tile: PixelRows
  private let alpha: UnsafeBufferPointer<UInt8>
  private let predictors: UnsafeBufferPointer<UInt8>
  private let high: UnsafeBufferPointer<UInt8>
  private let low: UnsafeBufferPointer<UInt8>
  private let channels: Int

  /// Finds the planes in `bytes`, which have exactly their size.
  init(_ blob: DeepMapBlob, _ bytes: UnsafeRawBufferPointer, _ tile: PixelRows) {
    self.blob = blob
    self.tile = tile
    channels = blob.pixels.channels
    let area = tile.width * tile.height
    var start = 0
    func plane(_ count: Int) -> UnsafeBufferPointer<UInt8> {
      defer { start += count }
      return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]).assumingMemoryBound(
        to: UInt8.self)
    }
    alpha = plane(blob.pixels.hasAlpha ? area : 0)
    predictors = plane(tile.height)
    high = plane(area * channels)
    low = plane(area * channels)
  }

  /// Decodes the tile. Returns false if a row has a predictor that does not exist.
  func decode() -> Bool {
    let count = tile.width * channels
    guard let high = high.baseAddress, let low = low.baseAddress else { return true }
    let values = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * count)
    values.initialize(repeating: 0, count: 2 * count)
    defer { values.deallocate() }
    var (row, above) = (values, values + count)
    for y in 0..<tile.height {
      let offset = y * count
      unfold(high + offset, low + offset, count, into: row)
      let residuals = ResidualRow(row: row, above: above, count: count, step: channels)
      guard residuals.undo(predictors[y]) else { return false }
      if !blob.pixels.hasColor && !blob.pixels.isWide { clampToBytes(row, count) }
      store(row, y)
      swap(&row, &above)
    }
    return true
  }

  /// Writes a row of the tile from its values.
  private func store(_ row: UnsafePointer<Int16>, _ y: Int) {
    let target = tile.base + y * tile.stride
    // The plane has a byte of alpha for each pixel, or it is empty.
    let alpha = self.alpha.baseAddress.flatMap { self.alpha.isEmpty ? nil : $0 + y * tile.width }
    switch (blob.pixels.isWide, tile.bytesPerPixel) {
    case (false, 4): storeColors(row, alpha, target)
    case (false, 2): storeGrays(row, alpha, target)
    default: storeLanes(row, alpha, target)
    }
  }

  private func storeColors(
    _ row: UnsafePointer<Int16>, _ alpha: UnsafePointer<UInt8>?, _ target: UnsafeMutableRawPointer
  ) {
    let scale: Int32 = blob.quality == 0 ? 1 : 2
    for x in 0..<tile.width {
      let (first, second, third) = colors(row + 3 &* x, scale)
      let bits =
        UInt32(truncatingIfNeeded: first & 255)
        | UInt32(truncatingIfNeeded: second & 255) &<< 8
        | UInt32(truncatingIfNeeded: third & 255) &<< 16
        | UInt32(alpha.map { $0[x] } ?? 255) &<< 24
      target.storeBytes(of: bits.littleEndian, toByteOffset: 4 &* x, as: UInt32.self)
    }
  }

  private func storeGrays(
    _ row: UnsafePointer<Int16>, _ alpha: UnsafePointer<UInt8>?, _ target: UnsafeMutableRawPointer
  ) {
    for x in 0..<tile.width {
      let bits =
        UInt16(truncatingIfNeeded: row[x]) & 255 | UInt16(alpha.map { $0[x] } ?? 255) &<< 8
      target.storeBytes(of: bits.littleEndian, toByteOffset: 2 &* x, as: UInt16.self)
    }
  }

  /// Writes rows of the rare formats: half floats, and gray without alpha.
  private func storeLanes(
    _ row: UnsafePointer<Int16>, _ alpha: UnsafePointer<UInt8>?, _ target: UnsafeMutableRawPointer
  ) {
    let isWide = blob.pixels.isWide
    let precision = blob.parameter == 0 ? 10 : Int(blob.parameter)
    let unit = Double(sign: .plus, exponent: precision - 1, significand: 1)
    let lanes = tile.bytesPerPixel / (isWide ? 2 : 1)
    for x in 0..<tile.width {
      let pixel = target + x * tile.bytesPerPixel
      func put(_ lane: Int, _ value: Int32, of unit: Double) {
        if isWide {
          pixel.storeBytes(
            of: HalfFloat.bits(Double(value) / unit).littleEndian, toByteOffset: 2 * lane,
            as: UInt16.self)
        } else {
          pixel.storeBytes(
            of: UInt8(truncatingIfNeeded: value), toByteOffset: lane, as: UInt8.self)
        }
      }
      if channels == 3 {
        let (first, second, third) = colors(row + 3 * x, blob.quality == 0 ? 1 : 2)
        put(0, first, of: unit)
        put(1, second, of: unit)
        put(2, third, of: unit)
      } else {
        put(0, Int32(row[x]), of: unit)
      }
      if lanes > channels { put(channels, Int32(alpha.map { $0[x] } ?? 255), of: 255) }
    }
  }

  /// Returns the colours of a pixel in memory order, from luma and two differences.
  @inline(__always)
  private func colors(
    _ pixel: UnsafePointer<Int16>, _ scale: Int32
  ) -> (Int32, Int32, Int32) {
    let orange = Int32(pixel[1]) &* scale
    let green = Int32(pixel[2]) &* scale
    let middle = Int32(pixel[0]) &- green / 2
    let last = middle &- orange / 2
    return (last &+ orange, middle &+ green, last)
  }
}

/// Joins the two bytes of each residual; the lowest bit is its sign. The loop is written so that
/// the compiler vectorises it.
private func unfold(
  _ high: UnsafePointer<UInt8>, _ low: UnsafePointer<UInt8>, _ count: Int,
  into row: UnsafeMutablePointer<Int16>
) {
  for index in 0..<count {
    let folded = UInt16(high[index]) &<< 8 | UInt16(low[index])
    let sign = 0 &- (folded & 1)
    row[index] = Int16(bitPattern: (folded &>> 1 ^ sign) &- sign)
  }
}

private func clampToBytes(_ row: UnsafeMutablePointer<Int16>, _ count: Int) {
  for index in 0..<count { row[index] = min(max(row[index], 0), 255) }
}

/// Returns half of the sum plus one, rounded towards zero. The sum wraps at 16 bits.
@inline(__always)
func deepMapMean(_ left: Int16, _ up: Int16) -> Int16 {
  let sum = left &+ up &+ 1
  return (sum &- sum &>> 15) &>> 1
}

/// A row of residuals with interleaved channels, and the values of the row above.
private struct ResidualRow {
  let row: UnsafeMutablePointer<Int16>
  let above: UnsafePointer<Int16>
  let count: Int
  let step: Int

  /// Adds the prediction to each residual in place; sums wrap at 16 bits. Returns false if the
  /// predictor does not exist.
  func undo(_ predictor: UInt8) -> Bool {
    step == 3 ? undo(predictor, 3) : undo(predictor, 1)
  }

  @inline(__always)
  private func undo(_ predictor: UInt8, _ step: Int) -> Bool {
    switch predictor {
    case 0: break
    case 1: addChoice(step)
    case 2: for index in min(step, count)..<count { row[index] &+= row[index &- step] }
    case 3: for index in 0..<count { row[index] &+= above[index] }
    case 4:
      for index in 0..<min(step, count) { row[index] &+= above[index] }
      for index in min(step, count)..<count {
        row[index] &+= deepMapMean(row[index &- step], above[index])
      }
    default: return false
    }
    return true
  }

  /// Predicts each pixel by its left or its upper neighbour: by the one from which the corner
  /// between them differs more in the first channel.
  @inline(__always)
  private func addChoice(_ step: Int) {
    for index in 0..<min(step, count) { row[index] &+= above[index] }
    var first = step
    while first < count {
      let corner = Int32(above[first &- step])
      let left = Int32(row[first &- step])
      let followsLeft = abs(Int32(above[first]) &- corner) <= abs(left &- corner)
      for index in first..<first &+ step {
        row[index] &+= followsLeft ? row[index &- step] : above[index]
      }
      first &+= step
    }
  }
}
