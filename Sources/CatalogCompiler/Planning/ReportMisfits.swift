// Insets and slices that do not fit their picture: they are left out, and this says so. Which fit is
// one rule for the checks and the compiler (CatalogModel/Pictures/WholePixels).

import Bytes
import CatalogModel
import Host

extension Plan {
  /// Looks into the headers of the pictures that are aligned or sliced; whatever else is wrong with a
  /// file shows when it is decoded.
  mutating func reportMisfits(in tree: FileTree) {
    var seen: Set<[ByteString]> = []
    for rendition in renditions {
      guard case .picture(let file, let treatment) = rendition.content,
        treatment.resizing != nil || treatment.insets != nil,
        seen.insert([rendition.file, rendition.pointer]).inserted,
        var header = try? ImageHeader.read(file.path, in: tree)
      else { continue }
      if let drawing = treatment.drawing {
        // Where the start of a vector does not tell its size, nothing can be said.
        guard header.width > 0, header.height > 0 else { continue }
        header.width = Int((Double(header.width) * drawing.factor).rounded())
        header.height = Int((Double(header.height) * drawing.factor).rounded())
      }
      diagnostics += misfits(
        treatment.insets, treatment.resizing, of: header, file: rendition.file,
        pointer: rendition.pointer)
    }
  }
}
