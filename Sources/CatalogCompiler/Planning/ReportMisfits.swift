// Insets and slices that do not fit their picture: they are left out, and this says so. Which fit is
// one rule for the checks and the compiler (CatalogModel/Pictures/WholePixels).

import CatalogModel
import Host

extension Plan {
  /// Looks into the headers of the pictures that are aligned or sliced; whatever else is wrong with a
  /// file shows when it is decoded.
  mutating func reportMisfits(in tree: FileTree) {
    var seen: Set<[String]> = []
    for rendition in renditions {
      guard case .picture(let file, let resizing, let insets) = rendition.content,
        resizing != nil || insets != nil,
        seen.insert([rendition.file, rendition.pointer]).inserted,
        let header = try? ImageHeader.read(file.path, in: tree)
      else { continue }
      diagnostics += misfits(
        insets, resizing, of: header, file: rendition.file, pointer: rendition.pointer)
    }
  }
}
