// Chooses the drawings of a symbol for a weight and a size (one drawing, or two to interpolate
// between), and draws them. Choosing looks up a few names; the files are read when a symbol is
// measured or drawn.

import Archive
import Traits

#if !CARVE_WITHOUT_VECTORS
  import Vectors
#endif

/// The requested weight and size of a symbol, which match the text beside it.
public struct SymbolStyle: Sendable, Hashable {
  /// The weight, from 1 for ultralight to 9 for black; 4 is regular. A weight between two of these
  /// is interpolated.
  public var weight: Double
  public var size: SymbolSize

  public init(weight: Double = 4, size: SymbolSize = .medium) {
    self.weight = weight
    self.size = size
  }

  public init(_ glyph: Glyph) {
    self.init(weight: Double(glyph.weight.rawValue), size: glyph.size)
  }
}

/// The drawings of a symbol in one view: one drawing of the archive, or two and the share of the
/// second.
public struct Symbol: Sendable {
  /// The drawing, or the lighter of two.
  public let drawing: Variant
  public let glyph: Glyph
  /// The bolder of two drawings; nil if one drawing is enough.
  public let bolder: Variant?
  /// The position between `drawing` (0) and `bolder` (1).
  public let share: Double
  /// The factor by which the symbol is enlarged; the drawings may be of another size.
  public let growth: Double
  /// Whether the view is dark; system colours depend on it.
  let isDark: Bool
  /// Whether the archive has the requested drawing.
  public let isExact: Bool

  public var isMirrored: Bool { drawing.isMirrored }
}

extension CatalogView {
  /// Returns one of the drawings of a symbol; nil if the archive does not have it.
  public func findSymbol(_ name: String, _ glyph: Glyph) -> Variant? {
    name.withName { decisions.drawing(utf8: $0, glyph) }
  }

  /// Returns a symbol in any weight: the drawing of that weight, or an interpolation between the
  /// nearest lighter and bolder drawings. If the requested size has no drawings on both sides of
  /// the weight, drawings of another size are used, enlarged or reduced. nil if the symbol does not
  /// exist.
  public func symbol(_ name: String, _ style: SymbolStyle = SymbolStyle()) -> Symbol? {
    name.withName { decisions.symbol(utf8: $0, style) }
  }

  public func symbol(
    utf8 name: UnsafeRawBufferPointer, _ style: SymbolStyle = SymbolStyle()
  ) -> Symbol? {
    decisions.symbol(utf8: name, style)
  }
}

extension Decisions {
  func drawing(utf8 name: UnsafeRawBufferPointer, _ glyph: Glyph) -> Variant? {
    drawingChoice(utf8: name, glyph).flatMap { variant($0) }
  }

  func drawingChoice(utf8 name: UnsafeRawBufferPointer, _ glyph: Glyph) -> Choice? {
    // The empty name may have no address; none of its bytes are read.
    choice(
      index.cell(
        named: name.baseAddress ?? index.pointee.start, count: name.count,
        kind: LookupKind(glyph).rawValue))
  }

  func symbol(utf8 name: UnsafeRawBufferPointer, _ style: SymbolStyle) -> Symbol? {
    // If the weight is not a number, it counts as the lightest.
    let weight = style.weight > 1 ? min(style.weight, 9) : 1
    var nearest: Symbol?
    for size in Decisions.sizes(around: style.size) {
      let masters = Masters(self, name, weight, size)
      guard let found = masters.symbol(shownAt: style.size, isDark: environment.style == .dark)
      else { continue }
      if masters.isAround { return found }
      nearest = nearest ?? found
    }
    return nearest
  }

  /// Returns the size itself, then the others, smaller sizes first: templates with interpolated
  /// weights contain small drawings.
  private static func sizes(around size: SymbolSize) -> [SymbolSize] {
    [size] + SymbolSize.allCases.filter { $0 != size }
  }
}

/// The drawings of one size whose weights are nearest to a weight.
private struct Masters {
  private var lighter: (variant: Variant, glyph: Glyph)?
  private var bolder: (variant: Variant, glyph: Glyph)?
  private let weight: Double

