// A picture drawn into a size of the caller's: caps where they belong, the middle repeated or drawn
// out, mirrored where the view says so.

import Archive
import Codecs

extension Catalog {
  /// Fills `width` times `height` pixels with a variant, as its slicing says; without slicing it is
  /// stretched. The pixels are those of the variant's scale: caps are copied one to one. A mirrored
  /// variant is drawn mirrored. Layouts of 8 bits only.
  public func drawSliced(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    guard layout != .rgba16Float else { throw .unsupported("stretching half floats") }
    guard width > 0, height > 0, width <= limits.width, height <= limits.height else {
      throw .overLimit(width: width, height: height)
    }
    try Catalog.checkRoom(destination, rowStride, width: width, height: height, layout)
    let picture = try picture(of: variant, limits)
    let size = picture.width * picture.height * layout.bytesPerPixel
    guard size <= limits.scratchBytes, let target = destination.baseAddress else {
      throw .overLimit(width: picture.width, height: picture.height)
    }
    let slices: [Slice]
    let rendition = try rendition(variant.choice.rendition)
    do throws(FormatError) { slices = try rendition.slices() } catch { throw .format(error) }
    let plan = StretchPlan(
      variant.slicing, slices, width: picture.width, height: picture.height)
    let sourceStride = picture.width * layout.bytesPerPixel
    let source = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { source.deallocate() }
    try decode(
      variant, as: layout, space: space, into: source, rowStride: sourceStride, limits: limits)
    guard let base = source.baseAddress else { return }
    let drawing = Drawing(
      source: UnsafeRawPointer(base), sourceStride: sourceStride, plan: plan, width: width,
      height: height, isMirrored: variant.isMirrored, bytesPerPixel: layout.bytesPerPixel)
    drawing.draw(into: target, rowStride: rowStride)
  }
}

/// Every sample lies in the source by the plan, every row in the target by the caller's check.
private struct Drawing {
  let source: UnsafeRawPointer
  let sourceStride: Int
  let bytesPerPixel: Int
  private let columns: [Sample]
  private let rows: [Sample]
  private let hollowColumns: Range<Int>
  private let hollowRows: Range<Int>

  init(
    source: UnsafeRawPointer, sourceStride: Int, plan: StretchPlan, width: Int, height: Int,
    isMirrored: Bool, bytesPerPixel: Int
  ) {
    self.source = source
    self.sourceStride = sourceStride
    self.bytesPerPixel = bytesPerPixel
    let samples = plan.across.samples(width)
    columns = isMirrored ? samples.reversed() : samples
    rows = plan.down.samples(height)
    guard plan.isHollow else {
      hollowColumns = 0..<0
      hollowRows = 0..<0
      return
    }
    let across = plan.across.parts(of: width)
    let left = isMirrored ? across.last : across.first
    hollowColumns = left..<left + across.middle
    let down = plan.down.parts(of: height)
    hollowRows = down.first..<down.first + down.middle
  }

  func draw(into target: UnsafeMutableRawPointer, rowStride: Int) {
    for (y, row) in rows.enumerated() {
      let upper = source + row.first * sourceStride
      let lower = source + row.second * sourceStride
      let line = target + y * rowStride
      for (x, column) in columns.enumerated() {
        let pixel = line + x &* bytesPerPixel
        let isHollow = hollowRows.contains(y) && hollowColumns.contains(x)
        for channel in 0..<bytesPerPixel {
          let value = isHollow ? 0 : mixed(upper, lower, column, row.weight, channel)
          pixel.storeBytes(of: value, toByteOffset: channel, as: UInt8.self)
        }
      }
    }
  }

  @inline(__always) private func mixed(
    _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, _ column: Sample, _ down: UInt32,
    _ channel: Int
  ) -> UInt8 {
    let first = column.first &* bytesPerPixel &+ channel
    let second = column.second &* bytesPerPixel &+ channel
    func across(_ row: UnsafeRawPointer) -> UInt32 {
      let left = UInt32(row.load(fromByteOffset: first, as: UInt8.self))
      let right = UInt32(row.load(fromByteOffset: second, as: UInt8.self))
      return left &* (256 &- column.weight) &+ right &* column.weight
    }
    let sum = across(upper) &* (256 &- down) &+ across(lower) &* down
    return UInt8(truncatingIfNeeded: (sum &+ 0x8000) >> 16)
  }
}
