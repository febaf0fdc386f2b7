// The symbol sets of recovered catalogues. Their templates are made of the drawings that are in the
// archive.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Traits
import Vectors

/// A drawing of a symbol: its block, and its metrics beside text.
struct RecoveredGlyph: Sendable, Hashable {
  var glyph: Glyph
  var range: Range<Int>
  var metrics: GlyphMetrics
}

extension CatalogRecovery {
  /// Makes a symbol set, with a template for each set of traits.
  mutating func recoverSymbols(_ name: ByteString, _ all: [RecoveredVariant]) {
    var order: [VariantKey] = []
    var drawings: [VariantKey: [RecoveredVariant]] = [:]
    for variant in all {
      if drawings[variant.variant] == nil { order.append(variant.variant) }
      drawings[variant.variant, default: []].append(variant)
    }
    var rows: [(members: [JSONMember], file: Int?)] = []
    var files: [FileDraft] = []
    for key in order {
      let variants = drawings[key] ?? []
      guard let first = variants.first, let members = slot(first, name) else { continue }
      var glyphs: [RecoveredGlyph] = []
      for variant in variants {
        guard let glyph = variant.key.details.glyph else {
          remark(variant, name, "no symbol has its weight or size")
          continue
        }
        let metrics = (try? variant.rendition.glyphMetrics()) ?? nil
        if metrics == nil { remark(variant, name, "it has no metrics beside text") }
        glyphs.append(
          RecoveredGlyph(
            glyph: glyph, range: variant.range,
            metrics: metrics ?? GlyphMetrics(revision: 0, pointSize: 17)))
        reportRendering(variant, name)
      }
      if glyphs.isEmpty { continue }
      rows.append((members, files.count))
      files.append(
        FileDraft(
          name: RecoveredPlaces.fileName(first.header.name, "svg"),
          source: .template(glyphs.sorted { $0.glyph < $1.glyph }), words: ["\(rows.count)"],
          variant: words(first)))
    }
    report.sets[.symbolSet, default: 0] += 1
    let isLocalized = all.contains { $0.variant.locale != 0 }
    drafts.append(
      SetDraft(name: name, folder: folder(of: name, .symbolSet), files: files) { [rows] names in
        contents(
          "symbols", entries(rows, names),
          isLocalized ? [JSONMember(key: "localizable", value: .bool(true))] : [])
      })
  }

  private mutating func reportRendering(_ variant: RecoveredVariant, _ name: ByteString) {
    let properties = (try? variant.rendition.allProperties()) ?? []
    for case .glyphRendering(let rendering) in properties where rendering.intent != 0 {
      remark(variant, name, "the word for its rendering intent is not known")
    }
  }
}

/// Returns the template of a symbol. `read` returns the SVG in a block.
func template(
  of glyphs: [RecoveredGlyph], _ read: (Range<Int>) throws(SkipReason) -> [UInt8]
) throws(SkipReason) -> [UInt8] {
  var kept: [KeptGlyph] = []
  for glyph in glyphs {
    let bytes = try read(glyph.range)
    do throws(VectorError) {
      let metrics = glyph.metrics
      kept.append(
        try KeptGlyph(
          bytes, weight: Int(glyph.glyph.weight.rawValue), size: Int(glyph.glyph.size.rawValue),
          pointSize: Double(max(1, metrics.pointSize)), depth: Double(metrics.depth),
          capHeight: Double(metrics.capHeight),
          margins: (Double(metrics.leftMargin), Double(metrics.rightMargin))))
    } catch {
      throw .unsupported("a drawing of the symbol cannot be read: \(error.words)")
    }
  }
  return SymbolTemplate.document(of: kept, version: Double(glyphs.first?.metrics.version ?? 0))
}
