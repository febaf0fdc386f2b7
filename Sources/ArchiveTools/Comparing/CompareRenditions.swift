// Pairs the renditions of two archives by name and key, and says in what a pair differs. Numbers of
// names and of atlases may differ where nothing else does.

import Archive
import Bytes
import Traits

/// What stays of a rendition when its archive is written anew.
private struct Place: Hashable, Comparable {
  var name: ByteString
  var isNamed: Bool
  var key: RenditionKey
  var order: [UInt16]

  static func < (a: Place, b: Place) -> Bool {
    if a.name != b.name { return a.name < b.name }
    return a.order.lexicographicallyPrecedes(b.order)
  }
}

struct Comparison {
  private let old: OpenedArchive
  private let new: OpenedArchive
  private let oldCharges: Charges
  private let newCharges: Charges
  private var contents: ContentsComparison
  private var languages: [UInt16: String] = [:]

  /// Compares archives whose renditions cost what is said beside them.
  init(_ old: (OpenedArchive, Charges), _ new: (OpenedArchive, Charges)) {
    (self.old, oldCharges) = old
    (self.new, newCharges) = new
    let (old, new) = (old.0, new.0)
    contents = ContentsComparison(old, new)
  }

  /// Everything that differs, by name and then by key.
  mutating func renditions() throws(FormatError) -> [RenditionDifference] {
    for archive in [old.archive, new.archive] {
      for entry in try archive.localizations() {
        languages[nameIdentifier(entry.name.utf8)] = entry.name
      }
    }
    let oldPlaces = old.places
    let newPlaces = new.places
    var differences: [RenditionDifference] = []
    for place in Set(oldPlaces.keys).union(newPlaces.keys).sorted() {
      switch (oldPlaces[place], newPlaces[place]) {
      case (let before?, nil):
        differences.append(try difference(place, .removed, before: before, after: nil))
      case (nil, let after?):
        differences.append(try difference(place, .added, before: nil, after: after))
      case (let before?, let after?):
        if try contents.isSame(before, after) { continue }
        let aspects = try aspects(before, after)
        // A picture that moved in its atlas shows the same.
        if aspects.isEmpty { continue }
        var changed = try difference(place, .changed, before: before, after: after)
        changed.aspects = aspects
        differences.append(changed)
      case (nil, nil): continue
      }
    }
    return differences
  }

  private func difference(
    _ place: Place, _ change: RenditionDifference.Change, before: Int?, after: Int?
  ) throws(FormatError) -> RenditionDifference {
    var difference = RenditionDifference(
      asset: place.name, variant: variant(place, before, after), change: change)
    difference.before = before.map { oldCharges.bytes[$0] } ?? 0
    difference.after = after.map { newCharges.bytes[$0] } ?? 0
    if !place.isNamed {
      difference.isNamed = false
      difference.asset = "(unnamed) \(try storedName(before, after))"
    }
    return difference
  }

  /// What a rendition without an asset is called in its archive.
  private func storedName(_ before: Int?, _ after: Int?) throws(FormatError) -> ByteString {
    for (archive, entry) in [(new, after), (old, before)] {
      guard let entry else { continue }
      return try archive.archive.rendition(archive.inventory.entries[entry]).header.name
    }
    return ""
  }

  private func variant(_ place: Place, _ before: Int?, _ after: Int?) -> String {
    let key =
      before.flatMap { old.inventory.variant(of: $0) }
      ?? after.flatMap { new.inventory.variant(of: $0) }
    let traits = key?.summary { languages[$0] ?? "number \($0)" } ?? "key of a theme"
    let size = place.key[.dimension2]
    let part = Part.words(place.key.part).map { ", " + $0 } ?? ""
    let glyph = place.key.details.glyph.map { ", \($0.weight), \($0.size)" } ?? ""
    return traits + part + glyph + (size == 0 ? "" : ", size \(size)")
  }

