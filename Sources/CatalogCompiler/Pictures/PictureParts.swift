// Divides stretchable pictures into slices, and computes the rectangle by which layout aligns them.

import Archive
import CatalogModel

/// The slices of a picture, and the layout that says how they stretch.
package struct PictureParts: Hashable {
  package var layout: RenditionLayout
  /// The slices: one; left, centre and right; top, centre and bottom; or three rows of three from
  /// the top left.
  package var slices: [Slice]

  package init(layout: RenditionLayout, slices: [Slice]) {
    self.layout = layout
    self.slices = slices
  }

  /// Creates the slices of a picture; nil if the cap insets and the centre do not fit into it.
  package init?(width: Int, height: Int, resizing: Resizing?) {
    guard let resizing else {
      layout = .onePartScale
      slices = [Slice(0..<width, 0..<height)]
      return
    }
    let horizontal = resizing.columns(ofWidth: width).map { $0.ranges(of: width) }
    // Rows count from the bottom. If the centre does not fill the space between the caps, it
    // touches the top cap.
    let vertical = resizing.rows(ofHeight: height).map { rows in
      rows.ranges(of: height).map { height - $0.upperBound..<height - $0.lowerBound }
    }
    let tiles = resizing.center == .tile
    switch resizing.mode {
    case .horizontal:
      guard let columns = horizontal else { return nil }
      layout = tiles ? .threePartHorizontalTile : .threePartHorizontalScale
      slices = columns.map { Slice($0, 0..<height) }
    case .vertical:
      guard let rows = vertical else { return nil }
      layout = tiles ? .threePartVerticalTile : .threePartVerticalScale
      slices = rows.map { Slice(0..<width, $0) }
    case .ninePart:
      guard let columns = horizontal, let rows = vertical else { return nil }
      layout = tiles ? .ninePartTile : .ninePartScale
      slices = rows.flatMap { row in columns.map { Slice($0, row) } }
    }
  }
}

extension SideParts {
  fileprivate func ranges(of length: Int) -> [Range<Int>] {
    [0..<before, before..<before + center, length - after..<length]
  }
}

extension Slice {
  /// Creates a slice. The sides are those of a decoded picture, and far below 2³¹.
  fileprivate init(_ columns: Range<Int>, _ rows: Range<Int>) {
    self.init(
      x: Int32(clamping: columns.lowerBound), y: Int32(clamping: rows.lowerBound),
      width: UInt32(clamping: columns.count), height: UInt32(clamping: rows.count))
  }
}

extension Metrics {
  /// Creates the alignment rectangle of a picture; nil if the insets leave no pixel of it.
  init?(width: Int, height: Int, insets: Insets?) {
    self.init(width: UInt32(clamping: width), height: UInt32(clamping: height))
    guard let insets else { return }
    guard let whole = PixelInsets(insets, width: width, height: height) else { return nil }
    (top, left) = (Int32(whole.top), Int32(whole.left))
    (bottom, right) = (Int32(whole.bottom), Int32(whole.right))
    self.width = UInt32(clamping: width - whole.left - whole.right)
    self.height = UInt32(clamping: height - whole.top - whole.bottom)
  }
}
