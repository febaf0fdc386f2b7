// The rasteriser as a class. Other modules hold it, because Embedded Swift does not see the
// deinitialisers of noncopyable values of another module. Rasterizer.swift does the drawing.

/// A rasteriser that draws within a limit of memory and keeps its memory for the next drawing.
package final class KeptRasterizer {
  private var rasterizer = Rasterizer()

  package init() {}

  /// Draws as `Rasterizer.draw` does, with at most `memory` bytes for groups and clips.
  package func draw(
    _ drawing: Drawing, _ placement: Placement, into pixels: UnsafeMutableRawBufferPointer,
    bytesPerRow: Int, memory: Int
  ) throws(VectorError) {
    rasterizer.limit(memory: memory)
    try rasterizer.draw(drawing, placement, into: pixels, bytesPerRow: bytesPerRow)
  }
}
