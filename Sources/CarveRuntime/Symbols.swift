// Symbols: which of their drawings stands for a weight and a size, and between which two of them one is made.
// Deciding is looking up a few names; files are read where a symbol is measured or drawn (DrawSymbol.swift).

import Archive
import Traits

#if !CARVE_WITHOUT_VECTORS
  import Vectors
#endif

/// A symbol as it is asked for beside text.
public struct SymbolStyle: Sendable, Hashable {
  /// From 1 for ultralight to 9 for black, 4 being regular; what lies between two weights is drawn so.
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

/// What a symbol is drawn from in one view: a drawing of the archive, or two and the way from one to the
/// other.
public struct Symbol: Sendable {
  /// The drawing, or the lighter of two.
  public let drawing: Variant
  public let glyph: Glyph
  /// The bolder of two; nil where one drawing has the weight that is shown.
  public let bolder: Variant?
  /// Of the way from `drawing` to `bolder`, from 0 to 1.
  public let share: Double
  /// How much larger than the drawings the symbol is shown: they may be of another size.
  public let growth: Double
  /// Whether the view asks for dark pictures; colours of the system follow it.
  let isDark: Bool

  public var isMirrored: Bool { drawing.isMirrored }
  /// Whether the archive has the drawing that was asked for.
  public var isExact: Bool { bolder == nil && growth == 1 }
}

extension CatalogView {
  /// One of the drawings of a symbol, if the archive has it.
  public func findSymbol(_ name: String, _ glyph: Glyph) -> Variant? {
    name.withName { decisions.drawing(utf8: $0, glyph) }
  }

  /// A symbol in any weight: drawn from the drawing that has it, else from the two that are next to it. Of
  /// a size that has no drawings on both sides of the weight, those of another size serve, made larger or
  /// smaller. Nil where there is no such symbol.
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
    // Of what is no number, the lightest.
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

  /// The size itself, then the others, smaller ones first: templates that are mixed have small drawings.
  private static func sizes(around size: SymbolSize) -> [SymbolSize] {
    [size] + SymbolSize.allCases.filter { $0 != size }
  }
}

/// The drawings of one size that are next to a weight.
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

  /// Whether the weight lies between drawings.
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
    /// The same between two weights.
    fileprivate static func place(ofWeight weight: Double) -> Double {
      let below = Int(weight)
      let start = place(ofWeight: below)
      return start + (place(ofWeight: below + 1) - start) * (weight - Double(below))
    }
  }
#endif
