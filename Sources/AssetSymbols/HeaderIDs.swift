// Carve's own symbols in C: ids of assets as macros of the preprocessor.

import Archive
import Bytes
import CatalogModel
import Documents
import Traits

extension SymbolAssets {
  /// The kinds of assets that have ids, with the names of their constants.
  var kinds: [(kind: AssetKind, title: String, assets: [SymbolAsset])] {
    [
      (.image, "Image", images), (.color, "Color", colors), (.data, "Data", data),
      (.symbol, "Symbol", symbols), (.icon, "Icon", icons),
    ]
  }

  /// Returns a header with macros such as `ASSET_IMAGE_STAR`.
  package func headerIDs(prefix: String) -> (text: String, clashes: [SymbolClash]) {
    var clashes: [SymbolClash] = []
    var out = SourceText()
    out.lines(
      "/* Ids of assets, by name and kind. Written by 'carve symbols'. */\n#pragma once\n\n"
        + "#include <stdint.h>\n")
    for (kind, title, assets) in kinds where !assets.isEmpty {
      let wanted = assets.map { asset in
        let ending = asset.name.components.map { SymbolWords($0).constant }
        let words = ending.filter { !$0.isEmpty }
        return ([prefix, title.uppercased()] + words).joined(separator: "_")
      }
      let unnamed = "\(prefix)_\(title.uppercased())"
      var taken: Set = [unnamed]
      for (asset, symbol) in zip(assets, wanted) {
        let isFree = taken.insert(symbol).inserted
        let own = isFree ? symbol : freeMacro(symbol, avoiding: taken.union(wanted))
        if !isFree {
          taken.insert(own)
          let words = symbol == unnamed ? "" : symbol
          clashes.append(SymbolClash(asset: asset, wanted: words, given: own))
        }
        out.line("/* \"\(blockComment(asset.name.text))\" */")
        out.line("#define \(own) UINT64_C(\(idLiteral(of: asset.name, kind)))")
      }
      out.line()
    }
    return (out.text, clashes)
  }
}

/// Returns the macro with the lowest number that no other asset uses or asks for.
private func freeMacro(_ symbol: String, avoiding taken: Set<String>) -> String {
  var number = 2
  while taken.contains("\(symbol)_\(number)") { number += 1 }
  return "\(symbol)_\(number)"
}

/// Returns the id as a number of sixteen digits.
func idLiteral(of name: ByteString, _ kind: AssetKind) -> String {
  let value = name.bytes.withUnsafeBytes { AssetNameHash(of: $0, kind: kind.rawValue).value }
  let digits = String(value, radix: 16, uppercase: true)
  return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
}

/// Returns the text without character sequences that would end the comment.
private func blockComment(_ text: String) -> String {
  var result = ""
  for character in commentText(text) {
    if character == "/", result.last == "*" { result += " " }
    result.append(character)
  }
  return result
}
