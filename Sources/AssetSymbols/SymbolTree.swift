// The symbols of one kind of asset as a tree of namespaces: who gets which identifier, and who gets none
// because another asset has it. How a tree becomes source text is in the writers beside this file.

import CatalogModel
import Documents

/// An asset that gets a symbol.
package struct SymbolAsset: Sendable, Hashable {
  /// With its namespaces: "Folder/Star".
  package var name: String
  package var folder: String
  /// Where the set lies: its catalogue, and its path in it.
  package var catalog: String
  package var relativePath: String

  package init(name: String, folder: String, catalog: String, relativePath: String) {
    self.name = name
    self.folder = folder
    self.catalog = catalog
    self.relativePath = relativePath
  }
}

/// One asset with what its symbol is called in each place.
struct NamedSymbol: Sendable, Hashable {
  var asset: SymbolAsset
  /// Identifiers of the namespaces and of the asset; nil where an asset before it has them.
  var path: [String]?
  /// What `path` is, or would be.
  var wanted: [String]
}

/// Namespaces and symbols, in the order of their names.
struct SymbolTree: Sendable {
  enum Node: Sendable {
    case symbol(NamedSymbol)
    /// `name` is the full name of the folder, `identifier` that of its enumeration.
    indirect case namespace(name: String, identifier: String, SymbolTree)
  }

  private(set) var nodes: [Node] = []

  /// `assets` in the order of their names' bytes; of two that want one identifier the first has it.
  init(_ assets: [SymbolAsset]) {
    self.init(assets[...], depth: 0, identifiers: [])
  }

  private init(
    _ assets: ArraySlice<SymbolAsset>, depth: Int, identifiers: [String]
  ) {
    // Enumerations and constants share their names.
    var taken = Set(
      assets.compactMap { asset -> String? in
        let parts = asset.name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > depth + 1 ? SymbolWords(String(parts[depth])).upperCamel : nil
      })
    var rest = assets
    while let asset = rest.first {
      let parts = asset.name.split(separator: "/", omittingEmptySubsequences: false).map(
        String.init)
      guard parts.count > depth + 1 else {
        rest.removeFirst()
        add(asset, last: parts.last ?? "", identifiers, &taken)
        continue
      }
      // All of the folder lie together: their names begin alike.
      let name = parts[...depth].joined(separator: "/")
      let inside = rest.prefix { $0.name.hasPrefix(name + "/") }
      rest = rest.dropFirst(inside.count)
      let identifier = SymbolWords(parts[depth]).upperCamel
      if identifier.isEmpty { continue }
      let within = SymbolTree(inside, depth: depth + 1, identifiers: identifiers + [identifier])
      add(within, named: name, identifier)
    }
  }

  private mutating func add(
    _ asset: SymbolAsset, last: String, _ identifiers: [String], _ taken: inout Set<String>
  ) {
    let identifier = SymbolWords(last).withoutType.lowerCamel
    guard !identifier.isEmpty else { return }
    let wanted = identifiers + [identifier]
    let isFree = taken.insert(identifier).inserted
    nodes.append(.symbol(NamedSymbol(asset: asset, path: isFree ? wanted : nil, wanted: wanted)))
  }

  /// Folders of one identifier share their enumeration; what clashes in it has no symbol.
  private mutating func add(_ tree: SymbolTree, named name: String, _ identifier: String) {
    let place = nodes.firstIndex {
      if case .namespace(_, let known, _) = $0 { known == identifier } else { false }
    }
    guard let place, case .namespace(let first, _, var known) = nodes[place] else {
      nodes.append(.namespace(name: name, identifier: identifier, tree))
      return
    }
    known.merge(tree)
    nodes[place] = .namespace(name: first, identifier: identifier, known)
  }

  private mutating func merge(_ other: SymbolTree) {
    var taken = Set(ownSymbols.compactMap { $0.path?.last })
    for node in other.nodes {
      switch node {
      case .symbol(var symbol):
        if let last = symbol.path?.last, !taken.insert(last).inserted { symbol.path = nil }
        nodes.append(.symbol(symbol))
      case .namespace(let name, let identifier, let tree): add(tree, named: name, identifier)
      }
    }
  }

  private var ownSymbols: [NamedSymbol] {
    nodes.compactMap { if case .symbol(let symbol) = $0 { symbol } else { nil } }
  }

  /// Every symbol, those in namespaces too.
  var symbols: [NamedSymbol] {
    nodes.flatMap { node in
      switch node {
      case .symbol(let symbol): [symbol]
      case .namespace(_, _, let tree): tree.symbols
      }
    }
  }
}

/// The assets of catalogues that get symbols, by what they are.
package struct SymbolAssets: Sendable {
  package var colors: [SymbolAsset] = []
  package var images: [SymbolAsset] = []
  package var symbols: [SymbolAsset] = []
  package var data: [SymbolAsset] = []
  package var icons: [SymbolAsset] = []

  package init(_ contents: CatalogContents) {
    var seen: Set<[String]> = []
    let assets = contents.assets.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for asset in assets where seen.insert([asset.name, asset.type.rawValue]).inserted {
      let catalog =
        contents.catalogs.indices.contains(asset.catalog)
        ? contents.catalogs[asset.catalog].path : ""
      let inside = asset.folder.hasPrefix(catalog + "/")
      let symbol = SymbolAsset(
        name: asset.name, folder: asset.folder, catalog: catalog,
        relativePath: inside ? "./" + asset.folder.dropFirst(catalog.count + 1) : "./")
      switch asset.type {
      case .colorSet: colors.append(symbol)
      case .imageSet: images.append(symbol)
      case .symbolSet: symbols.append(symbol)
      case .dataSet: data.append(symbol)
      case .appIconSet, .iconSet, .iconBundle: icons.append(symbol)
      default: continue
      }
    }
  }

  /// What programs ask for as an image: pictures and symbols.
  var pictures: [SymbolAsset] {
    (images + symbols).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