  /// What differs in a pair whose bytes do.
  private mutating func aspects(_ before: Int, _ after: Int) throws(FormatError) -> [String] {
    let a = try old.archive.rendition(old.inventory.entries[before])
    let b = try new.archive.rendition(new.inventory.entries[after])
    var aspects: [String] = []
    func check(_ name: String, _ isSame: Bool) { if !isSame { aspects.append(name) } }
    func compare(_ name: String, _ old: String, _ new: String) {
      if old != new { aspects.append("\(name) \(old) → \(new)") }
    }
    compare("flags", a.header.flags.words, b.header.flags.words)
    if a.header.name != b.header.name {
      aspects.append("file name \(a.header.name) → \(b.header.name)")
    }
    compare("pixel format", a.header.pixelFormat.description, b.header.pixelFormat.description)
    check("colour space", a.header.colorSpace == b.header.colorSpace)
    let isResized = a.header.width != b.header.width || a.header.height != b.header.height
    compare("size", a.header.sizeText, b.header.sizeText)
    // What follows from the size is no news.
    if !isResized {
      check("slices", try a.slices() == b.slices())
      check("insets", try a.metrics() == b.metrics())
    }
    compare("type", try a.uti() ?? "none", try b.uti() ?? "none")
    if let first = try a.colorText(), let second = try b.colorText() {
      compare("colour", first, second)
      return aspects
    }
    let pictures = (
      try contents.picture(before, isMine: true), try contents.picture(after, isMine: false)
    )
    if let first = pictures.0, let second = pictures.1 {
      check("pixels", isResized || first.shows(second))
      // Atlases and codecs may differ where pixels do not.
      return aspects
    }
    check("layout", try a.shownLayout() == b.shownLayout())
    check("contents", a.payload.buffer.isSame(as: b.payload.buffer))
    return aspects
  }
}

extension Rendition {
  /// The layout of a picture, wherever its pixels lie.
  fileprivate func shownLayout() throws(FormatError) -> RenditionLayout {
    try link()?.layout ?? header.layout
  }
}

extension CSIHeader {
  fileprivate var sizeText: String { "\(width)×\(height)" }
}

extension RenditionFlags {
  /// The words of what is set.
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
  /// The components of a colour; nil for what is none.
  fileprivate func colorText() throws(FormatError) -> String? {
    guard header.layout == .color, let color = try ColorPayload(payload) else { return nil }
    return color.text
  }
}

extension Bitmap {
  fileprivate func shows(_ other: Bitmap) -> Bool {
    width == other.width && height == other.height && layout == other.layout
      && pixels == other.pixels
  }
}

extension OpenedArchive {
  /// Where each rendition stands, atlases left out: what they show is compared with their pictures.
  fileprivate var places: [Place: Int] {
    var places: [Place: Int] = [:]
    places.reserveCapacity(inventory.entries.count)
    for (entry, rendition) in inventory.entries.enumerated() where !inventory.isAtlas(entry) {
      var key = rendition.key
      let name = inventory.name(of: entry)
      let number: ByteString = "(identifier \(key.identifier))"
      key[.identifier] = 0
      let order = RenditionAttribute.all.map { key[$0] }
      let place = Place(name: name ?? number, isNamed: name != nil, key: key, order: order)
      places[place] = entry
    }
    return places
  }
}

extension RenditionAttribute {
  /// Every attribute, those that distinguish kinds first.
  fileprivate static let all: [RenditionAttribute] = {
    let first: [RenditionAttribute] = [.element, .part, .dimension2]
    let others = (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init)
    return first + others.filter { !first.contains($0) }
  }()
}

extension Part {
  /// What tells renditions of a part from others of one asset, in words; nil for what an asset usually is.
  fileprivate static func words(_ part: UInt16) -> String? {
    switch part {
    // A vector is one for all scales, and is called so.
    case regular, color, icon, arGroup, vector: nil
    case symbol: "symbol"
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
