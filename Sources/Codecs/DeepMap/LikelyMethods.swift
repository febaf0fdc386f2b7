// Chooses the method of a chunk as Apple's tool does, with less work: it packs with our own faster
// search, and it skips methods that cannot win.
//
//     at most 256 colours? (palette 4)
//     ├─ yes:  do sampled residuals need at least 4 times the bytes of the palette?
//     │        ├─ yes: palette 4
//     │        └─ no:  the smaller of palette 4 and residuals
//     └─ no:   the smallest of residuals, palette 3 and pixels; pixels are left out if a sample
//              suggests that they need at least 1.5 times the bytes of the others
//
//     If the residuals lose bits, and the sizes of residuals and the best other method differ by
//     less than 1/8 (1/20 from 100 KB on), the choice is doubtful: DeepMap2Encoder.swift measures
//     as Apple's tool does.
//
// The methods without loss give the same pixels, so a different choice among them costs only bytes.

extension DeepMap2Encoder {
  /// Returns the divisor of the smallest size that gives the doubtful difference. On 730 real and
  /// synthetic pictures the ratio of two methods' sizes differed from that of Apple's tool by up to
  /// a seventh in the cases that matter, and by up to a twentieth if both methods take 100 KB,
  /// because errors even out.
  private static func doubtfulShare(of size: Int) -> Int { size < 100_000 ? 8 : 20 }
  /// Pictures with fewer rows are packed as a whole instead of sampled.
  private static let leastSampledRows = 64
  /// A chunk that is packed to less than this part has long matches: a better search is cheap there
  /// and saves more.
  private static let wellPackedShare = 8

  /// Leaves the chosen blob in `best`. Returns false if another method would give other pixels and
  /// has nearly the same size, so that Apple's tool could choose it.
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
      // The other methods could save little here, provided that they lose no bits.
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

  /// Returns whether residuals may be smaller than the palette in `best`. On 1,600 real and
  /// synthetic pictures they never were if the entropy of their bytes in some sampled rows was at
  /// least four times the palette's size.
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

  /// Returns whether the plain pixels may be smaller than `best`. They may not if an eighth of
  /// them, from the middle, suggests a size of at least 1.5 times `best`.
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

/// Returns the bits that the bytes take if each is coded by itself, by its frequency.
private func informationInBits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Double {
  var counts = [Int](repeating: 0, count: 256)
  for byte in bytes { counts[Int(byte)] += 1 }
  var bits = 0.0
  for count in counts where count > 0 {
    bits += Double(count) * NaturalLogarithms.ofQuotient(bytes.count, count)
  }
  return bits * 1.442_695_040_888_963_4
}
