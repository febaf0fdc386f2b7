// Where a page lies in its bitmap: sizes, slices and the transform, by the rules of Apple's tool.

/// How a page becomes a bitmap of one scale.
package struct Placement: Sendable, Equatable {
  /// The bitmap, in pixels.
  package var width: Int
  package var height: Int
  /// What of the bitmap is the picture: SVGs have a bitmap that is rounded up and a picture that is
  /// rounded to nearest, which starts that much lower.
  package var sliceY: Int
  package var sliceWidth: Int
  package var sliceHeight: Int
  /// From the page to pixels.
  package var transform: Transform

  /// No bitmap of a vector has a longer side.
  package static let longestSide = 16_384

  package enum Source: UInt8, Sendable { case pdf, svg }

  /// `scale` is pixels per unit of the page: the scale of the bitmap by that of the slot that the file
  /// is in. The scale is exact on both axes, whatever the rounded size, and the page's lower left
  /// corner is the bitmap's: what is too much or too little is at the top and on the right.
  package init(
    _ source: Source, width: Double, height: Double, scale: Double
  ) throws(VectorError) {
    let longest = Double(Placement.longestSide)
    let right = width * scale
    let bottom = height * scale
    guard right >= 0, right <= longest, bottom >= 0, bottom <= longest else {
      throw .overLimit(.pageSide, most: Placement.longestSide)
    }
    sliceWidth = max(1, Int(right + 0.5))
    sliceHeight = max(1, Int(bottom + 0.5))
    self.width = source == .pdf ? sliceWidth : max(1, ceiling(right))
    self.height = source == .pdf ? sliceHeight : max(1, ceiling(bottom))
    sliceY = self.height - sliceHeight
    transform = Transform(scale, 0, 0, scale, 0, Double(self.height) - bottom)
  }

  /// A bitmap of any size. If the page has it at a whole scale, it lies as it does at that scale; else the
  /// page is stretched to fill it.
  package init(
    _ source: Source, width: Double, height: Double, filling pixels: (width: Int, height: Int)
  ) throws(VectorError) {
    let across = Double(pixels.width) / width
    let down = Double(pixels.height) / height
    let most = Double(Placement.longestSide) * 1_000
    guard max(pixels.width, pixels.height) <= Placement.longestSide, across > 0, across <= most,
      down > 0, down <= most
    else { throw .overLimit(.pageSide, most: Placement.longestSide) }
    // Bitmaps of small pages are rounded up to more than the scale says.
    let scale = Int(across + 0.5)
    for whole in [scale, scale - 1] where whole > 0 {
      guard
        let exact = try? Placement(source, width: width, height: height, scale: Double(whole)),
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
