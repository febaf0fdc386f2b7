// The symbols of one kind of asset as a tree of namespaces, and the words of names from which
// identifiers are made. The tree decides which asset gets an identifier that several assets need.
// The writers beside this file turn a tree into source text.

import Bytes
import CatalogModel

/// An asset that gets a symbol.
package struct SymbolAsset: Sendable, Hashable {
  /// The name with its namespaces: "Folder/Star".
  package var name: ByteString
  package var folder: ByteString
  /// The catalogue of the set, and its path in the catalogue.
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

/// An asset with the identifiers of its symbol.
struct NamedSymbol: Sendable, Hashable {
  var asset: SymbolAsset
  /// The identifiers of the namespaces and of the asset. Nil if earlier assets have them and the
  /// tree adds no numbers.
  var path: [String]?
  /// The identifiers that the asset would have without the other assets.
  var wanted: [String]
}

/// The rules of a tree that adds numbers to identifiers that are not free. Identifiers are Strings,
/// because people type them: if two look alike, the second one is taken.
struct SymbolNumbering: Sendable {
  /// Identifiers that have another meaning at the top of the tree, and at every depth.
  var top: Set<String> = []
  var everywhere: Set<String> = []

  /// The identifier of a name without letters and digits.
  static let unnamed = "unnamed"
}

/// Identifiers with numbers after them, for assets whose identifier is taken.
struct NumberedIdentifiers {
  let separator: String
  /// The number after the last one that each identifier got. Taken identifiers stay taken, so the
  /// lower numbers need not be tried again.
  private var next: [String: Int] = [:]

  init(separator: String = "") { self.separator = separator }

  /// Returns the identifier with the lowest number that is not taken. The caller takes it.
  mutating func free(_ identifier: String, isTaken: (String) -> Bool) -> String {
    var number = next[identifier] ?? 2
    var own = "\(identifier)\(separator)\(number)"
    while isTaken(own) {
      number += 1
      own = "\(identifier)\(separator)\(number)"
    }
    next[identifier] = number + 1
    return own
  }
}

/// Namespaces and symbols, in the order of their names.
struct SymbolTree: Sendable {
  enum Node: Sendable {
    case symbol(NamedSymbol)
    /// `name` is the full name of the folder, `identifier` the name of its enumeration.
    indirect case namespace(name: ByteString, identifier: String, SymbolTree)
  }

  private(set) var nodes: [Node] = []
  private let numbering: SymbolNumbering?

  /// Creates the tree. `assets` are ordered by the bytes of their names. If several assets
  /// need one identifier, the first gets it; the others get none, or the identifier with a number.
  init(_ assets: [SymbolAsset], numbering: SymbolNumbering? = nil) {
    self.init(assets[...], depth: 0, identifiers: [], numbering)
  }

  private init(
    _ assets: ArraySlice<SymbolAsset>, depth: Int, identifiers: [String],
    _ numbering: SymbolNumbering?
  ) {
    self.numbering = numbering
    // Enumerations and constants share one set of names.
    var taken = depth == 0 ? numbering?.top ?? [] : []
    taken.formUnion(numbering?.everywhere ?? [])
    let reserved = taken
    // Most assets of one folder follow one another, so its name is divided into words once.
    var folder: ByteString?
    for asset in assets {
      let parts = asset.name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count > depth + 1, parts[depth] != folder else { continue }
      folder = parts[depth]
      taken.insert(enumeration(parts[depth], reserved))
    }
    let wanted = Set(
      assets.map { asset in
        SymbolWords(asset.name.components.last ?? "").withoutType.lowerCamel
      })
    var numbers = NumberedIdentifiers()
    var rest = assets
    while let asset = rest.first {
      let parts = asset.name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count > depth + 1 else {
        rest.removeFirst()
        add(
          asset, last: parts.last ?? "", identifiers: identifiers, taken: &taken, others: wanted,
          &numbers)
        continue
      }
      // The assets of a folder follow one another, because their names begin alike.
      let name = parts[...depth].joined(separator: "/")
      let start = name + "/"
      let inside = rest.prefix { $0.name.hasPrefix(start) }
      rest = rest.dropFirst(inside.count)
      let identifier = enumeration(parts[depth], reserved)
      if identifier.isEmpty { continue }
      let within = SymbolTree(
        inside, depth: depth + 1, identifiers: identifiers + [identifier], numbering)
      nodes.append(.namespace(name: name, identifier: identifier, within))
    }
    nodes = SymbolTree.united([nodes], numbering)
  }

  private init(_ nodes: [Node], _ numbering: SymbolNumbering?) {
    (self.nodes, self.numbering) = (nodes, numbering)
  }

  /// Returns the identifier of a folder's enumeration; empty if it has none.
  private func enumeration(_ folder: ByteString, _ reserved: Set<String>) -> String {
    let identifier = SymbolWords(folder).upperCamel
    guard numbering != nil else { return identifier }
    if identifier.isEmpty { return "Unnamed" }
    if !reserved.contains(identifier) { return identifier }
    var numbers = NumberedIdentifiers()
    return numbers.free(identifier, isTaken: reserved.contains)
  }

  private mutating func add(
    _ asset: SymbolAsset, last: ByteString, identifiers: [String], taken: inout Set<String>,
    others: Set<String>, _ numbers: inout NumberedIdentifiers
  ) {
    let identifier = SymbolWords(last).withoutType.lowerCamel
    var symbol = NamedSymbol(asset: asset, path: nil, wanted: identifiers + [identifier])
    if !identifier.isEmpty, taken.insert(identifier).inserted {
      symbol.path = symbol.wanted
    } else if numbering != nil {
      let base = identifier.isEmpty ? SymbolNumbering.unnamed : identifier
      func isTaken(_ name: String) -> Bool { taken.contains(name) || others.contains(name) }
      let isFree = identifier.isEmpty && !isTaken(base)
      let own = isFree ? base : numbers.free(base, isTaken: isTaken)
      taken.insert(own)
      symbol.path = identifiers + [own]
    } else if identifier.isEmpty {
      return
    }
    nodes.append(.symbol(symbol))
  }

  /// Returns the nodes of folders that share one enumeration, in their order. Folders with equal
  /// identifiers in them share one enumeration, too. If symbols of two folders clash, the later one
  /// gets a number, or no identifier if the tree adds no numbers.
  private static func united(_ folders: [[Node]], _ numbering: SymbolNumbering?) -> [Node] {
    var nodes: [Node] = []
    // The places of the enumerations, and the contents of those that several folders share.
    var places: [String: Int] = [:]
    var shared: [Int: [[Node]]] = [:]
    var taken: Set<String> = []
    var numbers = NumberedIdentifiers()
    for (number, folder) in folders.enumerated() {
      let others = Set(folder.compactMap(\.identifierOfSymbol))
      if number == 0 { taken = others }
      for node in folder {
        switch node {
        case .symbol(var symbol):
          if number > 0, let path = symbol.path, let last = path.last,
            !taken.insert(last).inserted
          {
            symbol.path = nil
            if numbering != nil {
              let own = numbers.free(last) { taken.contains($0) || others.contains($0) }
              symbol.path = path.dropLast() + [own]
              taken.insert(own)
            }
          }
          nodes.append(.symbol(symbol))
        case .namespace(_, let identifier, let tree):
          if let place = places[identifier] {
            shared[place, default: []].append(tree.nodes)
          } else {
            places[identifier] = nodes.count
            nodes.append(node)
          }
        }
      }
    }
    for (place, more) in shared {
      guard case .namespace(let name, let identifier, let first) = nodes[place] else { continue }
      let all = SymbolTree(united([first.nodes] + more, numbering), numbering)
      nodes[place] = .namespace(name: name, identifier: identifier, all)
    }
    return nodes
  }

  /// Every symbol, including those in namespaces.
  var symbols: [NamedSymbol] {
    nodes.flatMap { node in
      switch node {
      case .symbol(let symbol): [symbol]
      case .namespace(_, _, let tree): tree.symbols
      }
    }
  }
}

extension SymbolTree.Node {
  fileprivate var identifierOfSymbol: String? {
    if case .symbol(let symbol) = self { symbol.path?.last } else { nil }
  }
}

/// The assets of catalogues that get symbols, by kind.
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
      case .launchImage, .spriteAtlas, .textureSet, .cubeTextureSet, .mipmapSet, .imageStack,
        .imageStackLayer, .solidImageStack, .solidImageStackLayer, .brandAssets, .complicationSet,
        .stickerPack, .sticker, .stickerSequence, .stickersIconSet, .arResourceGroup,
        .arReferenceImage, .arObject, .leaderboard, .leaderboardSet, .dashboardImage:
        continue
      }
    }
  }

  /// The assets that programs load as images: pictures and symbols.
  var pictures: [SymbolAsset] {
    (images + symbols).sorted { $0.name < $1.name }
  }
}

