// Pairs the renditions of two archives by name and key, and finds the differences of each pair. The
// numbers of names and of atlases may differ without being a difference.

import Archive
import Bytes
import Imaging
import Traits

/// The name and the key of a rendition without its identifier: the values that do not change when
/// its archive is compiled again.
private struct PairingKey: Hashable, Comparable {
  var name: ByteString
  var isNamed: Bool
  var key: RenditionKey
  var order: [UInt16]

  static func < (a: PairingKey, b: PairingKey) -> Bool {
    if a.name != b.name { return a.name < b.name }
    return a.order.lexicographicallyPrecedes(b.order)
  }
}

/// A comparison of the renditions of two archives.
struct ArchiveComparison {
  private let old: OpenedArchive
  private let new: OpenedArchive
  private let oldCharges: Charges
  private let newCharges: Charges
  private var contents: ContentsComparison
  private var languages: [UInt16: String] = [:]
  /// The changed pictures that cannot be decoded.
  private(set) var damaged: [DamagedPicture] = []
  /// The entries of the last compared pair that have no pixels.
  private var undecoded: [(entry: Int, isInNew: Bool)] = []
  /// The platform whose system versions the keys count.
  private let platform: Platform?
  /// Returns whether both archives made a variant from equal files; nil if that is not known.
  private let isUnchanged: (ByteString, VariantKey) -> Bool?

  /// Compares two archives. The charges of each are passed beside it.
  init(
    _ old: (OpenedArchive, Charges), _ new: (OpenedArchive, Charges),
    isUnchanged: @escaping (ByteString, VariantKey) -> Bool?
  ) {
    self.isUnchanged = isUnchanged
    (self.old, oldCharges) = old
    (self.new, newCharges) = new
    let (old, new) = (old.0, new.0)
    contents = ContentsComparison(old, new)
    platform = new.archive.platform
  }

  /// Returns all differences, sorted by name, then by key. Pictures of which only the colours
  /// differ come last, those with the greatest difference first.
  mutating func renditions() throws(FormatError) -> [RenditionDifference] {
    for archive in [old.archive, new.archive] {
      for entry in try archive.localizations() {
        languages[nameIdentifier(entry.name.utf8)] = entry.name
      }
    }
    let oldEntries = old.entriesByPair
    let newEntries = new.entriesByPair
    var differences: [RenditionDifference] = []
    for pair in Set(oldEntries.keys).union(newEntries.keys).sorted() {
      switch (oldEntries[pair], newEntries[pair]) {
      case (let before?, nil):
        differences.append(try difference(pair, .removed, before: before, after: nil))
      case (nil, let after?):
        differences.append(try difference(pair, .added, before: nil, after: after))
      case (let before?, let after?):
        if try contents.isSame(before, after) { continue }
        var changed = try difference(pair, .changed, before: before, after: after)
        changed.aspects = try aspects(before, after)
        noteDamage(changed)
        if changed.aspects.last == ArchiveDifference.pixels {
          try judgePixels(&changed, before, after)
        }
        // A picture that only moved in its atlas has no aspects.
        if !changed.aspects.isEmpty { differences.append(changed) }
      case (nil, nil): continue
      }
    }
    return differences.sortedByDifference()
  }

  /// States how much the pixels of a changed picture differ. Removes the difference if both
  /// pictures were made from equal files: then only their atlases were packed otherwise. If nothing
  /// is known about the files, a small difference of pictures in atlases is taken for that, too.
  private mutating func judgePixels(
    _ changed: inout RenditionDifference, _ before: Int, _ after: Int
  ) throws(FormatError) {
    let isSameFile = changed.isNamed ? changed.key.flatMap { isUnchanged(changed.asset, $0) } : nil
    if isSameFile == true {
      changed.aspects.removeLast()
      return
    }
    guard let first = try contents.picture(before, isMine: true),
      let second = try contents.picture(after, isMine: false),
      let greatest = first.greatestDifference(from: second)
    else { return }
    // Pixels in another layout can be equal.
    if greatest == 0 {
      changed.aspects.removeLast()
      return
    }
    changed.greatest = greatest
    let isPacked =
      old.inventory.outlines[before].layout == .internalLink
      || new.inventory.outlines[after].layout == .internalLink
    if isPacked, isSameFile == nil, changed.aspects.count == 1, greatest <= Bitmap.greatestRounding
    {
      changed.aspects = [ArchiveDifference.packedOtherwise]
    }
  }

