// Writes a vector file anew for an archive, with the same drawing in fewer bytes.

import Bytes

extension VectorFile {
  /// Returns the file in fewer bytes; nil if it must be stored as it is: because it cannot be
  /// read wholly, draws differently when it is written anew, or becomes no smaller.
  package static func rewritten(
    _ source: [UInt8], drawing: Drawing, deflate: @escaping Deflating
  ) -> [UInt8]? {
    guard
      let written = isPDF(source)
        ? PDFRewriter.rewritten(source, drawing: drawing, deflate) : SVGRewriter.rewritten(source),
      isSmaller(written, than: source, drawing: drawing)
    else { return nil }
    return written
  }

  /// Returns whether a file has fewer bytes than the source, and the same drawing.
  package static func isSmaller(
    _ written: [UInt8], than source: [UInt8], drawing: Drawing
  ) -> Bool {
    guard written.count < source.count, let own = try? read(written).drawing else { return false }
    return drawing.shows(sameAs: own, Budget(input: source.count))
  }
}
