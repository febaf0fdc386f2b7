// Chooses the drawings of a symbol for a weight and a size: one drawing, or two to interpolate
// between. Choosing looks up a few names; the files are read when a symbol is measured or drawn
// (DrawSymbol.swift).

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

  public var isMirrored: Bool { drawing.isMirrored }
  /// Whether the archive has the requested drawing.
  public var isExact: Bool { bolder == nil && growth == 1 }
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
      index.slot(
        named: name.baseAddress ?? index.start, count: name.count,
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
    return Symbol(
      drawing: first.variant, glyph: first.glyph, bolder: second, share: share,
      growth: Masters.growth(size) / Masters.growth(first.glyph.size), isDark: isDark)
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
