// A rasteriser that other modules hold, where a value without copies cannot be: Embedded Swift does not see
// how values of another module end. The drawing is Rasterizer.swift's.

/// Draws within a limit of memory and keeps the memory for the next drawing.
package final class KeptRasterizer {
  private var rasterizer = Rasterizer()

  package init() {}

  /// As `Rasterizer.draw`, with no more than `memory` for groups and clips.
  package func draw(
    _ drawing: Drawing, _ placement: Placement, into pixels: UnsafeMutableRawBufferPointer,
    bytesPerRow: Int, memory: Int
  ) throws(VectorError) {
    rasterizer.limit(memory: memory)
    try rasterizer.draw(drawing, placement, into: pixels, bytesPerRow: bytesPerRow)
  }
}
