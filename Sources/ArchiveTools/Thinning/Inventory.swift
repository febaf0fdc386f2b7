// The inventory of an archive for thinning. It divides the renditions into groups of variants that
// can replace one another, carriers that other renditions need (atlases, tables of icon sizes), and
// renditions about which the rule does not decide. It also numbers the signatures of the groups.

import Archive
import Bytes
import Traits

/// The reason why a rendition is kept for every device.
package enum AlwaysKeptReason: String, Sendable, Hashable, CaseIterable {
  case texture = "textures"
  case layers = "icon stacks, groups and gradients"
  case namedContents = "sprite atlases and AR resources"
  case optedOut = "renditions that opt out of thinning"
  case unknownKey = "renditions whose keys hold more than traits"
  case unknownPart = "renditions of unknown parts"
  case repeated = "renditions that share their traits with another"
}

/// Renditions whose keys agree in everything except the traits. A window shows at most one of them.
package struct VariantGroup: Sendable, Hashable {
  /// The attributes that the group's keys share: element, part, identifier and dimensions.
  package let shared: SharedKey
  private let number: UInt32
  private let range: Range<UInt32>

  init(shared: SharedKey, signature: Int, members: Range<Int>) {
    self.shared = shared
    number = UInt32(signature)
    range = UInt32(members.lowerBound)..<UInt32(members.upperBound)
  }

  package var signature: Int { Int(number) }
  /// The range of the group's renditions in `Inventory.members`. They are in the order of the
  /// signature's keys.
  package var members: Range<Int> { Int(range.lowerBound)..<Int(range.upperBound) }
}

