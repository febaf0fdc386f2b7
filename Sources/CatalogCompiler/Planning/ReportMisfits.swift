// Reports insets and slices that do not fit their picture and are therefore left out. Checks and
// compiler use the same rule (CatalogModel/Pictures/WholePixels).

import Bytes
import CatalogModel
import Host

extension Plan {
  /// Reads the headers of the pictures with insets or slices. Every other error in a file is found
  /// when the file is decoded.
  mutating func reportMisfits(in tree: FileTree) {
    var seen: Set<[ByteString]> = []
    for rendition in renditions {
      guard case .picture(let file, let treatment) = rendition.content,
        treatment.resizing != nil || treatment.insets != nil,
        seen.insert([rendition.file, rendition.pointer]).inserted,
        var header = try? ImageHeader.read(file.path, in: tree)
      else { continue }
      if let drawing = treatment.drawing {
        // If the beginning of a vector file does not state its size, its insets and slices cannot
        // be checked.
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