  /// Notes the damaged pictures of the last compared pair.
  private mutating func noteDamage(_ changed: RenditionDifference) {
    for (entry, isInNew) in undecoded {
      guard let reason = contents.damage(of: entry, isMine: !isInNew) else { continue }
      damaged.append(
        DamagedPicture(
          isInNew: isInNew, asset: changed.asset, variant: changed.variant, reason: reason))
    }
  }

  private func difference(
    _ pair: PairingKey, _ change: RenditionDifference.Change, before: Int?, after: Int?
  ) throws(FormatError) -> RenditionDifference {
    var difference = RenditionDifference(
      asset: pair.name, variant: variant(pair, before: before, after: after), change: change)
    difference.key =
      before.flatMap { old.inventory.variant(of: $0) }
      ?? after.flatMap { new.inventory.variant(of: $0) }
    difference.before = before.map { oldCharges.bytes[$0] } ?? 0
    difference.after = after.map { newCharges.bytes[$0] } ?? 0
    if !pair.isNamed {
      difference.isNamed = false
      difference.asset = "(unnamed) \(try storedName(before, after))"
    }
    return difference
  }

  /// Returns the name that is stored in a rendition that belongs to no asset.
  private func storedName(_ before: Int?, _ after: Int?) throws(FormatError) -> ByteString {
    for (archive, entry) in [(new, after), (old, before)] {
      guard let entry else { continue }
      return try archive.archive.rendition(archive.inventory.entries[entry]).header.name
    }
    return ""
  }

  private func variant(_ pair: PairingKey, before: Int?, after: Int?) -> String {
    var key =
      before.flatMap { old.inventory.variant(of: $0) }
      ?? after.flatMap { new.inventory.variant(of: $0) }
    // The drawings of a symbol are vectors, but have the scale 1 in their keys.
    if pair.key.details.glyph != nil { key?.scale = 0 }
    let traits =
      key.map { $0.summary(language: languages[$0.locale], platform: platform) }
      ?? "key of a theme"
    let size = pair.key[.dimension2]
    let part = Part.words(pair.key.part).map { ", " + $0 } ?? ""
    let glyph = pair.key.details.glyph.map { ", \($0.words)" } ?? ""
    return traits + part + glyph + (size == 0 ? "" : ", size \(size)")
  }

  /// Returns the properties that differ in a pair whose bytes differ.
  private mutating func aspects(_ before: Int, _ after: Int) throws(FormatError) -> [String] {
    let a = try old.archive.rendition(old.inventory.entries[before])
    let b = try new.archive.rendition(new.inventory.entries[after])
    var aspects: [String] = []
    undecoded = []
    func check(_ name: String, _ isSame: Bool) { if !isSame { aspects.append(name) } }
    func compare(_ name: String, old: String, new: String) {
      if old != new { aspects.append("\(name) \(old) → \(new)") }
    }
    compare("flags", old: a.header.flags.words, new: b.header.flags.words)
    if a.header.name != b.header.name {
      aspects.append("file name \(a.header.name) → \(b.header.name)")
    }
    compare(
      "pixel format", old: a.header.pixelFormat.description, new: b.header.pixelFormat.description)
    check("colour space", a.header.colorSpace == b.header.colorSpace)
    let isResized = a.header.width != b.header.width || a.header.height != b.header.height
    compare("size", old: a.header.sizeText, new: b.header.sizeText)
    // Slices and insets follow from the size, so they are not listed if the size changed.
    if !isResized {
      check("slices", try a.slices() == b.slices())
      check("insets", try a.metrics() == b.metrics())
    }
    compare("type", old: try a.uti() ?? "none", new: try b.uti() ?? "none")
    for (tag, words) in comparedProperties {
      let bodies = (try a.body(of: tag), try b.body(of: tag))
      guard let first = bodies.0, let second = bodies.1 else {
        check(words, bodies.0 == nil && bodies.1 == nil)
        continue
      }
      check(words, first.buffer.isSame(as: second.buffer))
    }
    if let first = try a.color(), let second = try b.color() {
      // Colours can differ by less than their texts show.
      if first.text == second.text {
        check("colour", first == second)
      } else {
        compare("colour", old: first.text, new: second.text)
      }
      return aspects
    }
    let pictures = (
      try contents.picture(before, isMine: true), try contents.picture(after, isMine: false)
    )
    if let first = pictures.0, let second = pictures.1 {
      check(ArchiveDifference.pixels, isResized || first.shows(second))
      // The bytes of equal pixels may differ, because of atlases and codecs.
      return aspects
    }
    if pictures.0 == nil { undecoded.append((before, false)) }
    if pictures.1 == nil { undecoded.append((after, true)) }
    // If only one picture can be decoded, or a link and its atlas cannot, nothing shows that both
    // are the same.
    let isOneDecoded = pictures.0 != nil || pictures.1 != nil
    let haveSameAtlas = try contents.haveSameAtlas(before, after)
    if isOneDecoded || !haveSameAtlas { aspects.append(ArchiveDifference.pixels) }
    check("layout", try a.shownLayout() == b.shownLayout())
    check("contents", a.payload.buffer.isSame(as: b.payload.buffer))
    return aspects
  }
}

