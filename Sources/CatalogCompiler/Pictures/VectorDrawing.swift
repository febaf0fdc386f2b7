// From a PDF or SVG to bitmaps: reads a file once and draws it at every scale that is wanted. What is
// drawn how is said in Vectors; sizes and slices come from its Placement.

import ArchiveTools
import CatalogModel
import Host
import Vectors

/// What bitmaps of vectors have beside their pixels.
struct DrawnFacts: Sendable, Hashable {
  /// Columns on the right and rows at the top that are not part of the picture.
  var excessWidth = 0
  var excessHeight = 0
  var undrawn = FeatureSet()
}

/// What a file asks for and its bitmaps do not show.
struct FeatureSet: OptionSet, Sendable, Hashable {
  var rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ features: [UnsupportedFeature]) {
    rawValue = features.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
  }

  var names: [String] {
    UnsupportedFeature.allCases.filter { contains(FeatureSet([$0])) }.map { "\($0.name)" }
  }
}

/// A vector file that was read.
struct VectorPicture {
  private let drawing: Drawing
  private let source: Placement.Source

  init(_ bytes: [UInt8]) throws(VectorError) {
    let isPDF = bytes.withUnsafeBytes { PDFDocument.isPDF($0) }
    source = isPDF ? .pdf : .svg
    drawing = try isPDF ? VectorPicture.readPDF(bytes) : SVG.read(bytes)
  }

  private static func readPDF(_ bytes: [UInt8]) throws(VectorError) -> Drawing {
    let result = bytes.withUnsafeBytes { bytes -> Result<Drawing, VectorError> in
      do throws(VectorError) { return .success(try PDFDocument.read(bytes)) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Where the page lies in a bitmap.
  fileprivate func placement(_ scale: DrawingScale) throws(VectorError) -> Placement {
    try Placement(source, width: drawing.width, height: drawing.height, scale: scale.factor)
  }

  /// A bitmap of premultiplied colours, or of grey and alpha where every pixel is grey.
  func bitmap(
    _ scale: DrawingScale, allowsGray: Bool, _ rasterizer: inout Rasterizer
  ) throws(VectorError) -> (bitmap: Bitmap, facts: DrawnFacts) {
    let placement = try placement(scale)
    let stride = BitmapLayout.bgra8.bytesPerRow(width: placement.width)
    var pixels = [UInt8](repeating: 0, count: stride * placement.height)
    var failure: VectorError?
    pixels.withUnsafeMutableBytes { pixels in
      do throws(VectorError) {
        try rasterizer.draw(drawing, placement, into: pixels, bytesPerRow: stride)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    let survey = VectorPicture.survey(pixels, placement, stride)
    var bitmap = Bitmap(
      width: placement.width, height: placement.height, layout: .bgra8, isOpaque: survey.isOpaque,
      isGray: survey.isGray, pixels: pixels)
    if allowsGray && bitmap.isGray { bitmap.compactGray() }
    let facts = DrawnFacts(
      excessWidth: placement.width - placement.sliceWidth,
      excessHeight: placement.height - placement.sliceHeight,
      undrawn: FeatureSet(drawing.unsupported))
    return (bitmap, facts)
  }

  /// What all pixels have in common.
  private static func survey(
    _ pixels: [UInt8], _ placement: Placement, _ stride: Int
  ) -> (isOpaque: Bool, isGray: Bool) {
    var opaque: UInt32 = 0xff00_0000
    var unequal: UInt32 = 0
    pixels.withUnsafeBytes { pixels in
      for y in 0..<placement.height {
        for x in 0..<placement.width {
          let pixel = UInt32(
            littleEndian: pixels.load(fromByteOffset: y * stride + 4 * x, as: UInt32.self))
          opaque &= pixel
          unequal |= (pixel ^ pixel >> 8) & 0xffff
        }
      }
    }
    return (opaque == 0xff00_0000, unequal == 0)
  }
}

/// How many pixels the bitmap of a vector file has; nil where it cannot be drawn.
package func drawnSize(
  of path: String, _ scale: DrawingScale, in tree: FileTree
) -> (width: Int, height: Int)? {
  guard let bytes = try? tree.read(path, 1 << 30), let picture = try? VectorPicture(bytes),
    let placement = try? picture.placement(scale)
  else { return nil }
  return (placement.width, placement.height)
}