  init(
    _ decisions: Decisions, _ name: UnsafeRawBufferPointer, _ weight: Double, _ size: SymbolSize
  ) {
    self.weight = weight
    for step in SymbolWeight.allCases {
      let glyph = Glyph(step, size)
      guard let variant = decisions.drawing(utf8: name, glyph) else { continue }
      if Double(step.rawValue) <= weight { lighter = (variant, glyph) }
      if Double(step.rawValue) >= weight, bolder == nil { bolder = (variant, glyph) }
    }
  }

  /// Whether there is a drawing on each side of the weight.
  var isAround: Bool { lighter != nil && bolder != nil }

  func symbol(shownAt size: SymbolSize, isDark: Bool) -> Symbol? {
    guard let first = lighter ?? bolder else { return nil }
    var second: Variant?
    var share = 0.0
    if let bolder, bolder.glyph != first.glyph, lighter != nil {
      second = bolder.variant
      share = Masters.share(of: weight, first.glyph, bolder.glyph)
    }
    let growth = Masters.growth(size) / Masters.growth(first.glyph.size)
    return Symbol(
      drawing: first.variant, glyph: first.glyph, bolder: second, share: share, growth: growth,
      isDark: isDark,
      isExact: second == nil && growth == 1 && weight == Double(first.glyph.weight.rawValue))
  }

  private static func share(of weight: Double, _ first: Glyph, _ second: Glyph) -> Double {
    let start = place(Double(first.weight.rawValue))
    let end = place(Double(second.weight.rawValue))
    return (place(weight) - start) / (end - start)
  }

  #if CARVE_WITHOUT_VECTORS
    private static func place(_ weight: Double) -> Double { weight }
    private static func growth(_ size: SymbolSize) -> Double { 1 }
  #else
    private static func place(_ weight: Double) -> Double { SymbolAxis.place(ofWeight: weight) }
    private static func growth(_ size: SymbolSize) -> Double {
      SymbolAxis.growth(ofSize: Int(size.rawValue))
    }
  #endif
}

#if !CARVE_WITHOUT_VECTORS
  extension SymbolAxis {
    /// Returns the place of a weight, interpolated between the whole weights.
    fileprivate static func place(ofWeight weight: Double) -> Double {
      let below = Int(weight)
      let start = place(ofWeight: below)
      return start + (place(ofWeight: below + 1) - start) * (weight - Double(below))
    }
  }
#endif

// MARK: - Drawing

// Draws symbols in one colour, in shades of it, or in the colours of their file, at any weight
// between the drawings that the archive has.

/// How the layers of a symbol are drawn differently. A file without data for a rendering is drawn
/// in one colour.
public enum SymbolRendering: UInt8, Sendable, CaseIterable {
  /// One colour.
  case monochrome = 0
  /// One colour, which becomes fainter from layer to layer.
  case hierarchical
  /// The colours that the file names. The layers whose colour the file leaves to the program have
  /// the tint.
  case multicolor
}

/// The measures of a symbol, in points.
public struct SymbolPage: Sendable, Hashable {
  /// The size of the outlines.
  public var width: Double
  public var height: Double
  /// The distance by which the symbol reaches below the base line of the text beside it.
  public var depth: Double
  public var capHeight: Double
  /// The distances that the symbol keeps from its neighbours.
  public var leftMargin: Double
  public var rightMargin: Double
  /// The version of the symbol's template; 0 if it is not known.
  public var templateVersion: Double
  /// Whether the symbol is interpolated between two drawings.
  public var isInterpolated: Bool
  /// Whether the file describes the layers of the hierarchical and of the multicolour rendering.
  public var hasHierarchy: Bool
  public var hasColors: Bool
}

extension Catalog {
  /// Measures a symbol for text of a size in points. The size of the drawings in the archive is 17
  /// points, and 13 on a Mac.
  public func page(
    of symbol: Symbol, pointSize: Double? = nil, limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) -> SymbolPage {
    try checkSize()
    var room = DecodingRoom()
    room.begin(limits, self, pixels: 0)
    return try SymbolPicture(symbol, of: self, limits, &room).page(pointSize)
  }

