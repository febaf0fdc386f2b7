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
    names.map {
      GeneratedName(asset: $0.asset, swift: $0.swift ?? [], objectiveC: $0.objectiveC ?? "")
    }
  }
}

/// Returns the constant that Xcode makes of a name without namespaces.
package func assetIdentifier(of name: ByteString) -> String {
  SymbolWords(name).withoutType.lowerCamel
}
