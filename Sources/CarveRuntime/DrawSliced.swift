// Draws a picture at a size that the caller chooses: the caps at their edges, the middle repeated
// or stretched, mirrored if the view requires it. `Stretch` decides which pixel of the source
// belongs where, `SlicedDrawing` writes the pixels.

import Archive

extension Catalog {
  /// Fills `width` times `height` pixels with a variant according to its slicing; a variant without
  /// slicing is stretched. The pixels are those of the variant's scale: caps are copied one to one.
  /// A mirrored variant is drawn mirrored. The layout must have 8 bits for each channel, and each
  /// side may have at most 2^27 pixels. If the picture lies in an atlas, the rows around it are
  /// decoded on every call: see `AtlasDecoder.drawSliced`.
  public func drawSliced(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    try checkSize()
    var room = DecodingRoom()
    try drawSliced(
      variant, as: layout, space, width: width, height: height, into: destination,
      rowStride: rowStride, limits, &room)
  }

  /// Draws with memory that may serve the next picture too. The caller has called `checkSize`.
  func drawSliced(
    _ variant: Variant, as layout: PixelLayout, _ space: PixelSpace, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int, _ limits: DecodeLimits,
    _ room: inout DecodingRoom
  ) throws(CatalogError) {
    guard layout != .rgba16Float else { throw .unsupported("stretching half floats") }
    let limits = limits.within(Stretch.longest)
    guard width > 0, height > 0, width <= limits.width, height <= limits.height else {
      throw .overLimit(width: width, height: height)
    }
    try Catalog.checkRoom(
      destination, rowStride: rowStride, width: width, height: height, layout: layout)
    let picture = try StretchedPicture(variant, of: self, limits)
    guard let target = destination.baseAddress else { throw .bufferTooSmall(needed: width) }
    room.begin(limits, self, pixels: width * height)
    try room.take(
      SlicedDrawing.memory(width: width, height: height, sourceHeight: picture.size.height),
      width: width, height: height)
    let slices: [Slice]
    let rendition = try rendition(variant.choice.rendition)
    do throws(FormatError) { slices = try rendition.slices() } catch { throw .format(error) }
    let plan = StretchPlan(
      variant.slicing, slices, width: picture.size.width, height: picture.size.height)
    let source = try picture.pixels(as: layout, space, limits, &room)
    var drawing = SlicedDrawing(
      source.first, stride: source.stride, bytesPerPixel: layout.bytesPerPixel, plan: plan,
      width: width, height: height, isMirrored: variant.isMirrored)
    drawing.draw(into: target, rowStride: rowStride)
  }
}

/// A picture that is about to be stretched.
private struct StretchedPicture {
  private enum Source { case bitmap(StoredPicture), jpeg(Variant) }

  let size: PixelSize
  private let source: Source
  private let catalog: Catalog

  init(_ variant: Variant, of catalog: Catalog, _ limits: DecodeLimits) throws(CatalogError) {
    self.catalog = catalog
    if variant.content == .jpeg {
      size = try catalog.jpegSize(of: variant, limits)
      source = .jpeg(variant)
    } else {
      let picture = try catalog.picture(of: variant, limits)
      size = PixelSize(width: picture.width, height: picture.height)
      source = .bitmap(picture)
    }
  }

  /// Returns the pixels in a layout, either in the memory into which they were decoded or in the
  /// memory for converted pixels.
  func pixels(
    as layout: PixelLayout, _ space: PixelSpace, _ limits: DecodeLimits,
    _ room: inout DecodingRoom
  ) throws(CatalogError) -> (first: UnsafeRawPointer, stride: Int) {
    let stride = size.width * layout.bytesPerPixel
    switch source {
    case .jpeg(let variant):
      let pixels = try JPEGPixels(variant, size, of: catalog, limits, &room)
      let base = try room.target(for: size, stride: stride)
      pixels.convert(as: layout, space, to: base, rowStride: stride)
      return (UnsafeRawPointer(base), stride)
    case .bitmap(let picture):
      let stored = try room.pixels(of: picture)
      let conversion = PixelConversion(source: picture.stored, layout: layout, space: space)
      if conversion.isCopy { return stored }
      let base = try room.target(for: size, stride: stride)
      for y in 0..<picture.height {
        conversion.convert(
          stored.first + y * stored.stride, to: base + y * stride, width: picture.width)
      }
      return (UnsafeRawPointer(base), stride)
    }
  }
}