  /// Draws a symbol whose outlines fill the pixels of `destination`. The limits apply as
  /// in `drawVector`.
  public func drawSymbol(
    _ symbol: Symbol, _ rendering: SymbolRendering = .monochrome,
    tint: Tint = Tint(red: 0, green: 0, blue: 0), as layout: PixelLayout,
    space: PixelSpace = .sRGB, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    let target = VectorTarget(
      layout: layout, space: space, tint: tint, isMirrored: symbol.isMirrored, pixels: destination,
      rowStride: rowStride)
    var room = DecodingRoom()
    try drawSymbol(
      symbol, rendering, PixelSize(width: width, height: height), target, limits, &room)
  }

  /// Draws with memory that may serve the next picture too. The target's tint is the colour of
  /// layers that have no colour of their own.
  func drawSymbol(
    _ symbol: Symbol, _ rendering: SymbolRendering, _ size: PixelSize, _ target: VectorTarget,
    _ limits: DecodeLimits, _ room: inout DecodingRoom
  ) throws(CatalogError) {
    try checkSize()
    try Catalog.check(size, target: target, limits: limits)
    room.begin(limits, self, pixels: size.width * size.height)
    let picture = try SymbolPicture(symbol, of: self, limits, &room)
    let vector = Vector(picture.painted(rendering, target.tint, isDark: symbol.isDark))
    var plain = target
    plain.tint = nil
    try draw(vector, into: size, stride: plain, room: &room)
  }
}

#if CARVE_WITHOUT_VECTORS
  /// Replaces the type below in a library that was built without drawing vectors.
  private struct SymbolPicture {
    init(
      _ symbol: Symbol, of catalog: Catalog, _ limits: DecodeLimits, _ room: inout DecodingRoom
    ) throws(CatalogError) {
      throw .unsupported("drawing symbols, which this library was built without,")
    }

    func page(_ pointSize: Double?) -> SymbolPage {
      SymbolPage(
        width: 0, height: 0, depth: 0, capHeight: 0, leftMargin: 0, rightMargin: 0,
        templateVersion: 0, isInterpolated: false, hasHierarchy: false, hasColors: false)
    }

    func painted(_ rendering: SymbolRendering, _ tint: Tint?, isDark: Bool) {}
  }
