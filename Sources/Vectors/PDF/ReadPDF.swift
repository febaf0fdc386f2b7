// From the bytes of a PDF to a drawing of its first page.

import Bytes

package enum PDFDocument {
  /// Whether the bytes begin as a PDF does.
  /// Whether the header is there; some bytes of something else may precede it.
  package static func isPDF(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.first != UInt8(ascii: "<") && PDFFile.header(of: bytes) != nil
  }

  /// Draws the first page. What the drawing does not show is in `Drawing.unsupported`. What is read takes no
  /// more than `memory` bytes.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, memory: Int = .max
  ) throws(VectorError) -> Drawing {
    try read(bytes, Budget(input: bytes.count, memory: memory))
  }

  /// Draws the first page and spends from a budget.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, _ budget: Budget
  ) throws(VectorError) -> Drawing {
    let file = try PDFFile(bytes, budget)
    let page = try file.firstPage()
    let reader = ContentReader(file, page: page)
    reader.run(page.content)
    reader.drawing.paths.begin()
    reader.countMemory()
    try file.check()
    reader.drawing.page = reader.items
    // What the reader holds goes with it.
    reader.drawing.spending = budget.spending
    reader.drawing.spending.memory = reader.drawing.storedBytes(items: 0)
    return reader.drawing
  }
}
