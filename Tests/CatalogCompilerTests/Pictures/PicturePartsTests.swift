// The slices of stretchable pictures, and the rectangles by which layout aligns pictures.

import Archive
import CatalogModel
import Testing

@testable import CatalogCompiler

private func rectangles(_ slicing: PictureParts?) -> [[Int]] {
  slicing?.slices.map { [Int($0.x), Int($0.y), Int($0.width), Int($0.height)] } ?? []
}

@Suite struct SlicingTests {
  @Test func `a picture without resizing is one part`() {
    let slicing = PictureParts(width: 7, height: 5, resizing: nil)
    #expect(slicing?.layout == .onePartScale)
    #expect(rectangles(slicing) == [[0, 0, 7, 5]])
  }

  @Test(arguments: zip(Resizing.Center.allCases, [RenditionLayout.ninePartTile, .ninePartScale]))
  func `nine parts begin at the top left`(center: Resizing.Center, layout: RenditionLayout) {
    let resizing = Resizing(
      mode: .ninePart, center: center, centerWidth: 1, centerHeight: 1,
      capInsets: Insets(top: 10, left: 10, bottom: 10, right: 10))
    let slicing = PictureParts(width: 21, height: 21, resizing: resizing)
    #expect(slicing?.layout == layout)
    #expect(
      rectangles(slicing)
        == [[0, 11, 10, 10], [10, 11, 1, 10], [11, 11, 10, 10]]
        + [[0, 10, 10, 1], [10, 10, 1, 1], [11, 10, 10, 1]]
        + [[0, 0, 10, 10], [10, 0, 1, 10], [11, 0, 10, 10]])
  }

  @Test func `three parts lie beside or above each other`() {
    var resizing = Resizing(
      mode: .horizontal, center: .stretch, centerWidth: 1, capInsets: Insets(left: 45, right: 6))
    let columns = PictureParts(width: 198, height: 88, resizing: resizing)
    #expect(columns?.layout == .threePartHorizontalScale)
    #expect(rectangles(columns) == [[0, 0, 45, 88], [45, 0, 1, 88], [192, 0, 6, 88]])
    resizing = Resizing(mode: .vertical, center: .tile, capInsets: Insets(top: 3, bottom: 4))
    let rows = PictureParts(width: 9, height: 20, resizing: resizing)
    #expect(rows?.layout == .threePartVerticalTile)
    #expect(rectangles(rows) == [[0, 17, 9, 3], [0, 4, 9, 13], [0, 0, 9, 4]])
  }

  @Test(arguments: [-1.0, 6, 1e300, .infinity, .nan])
  func `insets that do not fit give no slicing`(inset: Double) {
    let resizing = Resizing(
      mode: .horizontal, center: .tile, capInsets: Insets(left: inset, right: 5))
    #expect(PictureParts(width: 10, height: 10, resizing: resizing) == nil)
  }

  @Test func `alignment insets shrink the picture`() {
    let metrics = Metrics(
      width: 20, height: 10, insets: Insets(top: 1, left: 2, bottom: 3, right: 4))
    #expect(metrics?.width == 14 && metrics?.height == 6)
    #expect(metrics.map { [$0.top, $0.left, $0.bottom, $0.right] } == [1, 2, 3, 4])
    #expect(Metrics(width: 5, height: 5, insets: nil)?.width == 5)
    #expect(Metrics(width: 5, height: 5, insets: Insets(left: 5)) == nil)
    #expect(Metrics(width: 5, height: 5, insets: Insets(left: .nan)) == nil)
  }
}
