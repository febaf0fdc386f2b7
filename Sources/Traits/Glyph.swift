// The weights and sizes of symbols. They are not axes: a program chooses them by the font beside
// which it draws the symbol; a window does not present them.

/// The weight of the strokes of a symbol. The raw values are the numbers in archives.
public enum SymbolWeight: UInt8, CaseIterable, Sendable, Hashable {
  case ultralight = 1
  case thin, light, regular, medium, semibold, bold, heavy, black
}

/// The size of a symbol beside text of one size. The raw values are the numbers in archives.
public enum SymbolSize: UInt8, CaseIterable, Sendable, Hashable {
  case small = 1
  case medium, large
}

/// One drawing of a symbol: a weight and a size.
public struct Glyph: Sendable, Hashable, Comparable {
  public var weight: SymbolWeight
  public var size: SymbolSize

  public init(_ weight: SymbolWeight = .regular, _ size: SymbolSize = .medium) {
    self.weight = weight
    self.size = size
  }

  /// Creates the drawing with these numbers of an archive. Returns nil if Apple's tool writes no
  /// such numbers.
  public init?(weight: UInt16, size: UInt16) {
    guard let weight = UInt8(exactly: weight).flatMap(SymbolWeight.init),
      let size = UInt8(exactly: size).flatMap(SymbolSize.init)
    else { return nil }
    self.init(weight, size)
  }

  /// The weight and the size, in the words of people.
  package var words: String { "\(weight) weight, \(size) size" }

  /// Orders drawings by size, then by weight.
  public static func < (a: Glyph, b: Glyph) -> Bool {
    a.size == b.size ? a.weight.rawValue < b.weight.rawValue : a.size.rawValue < b.size.rawValue
  }

  /// The order in which drawings are shown if a request names no weight and size. The highest wins:
  /// the regular weight first, then the medium size.
  package var preference: Int { (weight == .regular ? 2 : 0) + (size == .medium ? 1 : 0) }

  public static var all: [Glyph] {
    SymbolSize.allCases.flatMap { size in SymbolWeight.allCases.map { Glyph($0, size) } }
  }
}
