// Fuzz targets for PDF files, and for the readers that they need: fonts and JPEG pictures. Small
// pages are drawn.

import Bytes
import CDeflate
import Codecs

@testable import Vectors

extension FuzzTarget {
  /// Reads and draws a PDF file.
  static let pdf = FuzzTarget("pdf") { bytes in
    guard let drawing = try? PDFDocument.read(bytes) else { return }
    _ = drawPage(drawing)
  }

  /// Writes a PDF or an SVG as archives keep it. The reader must take what is written, draw the
  /// same values and pixels, and write nothing else for the same bytes.
  static let keptVector = FuzzTarget("kept-vector") { bytes in
    let source = Array(bytes)
    guard let drawing = try? VectorFile.read(source).drawing,
      let kept = VectorFile.rewritten(source, drawing: drawing, deflate: deflated)
    else { return }
    guard kept.count < source.count, let read = try? VectorFile.read(kept).drawing,
      drawing.shows(sameAs: read, Budget(input: source.count))
    else { preconditionFailure("what was written draws differently") }
    // The new file costs less, so it may be drawn even if the original is too costly.
    if let pixels = drawPage(drawing) {
      precondition(drawPage(read) == pixels, "what was written has other pixels")
    }
    guard let again = try? VectorFile.read(source).drawing else {
      preconditionFailure("the same file was read in two ways")
    }
    precondition(
      VectorFile.rewritten(source, drawing: again, deflate: deflated) == kept,
      "the same file was written in two ways")
  }

  /// Reads a font of any kind, with all functions that find and draw glyphs.
  static let font = FuzzTarget("font") { bytes in
    let budget = Budget(input: bytes.count)
    let program = Array(bytes)
    if let font = Type1Font(program, budget) {
      for name in font.charStrings.keys.sorted().prefix(64) {
        var pen = GlyphPen(budget: budget)
        Type1CharString.draw(name, of: font, with: &pen)
      }
    }
    if let font = CFFFont(program, budget) {
      for glyph in 0..<min(font.charStrings.count, 64) {
        var pen = GlyphPen(budget: budget)
        Type2CharString.draw(glyph, of: font, with: &pen)
        _ = font.glyph(code: glyph)
        _ = font.glyph(character: glyph)
      }
      _ = font.glyph(named: "A")
    }
    if let font = TrueTypeFont(program, budget) {
      for glyph in 0..<min(font.glyphCount, 64) {
        var pen = GlyphPen(budget: budget)
        font.draw(glyph, with: &pen)
        _ = font.glyph(unicode: 32 + glyph)
        _ = font.glyph(glyph, platform: 1, encoding: 0)
      }
      _ = font.glyph(named: "A")
    }
  }

  /// Reads a JPEG picture.
  static let jpeg = FuzzTarget("jpeg") { bytes in
    _ = try? JPEGDecoder.decode(Array(bytes), budget: Budget(input: bytes.count))
  }

  private static func deflated(_ bytes: [UInt8], _ effort: DeflateEffort) -> [UInt8]? {
    let bound = carve_deflate_bound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      count = carve_deflate(bytes, bytes.count, 1, room.baseAddress, bound)
    }
  }

  private static func drawPage(_ drawing: Drawing) -> [UInt32]? {
    guard drawing.width <= 64, drawing.height <= 64,
      let placement = try? PagePlacement(
        .pdf, width: drawing.width, height: drawing.height, scale: 1)
    else { return nil }
    var pixels = [UInt32](repeating: 0, count: placement.width * placement.height)
    var rasterizer = Rasterizer()
    let isDrawn = pixels.withUnsafeMutableBytes { rows in
      (try? rasterizer.draw(drawing, placement, into: rows, bytesPerRow: placement.width * 4))
        != nil
    }
    return isDrawn ? pixels : nil
  }
}
