// Reads a vector file of either format into a drawing.

package enum VectorFile {
  /// Reads a PDF or an SVG; the bytes decide which.
  package static func read(
    _ bytes: [UInt8]
  ) throws(VectorError) -> (drawing: Drawing, source: PagePlacement.Source) {
    let isPDF = bytes.withUnsafeBytes { PDFDocument.isPDF($0) }
    return try isPDF ? (readPDF(bytes), .pdf) : (SVG.read(bytes), .svg)
  }

  private static func readPDF(_ bytes: [UInt8]) throws(VectorError) -> Drawing {
    try bytes.withUnsafeBufferPointer { (bytes) throws(VectorError) in
      try PDFDocument.read(UnsafeRawBufferPointer(bytes))
    }
  }
}
