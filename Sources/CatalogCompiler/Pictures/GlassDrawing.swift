// The bitmap of a layered icon as a plan holds it: the icon as values, and the files of its
// pictures. Planning/PlanGlass.swift makes the values.

import CatalogModel
import Imaging
import Synchronization

package struct GlassDrawing: Sendable, Hashable {
  package var icon: GlassIcon
  /// The files of the pictures that the layers name by number.
  package var files: [SourceFile]
  /// The side of the bitmap in pixels.
  package var side: Int
}

/// The bitmaps of layered icons that a run has drawn, so that its outputs share them. The files of
/// an icon must not change as long as the bitmaps are kept.
package final class DrawnIcons: Sendable {
  private let bitmaps = Mutex<[GlassDrawing: Bitmap]>([:])

  package init() {}

  subscript(drawing: GlassDrawing) -> Bitmap? { bitmaps.withLock { $0[drawing] } }

  func keep(_ bitmap: Bitmap, of drawing: GlassDrawing) {
    bitmaps.withLock { $0[drawing] = bitmap }
  }
}
