// The identifiers of the generated sources as values, for programs that look for their uses.

import Bytes

/// The identifiers that Xcode generates for an asset.
package struct GeneratedName: Sendable, Hashable {
  package var asset: SymbolAsset
  /// The namespaces and the constant in Swift; empty if it has none.
  package var swift: [String]
  /// The constant in Objective-C; empty if it has none.
  package var objectiveC: String
}

extension SymbolAssets {
  /// The identifiers of all colours and images.
  package var generatedNames: [GeneratedName] {
    [(colors, "Color"), (pictures, "Image")].flatMap { assets, kind in
      var constants: [SymbolAsset: String] = [:]
      for symbol in ObjectiveCSymbol.all(of: assets, kind: kind) where !symbol.isTaken {
        constants[symbol.asset] = symbol.identifier
      }
      return SymbolTree(assets).symbols.map { symbol in
        GeneratedName(
          asset: symbol.asset, swift: symbol.path ?? [],
          objectiveC: constants[symbol.asset] ?? "")
      }
    }
  }
}

/// Returns the constant that Xcode makes of a name without namespaces.
package func assetIdentifier(of name: ByteString) -> String {
  SymbolWords(name).withoutType.lowerCamel
}
