// Reads a vector file of either format into a drawing.

import Bytes

package enum VectorFile {
  /// Returns whether a vector file is a PDF. Its name does not matter. Other vector files are SVGs.
  package static func isPDF(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { PDFDocument.isPDF($0) }
  }

  /// Reads a PDF or an SVG; the bytes decide which.
  package static func read(
    _ bytes: [UInt8]
  ) throws(VectorError) -> (drawing: Drawing, source: PagePlacement.Source) {
    try read(bytes, Budget(input: bytes.count))
  }

  /// Reads one of the files of a picture that is made of several.
  package static func read(
    _ bytes: [UInt8], _ shared: SharedBudget
  ) throws(VectorError) -> (drawing: Drawing, source: PagePlacement.Source) {
    do throws(VectorError) {
      let read = try read(bytes, shared.budget(ofFile: bytes.count))
      shared.count(read.drawing.spending)
      return read
    } catch {
      if case .overBudget(let over) = error { throw .overBudget(shared.error(over)) }
      throw error
    }
  }

  private static func read(
    _ bytes: [UInt8], _ budget: Budget
  ) throws(VectorError) -> (drawing: Drawing, source: PagePlacement.Source) {
    try isPDF(bytes) ? (readPDF(bytes, budget), .pdf) : (SVG.read(bytes, budget), .svg)
  }

  private static func readPDF(_ bytes: [UInt8], _ budget: Budget) throws(VectorError) -> Drawing {
    try bytes.withUnsafeBufferPointer { (bytes) throws(VectorError) in
      try PDFDocument.read(UnsafeRawBufferPointer(bytes), budget)
    }
  }
}