// MARK: - Words of names

/// A name divided into words by the rules of Xcode: at every character that is not a letter or
/// digit, between letters and digits, and before a capital that begins a word. "TLSold-icon20" is
/// TL, Sold, icon, 20.
struct SymbolWords {
  private(set) var words: [String] = []

  init(_ name: ByteString) {
    let characters = Array(name.text)
    var word = ""
    for (index, character) in characters.enumerated() {
      let kind = Kind(character)
      if let last = word.last,
        kind == .other || SymbolWords.breaks(after: last, in: characters, at: index)
      {
        words.append(word)
        word = ""
      }
      if kind != .other { word.append(character) }
    }
    if !word.isEmpty { words.append(word) }
  }

  private enum Kind {
    case upper, lower, digit, other

    init(_ character: Character) {
      self =
        character.isNumber
        ? character.isASCII ? .digit : .other
        : !character.isLetter ? .other : character.isUppercase ? .upper : .lower
    }
  }

  /// Returns whether a word ends between two characters that both belong to words.
  private static func breaks(after last: Character, in all: [Character], at index: Int) -> Bool {
    let (before, after) = (Kind(last), Kind(all[index]))
    if (before == .digit) != (after == .digit) { return true }
    if before == .lower, after == .upper { return true }
    // The last of several capitals belongs to the next word.
    let next = index + 1 < all.count ? Kind(all[index + 1]) : .other
    return before == .upper && after == .upper && next == .lower
  }

