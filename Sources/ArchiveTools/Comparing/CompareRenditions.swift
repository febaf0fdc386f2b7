// Pairs the renditions of two archives by name and key, and says in what a pair differs. Numbers of
// names and of atlases may differ where nothing else does.

import Archive
import Traits

/// What stays of a rendition when its archive is written anew.
private struct Place: Hashable, Comparable {
  var name: String
  var key: RenditionKey
  var order: [UInt16]

  static func < (a: Place, b: Place) -> Bool {
    if a.name != b.name { return a.name.utf8.lexicographicallyPrecedes(b.name.utf8) }
    return a.order.lexicographicallyPrecedes(b.order)
  }
}

struct Comparison {
  private let old: OpenedArchive
  private let new: OpenedArchive
  private var contents: ContentsComparison
  private var languages: [UInt16: String] = [:]

  init(_ old: OpenedArchive, _ new: OpenedArchive) {
    self.old = old
    self.new = new
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
        differences.append(difference(place, .removed, before: before, after: nil))
      case (nil, let after?):
        differences.append(difference(place, .added, before: nil, after: after))
      case (let before?, let after?):
        if try contents.isSame(before, after) { continue }
        let aspects = try aspects(before, after)
        // A picture that moved in its atlas shows the same.
        if aspects.isEmpty { continue }
        var changed = difference(place, .changed, before: before, after: after)
        changed.aspects = aspects
        differences.append(changed)
      case (nil, nil): continue
      }
    }
    return differences
  }

  private func difference(
    _ place: Place, _ change: RenditionDifference.Change, before: Int?, after: Int?
  ) -> RenditionDifference {
    var difference = RenditionDifference(
      asset: place.name, variant: variant(place, before, after), change: change)
    difference.before = before.map { old.inventory.entries[$0].range.count } ?? 0
    difference.after = after.map { new.inventory.entries[$0].range.count } ?? 0
    return difference
  }

  private func variant(_ place: Place, _ before: Int?, _ after: Int?) -> String {
    let key =
      before.flatMap { old.inventory.variant(of: $0) }
      ?? after.flatMap { new.inventory.variant(of: $0) }
    let traits = key?.summary { languages[$0] ?? "number \($0)" } ?? "key of a theme"
    let size = place.key[.dimension2]
    let part = place.key.part == Part.regular ? "" : ", part \(place.key.part)"
    return traits + part + (size == 0 ? "" : ", size \(size)")
  }

  /// What differs in a pair whose bytes do.
  private mutating func aspects(_ before: Int, _ after: Int) throws(FormatError) -> [String] {
    let a = try old.archive.rendition(old.inventory.entries[before])
    let b = try new.archive.rendition(new.inventory.entries[after])
    var aspects: [String] = []
    func check(_ name: String, _ isSame: Bool) { if !isSame { aspects.append(name) } }
    check("flags", a.header.flags == b.header.flags)
    check(
      "size", a.header.width == b.header.width && a.header.height == b.header.height)
    check("file name", a.header.name == b.header.name)
    check("pixel format", a.header.pixelFormat == b.header.pixelFormat)
    check("colour space", a.header.colorSpace == b.header.colorSpace)
    check("slices", try a.slices() == b.slices())
    check("insets", try a.metrics() == b.metrics())
    check("type", try a.uti() == b.uti())
    let pictures = (try old.picture(before), try new.picture(after))
    if let first = pictures.0, let second = pictures.1 {
      check("pixels", first.shows(second))
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

extension Bitmap {
  fileprivate func shows(_ other: Bitmap) -> Bool {
    width == other.width && height == other.height && layout == other.layout
      && pixels == other.pixels
  }
}

extension OpenedArchive {
  /// The pixels of a rendition, in an atlas or not; nil where it has none that can be decoded.
  fileprivate func picture(_ entry: Int) throws(FormatError) -> Bitmap? {
    let rendition = try archive.rendition(inventory.entries[entry])
    guard let link = try rendition.link() else { return try Bitmap(rendition) }
    guard let atlas = inventory.atlases.first(where: { inventory.entries[$0].key == link.target })
    else { return nil }
    return try pixels(of: atlas)?.cut(link)
  }

  /// Where each rendition stands, atlases left out: what they show is compared with their pictures.
  fileprivate var places: [Place: Int] {
    var places: [Place: Int] = [:]
    places.reserveCapacity(inventory.entries.count)
    for (entry, rendition) in inventory.entries.enumerated() where !inventory.isAtlas(entry) {
      var key = rendition.key
      let name = inventory.name(of: entry) ?? "(identifier \(key.identifier))"
      key[.identifier] = 0
      let order = RenditionAttribute.all.map { key[$0] }
      places[Place(name: name, key: key, order: order)] = entry
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