// MARK: - Stretching slices

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
      repeatBytes(target, period: run.period * bytesPerPixel, count: run.count * bytesPerPixel)
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
        repeatBytes(
          target, period: run.period * bytesPerPixel * 2, count: run.count * bytesPerPixel * 2)
      } else {
        spreadPixels(from, to: target, run)
      }
    }
  }

  private func spreadPixels(
    _ from: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt16>, _ run: ColumnRun
  ) {
    for offset in 0..<run.count {
      let column = columns[run.start + offset]
      let left = from + column.first &* bytesPerPixel
      let right = from + column.second &* bytesPerPixel
      let weight = UInt16(truncatingIfNeeded: column.weight)
      if bytesPerPixel == 4 {
        let mixed =
          wide(left) &* SIMD4(repeating: 256 &- weight) &+ wide(right) &* SIMD4(repeating: weight)
        UnsafeMutableRawPointer(target + offset &* 4).storeBytes(
          of: mixed, as: SIMD4<UInt16>.self)
        continue
      }
      for channel in 0..<bytesPerPixel {
        let first = UInt16(left.load(fromByteOffset: channel, as: UInt8.self))
        let second = UInt16(right.load(fromByteOffset: channel, as: UInt8.self))
        target[offset &* bytesPerPixel &+ channel] =
          first &* (256 &- weight) &+ second &* weight
      }
    }
  }

  private func mix(_ from: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ run: ColumnRun) {
    for offset in 0..<run.count {
      let column = columns[run.start + offset]
      let left = from + column.first &* bytesPerPixel
      let right = from + column.second &* bytesPerPixel
      let weight = UInt16(truncatingIfNeeded: column.weight)
      let pixel = target + offset &* bytesPerPixel
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
      for offset in 0..<count {
        target.storeBytes(
          of: first.loadUnaligned(fromByteOffset: -4 &* offset, as: UInt32.self),
          toByteOffset: 4 &* offset, as: UInt32.self)
      }
      return
    }
    for offset in 0..<count {
      (target + offset &* bytesPerPixel).copyMemory(
        from: first - offset &* bytesPerPixel, byteCount: bytesPerPixel)
    }
  }

  /// Copies the first `period` of `count` bytes repeatedly into the others.
  private func repeatBytes(_ target: UnsafeMutableRawPointer, period: Int, count: Int) {
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

// MARK: - Sizes of slices

// Computes, for one direction at a time, from which pixels of the source each pixel of a stretched
// picture is made: the caps keep their size, the middle is repeated or stretched. A picture without
// slices has no caps.
//
//     source      ┌ first ┬ middle ┬ last ┐
//     target      ┌ first ┬ middle ┬ middle ┬ middle ┬ last ┐      the middle is repeated
//     target      ┌ first ┬──────── middle ─────────┬ last ┐       the middle is stretched

/// The source of one pixel in the target: two adjacent pixels, and the weight of the second.
package struct Sample: Equatable {
  package var first: Int
  package var second: Int
  /// The weight of the second pixel, in 256ths.
  package var weight: UInt32
}

/// A range of pixels in the source.
package struct Segment {
  var start: Int
  var length: Int
  var end: Int { start + length }
}

/// The three parts of a picture in one direction.
package struct Stretch {
  var first: Segment
  var middle: Segment
  var last: Segment
  var fill: SlicingFill
  /// The longest source and target: twice the product of two such lengths and 2^7 is below 2^63.
  static let longest = 1 << 27

  /// Makes the plan of a picture that is stretched as a whole.
  init(whole length: Int) {
    first = Segment(start: 0, length: 0)
    middle = Segment(start: 0, length: length)
    last = Segment(start: length, length: 0)
    fill = .stretch
  }

  /// nil if a part reaches beyond the picture, if parts overlap, or if all are empty.
  init?(_ first: Segment, _ middle: Segment, _ last: Segment, fill: SlicingFill, length: Int) {
    guard first.start >= 0, first.end <= middle.start, middle.end <= last.start, last.end <= length,
      first.length + middle.length + last.length > 0
    else { return nil }
    self.first = first
    self.middle = middle
    self.last = last
    self.fill = fill
  }

  /// Returns the lengths of the parts in the target. If the caps do not fit, both shrink by the
  /// same factor.
  package func parts(of target: Int) -> (first: Int, middle: Int, last: Int) {
    let caps = first.length + last.length
    if caps <= target { return (first.length, target - caps, last.length) }
    let share = target * first.length / caps
    return (share, 0, target - share)
  }

  /// Returns one sample for each pixel of the target.
  package func samples(_ target: Int) -> [Sample] {
    if fill == .uniform {
      let whole = Segment(start: first.start, length: last.end - first.start)
      return (0..<target).map { Stretch.drawn(whole, at: $0, of: target) }
    }
    let parts = parts(of: target)
    var samples: [Sample] = []
    samples.reserveCapacity(target)
    for pixel in 0..<parts.first {
      samples.append(Stretch.drawn(first, at: pixel, of: parts.first))
    }
    for pixel in 0..<parts.middle {
      if fill == .tile, middle.length > 0 {
        let source = middle.start + pixel % middle.length
        samples.append(Sample(first: source, second: source, weight: 0))
      } else {
        samples.append(Stretch.drawn(middle, at: pixel, of: parts.middle))
      }
    }
    for pixel in 0..<parts.last { samples.append(Stretch.drawn(last, at: pixel, of: parts.last)) }
    return samples
  }

  /// Returns the sample of a stretched range: the centre of the target's pixel, scaled to the
  /// source, lies between the centres of two pixels there. No pixel outside of the range is used.
  private static func drawn(_ source: Segment, at pixel: Int, of target: Int) -> Sample {
    // An empty range repeats the pixel before it.
    guard source.length > 0 else {
      let neighbour = max(0, source.start - 1)
      return Sample(first: neighbour, second: neighbour, weight: 0)
    }
    // The value is in 256ths; it is below 2^63, because no length exceeds `longest`.
    let scaled = (2 * pixel + 1) * source.length * 128 / target - 128
    let clamped = min(max(scaled, 0), (source.length - 1) * 256)
    let first = source.start + clamped / 256
    return Sample(
      first: first, second: min(first + 1, source.end - 1), weight: UInt32(clamped % 256))
  }
}

/// The stretching of a picture in both directions.
package struct StretchPlan {
  package var across: Stretch
  package var down: Stretch
  /// Whether the middle of both directions stays transparent.
  package var isHollow = false

  package init(_ slicing: Slicing?, _ slices: [Slice], width: Int, height: Int) {
    across = Stretch(whole: width)
    down = Stretch(whole: height)
    guard let slicing else { return }
    func horizontal(_ index: Int) -> Segment {
      Segment(start: Int(slices[index].x), length: Int(slices[index].width))
    }
    // Slices count rows from the bottom, pictures from the top.
    func vertical(_ index: Int) -> Segment {
      let slice = slices[index]
      return Segment(
        start: height - Int(slice.y) - Int(slice.height), length: Int(slice.height))
    }
    switch slicing.mode {
    case .threePartHorizontal where slices.count == 3:
      across =
        Stretch(
          horizontal(0), horizontal(1), horizontal(2), fill: slicing.across, length: width)
        ?? across
    case .threePartVertical where slices.count == 3:
      down =
        Stretch(vertical(0), vertical(1), vertical(2), fill: slicing.down, length: height) ?? down
    case .ninePart where slices.count == 9, .edgesOnly where slices.count == 9:
      across =
        Stretch(
          horizontal(0), horizontal(1), horizontal(2), fill: slicing.across, length: width)
        ?? across
      down =
        Stretch(vertical(0), vertical(3), vertical(6), fill: slicing.down, length: height) ?? down
      isHollow = slicing.mode == .edgesOnly
    default: break
    }
  }
}