/// The properties that are compared as bytes, with their words. The others follow from the codec,
/// or are compared as values.
private let comparedProperties: [(RenditionProperty.Tag, String)] = [
  (.layers, "layers"), (.layerAttributes, "attributes of layers"),
  (.layerEffects, "effects of layers"), (.layerRefraction, "refraction of layers"),
  (.names, "names"), (.physicalSize, "physical size"), (.orientation, "orientation"),
  (.transform, "transform"), (.glyphMetrics, "metrics of the symbol"),
  (.glyphRendering, "rendering of the symbol"),
]

extension Rendition {
  /// Returns the layout of a picture. For a picture in an atlas, the link states it.
  fileprivate func shownLayout() throws(FormatError) -> RenditionLayout {
    try link()?.layout ?? header.layout
  }
}

extension CSIHeader {
  fileprivate var sizeText: String { "\(width)×\(height)" }
}

extension RenditionFlags {
  /// The words for the flags that are set.
  fileprivate var words: String {
    let all: [(RenditionFlags, String)] = [
      (.template, "template"), (.automatic, "automatic"), (.vector, "vector"),
      (.preservesVector, "vector kept"), (.keptWhenThinning, "never thinned"),
      (.flippable, "flippable"), (.tintable, "tintable"), (.forPositionOnly, "for position only"),
      (.excludedFromContrastFilter, "no contrast filter"),
    ]
    var words = all.filter { contains($0.0) }.map(\.1)
    let known = all.reduce(RenditionFlags()) { $0.union($1.0) }
    let rest = subtracting(known)
    if !rest.isEmpty { words.append("\(rest.rawValue)") }
    return words.isEmpty ? "none" : words.joined(separator: " and ")
  }
}

extension Rendition {
  /// Returns the colour; nil if the rendition is not a colour.
  fileprivate func color() throws(FormatError) -> ColorPayload? {
    header.layout == .color ? try ColorPayload(payload) : nil
  }
}

extension OpenedArchive {
  /// The entries by name and key. Atlases are left out, because they are compared through their
  /// pictures.
  fileprivate var entriesByPair: [PairingKey: Int] {
    var entries: [PairingKey: Int] = [:]
    entries.reserveCapacity(inventory.entries.count)
    for (entry, rendition) in inventory.entries.enumerated() where !inventory.isAtlas[entry] {
      var key = rendition.key
      let name = inventory.name(of: entry)
      let number: ByteString = "(identifier \(key.identifier))"
      key[.identifier] = 0
      // Both archives may have their own numbers of languages and appearances.
      if let variant = inventory.variant(of: entry) {
        key[.localization] = variant.locale
        key[.appearance] = UInt16(variant.style.rawValue) | UInt16(variant.contrast.rawValue) << 8
      }
      let order = RenditionAttribute.all.map { key[$0] }
      let pair = PairingKey(name: name ?? number, isNamed: name != nil, key: key, order: order)
      entries[pair] = entry
    }
    return entries
  }
}

extension RenditionAttribute {
  /// All attributes. Those that distinguish kinds come first.
  fileprivate static let all: [RenditionAttribute] = {
    let first: [RenditionAttribute] = [.element, .part, .dimension2]
    let others = (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init)
    return first + others.filter { !first.contains($0) }
  }()
}

extension Part {
  /// Returns words for the part of a rendition; nil for the usual part of an asset.
  fileprivate static func words(_ part: UInt16) -> String? {
    switch part {
    // The words for the scale already say "vector", also for the drawings of symbols.
    case regular, color, icon, arGroup, vector, symbol: nil
    case spriteAtlas: "list of names"
    case arObject: "object"
    case flattened: "flattened"
    case radiosity: "radiosity"
    case multisize: "table of sizes"
    case iconStack: "icon stack"
    case iconGroup: "icon group"
    case gradient: "gradient"
    default: "part \(part)"
    }
  }
}
