// The definition of stretching, one channel of one pixel at a time, with which `drawSliced` must
// agree.

import CarveRuntime

struct PlainDrawing {
  /// The rows of the source, without gaps.
  var source: [UInt8]
  var sourceWidth: Int
  var bytesPerPixel: Int
  var plan: StretchPlan
  var isMirrored: Bool

  func drawn(width: Int, height: Int) -> [UInt8] {
    let across = plan.across.samples(width)
    let columns = isMirrored ? across.reversed() : across
    let rows = plan.down.samples(height)
    let parts = plan.across.parts(of: width)
    let left = isMirrored ? parts.last : parts.first
    let down = plan.down.parts(of: height)
    var result: [UInt8] = []
    for (y, row) in rows.enumerated() {
      for (x, column) in columns.enumerated() {
        let isHollow =
          plan.isHollow && (left..<left + parts.middle).contains(x)
          && (down.first..<down.first + down.middle).contains(y)
        for channel in 0..<bytesPerPixel {
          result.append(isHollow ? 0 : mixed(row, column, channel))
        }
      }
    }
    return result
  }

  private func mixed(_ row: Sample, _ column: Sample, _ channel: Int) -> UInt8 {
    func value(_ y: Int, _ x: Int) -> UInt32 {
      UInt32(source[(y * sourceWidth + x) * bytesPerPixel + channel])
    }
    func across(_ y: Int) -> UInt32 {
      value(y, column.first) * (256 - column.weight) + value(y, column.second) * column.weight
    }
    let sum = across(row.first) * (256 - row.weight) + across(row.second) * row.weight
    return UInt8((sum + 0x8000) >> 16)
  }
}
