// From the bytes of a PDF to a drawing of its first page.

package enum PDFDocument {
  /// Whether the bytes begin as a PDF does.
  /// Whether the header is there; some bytes of something else may precede it.
  package static func isPDF(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.first != UInt8(ascii: "<") && PDFFile.header(of: bytes) != nil
  }

  /// Draws the first page. What the drawing does not show is in `Drawing.unsupported`. Streams and
  /// images unfold to no more than `memory` bytes, a half of it each.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, memory: Int = .max
  ) throws(VectorError) -> Drawing {
    let file = try PDFFile(bytes, PDFBudget(memory: memory))
    let page = try file.firstPage()
    let reader = ContentReader(file, page: page)
    reader.run(page.content)
    reader.drawing.paths.begin()
    if let limit = file.budget.exceeded { throw limit }
    reader.drawing.page = reader.items
    return reader.drawing
  }
}