#else
  /// The outlines of a symbol as it is shown, and its measures at the archive's size of text.
  private struct SymbolPicture {
    private var drawing: SymbolDrawing
    private var metrics: GlyphMetrics
    private var isInterpolated = false

    init(
      _ symbol: Symbol, of catalog: Catalog, _ limits: DecodeLimits, _ room: inout DecodingRoom
    ) throws(CatalogError) {
      (drawing, metrics) = try SymbolPicture.read(
        symbol.drawing, of: catalog, limits: limits, room: &room)
      if let bolder = symbol.bolder {
        let other = try SymbolPicture.read(bolder, of: catalog, limits: limits, room: &room)
        mix(with: other.drawing, other.metrics, symbol.share)
      }
      if symbol.growth != 1 { grow(symbol.growth) }
    }

    private static func read(
      _ variant: Variant, of catalog: Catalog, limits: DecodeLimits, room: inout DecodingRoom
    ) throws(CatalogError) -> (drawing: SymbolDrawing, metrics: GlyphMetrics) {
      guard variant.content == .svg else { throw .wrongContent(variant.content) }
      let size = try catalog.fileSize(of: variant)
      guard size <= limits.vectorText(fileSize: catalog.fileSize) else {
        throw .overLimit(width: size, height: 1)
      }
      try room.take(size, width: size, height: 1)
      let rendition = try catalog.rendition(variant.choice.rendition)
      let metrics: GlyphMetrics?
      do throws(FormatError) { metrics = try rendition.glyphMetrics() } catch {
        throw .format(error)
      }
      let memory = room.left / 2
      let read = try catalog.withFile(of: variant, limits: limits) { bytes in
        Result { () throws(VectorError) in try SVG.readSymbol(Array(bytes), memory: memory) }
      }
      switch read {
      case .success(let drawing): return (drawing, metrics ?? GlyphMetrics(drawing))
      case .failure(let error): throw CatalogError(error)
      }
    }

    /// Interpolates between this drawing and another one. If the outlines of the two have different
    /// steps, the nearer drawing is shown.
    private mutating func mix(
      with other: SymbolDrawing, _ others: GlyphMetrics, _ share: Double
    ) {
      // Moves both drawings to one coordinate space, whose origin is on the base line at the
      // beginning of the left margin.
      let mixed = drawing.interpolated(
        to: other, share, own: drawing.standing(metrics), others: other.standing(others))
      guard let mixed, let box = mixed.bounds else {
        if share > 0.5 { (drawing, metrics) = (other, others) }
        return
      }
      func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
      let advance = between(drawing.advance(metrics), other.advance(others))
      metrics.capHeight = Float(between(Double(metrics.capHeight), Double(others.capHeight)))
      metrics.depth = Float(box.y + box.height)
      metrics.leftMargin = Float(box.x)
      metrics.rightMargin = Float(advance - box.x - box.width)
      drawing = mixed.moved(
        .translation(-box.x, -box.y), width: box.width, height: box.height)
      isInterpolated = true
    }

    /// Scales around the middle of capital letters.
    private mutating func grow(_ factor: Double) {
      drawing = drawing.moved(
        .scale(factor, factor), width: drawing.width * factor, height: drawing.height * factor)
      let middle = Double(metrics.capHeight) / 2
      metrics.depth = Float((Double(metrics.depth) + middle) * factor - middle)
      metrics.leftMargin *= Float(factor)
      metrics.rightMargin *= Float(factor)
    }

    func page(_ pointSize: Double?) -> SymbolPage {
      let own = Double(max(1, metrics.pointSize))
      let factor = pointSize.map { $0 / own } ?? 1
      func length(_ value: Float) -> Double { Double(value) * factor }
      return SymbolPage(
        width: drawing.width * factor, height: drawing.height * factor,
        depth: length(metrics.depth), capHeight: length(metrics.capHeight),
        leftMargin: length(metrics.leftMargin), rightMargin: length(metrics.rightMargin),
        templateVersion: Double(metrics.version), isInterpolated: isInterpolated,
        hasHierarchy: drawing.has(.hierarchical), hasColors: drawing.has(.multicolor))
    }

    func painted(_ rendering: SymbolRendering, _ tint: Tint?, isDark: Bool) -> Drawing {
      let tint = tint ?? Tint(red: 0, green: 0, blue: 0)
      func clipped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
      return drawing.painted(
        SymbolPaints(
          mode: SymbolMode(rendering),
          tint: Color(clipped(tint.red), clipped(tint.green), clipped(tint.blue)),
          alpha: clipped(tint.alpha), isDark: isDark))
    }
  }

  extension SymbolMode {
    fileprivate init(_ rendering: SymbolRendering) {
      switch rendering {
      case .monochrome: self = .monochrome
      case .hierarchical: self = .hierarchical
      case .multicolor: self = .multicolor
      }
    }
  }

  extension SymbolDrawing {
    /// Returns the transform from the page to the space whose origin is on the base line at the
    /// beginning of the left margin.
    fileprivate func standing(_ metrics: GlyphMetrics) -> Transform {
      .translation(Double(metrics.leftMargin), Double(metrics.depth) - height)
    }

    /// Returns the width with both margins.
    fileprivate func advance(_ metrics: GlyphMetrics) -> Double {
      Double(metrics.leftMargin) + width + Double(metrics.rightMargin)
    }
  }

  extension GlyphMetrics {
    /// Makes the measures of a drawing that has none in the archive: it stands on the base line.
    fileprivate init(_ drawing: SymbolDrawing) {
      self.init(revision: 0, pointSize: 17)
      capHeight = Float(drawing.height)
    }
  }
#endif
