// How a stretchable picture is cut into parts, and the insets by which layout aligns it.

import Archive
import CatalogModel

/// The parts of a picture and the layout that says what becomes of them.
struct PictureParts: Hashable {
  var layout: RenditionLayout
  /// One part; left, centre, right; top, centre, bottom; or three rows of three from the top left.
  var slices: [Slice]

  init(layout: RenditionLayout, slices: [Slice]) {
    self.layout = layout
    self.slices = slices
  }

  /// nil where the insets and the centre do not fit into the picture.
  init?(width: Int, height: Int, resizing: Resizing?) {
    guard let resizing else {
      layout = .onePartScale
      slices = [Slice(0..<width, 0..<height)]
      return
    }
    let caps = resizing.capInsets
    let horizontal = Division(width, caps.left, resizing.centerWidth, caps.right)
    // Counted from the bottom, but the centre touches the top part where it does not fill all.
    let vertical = Division(height, caps.top, resizing.centerHeight, caps.bottom)
    let tiles = resizing.center == .tile
    switch resizing.mode {
    case .horizontal:
      guard let columns = horizontal else { return nil }
      layout = tiles ? .threePartHorizontalTile : .threePartHorizontalScale
      slices = columns.parts.map { Slice($0, 0..<height) }
    case .vertical:
      guard let rows = vertical else { return nil }
      layout = tiles ? .threePartVerticalTile : .threePartVerticalScale
      slices = rows.flipped.map { Slice(0..<width, $0) }
    case .ninePart:
      guard let columns = horizontal, let rows = vertical else { return nil }
      layout = tiles ? .ninePartTile : .ninePartScale
      slices = rows.flipped.flatMap { row in columns.parts.map { Slice($0, row) } }
    }
  }
}

/// A side of a picture in three parts; what lies between the second and the third is not shown.
private struct Division {
  var length: Int
  var parts: [Range<Int>]

  init?(_ length: Int, _ before: Double, _ center: Double?, _ after: Double) {
    guard let first = pixels(before), let last = pixels(after) else { return nil }
    guard let middle = center.map(pixels) ?? length - first - last else { return nil }
    guard middle >= 0, first + middle + last <= length else { return nil }
    self.length = length
    parts = [0..<first, first..<first + middle, length - last..<length]
  }

  /// The same parts counted from the other end.
  var flipped: [Range<Int>] { parts.map { length - $0.upperBound..<length - $0.lowerBound } }
}

/// A distance in whole pixels; nil where it is none.
private func pixels(_ distance: Double) -> Int? {
  let rounded = distance.rounded()
  return rounded >= 0 && rounded < 65_536 ? Int(rounded) : nil
}

extension Slice {
  /// The sides are those of a decoded picture and so far below 2³¹.
  fileprivate init(_ columns: Range<Int>, _ rows: Range<Int>) {
    self.init(
      x: Int32(clamping: columns.lowerBound), y: Int32(clamping: rows.lowerBound),
      width: UInt32(clamping: columns.count), height: UInt32(clamping: rows.count))
  }
}

extension Metrics {
  /// The alignment rectangle of a picture; nil where the insets leave nothing of it.
  init?(width: Int, height: Int, insets: Insets?) {
    self.init(width: UInt32(clamping: width), height: UInt32(clamping: height))
    guard let insets else { return }
    func whole(_ distance: Double) -> Int? {
      let rounded = distance.rounded()
      return abs(rounded) < 65_536 ? Int(rounded) : nil
    }
    guard let top = whole(insets.top), let left = whole(insets.left),
      let bottom = whole(insets.bottom), let right = whole(insets.right),
      left + right < width, top + bottom < height
    else { return nil }
    (self.top, self.left) = (Int32(top), Int32(left))
    (self.bottom, self.right) = (Int32(bottom), Int32(right))
    self.width = UInt32(clamping: width - left - right)
    self.height = UInt32(clamping: height - top - bottom)
  }
}
