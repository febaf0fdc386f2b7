// The symbols of one kind of asset as a tree of namespaces: who gets which identifier, and who gets none
// because another asset has it. How a tree becomes source text is in the writers beside this file.

import Bytes
import CatalogModel
import Documents

/// An asset that gets a symbol.
package struct SymbolAsset: Sendable, Hashable {
  /// With its namespaces: "Folder/Star".
  package var name: ByteString
  package var folder: ByteString
  /// Where the set lies: its catalogue, and its path in it.
  package var catalog: ByteString
  package var relativePath: ByteString

  package init(
    name: ByteString, folder: ByteString, catalog: ByteString, relativePath: ByteString
  ) {
    self.name = name
    self.folder = folder
    self.catalog = catalog
    self.relativePath = relativePath
  }
}

/// One asset with what its symbol is called in each place.
struct NamedSymbol: Sendable, Hashable {
  var asset: SymbolAsset
  /// Identifiers of the namespaces and of the asset; nil where an asset before it has them, and the
  /// tree numbers none.
  var path: [String]?
  /// What `path` is, or would be.
  var wanted: [String]
}

/// What a tree does where an identifier is not free. Identifiers are Strings: people type them, and of two that
/// look alike the second is taken.
struct SymbolNumbering: Sendable {
  /// Identifiers that stand for something else at the top of the tree, and at every depth.
  var top: Set<String> = []
  var everywhere: Set<String> = []

  /// What has no letter and no digit is called so.
  static let unnamed = "unnamed"

  /// The identifier with the lowest number that nobody has or wants.
  static func free(_ identifier: String, avoiding taken: Set<String>) -> String {
    var number = 2
    while taken.contains("\(identifier)\(number)") { number += 1 }
    return "\(identifier)\(number)"
  }
}

/// Namespaces and symbols, in the order of their names.
struct SymbolTree: Sendable {
  enum Node: Sendable {
    case symbol(NamedSymbol)
    /// `name` is the full name of the folder, `identifier` that of its enumeration.
    indirect case namespace(name: ByteString, identifier: String, SymbolTree)
  }

  private(set) var nodes: [Node] = []
  private let numbering: SymbolNumbering?

  /// `assets` in the order of their names' bytes; of two that want one identifier the first has it. The
  /// others get none, or the identifier with a number.
  init(_ assets: [SymbolAsset], numbering: SymbolNumbering? = nil) {
    self.init(assets[...], depth: 0, identifiers: [], numbering)
  }

  private init(
    _ assets: ArraySlice<SymbolAsset>, depth: Int, identifiers: [String],
    _ numbering: SymbolNumbering?
  ) {
    self.numbering = numbering
    // Enumerations and constants share their names.
    var taken = depth == 0 ? numbering?.top ?? [] : []
    taken.formUnion(numbering?.everywhere ?? [])
    let reserved = taken
    taken.formUnion(
      assets.compactMap { asset -> String? in
        let parts = asset.name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > depth + 1 else { return nil }
        return enumeration(parts[depth], reserved)
      })
    let wanted = Set(
      assets.map { asset in
        SymbolWords(asset.name.components.last ?? "").withoutType.lowerCamel
      })
    var rest = assets
    while let asset = rest.first {
      let parts = asset.name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count > depth + 1 else {
        rest.removeFirst()
        add(asset, last: parts.last ?? "", identifiers, &taken, wanted)
        continue
      }
      // All of the folder lie together: their names begin alike.
      let name = parts[...depth].joined(separator: "/")
      let start = name + "/"
      let inside = rest.prefix { $0.name.hasPrefix(start) }
      rest = rest.dropFirst(inside.count)
      let identifier = enumeration(parts[depth], reserved)
      if identifier.isEmpty { continue }
      let within = SymbolTree(
        inside, depth: depth + 1, identifiers: identifiers + [identifier], numbering)
      add(within, named: name, identifier)
    }
  }

  /// What the enumeration of a folder is called; empty where it gets none.
  private func enumeration(_ folder: ByteString, _ reserved: Set<String>) -> String {
    let identifier = SymbolWords(folder).upperCamel
    guard numbering != nil else { return identifier }
    if identifier.isEmpty { return "Unnamed" }
    return reserved.contains(identifier)
      ? SymbolNumbering.free(identifier, avoiding: reserved) : identifier
  }

  private mutating func add(
    _ asset: SymbolAsset, last: ByteString, _ identifiers: [String], _ taken: inout Set<String>,
    _ others: Set<String>
  ) {
    let identifier = SymbolWords(last).withoutType.lowerCamel
    var symbol = NamedSymbol(asset: asset, path: nil, wanted: identifiers + [identifier])
    if !identifier.isEmpty, taken.insert(identifier).inserted {
      symbol.path = symbol.wanted
    } else if numbering != nil {
      let base = identifier.isEmpty ? SymbolNumbering.unnamed : identifier
      let isFree = identifier.isEmpty && !taken.union(others).contains(base)
      let own = isFree ? base : SymbolNumbering.free(base, avoiding: taken.union(others))
      taken.insert(own)
      symbol.path = identifiers + [own]
    } else if identifier.isEmpty {
      return
    }
    nodes.append(.symbol(symbol))
  }

  /// Folders of one identifier share their enumeration; what clashes in it has no symbol.
  private mutating func add(_ tree: SymbolTree, named name: ByteString, _ identifier: String) {
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
    let others = Set(other.ownSymbols.compactMap { $0.path?.last })
    for node in other.nodes {
      switch node {
      case .symbol(var symbol):
        if let path = symbol.path, let last = path.last, !taken.insert(last).inserted {
          let own = SymbolNumbering.free(last, avoiding: taken.union(others))
          symbol.path = numbering == nil ? nil : path.dropLast() + [own]
          if numbering != nil { taken.insert(own) }
        }
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
    var seen: [SetType: Set<ByteString>] = [:]
    let assets = contents.assets.sorted { $0.name < $1.name }
    for asset in assets where seen[asset.type, default: []].insert(asset.name).inserted {
      let catalog =
        contents.catalogs.indices.contains(asset.catalog)
        ? contents.catalogs[asset.catalog].path : ""
      let inside = asset.folder.relative(to: catalog)
      let symbol = SymbolAsset(
        name: asset.name, folder: asset.folder, catalog: catalog,
        relativePath: "./" + (inside ?? ""))
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
    (images + symbols).sorted { $0.name < $1.name }
  }
}
