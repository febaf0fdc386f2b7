// The bitmap of a layered icon as a plan holds it: the icon as values, and the files of its
// pictures. Planning/PlanGlass.swift makes the values.

import CatalogModel
import Imaging

package struct GlassDrawing: Sendable, Hashable {
  package var icon: GlassIcon
  /// The files of the pictures that the layers name by number.
  package var files: [SourceFile]
  /// The side of the bitmap in pixels.
  package var side: Int
}