  /// The words without a last word that names the kind of the asset.
  var withoutType: SymbolWords {
    var copy = self
    if words.count > 1, let last = words.last?.lowercased(), last == "image" || last == "color" {
      copy.words.removeLast()
    }
    return copy
  }

  /// The identifier "cardNumber"; empty if the name has no words.
  var lowerCamel: String {
    guard let first = words.first else { return "" }
    if isWithoutLowercase { return SymbolWords.identifier(words.joined(separator: "_")) }
    return SymbolWords.identifier(first.lowercased() + SymbolWords.capitalized(words.dropFirst()))
  }

  /// The identifier "CardNumber".
  var upperCamel: String { SymbolWords.identifier(SymbolWords.capitalized(words[...])) }

  /// The words in upper camel case as the end of an identifier, in which a digit may come first.
  var camelEnding: String { SymbolWords.capitalized(words[...]) }

  /// The identifier "CARD_NUMBER", as the end of a C identifier.
  var constant: String { words.map { $0.uppercased() }.joined(separator: "_") }

  private var isWithoutLowercase: Bool {
    !words.contains { word in word.contains { Kind($0) == .lower } }
  }

  private static func capitalized(_ words: ArraySlice<String>) -> String {
    words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func identifier(_ text: String) -> String {
    text.first.map { $0.isNumber } ?? false ? "_" + text : text
  }
}

/// Returns an identifier as Swift source writes it, with backquotes if it is a keyword.
func swiftName(_ identifier: String) -> String {
  swiftKeywords.contains(identifier) ? "`\(identifier)`" : identifier
}

/// The words that Swift reserves in declarations and expressions.
private let swiftKeywords: Set = [
  "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class",
  "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
  "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal",
  "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
  "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
  "throws", "true", "try", "typealias", "var", "where", "while",
]
