// The weights and sizes of symbols. They are no axes: a program asks for them by the font beside which a
// symbol stands, and not by what a window presents.

/// How bold a symbol is drawn. The numbers are those of archives.
public enum SymbolWeight: UInt8, CaseIterable, Sendable, Hashable {
  case ultralight = 1
  case thin, light, regular, medium, semibold, bold, heavy, black
}

/// How large a symbol is beside text of one size. The numbers are those of archives.
public enum SymbolSize: UInt8, CaseIterable, Sendable, Hashable {
  case small = 1
  case medium, large
}

/// One of the drawings of a symbol.
public struct Glyph: Sendable, Hashable, Comparable {
  public var weight: SymbolWeight
  public var size: SymbolSize

  public init(_ weight: SymbolWeight = .regular, _ size: SymbolSize = .medium) {
    self.weight = weight
    self.size = size
  }

  /// Nil for numbers that no archive of Apple's tool has.
  public init?(weight: UInt16, size: UInt16) {
    guard let weight = UInt8(exactly: weight).flatMap(SymbolWeight.init),
      let size = UInt8(exactly: size).flatMap(SymbolSize.init)
    else { return nil }
    self.init(weight, size)
  }

  /// By size, then weight.
  public static func < (a: Glyph, b: Glyph) -> Bool {
    a.size == b.size ? a.weight.rawValue < b.weight.rawValue : a.size.rawValue < b.size.rawValue
  }

  /// Of several drawings the one with the highest is shown where no weight and size is asked for: the
  /// regular one, and of those the one of the middle.
  package var preference: Int { (weight == .regular ? 2 : 0) + (size == .medium ? 1 : 0) }

  public static var all: [Glyph] {
    SymbolSize.allCases.flatMap { size in SymbolWeight.allCases.map { Glyph($0, size) } }
  }
}

/// What a name is looked up as: an asset of a kind, or one drawing of a symbol.
package struct LookupKind: RawRepresentable, Sendable, Hashable, BitwiseCopyable {
  /// Part of the hash of a name: to change what a number means is to break the ids of assets.
  package let rawValue: UInt8

  @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(_ kind: AssetKind) { rawValue = kind.rawValue }

  package init(_ glyph: Glyph) {
    rawValue = LookupKind.firstGlyph + glyph.weight.rawValue * 4 + glyph.size.rawValue
  }

  private static let firstGlyph: UInt8 = 64

  /// Nil for drawings.
  package var asset: AssetKind? { AssetKind(rawValue: rawValue) }
}
