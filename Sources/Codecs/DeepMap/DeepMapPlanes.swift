// Computes the bytes of a tile of residuals before they are packed: converts pixels into channels
// that differ little from their neighbours, and writes for each row the residuals of a good
// predictor.

import CRows

/// The rows of a picture or chunk that an encoder reads.
struct SourceRows {
  let base: UnsafeRawPointer
  let stride: Int
  let width: Int
  let height: Int
  let format: PixelFormat

  var rowBytes: Int { width * format.bytesPerPixel }
  /// The number of predicted channels: all but alpha.
  var channels: Int { format.kind == .argb || format.kind == .rgbw ? 3 : 1 }
  var isWide: Bool { format.kind == .rgbw || format.kind == .ga16 }

  func row(_ y: Int) -> UnsafeRawPointer { base + y * stride }

  func band(_ rows: Range<Int>) -> SourceRows {
    SourceRows(
      base: row(rows.lowerBound), stride: stride, width: width, height: rows.count, format: format)
  }
}

/// The offsets of the planes of residuals in the bytes of a tile.
struct DeepMapPlanes {
  let width: Int
  let height: Int
  let channels: Int

  init(_ tile: SourceRows) {
    width = tile.width
    height = tile.height
    channels = tile.channels
  }

  var area: Int { width * height }
  var size: Int { area * (2 * channels + 1) + height }
  /// The order of the planes: alpha, predictors, high bytes, low bytes.
  var predictors: Int { area }
  var high: Int { area + height }
  var low: Int { high + area * channels }

  /// The loss that the transform causes.
  enum Loss {
    /// Decoding gives back every pixel.
    case exact
    /// Decoding gives a narrow channel that differs by one, or a wide channel that is rounded.
    case lossy
    /// A channel is not a number or too large.
    case impossible
  }

  /// Fills `tile` with the planes of `source`, and zeros up to a multiple of 16 bytes. `values` is
  /// memory that can be used for several tiles.
  static func make(
    _ source: SourceRows, likely: Bool, into tile: inout TileBytes, values: inout [Int16]
  ) -> Loss {
    let planes = DeepMapPlanes(source)
    let needed = 2 * (planes.width + 1) * planes.channels
    if values.count < needed { values = [Int16](repeating: 0, count: needed) }
    let logarithms =
      source.isWide ? NaturalLogarithms.ofWideSizes : NaturalLogarithms.ofNarrowSizes
    return tile.write((planes.size + 15) & ~15) { bytes in
      bytes[planes.size...].update(repeating: 0)
      return values.withUnsafeMutableBufferPointer { values in
        logarithms.withUnsafeBufferPointer { logarithms in
          guard let bytes = bytes.baseAddress, let values = values.baseAddress,
            let logarithms = logarithms.baseAddress
          else { return .impossible }
          var maker = DeepMapPlanesMaker(
            source: source, planes: planes, likely: likely && !source.isWide && planes.width >= 8,
            bytes: bytes,
            logarithms: logarithms, values: values)
          return maker.run()
        }
      }
    }
  }
}

private struct DeepMapPlanesMaker {
  let source: SourceRows
  let planes: DeepMapPlanes
  /// Whether the fast choice of predictors is used.
  let likely: Bool
  let bytes: UnsafeMutablePointer<UInt8>
  let logarithms: UnsafePointer<Float>
  /// The channels of the current row, and of the row above it.
  private var row: UnsafeMutablePointer<Int16>
  private var above: UnsafeMutablePointer<Int16>
  /// Whether the current row consists of zeros, if that was examined.
  private var isZeroRow: Bool?
  private var outcome = DeepMapPlanes.Loss.exact

  /// The value 1 of a wide channel.
  private static let wideUnit = 512.0

  init(
    source: SourceRows, planes: DeepMapPlanes, likely: Bool,
    bytes: UnsafeMutablePointer<UInt8>, logarithms: UnsafePointer<Float>,
    values: UnsafeMutablePointer<Int16>
  ) {
    self.source = source
    self.planes = planes
    self.likely = likely
    self.bytes = bytes
    self.logarithms = logarithms
    // A pixel of zeros lies before the first pixel of both rows.
    let channels = planes.channels
    values.update(repeating: 0, count: channels)
    row = values + channels
    above = row + (planes.width + 1) * channels
    (above - channels).update(repeating: 0, count: channels)
  }

