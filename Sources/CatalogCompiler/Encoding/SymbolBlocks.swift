// Makes the block of a symbol's drawing: its SVG, and its metrics beside text.

import Archive
import CatalogModel
import Traits
import Vectors

/// The contents of a symbol's block.
struct GlyphContents: Sendable {
  var svg: [UInt8]
  var metrics: GlyphMetrics
  var rendering: GlyphRendering
}

extension GlyphContents {
  init(_ drawing: TemplateDrawing, of template: SymbolTemplate, for target: CompileTarget) {
    let form = target.platform.symbolForm
    let points = Double(form.pointSize)
    let lengths = template.metrics(of: drawing, pointSize: points)
    svg = template.svg(of: drawing, scale: points / SymbolTemplate.pointSize)
    metrics = GlyphMetrics(revision: form.revision, pointSize: form.pointSize)
    metrics.depth = Float(lengths.depth)
    metrics.capHeight = Float(lengths.capHeight)
    metrics.version = Float(template.version)
    metrics.leftMargin = Float(lengths.leftMargin)
    metrics.rightMargin = Float(lengths.rightMargin)
    metrics.leftInset = Float(lengths.inset)
    metrics.rightInset = metrics.leftInset
    rendering = GlyphRendering(hasLayers: drawing.drawing.shapes.contains { !$0.layers.isEmpty })
  }
}

extension TargetPlatform {
  /// The revision of the metrics, and the size of the text for which they are measured.
  fileprivate var symbolForm: (revision: UInt32, pointSize: UInt32) {
    self == .macOS ? (3, 13) : (7, 17)
  }
}

extension PlannedRendition {
  /// Returns the block of a symbol's drawing. The payload is its SVG as a file, which may be
  /// compressed.
  func glyphBlock(_ contents: GlyphContents, payload: [UInt8]) -> [UInt8] {
    var header = CSIHeader(layout: .symbol, name: storedName)
    header.flags = flags
    header.scaleFactor = 100
    header.pixelFormat = .svg
    let properties: [RenditionProperty] = [
      .drawn, .upright, .glyphMetrics(contents.metrics), .glyphRendering(contents.rendering),
    ]
    return RenditionHead(header, properties).block(payload: payload)
  }
}
