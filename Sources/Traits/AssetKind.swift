// The kinds under which names are looked up, and the number by which archives identify a name.
// Assets and localizations share the function of that number.

/// The kind of an asset. An image and a colour may have the same name.
public enum AssetKind: UInt8, CaseIterable, Sendable, Hashable {
  case image = 0
  case color, data, symbol, icon
}

/// The kind under which a name is looked up: an asset kind, or one drawing of a symbol.
public struct LookupKind: RawRepresentable, Sendable, Hashable, BitwiseCopyable {
  /// The number of the kind. It is part of the hash of a name, so its meaning must never change:
  /// otherwise the ids of assets in existing archives would change.
  public let rawValue: UInt8

  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(_ kind: AssetKind) { rawValue = kind.rawValue }

  package init(_ glyph: Glyph) {
    rawValue = LookupKind.firstGlyph + glyph.weight.rawValue * 4 + glyph.size.rawValue
  }

  private static let firstGlyph: UInt8 = 64

  /// The asset kind; nil for a drawing of a symbol.
  package var asset: AssetKind? { AssetKind(rawValue: rawValue) }
}

/// Returns the 16-bit number of a name. The result is never 0, because 0 means "no name".
@inlinable
package func nameIdentifier(_ name: some Sequence<UInt8>) -> UInt16 {
  var hash: UInt64 = 0x189D7
  for byte in name { hash = hash &* 33 &+ UInt64(byte) }
  var folded: UInt64 = 0
  for shift in stride(from: UInt64(0), to: 64, by: 16) {
    folded = folded &* 33 &+ (hash >> shift & 0xFFFF)
  }
  let identifier = UInt16(truncatingIfNeeded: folded)
  return identifier == 0 ? 1 : identifier
}