  mutating func run() -> DeepMapPlanes.Loss {
    let (width, count) = (planes.width, planes.width * planes.channels)
    for y in 0..<planes.height {
      if y > 0, carve_are_equal(source.row(y), source.row(y - 1), source.rowBytes) {
        // The residuals from the row above are zeros. If the row consists of zeros, predictor 0
        // gives the same residuals and comes first.
        (bytes + y * width).update(from: bytes + (y - 1) * width, count: width)
        (bytes + planes.high + y * count).update(repeating: 0, count: count)
        (bytes + planes.low + y * count).update(repeating: 0, count: count)
        let isZero = isZeroRow ?? isNothing(row, count)
        isZeroRow = isZero
        bytes[planes.predictors + y] = isZero ? 0 : 3
        continue
      }
      isZeroRow = nil
      swap(&row, &above)
      guard load(source.row(y), alpha: bytes + y * width) else { return .impossible }
      let rows = DeepMapRows(
        row: row, above: above, count: count, step: planes.channels, isNarrow: !source.isWide,
        logarithms: logarithms)
      let predictor =
        likely ? rows.likelyPredictor(isFirst: y == 0) : rows.bestPredictor(isFirst: y == 0)
      bytes[planes.predictors + y] = predictor
      let high = bytes + planes.high + y * count
      let low = bytes + planes.low + y * count
      guard rows.fold(predictor, high: high, low: low) else { return .impossible }
    }
    return outcome
  }

  private func isNothing(_ values: UnsafePointer<Int16>, _ count: Int) -> Bool {
    for index in 0..<count where values[index] != 0 { return false }
    return true
  }

  /// Splits a row of pixels into `row` and `alpha`. Returns false if a value cannot be stored.
  private mutating func load(
    _ pixels: UnsafeRawPointer, alpha: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    switch source.format.kind {
    case .argb:
      let bytes = pixels.assumingMemoryBound(to: UInt8.self)
      if !carve_split_colors(bytes, planes.width, row, alpha) { outcome = .lossy }
    case .rgbw: return loadWide(pixels, alpha, lanes: 4)
    case .ga16: return loadWide(pixels, alpha, lanes: 2)
    default:
      for x in 0..<planes.width {
        let pixel = UInt16(
          littleEndian: pixels.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self))
        row[x] = Int16(truncatingIfNeeded: pixel & 255)
        alpha[x] = UInt8(truncatingIfNeeded: pixel &>> 8)
      }
    }
    return true
  }

  /// Stores luma and two halved differences, as `carve_split_colors` does.
  @inline(__always)
  private func put(_ x: Int, _ first: Int32, _ middle: Int32, _ last: Int32) {
    let orange = first &- last
    let halfOrange = Self.half(orange)
    let base = last &+ halfOrange
    let green = middle &- base
    let halfGreen = Self.half(green)
    let address = row + 3 &* x
    address[0] = Int16(truncatingIfNeeded: base &+ halfGreen)
    address[1] = Int16(truncatingIfNeeded: halfOrange)
    address[2] = Int16(truncatingIfNeeded: halfGreen)
  }

  /// Halves towards zero.
  @inline(__always)
  private static func half(_ value: Int32) -> Int32 { (value &- value &>> 31) &>> 1 }

  /// Converts half floats into fixed point and alpha into a byte.
  private mutating func loadWide(
    _ pixels: UnsafeRawPointer, _ alpha: UnsafeMutablePointer<UInt8>, lanes: Int
  ) -> Bool {
    outcome = .lossy
    for x in 0..<planes.width {
      let pixel = pixels + 2 * lanes * x
      func value(_ lane: Int) -> Double? {
        let bits = pixel.loadUnaligned(fromByteOffset: 2 * lane, as: UInt16.self)
        return HalfFloat.value(UInt16(littleEndian: bits))
      }
      func code(_ lane: Int) -> Int32? {
        guard let value = value(lane) else { return nil }
        let scaled = (value * Self.wideUnit).rounded(.toNearestOrEven)
        return abs(scaled) < 8192 ? Int32(scaled) : nil
      }
      guard let opacity = value(lanes - 1), let first = code(0) else { return false }
      alpha[x] = UInt8((min(1, max(0, opacity)) * 255).rounded(.toNearestOrEven))
      if lanes == 2 {
        row[x] = Int16(truncatingIfNeeded: first)
        continue
      }
      guard let second = code(1), let third = code(2) else { return false }
      put(x, first, second, third)
    }
    return true
  }
}
