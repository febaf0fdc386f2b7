// Xcode's Objective-C symbols, such as `ACImageNameStar`, and the property list with which an
// editor finds the asset of a symbol.

import Bytes
import Documents

extension SymbolAssets {
  /// Returns the header of Xcode's Objective-C symbols.
  package func objectiveCHeader(bundleIdentifier: String?, warnsOfClashes: Bool) -> String {
    var out = SourceText()
    out.lines(
      """
      #import <Foundation/Foundation.h>

      #if __has_attribute(swift_private)
      #define AC_SWIFT_PRIVATE __attribute__((swift_private))
      #else
      #define AC_SWIFT_PRIVATE
      #endif

      """)
    if let bundleIdentifier {
      out.line("/// The resource bundle ID.")
      out.line(constant("ACBundleID", bundleIdentifier))
      out.line()
    }
    for (kind, assets) in [("Color", colors), ("Image", pictures)] {
      for symbol in ObjectiveCSymbol.all(of: assets, kind: kind) {
        let name = commentText(symbol.asset.name)
        if symbol.isTaken {
          if !warnsOfClashes { continue }
          out.line(
            "#warning The \"\(name)\" \(kind.lowercased()) asset name resolves to the symbol "
              + "\"\(symbol.identifier)\" which already exists. Try renaming the asset.")
        } else {
          out.line("/// The \"\(name)\" asset catalog \(kind.lowercased()) resource.")
          out.line(constant(symbol.identifier, symbol.asset.name.text))
        }
        out.line()
      }
    }
    out.line("#undef AC_SWIFT_PRIVATE")
    return out.text
  }

  private func constant(_ identifier: String, _ value: String) -> String {
    "static NSString * const \(identifier) AC_SWIFT_PRIVATE = @\"\(cLiteral(value))\";"
  }

  /// The property list of all symbols.
  package var symbolIndex: PropertyValue {
    .dictionary([
      "colors": SymbolAssets.entries(colors, .color),
      "images": SymbolAssets.entries(images, .image),
      "symbols": SymbolAssets.entries(symbols, .image),
    ])
  }

  private static func entries(_ assets: [SymbolAsset], _ kind: SymbolName.Kind) -> PropertyValue {
    .array(
      SymbolName.all(of: assets, kind).compactMap { symbol in
        guard let constant = symbol.objectiveC else { return nil }
        var members: [ByteString: PropertyValue] = [
          "catalogPath": .string(symbol.asset.catalog.text),
          "relativePath": .string(symbol.asset.relativePath.text),
          "objcSymbol": .string(constant),
        ]
        if let path = symbol.swift {
          members["swiftSymbol"] = .string(path.joined(separator: "."))
        }
        return .dictionary(members)
      })
  }
}

struct ObjectiveCSymbol {
  var asset: SymbolAsset
  var identifier: String
  /// Whether an earlier asset has the same identifier.
  var isTaken: Bool

  static func all(of assets: [SymbolAsset], kind: String) -> [ObjectiveCSymbol] {
    var taken: Set<String> = []
    return assets.compactMap { asset in
      let ending = asset.name.components.map { SymbolWords($0).camelEnding }
      if ending.joined().isEmpty { return nil }
      let identifier = "AC\(kind)Name" + ending.joined()
      let isFree = taken.insert(identifier).inserted
      return ObjectiveCSymbol(asset: asset, identifier: identifier, isTaken: !isFree)
    }
  }
}
