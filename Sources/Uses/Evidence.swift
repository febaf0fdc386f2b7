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
  case image, color = "colour", data = "data asset"
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
  /// The hashes of properties that are decoded from documents.
  var decoded: Set<UInt64> = []
  /// The identifiers of generated source; nil if the source is written by hand.
  var aliases: [NameAlias]?
  /// The place at which the source takes all assets of a generated list.
  var takesAll: Int?
  /// Whether the source has more places than are kept.
  private(set) var isCut = false
  private var known: Set<NamePattern> = []

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

  mutating func add(_ name: DynamicName) {
    if dynamic.count < Evidence.mostPatterns { dynamic.append(name) }
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

/// A call that takes a name by an identifier.
struct DynamicName: Sendable, Hashable {
  var identifier: UInt64
  var offset: Int
}
