// Reads a PDF into a drawing of its first page.

import Bytes

package enum PDFDocument {
  /// Returns whether the bytes contain the header of a PDF near their start. Other bytes may
  /// precede it.
  package static func isPDF(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.first != UInt8(ascii: "<") && PDFFile.header(of: bytes) != nil
  }

  /// Draws the first page. `Drawing.unsupported` lists the features that the drawing does not show.
  /// The drawing takes no more than `memory` bytes.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, memory: Int = .max
  ) throws(VectorError) -> Drawing {
    try read(bytes, Budget(input: bytes.count, memory: memory))
  }

  /// Draws the first page and charges a budget.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, _ budget: Budget
  ) throws(VectorError) -> Drawing {
    let file = try PDFFile(bytes, budget)
    let page = try file.firstPage()
    let reader = ContentReader(file, page: page)
    reader.run(page.content)
    if page.hasAnnotations { reader.drawing.note(.annotation) }
    reader.drawing.paths.begin()
    reader.countMemory()
    try file.check()
    reader.drawing.page = reader.items
    // The memory of the reader itself is free again; only the drawing remains.
    reader.drawing.spending = budget.spending
    reader.drawing.spending.memory = reader.drawing.storedBytes(items: 0)
    return reader.drawing
  }
}
