// Names renditions for the user: by the name of the asset, and by the values of the key, in words.

import Archive
import Bytes
import Traits

/// The names of assets, by the elements and identifiers in the keys of their renditions.
package struct FacetNames: Sendable {
  private var names: [UInt32: ByteString] = [:]
  package let count: Int

  package init(of archive: Archive) throws(FormatError) {
    let facets = try archive.facets()
    count = facets.count
    for facet in facets {
      guard let element = facet.element, let identifier = facet.identifier else { continue }
      let number = FacetNames.number(element, identifier)
      // The first of several facets with one identifier has its renditions, as in the index.
      if names[number] == nil { names[number] = facet.name }
    }
  }

  /// Returns the name of the asset to which a key belongs; nil if it belongs to no asset, as for an
  /// atlas.
  package subscript(key: RenditionKey) -> ByteString? {
    names[FacetNames.number(key.element, key.identifier)]
  }

  private static func number(_ element: UInt16, _ identifier: UInt16) -> UInt32 {
    UInt32(element) << 16 | UInt32(identifier)
  }
}

extension Archive {
  /// Returns the names of the icons; nil if they are not known: archives of tvOS hold the stacks of
  /// an icon, and not its name.
  package func iconNames() throws(FormatError) -> [ByteString]? {
    let names = try FacetNames(of: self)
    var icons: Set<ByteString> = []
    for entry in try renditions() {
      guard let layout = try? outline(entry).layout else { continue }
      if layout == .layerStack { return nil }
      guard
        [Part.icon, Part.multisize].contains(entry.key.part)
          || [.iconStack, .solidStack].contains(layout)
      else { continue }
      if let name = names[entry.key] { icons.insert(name) }
    }
    return icons.sorted()
  }
}

/// Short words for the attributes that distinguish a rendition from others of its asset.
package struct KeyWords: Sendable {
  private var appearances: [UInt16: String] = [:]
  private let numbers: VariantNumbers
  private var languages: [UInt16: String] = [:]
  private let platform: Platform?

  package init(of archive: Archive) throws(FormatError) {
    for row in try archive.appearances() { appearances[row.number] = row.name }
    for row in (try? archive.localizations()) ?? [] { languages[row.number] = row.name }
    numbers = try VariantNumbers(of: archive)
    platform = archive.platform
  }

  /// Returns the name of the appearance; nil for "any appearance".
  func appearance(of key: RenditionKey) -> String? {
    key[.appearance] == 0 ? nil : appearances[key[.appearance]]
  }

  /// Returns the traits of a rendition in a message, such as "2x, pad"; if its key holds more than
  /// traits, its numbers.
  package func text(for key: RenditionKey) -> String {
    guard var variant = numbers.variant(of: key) else {
      return words(for: key).joined(separator: ", ")
    }
    // The drawings of a symbol are vectors, but have the scale 1 in their keys.
    let glyph = key.details.glyph.map { ", \($0.words)" } ?? ""
    if !glyph.isEmpty { variant.scale = 0 }
    let size = key[.dimension2] == 0 ? "" : ", size \(key[.dimension2])"
    return variant.summary(language: languages[variant.locale], platform: platform) + glyph + size
  }

  /// Returns the values of a key that are not 0, as parts of a file name.
  package func words(for key: RenditionKey) -> [String] {
    var words: [String] = []
    if let name = appearance(of: key) { words.append(name) }
    let attributes: [(RenditionAttribute, String)] = [
      (.idiom, "idiom"), (.subtype, "subtype"), (.displayGamut, "gamut"), (.direction, "direction"),
      (.localization, "locale"), (.deploymentTarget, "os"), (.scale, "scale"),
      (.dimension2, "size"), (.glyphWeight, "weight"), (.glyphSize, "glyph"), (.size, "control"),
      (.value, "value"), (.state, "state"), (.layer, "layer"),
    ]
    for (attribute, word) in attributes where key[attribute] != 0 {
      words.append("\(word)\(key[attribute])")
    }
    return words
  }
}
