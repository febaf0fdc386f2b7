// The findings of a scanner in one source: places that name assets, patterns of names that are put
// together, words of which names can consist, and names that calls ask for.

import Bytes

/// How a source names an asset.
package enum UseKind: String, Sendable, Hashable, CaseIterable {
  // The asset is used.
  case call, literal, symbol, interface, setting, propertyList, data, asset
  // The asset may be used.
  case similarText, word, enumCase, member, typeName, declaration, pattern, parts, role
  case unknownSource

  /// Whether the place proves that the asset is used.
  package var isProof: Bool {
    switch self {
    case .call, .literal, .symbol, .interface, .setting, .propertyList, .data, .asset: true
    default: false
    }
  }
}

/// A place in a source that names an asset.
struct Hit: Sendable, Hashable {
  var asset: Int
  var kind: UseKind
  var offset: Int
}

/// The kinds of assets for which calls take names.
package enum NameKind: String, Sendable, Hashable {
  case image
  case color = "colour"
  case data = "data asset"
}

/// A name that a call or an interface file asks for.
struct AskedName: Sendable, Hashable {
  var name: ByteString
  var kind: NameKind
  var offset: Int
  /// Whether the name is a generated symbol.
  var isSymbol = false
  /// Whether the call names a bundle that the sources do not determine.
  var namesBundle = false
  /// Whether the call asks the bundle of its own package.
  var isOwnBundle = false
}

/// The findings of a scanner in one source.
struct Evidence: Sendable {
  var hits: [Hit] = []
  var patterns: [FoundPattern] = []
  /// The hashes of texts and cases in lower case, of which names can consist.
  var words: Set<UInt64> = []
  var asked: [AskedName] = []
  /// The hashes of declared identifiers.
  var declared: Set<UInt64> = []
  /// The identifiers by which calls take names, and their places.
  var dynamic: [DynamicName] = []
  /// The hashes of identifiers to which a text is given somewhere.
  var given: Set<UInt64> = []
  /// The hashes of keys to which a document or a literal of a dictionary gives values.
  var givenKeys: Set<UInt64> = []
  /// The identifiers whose values are those of keys.
  var keyed: Set<KeyedName> = []
  /// The identifiers whose values are texts, with the hashes of the texts.
  var constants: Set<NameAlias> = []
  /// The first places of identifiers of C, and of members, that are names of assets. They count
  /// only if a source makes texts of identifiers, or has a type with members of any name.
  var identifiers: [Int: Int] = [:]
  var members: [Int: Int] = [:]
  var makesTexts = false
  var hasOpenMembers = false
  /// The hashes of properties that are decoded from documents.
  var decoded: Set<UInt64> = []
  /// The identifiers of generated source; nil if the source is written by hand.
  private(set) var aliases: [NameAlias]?
  /// The place at which the source takes all assets of a generated list.
  var takesAll: Int?
  /// Whether the source has more places than are kept.
  private(set) var isCut = false
  private var known: Set<NamePattern> = []
  private var knownDynamic: Set<DynamicName> = []
  private var knownAliases: Set<NameAlias> = []

  /// Adds a hit unless it repeats one of the last hits.
  mutating func add(_ assets: [Int], _ kind: UseKind, at offset: Int) {
    for asset in assets {
      if hits.count >= Evidence.mostHits {
        isCut = true
        return
      }
      let hit = Hit(asset: asset, kind: kind, offset: offset)
      if hits.suffix(4).contains(hit) { continue }
      hits.append(hit)
    }
  }

  mutating func add(_ pattern: NamePattern, at offset: Int) {
    if known.contains(pattern) { return }
    if patterns.count >= Evidence.mostPatterns {
      isCut = true
      return
    }
    known.insert(pattern)
    patterns.append(FoundPattern(pattern: pattern, offset: offset))
  }

  mutating func add(_ name: AskedName) {
    if asked.count < Evidence.mostPatterns { asked.append(name) }
  }

  /// Adds a name unless it was added at another place.
  mutating func add(_ name: DynamicName) {
    var plain = name
    plain.offset = 0
    if !knownDynamic.insert(plain).inserted { return }
    if dynamic.count < Evidence.mostPatterns { dynamic.append(name) } else { isCut = true }
  }

  /// Notes that the source is generated.
  mutating func beginAliases() { aliases = [] }

  mutating func add(_ alias: NameAlias) {
    if knownAliases.insert(alias).inserted { aliases?.append(alias) }
  }

  mutating func add(identifiers assets: [Int], at offset: Int) {
    for asset in assets where identifiers[asset] == nil { identifiers[asset] = offset }
  }

  mutating func add(members assets: [Int], at offset: Int) {
    for asset in assets where members[asset] == nil { members[asset] = offset }
  }

  /// The greatest number of places that one source contributes, and of composed names.
  private static let mostHits = 200_000
  private static let mostPatterns = 20_000
}

/// A name that is put together, and its place.
struct FoundPattern: Sendable, Hashable {
  var pattern: NamePattern
  var offset: Int
}

/// A call that takes a name by an identifier or by a key of a dictionary.
struct DynamicName: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case identifier
    /// A key as a text, and an identifier whose value is a key.
    case key, keyConstant
  }

  /// The hash of the identifier or of the key.
  var identifier: UInt64
  var kind: Kind
  var offset: Int
}

/// An identifier whose value is that of a key.
struct KeyedName: Sendable, Hashable {
  var identifier: UInt64
  var key: UInt64
  var kind: DynamicName.Kind
}
