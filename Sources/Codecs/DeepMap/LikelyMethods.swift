// Choosing the method of a chunk as Apple's tool does, without all of its work: by our own faster
// packing, and without methods that have no chance.

extension DeepMap2Encoder {
  /// Sizes that differ by less than this part are measured again as Apple's tool does. On 730 real and
  /// made pictures the proportion of two methods differed from its by up to a seventh where it mattered,
  /// and by up to a twentieth where both take 100 KB: there much evens out.
  private static func doubtfulShare(of size: Int) -> Int { size < 100_000 ? 8 : 20 }
  /// Pictures with fewer rows are packed as a whole rather than sampled.
  private static let leastSampledRows = 64
  /// What is packed to less than this part has long matches: a better search is cheap there and saves
  /// more.
  private static let wellPackedShare = 8

  /// Leaves the chosen blob in `best`. False where another method would give other pixels and has
  /// nearly the same size, so that measuring as Apple's tool does could choose otherwise.
  mutating func chooseLikelyMethod(
    _ rows: SourceRows, with streams: inout LZFSEEncoder
  ) -> Bool {
    let effort = streams.effort
    streams.effort = .fast
    let isSure = tryLikelyMethods(rows, with: &streams)
    streams.effort = effort
    if isSure, best.count * Self.wellPackedShare < rows.height * rows.rowBytes {
      packOnceMore(rows, with: &streams)
    }
    return isSure
  }

  private mutating func tryLikelyMethods(
    _ rows: SourceRows, with streams: inout LZFSEEncoder
  ) -> Bool {
    best.removeAll(keepingCapacity: true)
    let hasPalette = rows.format.kind == .argb && writePalette(rows, entry: 4, &streams)
    if hasPalette {
      keep()
      // What the others could save here is little, as long as colours need no rounding.
      if !mayWinAsResiduals(rows) { return true }
    }
    var others = best.isEmpty ? Int.max : best.count
    let outcome = writeResiduals(rows, &streams)
    let residuals = outcome == nil ? Int.max : attempt.count
    if outcome != nil { keep() }
    if !hasPalette {
      if rows.format.kind == .argb, writePalette(rows, entry: 3, &streams) {
        others = min(others, attempt.count)
        keep()
      }
      if mayWinAsPixels(rows, with: &streams), writePixels(rows, &streams) {
        others = min(others, attempt.count)
        keep()
      }
    }
    guard outcome == .lossy, others != .max else { return true }
    let least = min(others, residuals)
    return abs(others - residuals) > least / Self.doubtfulShare(of: least)
  }

  /// Whether residuals may be smaller than the palette in `best`. On 1,600 real and made pictures
  /// they never were where the bytes of some rows, each coded by itself, took four times the room.
  private mutating func mayWinAsResiduals(_ rows: SourceRows) -> Bool {
    let bands = max(1, rows.height / 64)
    var bits = 0.0
    var sampled = 0
    for band in 0..<bands {
      let first = rows.height * band / bands
      let part = rows.band(first..<min(rows.height, first + 16))
      let outcome = DeepMapPlanes.make(part, likely: true, into: &tile, values: &values)
      if outcome == .impossible { return true }
      let planes = DeepMapPlanes(part)
      bits += tile.withUnsafeBufferPointer {
        informationInBits($0[..<planes.predictors])
          + informationInBits($0[planes.low..<planes.size])
      }
      sampled += part.height
    }
    let bytes = bits / 8 * Double(rows.height) / Double(sampled)
    return bytes < 4 * Double(best.count)
  }

  /// Whether the pixels as they are may be smaller than `best`: an eighth of them, from the middle,
  /// would be half as large again.
  private mutating func mayWinAsPixels(
    _ rows: SourceRows, with streams: inout LZFSEEncoder
  ) -> Bool {
    guard rows.height >= Self.leastSampledRows, !best.isEmpty else { return true }
    let count = rows.height / 8
    let first = (rows.height - count) / 2
    guard writePixels(rows.band(first..<first + count), &streams) else { return false }
    return attempt.count * 8 < best.count * 3 / 2
  }
}

/// What bytes take up when each is coded by itself, by how often it occurs.
private func informationInBits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Double {
  var counts = [Int](repeating: 0, count: 256)
  for byte in bytes { counts[Int(byte)] += 1 }
  var bits = 0.0
  for count in counts where count > 0 {
    bits += Double(count) * NaturalLogarithms.ofQuotient(bytes.count, count)
  }
  return bits * 1.442_695_040_888_963_4
}
