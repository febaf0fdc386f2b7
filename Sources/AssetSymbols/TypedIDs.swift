// Carve's own symbols: the ids by which its run time finds assets, as constants of Swift and of C. An id
// is made of the name and the kind alone, so that the source is valid for every archive with the name.

import Archive
import CatalogModel
import Documents
import Traits

/// A name that got no constant, because another asset has it.
package struct SymbolClash: Sendable, Hashable {
  package var asset: SymbolAsset
  package var symbol: String
}

extension SymbolAssets {
  private var kinds: [(kind: AssetKind, title: String, assets: [SymbolAsset])] {
    [
      (.image, "Image", images), (.color, "Color", colors), (.data, "Data", data),
      (.symbol, "Symbol", symbols), (.icon, "Icon", icons),
    ]
  }

  /// Constants of Swift, nested in `AssetID`: `AssetID.Image.star`.
  package func swiftIDs(isPublic: Bool) -> (text: String, clashes: [SymbolClash]) {
    let access = isPublic ? "public " : ""
    var clashes: [SymbolClash] = []
    var out = SourceText()
    out.lines(
      "// Ids of assets, by name and kind. Written by 'carve symbols'.\n"
        + "// swift-format-ignore-file\n\nimport CarveRuntime\n")
    out.block("extension AssetID") { out in
      for (kind, title, assets) in kinds where !assets.isEmpty {
        out.line("/// Assets that are found as \(kind.name).")
        out.block("\(access)enum \(title)") { out in
          SwiftIDs(kind: kind, access: access).write(SymbolTree(assets), &out, &clashes)
        }
        out.line()
      }
    }
    return (out.text, clashes)
  }

  /// Constants of the preprocessor of C: `ASSET_IMAGE_STAR`.
  package func headerIDs(prefix: String) -> (text: String, clashes: [SymbolClash]) {
    var clashes: [SymbolClash] = []
    var out = SourceText()
    out.lines(
      "/* Ids of assets, by name and kind. Written by 'carve symbols'. */\n#pragma once\n\n"
        + "#include <stdint.h>\n")
    for (kind, title, assets) in kinds where !assets.isEmpty {
      var taken: Set<String> = []
      for asset in assets {
        let ending = asset.name.split(separator: "/").map { SymbolWords(String($0)).constant }
        let words = ending.filter { !$0.isEmpty }
        if words.isEmpty { continue }
        let symbol = ([prefix, title.uppercased()] + words).joined(separator: "_")
        guard taken.insert(symbol).inserted else {
          clashes.append(SymbolClash(asset: asset, symbol: symbol))
          continue
        }
        out.line("/* \"\(blockComment(asset.name))\" */")
        out.line("#define \(symbol) UINT64_C(\(literal(of: asset.name, kind)))")
      }
      out.line()
    }
    return (out.text, clashes)
  }
}

private struct SwiftIDs {
  let kind: AssetKind
  let access: String

  func write(_ tree: SymbolTree, _ out: inout SourceText, _ clashes: inout [SymbolClash]) {
    for node in tree.nodes {
      switch node {
      case .symbol(let symbol):
        guard let path = symbol.path else {
          clashes.append(
            SymbolClash(asset: symbol.asset, symbol: symbol.wanted.joined(separator: ".")))
          continue
        }
        out.line("/// \"\(commentText(symbol.asset.name))\"")
        out.line(
          "\(access)static let \(swiftName(path.last ?? "")) = "
            + "AssetID(rawValue: \(literal(of: symbol.asset.name, kind)))")
      case .namespace(let name, let identifier, let inner):
        out.line("/// Assets below \"\(commentText(name))\".")
        out.block("\(access)enum \(swiftName(identifier))") { out in write(inner, &out, &clashes) }
      }
      out.line()
    }
  }
}

/// The id as a number of sixteen digits.
private func literal(of name: String, _ kind: AssetKind) -> String {
  var name = name
  let value = name.withUTF8 {
    AssetNameHash(of: UnsafeRawBufferPointer($0), kind: kind.rawValue).value
  }
  let digits = String(value, radix: 16, uppercase: true)
  return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
}

/// Nothing in it ends the comment.
private func blockComment(_ text: String) -> String {
  var result = ""
  for character in commentText(text) {
    if character == "/", result.last == "*" { result += " " }
    result.append(character)
  }
  return result
}
