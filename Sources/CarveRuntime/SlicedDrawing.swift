// Draws a stretched picture row by row. Rows and columns that keep their size or are repeated are
// copied. A pixel between four others is mixed from them, with weights in 256ths, first
// horizontally and then vertically.

/// A drawing whose samples all lie within the source, because of the plan, and whose rows all lie
/// within the target, because the caller has checked that.
struct SlicedDrawing {
  private let source: UnsafeRawPointer
  private let sourceStride: Int
  private let bytesPerPixel: Int
  private let columns: [Sample]
  private let rows: [Sample]
  private let runs: [ColumnRun]
  private var hollowColumns = 0..<0
  private var hollowRows = 0..<0
  /// For each row of the source, the last row of the target that shows it unmixed; -1 if there is
  /// no such row.
  private var shown: [Int]

  /// Returns the most bytes that a drawing takes for samples, runs and lines. No side is longer
  /// than `Stretch.longest`.
  static func memory(width: Int, height: Int, sourceHeight: Int) -> Int {
    128 * width + 48 * height + 8 * sourceHeight
  }

  init(
    _ source: UnsafeRawPointer, stride: Int, bytesPerPixel: Int, plan: StretchPlan, width: Int,
    height: Int, isMirrored: Bool
  ) {
    self.source = source
    sourceStride = stride
    self.bytesPerPixel = bytesPerPixel
    let samples = plan.across.samples(width)
    columns = isMirrored ? samples.reversed() : samples
    rows = plan.down.samples(height)
    runs = ColumnRun.runs(columns)
    shown = Array(repeating: -1, count: (rows.map { $0.first }.max() ?? 0) + 1)
    guard plan.isHollow else { return }
    let across = plan.across.parts(of: width)
    let left = isMirrored ? across.last : across.first
    hollowColumns = left..<left + across.middle
    let down = plan.down.parts(of: height)
    hollowRows = down.first..<down.first + down.middle
  }

  mutating func draw(into target: UnsafeMutableRawPointer, rowStride: Int) {
    let bytes = columns.count * bytesPerPixel
    var lines = MixingLines(channels: rows.contains { $0.weight != 0 } ? bytes : 0)
    for (y, row) in rows.enumerated() {
      let line = target + y * rowStride
      if let other = twin(of: y) {
        line.copyMemory(from: target + other * rowStride, byteCount: bytes)
        continue
      }
      if row.weight == 0 {
        draw(source + row.first * sourceStride, to: line)
      } else {
        lines.mix(row, to: line) { number, room in spread(source + number * sourceStride, to: room)
        }
      }
      if hollowRows.contains(y) {
        (line + hollowColumns.lowerBound * bytesPerPixel).initializeMemory(
          as: UInt8.self, repeating: 0, count: hollowColumns.count * bytesPerPixel)
      }
    }
  }

  /// Returns an identical row of the target that is already drawn; nil if there is no such row.
  private mutating func twin(of y: Int) -> Int? {
    let row = rows[y]
    let isHollow = hollowRows.contains(y)
    if y > 0, rows[y - 1] == row, hollowRows.contains(y - 1) == isHollow { return y - 1 }
    guard row.weight == 0 else { return nil }
    let other = shown[row.first]
    shown[row.first] = y
    return other >= 0 && hollowRows.contains(other) == isHollow ? other : nil
  }

  /// Draws a row that is not mixed with another one.
  private func draw(_ from: UnsafeRawPointer, to line: UnsafeMutableRawPointer) {
    for run in runs {
      let target = line + run.start * bytesPerPixel
      let first = from + run.source * bytesPerPixel
      switch run.kind {
      case .copied: target.copyMemory(from: first, byteCount: run.period * bytesPerPixel)
      case .mirrored: mirror(first, to: target, run.period)
      case .mixed:
        mix(from, to: target, run)
        continue
      }
      repeatBytes(target, run.period * bytesPerPixel, run.count * bytesPerPixel)
    }
  }

  /// Writes a row with 16 bits for each channel, each value times 256.
  private func spread(_ from: UnsafeRawPointer, to room: UnsafeMutablePointer<UInt16>) {
    for run in runs {
      let target = room + run.start * bytesPerPixel
      if run.kind == .copied {
        let first = from + run.source * bytesPerPixel
        for channel in 0..<run.period * bytesPerPixel {
          target[channel] = UInt16(first.load(fromByteOffset: channel, as: UInt8.self)) &<< 8
        }
        repeatBytes(target, run.period * bytesPerPixel * 2, run.count * bytesPerPixel * 2)
      } else {
        spreadPixels(from, to: target, run)
      }
    }
  }

