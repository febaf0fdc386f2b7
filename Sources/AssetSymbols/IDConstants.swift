// Carve's own symbols in Swift and in C: constants with the ids by which the run time finds assets.
// An id depends only on the name and the kind, so the source is valid for every archive with the
// name.

import Archive
import Bytes
import CatalogModel
import Traits

/// An asset whose constant has another name than its words give.
package struct SymbolClash: Sendable, Hashable {
  package var asset: SymbolAsset
  /// The name that its words give; empty if it has no words.
  package var wanted: String
  package var given: String
}

extension SymbolAssets {
  /// The kinds of assets that have ids, with the names of their constants.
  var kinds: [(kind: AssetKind, title: String, assets: [SymbolAsset])] {
    [
      (.image, "Image", images), (.color, "Color", colors), (.data, "Data", data),
      (.symbol, "Symbol", symbols), (.icon, "Icon", icons),
    ]
  }
}

/// Returns the id as a number of sixteen digits.
func idLiteral(of name: ByteString, _ kind: AssetKind) -> String {
  let value = name.bytes.withUnsafeBytes { AssetNameHash(of: $0, kind: kind.rawValue).value }
  let digits = String(value, radix: 16, uppercase: true)
  return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
}

// MARK: - Swift

/// The place and the access of the constants in Swift.
package struct SwiftIDOptions: Sendable {
  package var isPublic = false
  /// The name of a separate enumeration; nil for the nested types of `AssetID`.
  package var type: String?
  /// The bundle among the program's resources that contains the archive, and the archive's name in
  /// it. If it is set, the enumeration also opens the archive.
  package var bundle: (name: String, archive: String)?

  package init() {}
}

extension SymbolAssets {
  /// Names at the top of an enumeration that are not assets: kinds, the functions that open the
  /// archive, and types that the source mentions.
  private static let topNames: Set = [
    "Color", "Data", "Symbol", "Icon", "catalog", "view", "opened", "Result", "CarveRuntime",
  ]

  /// Returns Swift constants: `AssetID.Image.star`, or `Assets.star` and `Assets.Color.accent`.
  package func swiftIDs(_ options: SwiftIDOptions) -> (text: String, clashes: [SymbolClash]) {
    var ids = SwiftIDs(access: options.isPublic ? "public " : "")
    var out = SourceText()
    out.lines(
      "// Ids of assets, by name and kind. Written by 'carve symbols'.\n"
        + "// swift-format-ignore-file\n\nimport CarveRuntime\n")
    if let type = options.type {
      out.line("/// The assets of a catalogue, by name and kind.")
      out.block("\(ids.access)enum \(swiftName(type))") { out in
        ids.writeTop(of: self, avoiding: SymbolAssets.topNames, &out)
        if let bundle = options.bundle { ids.writeOpening(bundle, &out) }
      }
    } else {
      out.block("extension AssetID") { out in ids.writeKinds(of: self, withImages: true, &out) }
    }
    return (out.text, ids.clashes)
  }

  fileprivate func tree(_ assets: [SymbolAsset], avoiding names: Set<String> = []) -> SymbolTree {
    // Swift forbids nested types called Type, Protocol or Self.
    let everywhere: Set = ["AssetID", "Type", "Protocol", "Self"]
    return SymbolTree(
      assets, numbering: SymbolNumbering(top: names, everywhere: everywhere))
  }
}

private struct SwiftIDs {
  let access: String
  var clashes: [SymbolClash] = []

  init(access: String) { self.access = access }

  /// Writes images at the top and the other kinds into types of their own.
  mutating func writeTop(
    of assets: SymbolAssets, avoiding names: Set<String>, _ out: inout SourceText
  ) {
    write(assets.tree(assets.images, avoiding: names), kind: .image, to: &out)
    writeKinds(of: assets, withImages: false, &out)
  }

  mutating func writeKinds(
    of assets: SymbolAssets, withImages: Bool, _ out: inout SourceText
  ) {
    for (kind, title, assets, tree) in assets.kinds.map({ ($0, $1, $2, assets.tree($2)) })
    where !assets.isEmpty && (withImages || kind != .image) {
      out.line("/// Assets that are found as \(kind.name).")
      out.block("\(access)enum \(title)") { out in write(tree, kind: kind, to: &out) }
      out.line()
    }
  }

  private mutating func write(_ tree: SymbolTree, kind: AssetKind, to out: inout SourceText) {
    for node in tree.nodes {
      switch node {
      case .symbol(let symbol):
        guard let path = symbol.path else { continue }
        if path != symbol.wanted {
          let wanted = symbol.wanted.last?.isEmpty ?? true ? [] : symbol.wanted
          clashes.append(
            SymbolClash(
              asset: symbol.asset, wanted: wanted.joined(separator: "."),
              given: path.joined(separator: ".")))
        }
        out.line("/// \"\(commentText(symbol.asset.name))\"")
        out.line(
          "\(access)static let \(swiftName(path.last ?? "")) = "
            + "AssetID(rawValue: \(idLiteral(of: symbol.asset.name, kind)))")
      case .namespace(let name, let identifier, let inner):
        out.line("/// Assets below \"\(commentText(name))\".")
        out.block("\(access)enum \(swiftName(identifier))") { out in
          write(inner, kind: kind, to: &out)
        }
      }
      out.line()
    }
  }

  /// Writes the functions that open the archive and make its views.
  func writeOpening(_ bundle: (name: String, archive: String), _ out: inout SourceText) {
    let name = "\"\(swiftLiteral(bundle.name))\""
    let archive = "\"\(swiftLiteral(bundle.archive))\""
    out.lines(
      """
      private static let opened = Result { () throws(CarveRuntime.CatalogError) in
          try CarveRuntime.Catalog(archive: \(archive), inBundle: \(name))
      }

      /// Returns the archive among the program's resources. It is opened once.
      \(access)static func catalog() throws(CarveRuntime.CatalogError) -> CarveRuntime.Catalog {
          try opened.get()
      }

      /// Returns the assets that a window shows.
      \(access)static func view(
          for environment: CarveRuntime.Environment
      ) throws(CarveRuntime.CatalogError) -> CarveRuntime.CatalogView {
          try catalog().view(for: environment)
      }

      """)
  }
}

// MARK: - C

extension SymbolAssets {
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
      let asked = Set(wanted)
      var taken: Set = [unnamed]
      var numbers = NumberedIdentifiers(separator: "_")
      for (asset, symbol) in zip(assets, wanted) {
        let isFree = taken.insert(symbol).inserted
        let own =
          isFree
          ? symbol : numbers.free(symbol) { taken.contains($0) || asked.contains($0) }
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

/// Returns the text without character sequences that would end the comment.
private func blockComment(_ text: String) -> String {
  var result = ""
  for character in commentText(text) {
    if character == "/", result.last == "*" { result += " " }
    result.append(character)
  }
  return result
}
