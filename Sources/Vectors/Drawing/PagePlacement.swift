// The place of a page in its bitmap: sizes, slices and the transform, by the rules of Apple's tool.

/// The way in which a page becomes a bitmap of one scale.
package struct PagePlacement: Sendable, Equatable {
  /// The size of the bitmap in pixels.
  package var width: Int
  package var height: Int
  /// The part of the bitmap that is the picture. The bitmap of an SVG is rounded up and its picture
  /// is rounded to the nearest size, so that the picture starts lower by the difference.
  package var sliceY: Int
  package var sliceWidth: Int
  package var sliceHeight: Int
  /// The transform from the page to pixels.
  package var transform: Transform

  /// The longest side that the bitmap of a vector file may have.
  package static let longestSide = 16_384

  package enum Source: UInt8, Sendable { case pdf, svg }

  /// Places a page at a scale. `scale` is the number of pixels for each unit of the page: the scale
  /// of the bitmap divided by the scale of the slot that holds the file. The scale is exact on both
  /// axes, even though the size of the bitmap is rounded, and the lower left corner of the page is
  /// the lower left corner of the bitmap. The difference of sizes therefore shows at the top and on
  /// the right.
  package init(
    _ source: Source, width: Double, height: Double, scale: Double
  ) throws(VectorError) {
    let longest = Double(PagePlacement.longestSide)
    let right = width * scale
    let bottom = height * scale
    guard right >= 0, right <= longest, bottom >= 0, bottom <= longest else {
      throw .overLimit(.pageSide, most: PagePlacement.longestSide)
    }
    sliceWidth = max(1, Int(right + 0.5))
    sliceHeight = max(1, Int(bottom + 0.5))
    self.width = source == .pdf ? sliceWidth : max(1, ceiling(right))
    self.height = source == .pdf ? sliceHeight : max(1, ceiling(bottom))
    sliceY = self.height - sliceHeight
    transform = Transform(scale, 0, 0, scale, 0, Double(self.height) - bottom)
  }

  /// Places a page in a bitmap of any size. If the page has this size at a whole scale, it is
  /// placed as at that scale; otherwise the page is stretched to fill the bitmap.
  package init(
    _ source: Source, width: Double, height: Double, filling pixels: (width: Int, height: Int)
  ) throws(VectorError) {
    let across = Double(pixels.width) / width
    let down = Double(pixels.height) / height
    let most = Double(PagePlacement.longestSide) * 1_000
    guard max(pixels.width, pixels.height) <= PagePlacement.longestSide, across > 0, across <= most,
      down > 0, down <= most
    else { throw .overLimit(.pageSide, most: PagePlacement.longestSide) }
    // The bitmap of a small page can be rounded up so far that the next larger scale seems to fit,
    // so the scale below is tried too.
    let scale = Int(across + 0.5)
    for whole in [scale, scale - 1] where whole > 0 {
      guard
        let exact = try? PagePlacement(source, width: width, height: height, scale: Double(whole)),
        exact.width == pixels.width, exact.height == pixels.height
      else { continue }
      self = exact
      return
    }
    (self.width, self.height) = pixels
    (sliceWidth, sliceHeight) = pixels
    sliceY = 0
    transform = Transform(across, 0, 0, down, 0, 0)
  }
}

/// The page of a vector file: what its bitmaps' sizes depend on.
package struct VectorPage: Sendable {
  let source: PagePlacement.Source
  let width: Double
  let height: Double

  package init(_ source: PagePlacement.Source, of drawing: Drawing) {
    self.source = source
    width = drawing.width
    height = drawing.height
  }

  /// Returns the place of the page in a bitmap of a number of pixels per unit.
  package func placement(scale: Double) throws(VectorError) -> PagePlacement {
    try PagePlacement(source, width: width, height: height, scale: scale)
  }
}
