// Signatures: assets whose variants have the same set of keys share every decision of the rule.
//
// The rule looks at keys only, never at names or pictures. A catalogue of thousands of assets has a
// few dozen different sets of keys, so the decision is made once for each set:
//
//     asset    variants                    signature
//     back     1x, 2x, 3x                  0: [1x, 2x, 3x]
//     cancel   1x, 2x, 3x                  0
//     sky      1x, 2x, 2x dark             1: [1x, 2x, 2x dark]
//
//     view of a window with scale 2 in dark style:   0 → ordinal 1 (2x),  1 → ordinal 2 (2x dark)

/// A sorted set of variant keys. The ordinal of a variant is the index of its key in this array.
package struct Signature: Sendable, Hashable {
  package let keys: [VariantKey]

  package init(_ keys: some Sequence<VariantKey>) {
    var sorted = keys.sorted()
    var count = 0
    for key in sorted where count == 0 || sorted[count - 1] != key {
      sorted[count] = key
      count += 1
    }
    sorted.removeSubrange(count...)
    self.keys = sorted
  }

  package func ordinal(of key: VariantKey) -> Int? {
    let index = keys.partitioningIndex { $0 >= key }
    return index < keys.count && keys[index] == key ? index : nil
  }
}

extension Signature {
  /// Returns, for each ordinal, whether it wins in at least one of the environments.
  package func winners(over environments: some Sequence<Environment>) -> [Bool] {
    var kept = [Bool](repeating: false, count: keys.count)
    let divided = DividedKeys(keys)
    for environment in environments {
      if let winner = divided.winner(in: environment) { kept[winner] = true }
    }
    return kept
  }
}

/// Keys by their languages and displays. An environment shows only keys of its own languages and
/// keys without a language, and the same is true of displays, so a search leaves the other keys
/// out. Otherwise it would compare each key in each environment, and the environments are at least
/// as many as the languages and displays.
package struct DividedKeys {
  private struct Part: Hashable {
    var locale: UInt16
    var subtype: UInt16
  }

  private let keys: [VariantKey]
  /// The ordinals of the keys of each part, in order; empty if a search compares all keys.
  private var ordinals: [Part: [Int]] = [:]

  /// The number of keys up to which comparing all of them is faster.
  private static let few = 16

  package init(_ keys: [VariantKey]) {
    self.keys = keys
    if keys.count <= DividedKeys.few { return }
    for (ordinal, key) in keys.enumerated() {
      ordinals[Part(locale: key.locale, subtype: key.subtype), default: []].append(ordinal)
    }
  }

  /// Returns the ordinal of the winning key; nil if no key can be shown.
  package func winner(in environment: Environment) -> Int? {
    if ordinals.count < 2 { return environment.winner(among: keys) }
    let languages = Set(environment.languages).union([0])
    let subtypes = Subtype.chain(of: environment.subtype)
    let shown = languages.flatMap { locale in
      subtypes.flatMap { ordinals[Part(locale: locale, subtype: $0)] ?? [] }
    }.sorted()
    return environment.winner(among: shown.map { keys[$0] }).map { shown[$0] }
  }
}

/// The variant of a signature that one environment shows: an ordinal, and whether it is mirrored.
@frozen public struct Winner: Sendable, Hashable, BitwiseCopyable {
  @usableFromInline let bits: UInt32

  @usableFromInline static let none = UInt32.max
  @usableFromInline static let mirrored: UInt32 = 1 << 31

  /// Computes the winner. 31 bits are enough for an ordinal: a key takes 16 bytes, and memory
  /// cannot hold 2^31 of them for one signature.
  package init(of request: borrowing Request, among keys: UnsafeBufferPointer<VariantKey>) {
    if let ordinal = request.winner(among: keys) {
      let isMirrored = request.environment.mirrors(keys[ordinal])
      bits = UInt32(ordinal) | (isMirrored ? Winner.mirrored : 0)
    } else {
      bits = Winner.none
    }
  }

  /// The ordinal of the variant; nil if no key can be shown.
  @inlinable @inline(__always) package var ordinal: Int? {
    bits == Winner.none ? nil : Int(bits & ~Winner.mirrored)
  }

  /// Whether the variant is drawn mirrored. Only meaningful if `ordinal` is not nil.
  @inlinable @inline(__always) package var isMirrored: Bool { bits & Winner.mirrored != 0 }
}
