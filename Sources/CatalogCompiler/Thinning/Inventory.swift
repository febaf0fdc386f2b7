// An archive as the thinner sees it: which renditions stand for one another, which are asked for
// only through others, and which are none of the rule's business.

import Archive
import Traits

/// Why a rendition is kept whatever the device.
public enum WholeReason: String, Sendable, Hashable, CaseIterable {
  case symbol = "symbols"
  case texture = "textures"
  case layers = "icon stacks, groups and gradients"
  case namedContents = "sprite atlases and AR resources"
  case optedOut = "renditions that opt out of thinning"
  case unknownKey = "renditions whose keys hold more than traits"
  case unknownPart = "renditions of unknown parts"
  case repeated = "renditions that share their traits with another"
}

/// Renditions that agree in everything but their traits. A window shows one of them, or none.
public struct VariantGroup: Sendable, Hashable {
  /// What the group's keys have in common: element, part, identifier and dimensions.
  public let shared: SharedKey
  public let signature: Int
  /// Where in `Inventory.members` the group's renditions stand, in the order of the ordinals.
  public let members: Range<Int>
}

/// The attributes of a rendition key that no trait decides about, for renditions with traits.
public struct SharedKey: Sendable, Hashable, Comparable {
  let high: UInt64
  let low: UInt64

  /// Pictures and data share a part and are asked for apart.
  init(_ key: RenditionKey, isData: Bool) {
    func word(_ a: UInt16, _ b: UInt16, _ c: UInt16, _ d: UInt16) -> UInt64 {
      UInt64(a) << 48 | UInt64(b) << 32 | UInt64(c) << 16 | UInt64(d)
    }
    high = word(key.identifier, key.part, key[.dimension2], key[.dimension1])
    low = word(isData ? 1 : 0, key.element, key[.glyphWeight], key[.glyphSize])
  }

  public var identifier: UInt16 { UInt16(truncatingIfNeeded: high >> 48) }
  public var part: UInt16 { UInt16(truncatingIfNeeded: high >> 32) }
  public var dimension2: UInt16 { UInt16(truncatingIfNeeded: high >> 16) }
  public var dimension1: UInt16 { UInt16(truncatingIfNeeded: high) }
  public var element: UInt16 { UInt16(truncatingIfNeeded: low >> 32) }
  public var isData: Bool { low >> 48 != 0 }

  public static func < (a: SharedKey, b: SharedKey) -> Bool {
    a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

/// Everything that thinning knows about an archive before it decides.
public struct Inventory: Sendable {
  public let entries: [RenditionEntry]
  /// What each entry is, at a glance.
  public let outlines: [RenditionOutline]
  /// What the archive's own index says of the entries; nil where only their blocks were asked.
  let facts: IndexedFacts?
  public let facets: FacetTable
  public private(set) var signatures: [Signature] = []
  public private(set) var groups: [VariantGroup] = []
  /// Indices of entries, group after group.
  public private(set) var members: [Int] = []
  /// Indices of the entries that are atlases: they live as long as a picture in them.
  public private(set) var atlases: [Int] = []
  /// Indices of the tables of icon sizes: they live as long as an icon that they list.
  public private(set) var sizeTables: [Int] = []
  /// Entries that are kept whatever the device, and why.
  public private(set) var whole: [(entry: Int, reason: WholeReason)] = []
  /// The constraints of every entry; nil where its key holds more than traits.
  public private(set) var variants: [VariantKey?] = []
  /// Element, identifier and number of each facet, sorted.
  private let facetsByAsset: [UInt64]

  /// Who is to be proved right or wrong is not asked: a proof reads the blocks and no index.
  public init(_ archive: Archive, asksIndex: Bool = false) throws(FormatError) {
    let entries = try archive.renditions()
    try Inventory.check(entries, in: archive)
    self.entries = entries
    let facts =
      asksIndex ? IndexedFacts(of: archive, entries, asTheyLie: entries.placesAsTheyLie) : nil
    self.facts = facts
    var outlines: [RenditionOutline] = []
    outlines.reserveCapacity(entries.count)
    for (place, entry) in entries.enumerated() {
      if let outline = facts?.outline(place) {
        outlines.append(outline)
      } else {
        outlines.append(try archive.outline(entry))
      }
    }
    self.outlines = outlines
    facets = try FacetTable(of: archive)
    facetsByAsset = facets.byAsset
    var candidates = sort(
      numbers: try VariantNumbers(of: archive), locales: try locales(of: archive))
    group(&candidates)
  }

  /// Blocks that overlap could make a small file a huge one when each is copied.
  private static func check(
    _ entries: [RenditionEntry], in archive: Archive
  ) throws(FormatError) {
    var isSeen = [Bool](repeating: false, count: archive.store.capacity)
    var sum = 0
    for entry in entries where !isSeen[Int(entry.block.number)] {
      isSeen[Int(entry.block.number)] = true
      sum += entry.range.count
      if sum > archive.bytes.count {
        throw FormatError(
          .outside("the renditions", length: sum, available: archive.bytes.count),
          at: entry.range.lowerBound)
      }
    }
  }

  /// The facet to which a rendition belongs.
  public func facet(element: UInt16, identifier: UInt16) -> Int? {
    let asset = UInt64(element) << 16 | UInt64(identifier)
    let place = facetsByAsset.partitioningIndex { $0 >> 32 >= asset }
    guard place < facetsByAsset.count, facetsByAsset[place] >> 32 == asset else { return nil }
    return Int(facetsByAsset[place] & 0xFFFF_FFFF)
  }

  /// The name under which a rendition is asked for; nil where there is none.
  public func name(of entry: Int) -> String? {
    let key = entries[entry].key
    return facet(element: key.element, identifier: key.identifier).map { facets.name(at: $0) }
  }
}

// MARK: - Grouping

/// A rendition that the rule decides about, while it is looking for its group.
private struct Candidate {
  var shared: SharedKey
  var high: UInt64
  var low: UInt64
  var entry: Int

  static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
    if a.shared != b.shared { return a.shared < b.shared }
    if a.high != b.high { return a.high < b.high }
    return a.low == b.low ? a.entry < b.entry : a.low < b.low
  }
}

extension [Candidate] {
  /// In the order of `precedes`. Identifiers are spread evenly, so that a place for each and then a
  /// short sort among equals cost less than comparing everything with everything.
  fileprivate func sortedByGroup() -> [Candidate] {
    var starts = [Int](repeating: 0, count: Int(UInt16.max) + 2)
    for candidate in self { starts[Int(candidate.shared.identifier) + 1] += 1 }
    for identifier in 1..<starts.count { starts[identifier] += starts[identifier - 1] }
    guard let first else { return [] }
    var sorted = [Candidate](repeating: first, count: count)
    sorted.withUnsafeMutableBufferPointer { sorted in
      var next = starts
      for candidate in self {
        let identifier = Int(candidate.shared.identifier)
        sorted[next[identifier]] = candidate
        next[identifier] += 1
      }
      for identifier in 0..<starts.count - 1 {
        let equals = starts[identifier]..<starts[identifier + 1]
        // They come in the order of their keys, which is nearly always the right one.
        let isSorted = equals.dropFirst().allSatisfy {
          Candidate.precedes(sorted[$0 - 1], sorted[$0])
        }
        if !isSorted { sorted[equals].sort(by: Candidate.precedes) }
      }
    }
    return sorted
  }
}

extension Inventory {
  /// Sets atlases, tables and whatever the rule does not reach aside; the rest are candidates.
  private mutating func sort(
    numbers: VariantNumbers, locales: [UInt16: UInt16]
  ) -> [Candidate] {
    var candidates: [Candidate] = []
    candidates.reserveCapacity(entries.count)
    variants.reserveCapacity(entries.count)
    // Keys are sorted with their traits in front, so that equal traits stand together.
    var last: (key: RenditionKey, variant: VariantKey?)?
    for (index, entry) in entries.enumerated() {
      let key = entry.key.regardlessOfAsset
      if last?.key != key { last = (key, numbers.variant(of: entry.key, locales: locales)) }
      var variant = last?.variant
      if outlines[index].layout == .vector { variant?.scale = 0 }
      variants.append(variant)
      if entry.key.element == Element.atlas {
        atlases.append(index)
      } else if entry.key.part == Part.multisize {
        sizeTables.append(index)
      } else if let reason = WholeReason(entry.key, hasVariant: variant != nil) {
        whole.append((index, reason))
      } else if let packed = variant?.packed {
        let shared = SharedKey(entry.key, isData: outlines[index].layout == .data)
        candidates.append(
          Candidate(shared: shared, high: packed.high, low: packed.low, entry: index))
      }
    }
    return candidates
  }

