// The names of the constants that Xcode makes for assets, for programs that find an asset by the
// constant which a source uses.

import Bytes

/// The constants of one asset.
package struct SymbolName: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case color = "Color"
    case image = "Image"
  }

  package var asset: SymbolAsset
  package var kind: Kind
  /// The identifiers of the namespaces and of the asset in Swift; nil if an earlier asset has them.
  package var swift: [String]?
  /// The constant in Objective-C; nil if an earlier asset has it.
  package var objectiveC: String?
}

extension SymbolAssets {
  /// The constants of all colours and pictures.
  package var names: [SymbolName] {
    SymbolName.all(of: colors, .color) + SymbolName.all(of: pictures, .image)
  }
}

extension SymbolName {
  /// Returns the constants of assets of one kind, in the order of the assets.
  static func all(of assets: [SymbolAsset], _ kind: Kind) -> [SymbolName] {
    let swift = Dictionary(
      SymbolTree(assets).symbols.map { ($0.asset, $0.path) }, uniquingKeysWith: { a, _ in a })
    let constants = Dictionary(
      ObjectiveCSymbol.all(of: assets, kind: kind.rawValue).filter { !$0.isTaken }
        .map { ($0.asset, $0.identifier) }, uniquingKeysWith: { a, _ in a })
    return assets.map { asset in
      SymbolName(
        asset: asset, kind: kind, swift: swift[asset] ?? nil, objectiveC: constants[asset])
    }
  }
}

/// Returns the constant that Xcode makes of a name without namespaces.
package func assetIdentifier(of name: ByteString) -> String {
  SymbolWords(name).withoutType.lowerCamel
}
