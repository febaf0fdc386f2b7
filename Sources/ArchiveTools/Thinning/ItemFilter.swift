// Thins an archive as Apple's assetutil does: item by item (an item is a rendition), and on some
// axes only. An item is dropped if another item can replace it. Such a filter knows no size classes
// and styles, and its result cannot be proved; thinning by reach can. The filter exists for scripts
// that call assetutil.

import Archive
import Bytes
import Traits

/// One set of thinning options. An axis whose option is nil is not filtered.
package struct ItemFilter: Sendable, Hashable {
  package var idiom: Idiom?
  package var hostedIdioms: [Idiom] = []
  package var subtype: UInt16?
  package var subtypeFallbacks: [UInt16] = []
  package var scale: UInt8?
  /// The gamut; nil also for the option `all`.
  package var gamut: Gamut?
  package var graphics: GraphicsSupport?
  /// The memory in gigabytes.
  package var memory: UInt8?
  package var osGeneration: UInt8?
  /// The names of assets that keep all their items. Upper and lower case are equal.
  package var preservedNames: [ByteString] = []

  package init() {}

  /// Whether the filter drops nothing.
  package var isEmpty: Bool {
    idiom == nil && subtype == nil && scale == nil && gamut == nil && graphics == nil
      && memory == nil && osGeneration == nil
  }
}

extension ItemFilter {
  /// Returns whether an item passes the idiom and the subtype. On these axes no other item can
  /// replace it.
  func admits(_ key: VariantKey) -> Bool {
    if let idiom, key.idiom != .universal, key.idiom != idiom, !hostedIdioms.contains(key.idiom) {
      return false
    }
    guard let subtype, key.subtype != 0 else { return true }
    return key.subtype == subtype || subtypeFallbacks.contains(key.subtype)
  }

  /// The axes on which an item is dropped only if another item replaces it, each with an
  /// environment that has the wanted value.
  var replaceableAxes: [(axis: Axis, asked: Environment)] {
    var axes: [(axis: Axis, asked: Environment)] = []
    func add(_ axis: Axis, _ set: (inout Environment) -> Void) {
      var asked = Environment()
      set(&asked)
      axes.append((axis, asked))
    }
    if let scale { add(.scale) { $0.scale = scale } }
    if let gamut { add(.gamut) { $0.gamut = gamut } }
    if let graphics { add(.graphics) { $0.graphics = graphics } }
    if let memory { add(.memory) { $0.memory = memory } }
    if let osGeneration { add(.os) { $0.osGeneration = osGeneration } }
    return axes
  }

  /// Returns, for each key of a group, whether it is kept. On each axis, a key is dropped if the
  /// group has a key that differs only on this axis and that is nearer to the wanted value.
  func kept(of keys: [VariantKey]) -> [Bool] {
    var kept = keys.map(admits)
    for (axis, asked) in replaceableAxes {
      let candidates = keys.indices.filter {
        kept[$0] && !(axis == .scale && keys[$0].scale == 0)
      }
      /// Returns the distance of a key from the wanted value.
      func distance(_ ordinal: Int) -> UInt64 {
        asked.position(of: keys[ordinal], on: axis) ?? .max
      }
      // The smallest distance among the keys that differ on this axis only.
      var nearest: [[UInt16]: UInt64] = [:]
      for ordinal in candidates {
        nearest[keys[ordinal].values(besides: axis), default: .max].lower(to: distance(ordinal))
      }
      for ordinal in candidates
      where nearest[keys[ordinal].values(besides: axis)] ?? .max < distance(ordinal) {
        kept[ordinal] = false
      }
    }
    return kept
  }
}

extension UInt64 {
  fileprivate mutating func lower(to other: UInt64) { self = Swift.min(self, other) }
}

extension VariantKey {
  /// Returns the values on all other axes.
  fileprivate func values(besides axis: Axis) -> [UInt16] {
    Axis.allCases.filter { $0 != axis }.map { value(on: $0) }
  }
}

extension Thinner {
  /// Plans to keep the items that at least one of the filters keeps.
  package func plan(_ filters: [ItemFilter]) throws(ThinningError) -> ThinningPlan {
    let inventory = opened.inventory
    var isKept = [Bool](repeating: false, count: inventory.entries.count)
    for filter in filters {
      let kept = inventory.signatures.map { filter.kept(of: $0.keys) }
      let names = Set(filter.preservedNames.map { $0.lowercased() })
      for group in inventory.groups {
        for (ordinal, member) in inventory.members[group.members].enumerated() {
          let isNamed =
            !names.isEmpty && names.contains((inventory.name(of: member) ?? "").lowercased())
          if isNamed || kept[group.signature][ordinal] { isKept[member] = true }
        }
      }
    }
    do throws(FormatError) {
      let selection = try Selection(keeping: isKept, of: inventory, in: opened.archive)
      return try ThinningPlan(
        selection, Decision(signatures: inventory.signatures), of: opened, with: repacker)
    } catch {
      throw .format(error)
    }
  }
}