  private func spreadPixels(
    _ from: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt16>, _ run: ColumnRun
  ) {
    for place in 0..<run.count {
      let column = columns[run.start + place]
      let left = from + column.first &* bytesPerPixel
      let right = from + column.second &* bytesPerPixel
      let weight = UInt16(truncatingIfNeeded: column.weight)
      if bytesPerPixel == 4 {
        let mixed =
          wide(left) &* SIMD4(repeating: 256 &- weight) &+ wide(right) &* SIMD4(repeating: weight)
        UnsafeMutableRawPointer(target + place &* 4).storeBytes(
          of: mixed, as: SIMD4<UInt16>.self)
        continue
      }
      for channel in 0..<bytesPerPixel {
        let first = UInt16(left.load(fromByteOffset: channel, as: UInt8.self))
        let second = UInt16(right.load(fromByteOffset: channel, as: UInt8.self))
        target[place &* bytesPerPixel &+ channel] =
          first &* (256 &- weight) &+ second &* weight
      }
    }
  }

  private func mix(_ from: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ run: ColumnRun) {
    for place in 0..<run.count {
      let column = columns[run.start + place]
      let left = from + column.first &* bytesPerPixel
      let right = from + column.second &* bytesPerPixel
      let weight = UInt16(truncatingIfNeeded: column.weight)
      let pixel = target + place &* bytesPerPixel
      if bytesPerPixel == 4 {
        let mixed =
          wide(left) &* SIMD4(repeating: 256 &- weight) &+ wide(right) &* SIMD4(repeating: weight)
        pixel.storeBytes(
          of: SIMD4<UInt8>(truncatingIfNeeded: (mixed &+ 128) &>> 8), as: SIMD4<UInt8>.self)
        continue
      }
      for channel in 0..<bytesPerPixel {
        let first = UInt16(left.load(fromByteOffset: channel, as: UInt8.self))
        let second = UInt16(right.load(fromByteOffset: channel, as: UInt8.self))
        // Each product is at most 255 times 256; with half of 256 the sum is below 2^16.
        let mixed = first &* (256 &- weight) &+ second &* weight &+ 128
        pixel.storeBytes(
          of: UInt8(truncatingIfNeeded: mixed &>> 8), toByteOffset: channel, as: UInt8.self)
      }
    }
  }

  @inline(__always) private func wide(_ pixel: UnsafeRawPointer) -> SIMD4<UInt16> {
    SIMD4(truncatingIfNeeded: pixel.loadUnaligned(as: SIMD4<UInt8>.self))
  }

  /// Copies `count` pixels from `first` on towards lower addresses, which reverses their order.
  private func mirror(
    _ first: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int
  ) {
    if bytesPerPixel == 4 {
      for place in 0..<count {
        target.storeBytes(
          of: first.loadUnaligned(fromByteOffset: -4 &* place, as: UInt32.self),
          toByteOffset: 4 &* place, as: UInt32.self)
      }
      return
    }
    for place in 0..<count {
      (target + place &* bytesPerPixel).copyMemory(
        from: first - place &* bytesPerPixel, byteCount: bytesPerPixel)
    }
  }

  /// Copies the first `period` of `count` bytes repeatedly into the others.
  private func repeatBytes(_ target: UnsafeMutableRawPointer, _ period: Int, _ count: Int) {
    var filled = period
    while filled < count {
      let more = min(filled, count - filled)
      (target + filled).copyMemory(from: target, byteCount: more)
      filled += more
    }
  }
}

/// The two rows between which a row of the target is mixed, already spread horizontally.
private struct MixingLines: ~Copyable {
  private let channels: Int
  private let memory: UnsafeMutablePointer<UInt16>
  /// The rows of the source that the two halves of the memory hold.
  private var numbers = (upper: -1, lower: -1)
  /// Whether the second half holds the upper row.
  private var isSwapped = false

  init(channels: Int) {
    self.channels = channels
    memory = .allocate(capacity: 2 * channels)
  }

  deinit { memory.deallocate() }

  mutating func mix(
    _ row: Sample, to line: UnsafeMutableRawPointer,
    _ spread: (Int, UnsafeMutablePointer<UInt16>) -> Void
  ) {
    if numbers.lower == row.first {
      isSwapped.toggle()
      numbers = (row.first, -1)
    }
    let upper = isSwapped ? memory + channels : memory
    let lower = isSwapped ? memory : memory + channels
    if numbers.upper != row.first { spread(row.first, upper) }
    if numbers.lower != row.second { spread(row.second, lower) }
    numbers = (row.first, row.second)
    let below = UInt16(truncatingIfNeeded: row.weight)
    let above = 256 &- below
    for channel in 0..<channels {
      let first = upper[channel]
      let second = lower[channel]
      // Adds both products and half of 2^16. The sum is below 2^32; it is computed in halves of 16
      // bits, because processors multiply eight of those at a time. Each sum of low halves may
      // carry one.
      let low = first &* above
      let both = low &+ second &* below
      let carry: UInt16 = both < low ? 1 : 0
      let high = upperHalf(first, above) &+ upperHalf(second, below) &+ carry &+ both >> 15
      line.storeBytes(
        of: UInt8(truncatingIfNeeded: high), toByteOffset: channel, as: UInt8.self)
    }
  }

  @inline(__always) private func upperHalf(_ a: UInt16, _ b: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(a) &* UInt32(b)) &>> 16)
  }
}