/// The attributes of a rendition key that are not traits, packed into two numbers.
package struct SharedKey: Sendable, Hashable, Comparable {
  let high: UInt64
  let low: UInt64

  /// Packs the attributes of a key. Pictures and data have the same part but are looked up
  /// separately, so `isData` distinguishes them.
  init(_ key: RenditionKey, isData: Bool) {
    func word(_ a: UInt16, _ b: UInt16, _ c: UInt16, _ d: UInt16) -> UInt64 {
      UInt64(a) << 48 | UInt64(b) << 32 | UInt64(c) << 16 | UInt64(d)
    }
    (high, low) = key.withValues { value in
      (
        word(value(.identifier), value(.part), value(.dimension2), value(.dimension1)),
        word(isData ? 1 : 0, value(.element), value(.glyphWeight), value(.glyphSize))
      )
    }
  }

  package var identifier: UInt16 { UInt16(truncatingIfNeeded: high >> 48) }
  package var part: UInt16 { UInt16(truncatingIfNeeded: high >> 32) }
  package var dimension2: UInt16 { UInt16(truncatingIfNeeded: high >> 16) }
  package var dimension1: UInt16 { UInt16(truncatingIfNeeded: high) }
  package var element: UInt16 { UInt16(truncatingIfNeeded: low >> 32) }
  package var isData: Bool { low >> 48 != 0 }

  package static func < (a: SharedKey, b: SharedKey) -> Bool {
    a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

/// The frame of a picture in an atlas.
struct AtlasFrame: Sendable, Hashable {
  /// The entry of the atlas.
  var atlas: Int
  var x: UInt32
  var y: UInt32
  var width: UInt32
  var height: UInt32

  init(_ frame: InternalLink.Frame, in atlas: Int) {
    self.atlas = atlas
    (x, y, width, height) = frame
  }

  /// The area in pixels. Each side counts up to 2¹⁴: no picture in an atlas is larger, and the sum
  /// of 2³⁴ areas does not overflow.
  var area: Int { Int(min(width, 1 << 14)) * Int(min(height, 1 << 14)) }
}

/// A picture that lies in an atlas.
struct AtlasLink: Sendable, Hashable {
  var entry: Int
  var frame: AtlasFrame
}

/// The facts that thinning knows about an archive before it decides.
package struct Inventory: Sendable {
  package let entries: RenditionTable
  /// The flags and the layout of each entry.
  package let outlines: [RenditionOutline]
  /// The facts about the entries from the archive's lookup index; nil if the blocks are read
  /// instead.
  let facts: IndexedFacts?
  package let facets: FacetTable
  package private(set) var signatures: [Signature] = []
  package private(set) var groups: [VariantGroup] = []
  /// The entries of the groups, group after group.
  package private(set) var members: [Int] = []
  /// The entries that are atlases. An atlas is kept as long as a picture in it is kept.
  package private(set) var atlases: [Int] = []
  /// The pictures in these atlases, in the order of their entries; or the error of the first one
  /// whose frame cannot be read. The commands that need no frames read such an archive.
  private(set) var links: Result<[AtlasLink], FormatError> = .success([])
  /// The entries that are tables of icon sizes. A table is kept as long as an icon in it is kept.
  package private(set) var sizeTables: [Int] = []
  /// The entries that are kept for every device, with the reason.
  package private(set) var alwaysKept: [(entry: Int, reason: AlwaysKeptReason)] = []
  /// The constraints of entries: each value once, and for each entry the number of its value.
  private var variants: [VariantKey?] = []
  private var variantNumbers: [UInt32] = []
  /// One number for each facet, from the highest bits to the lowest: element, identifier, number of
  /// the facet. Sorted.
  private let facetsByAsset: [UInt64]
  /// For each entry, whether it has the element of atlases.
  private(set) var isAtlas: [Bool] = []
  /// A number that is larger than that of every block.
  let blockLimit: Int

  /// Reads the inventory of an archive. If `asksIndex` is true, facts are taken from the lookup
  /// index. A proof passes false: it must not trust the index of the archive that it checks, so it
  /// reads the blocks.
  package init(_ archive: Archive, asksIndex: Bool = false) throws(FormatError) {
    let entries = try archive.renditionTable()
    try Inventory.check(entries, in: archive)
    self.entries = entries
    blockLimit = archive.store.capacity
    let facts = asksIndex ? IndexedFacts(of: archive, entries) : nil
    self.facts = facts
    outlines = try archive.outlines(of: entries, facts)
    facets = try FacetTable(of: archive)
    facetsByAsset = facets.byAsset
    let candidates = sort(
      numbers: try VariantNumbers(of: archive), locales: try locales(of: archive))
    group(candidates)
    for signature in signatures { try checkCombinations(of: signature.keys) }
    links = Result { () throws(FormatError) in try readLinks(in: archive) }
  }

  /// Throws an error if the blocks together are longer than the file. Such blocks overlap, and a
  /// copy of each could turn a small file into a huge one.
  private static func check(
    _ entries: RenditionTable, in archive: Archive
  ) throws(FormatError) {
    var seen = BlockSet(limit: archive.store.capacity)
    var sum = 0
    for row in entries.indices where seen.insert(entries.block(at: row)) {
      sum += entries.range(at: row).count
      if sum > archive.bytes.count {
        throw FormatError(
          .outside("the sum of all renditions", length: sum, available: archive.bytes.count),
          at: entries.range(at: row).lowerBound)
      }
    }
  }

  /// Reads the frames of the pictures in atlases. A link to an atlas that the archive does not have
  /// is left out.
  private func readLinks(in archive: Archive) throws(FormatError) -> [AtlasLink] {
    var links: [AtlasLink] = []
    if atlases.isEmpty { return links }
    let atlases = atlasesByKey
    for entry in entries.indices where outlines[entry].layout == .internalLink {
      let range = entries.range(at: entry)
      let block = try archive.bytes.slice(
        at: range.lowerBound, count: range.count, "a rendition")
      let rendition = try Rendition(unnamed: block)
      guard let key = try rendition.atlasKey(), let frame = try rendition.frameInAtlas(),
        let atlas = atlases[key]
      else { continue }
      links.append(AtlasLink(entry: entry, frame: AtlasFrame(frame, in: atlas)))
    }
    return links
  }

  /// Returns the number of the facet to which a rendition belongs; nil if there is no such facet.
  package func facet(element: UInt16, identifier: UInt16) -> Int? {
    let asset = UInt64(element) << 16 | UInt64(identifier)
    let index = facetsByAsset.partitioningIndex { $0 >> 32 >= asset }
    guard index < facetsByAsset.count, facetsByAsset[index] >> 32 == asset else { return nil }
    return Int(facetsByAsset[index] & 0xFFFF_FFFF)
  }

  /// Returns the constraints of an entry; nil if its key holds more than traits.
  package func variant(of entry: Int) -> VariantKey? { variants[Int(variantNumbers[entry])] }

  /// Returns the name of the asset to which a rendition belongs; nil if it belongs to no asset.
  package func name(of entry: Int) -> ByteString? {
    let key = entries.key(at: entry)
    return facet(element: key.element, identifier: key.identifier).map { facets.name(at: $0) }
  }
}

/// Throws an error if the variants of an asset distinguish too many combinations of traits.
package func checkCombinations(of keys: [VariantKey]) throws(FormatError) {
  guard let excess = TooManyCombinations(keys) else { return }
  throw FormatError(.tooManyCombinations(most: excess.most), at: 0)
}

/// A set of blocks. Several keys can share a block, which then counts once.
struct BlockSet {
  private var isIn: [Bool]

  /// Creates an empty set for blocks whose numbers are smaller than the limit.
  init(limit: Int) { isIn = [Bool](repeating: false, count: limit) }

  /// Adds a block. Returns false if the set has it already.
  mutating func insert(_ block: BlockID) -> Bool {
    let number = Int(block.number)
    defer { isIn[number] = true }
    return !isIn[number]
  }
}

// MARK: - Grouping

/// A rendition about which the rule decides, before it is in a group.
private struct UngroupedRendition {
  var shared: SharedKey
  /// The number of its constraints in `variants`.
  var variant: UInt32
  var entry: UInt32
}

extension Inventory {
  /// Puts atlases, tables of sizes and the renditions about which the rule does not decide into
  /// their lists. Returns the others.
  private mutating func sort(
    numbers: VariantNumbers, locales: [UInt16: UInt16]
  ) -> [UngroupedRendition] {
    var candidates: [UngroupedRendition] = []
    candidates.reserveCapacity(entries.count)
    variantNumbers.reserveCapacity(entries.count)
    isAtlas.reserveCapacity(entries.count)
    let decisive = RenditionKey.bits(exceptIn: [.identifier, .dimension1, .dimension2])
    // In most archives keys begin with the traits, so that entries with equal traits follow one
    // another.
    var last = RenditionKey()
    var wasVector: Bool?
    for index in entries.indices {
      let entry = entries.key(at: index)
      let isVector = outlines[index].layout == .vector
      if wasVector != isVector || !entry.agrees(with: last, in: decisive) {
        (last, wasVector) = (entry, isVector)
        var variant = numbers.variant(of: entry, locales: locales)
        if isVector { variant?.scale = 0 }
        variants.append(variant)
      }
      let number = variants.count - 1
      variantNumbers.append(UInt32(number))
      isAtlas.append(entry.element == Element.atlas)
      if isAtlas[index], entry.part != Part.spriteAtlas {
        atlases.append(index)
      } else if entry.part == Part.multisize {
        sizeTables.append(index)
      } else if let reason = AlwaysKeptReason(entry, hasVariant: variants[number] != nil) {
        alwaysKept.append((index, reason))
      } else {
        let shared = SharedKey(entry, isData: outlines[index].layout == .data)
        candidates.append(
          UngroupedRendition(shared: shared, variant: UInt32(number), entry: UInt32(index)))
      }
    }
    return candidates
  }

  private mutating func group(_ candidates: [UngroupedRendition]) {
    // A rendition without constraints is never a candidate, so its number is not used.
    let packed = variants.map { $0?.packed ?? (high: 0, low: 0) }
    let order = Inventory.sorted(candidates, packed)
    members.reserveCapacity(candidates.count)
    groups.reserveCapacity(facets.count)
    var numbers = SignatureNumbers()
    var next = 0
    while next < order.count {
      let shared = candidates[Int(order[next] & 0xFFFF_FFFF)].shared
      let start = members.count
      numbers.begin()
      while next < order.count {
        let candidate = candidates[Int(order[next] & 0xFFFF_FFFF)]
        if candidate.shared != shared { break }
        next += 1
        let variant = packed[Int(candidate.variant)]
        if numbers.add(variant.high, variant.low) {
          members.append(Int(candidate.entry))
        } else {
          alwaysKept.append((Int(candidate.entry), .repeated))
        }
      }
      groups.append(
        VariantGroup(shared: shared, signature: numbers.finish(), members: start..<members.count))
    }
    signatures = numbers.signatures
  }

  /// Returns a number for each candidate: its identifier in the upper half, its index in the lower
  /// half. They are sorted by shared key, then by constraints, then by entry. The identifiers are
  /// spread evenly; therefore it is faster to sort by identifiers first, as numbers, and then to
  /// sort the candidates of each identifier, than to compare all candidates.
  private static func sorted(
    _ candidates: [UngroupedRendition], _ packed: [(high: UInt64, low: UInt64)]
  ) -> [UInt64] {
    func precedes(_ one: UInt64, _ other: UInt64) -> Bool {
      let a = candidates[Int(one & 0xFFFF_FFFF)]
      let b = candidates[Int(other & 0xFFFF_FFFF)]
      if a.shared != b.shared { return a.shared < b.shared }
      let (mine, theirs) = (packed[Int(a.variant)], packed[Int(b.variant)])
      if mine.high != theirs.high { return mine.high < theirs.high }
      return mine.low == theirs.low ? a.entry < b.entry : mine.low < theirs.low
    }
    var order: [UInt64] = []
    order.reserveCapacity(candidates.count)
    for (index, candidate) in candidates.enumerated() {
      order.append(UInt64(candidate.shared.identifier) << 32 | UInt64(index))
    }
    order.sort(byBitsFrom: 32)
    var first = 0
    while first < order.count {
      var end = first + 1
      // The candidates of an identifier come in the order of their keys, which is nearly always the
      // right order.
      var isSorted = true
      while end < order.count, order[end] >> 32 == order[first] >> 32 {
        isSorted = isSorted && precedes(order[end - 1], order[end])
        end += 1
      }
      if !isSorted { order[first..<end].sort(by: precedes) }
      first = end
    }
    return order
  }
}

/// Returns the usual number of each localization that has another number in the archive, by the
/// number in the archive.
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

extension AlwaysKeptReason {
  /// Returns the reason to keep a rendition; nil if the rule decides about it.
  fileprivate init?(_ key: RenditionKey, hasVariant: Bool) {
    switch (key.element, key.part) {
    case (Element.texture, _): self = .texture
    case (_, Part.iconStack), (_, Part.iconGroup), (_, Part.gradient): self = .layers
    case (_, Part.spriteAtlas), (_, Part.arGroup), (_, Part.arObject): self = .namedContents
    case (Element.universal, Part.regular), (Element.universal, Part.vector),
      (Element.universal, Part.color), (Element.universal, Part.icon),
      (Element.universal, Part.flattened), (Element.universal, Part.radiosity),
      (Element.universal, Part.symbol):
      if hasVariant { return nil }
      self = .unknownKey
    default: self = .unknownPart
    }
  }
}

// MARK: - Numbers of signatures

// Numbers the signatures of an archive's groups while the groups are read. Equal sets of keys get
// one number. Almost every set is equal to the set before it, so that one is compared first.

/// The signatures that were found, and the set of keys that is being read.
struct SignatureNumbers {
  private(set) var signatures: [Signature] = []
  private var packed: [[UInt64]] = []
  private var numberOfPacked: [[UInt64]: Int] = [:]
  private var current: [UInt64] = []
  private var last = 0

  /// Begins a set of keys.
  mutating func begin() { current.removeAll(keepingCapacity: true) }

  /// Adds a key, which must not be smaller than the key before it. Returns false if both are equal;
  /// then the key is not added.
  mutating func add(_ high: UInt64, _ low: UInt64) -> Bool {
    let count = current.count
    if count > 0, current[count - 2] == high, current[count - 1] == low { return false }
    current.append(high)
    current.append(low)
    return true
  }

  /// Ends the set and returns the number of its signature.
  mutating func finish() -> Int {
    if last < packed.count, packed[last] == current { return last }
    if let known = numberOfPacked[current] {
      last = known
      return known
    }
    last = packed.count
    packed.append(current)
    numberOfPacked[current] = last
    let keys = stride(from: 0, to: current.count, by: 2).compactMap {
      VariantKey(high: current[$0], low: current[$0 + 1])
    }
    signatures.append(Signature(keys))
    return last
  }
}