  private mutating func group(_ candidates: inout [Candidate]) {
    candidates = candidates.sortedByGroup()
    members.reserveCapacity(candidates.count)
    var numbers = SignatureNumbers()
    var next = 0
    while next < candidates.count {
      let first = candidates[next]
      let start = members.count
      numbers.begin()
      while next < candidates.count, candidates[next].shared == first.shared {
        let candidate = candidates[next]
        next += 1
        if numbers.add(candidate.high, candidate.low) {
          members.append(candidate.entry)
        } else {
          whole.append((candidate.entry, .repeated))
        }
      }
      groups.append(
        VariantGroup(
          shared: first.shared, signature: numbers.finish(), members: start..<members.count))
    }
    signatures = numbers.signatures
  }
}

/// Where an archive numbers its localizations in a way of its own: the usual numbers.
private func locales(of archive: Archive) throws(FormatError) -> [UInt16: UInt16] {
  var usual: [UInt16: UInt16] = [:]
  for entry in try archive.localizations() {
    let number = nameIdentifier(entry.name.utf8)
    if number != entry.number { usual[entry.number] = number }
  }
  return usual
}

extension VariantNumbers {
  fileprivate func variant(of key: RenditionKey, locales: [UInt16: UInt16]) -> VariantKey? {
    guard var variant = variant(of: key) else { return nil }
    variant.locale = locales[variant.locale] ?? variant.locale
    return variant
  }
}

extension RenditionKey {
  /// What decides about the constraints of the variant.
  fileprivate var regardlessOfAsset: RenditionKey {
    var copy = self
    copy[.identifier] = 0
    copy[.dimension1] = 0
    copy[.dimension2] = 0
    return copy
  }
}

extension WholeReason {
  /// Nil for what the rule decides about.
  fileprivate init?(_ key: RenditionKey, hasVariant: Bool) {
    switch (key.element, key.part) {
    case (Element.texture, _): self = .texture
    case (_, Part.symbol): self = .symbol
    case (_, Part.iconStack), (_, Part.iconGroup), (_, Part.gradient): self = .layers
    case (_, Part.spriteAtlas), (_, Part.arObject): self = .namedContents
    case (Element.universal, Part.regular), (Element.universal, Part.vector),
      (Element.universal, Part.color), (Element.universal, Part.icon),
      (Element.universal, Part.flattened), (Element.universal, Part.radiosity):
      if hasVariant { return nil }
      self = .unknownKey
    default: self = .unknownPart
    }
  }
}
