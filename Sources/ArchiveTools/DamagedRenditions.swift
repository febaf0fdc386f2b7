// Finds renditions that cannot be read, and names them for the user: by the name of the asset and
// by the values of the key, in words. The other renditions of the archive stay usable.

import Archive
import Bytes
import Documents

/// The names of assets, by the elements and identifiers in the keys of their renditions.
package struct FacetNames: Sendable {
  private var names: [UInt32: ByteString] = [:]
  package let count: Int

  package init(of archive: Archive) throws(FormatError) {
    let facets = try archive.facets()
    count = facets.count
    for facet in facets {
      if let element = facet.element, let identifier = facet.identifier {
        names[FacetNames.number(element, identifier)] = facet.name
      }
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

/// Short words for the attributes that distinguish a rendition from others of its asset.
package struct KeyWords: Sendable {
  private var appearances: [UInt16: String] = [:]

  package init(of archive: Archive) throws(FormatError) {
    for row in try archive.appearances() { appearances[row.number] = row.name }
  }

  /// Returns the name of the appearance; nil for "any appearance".
  func appearance(of key: RenditionKey) -> String? {
    key[.appearance] == 0 ? nil : appearances[key[.appearance]]
  }

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

/// A rendition that cannot be read.
package struct DamagedRendition: Sendable, CustomStringConvertible {
  package let name: ByteString
  /// The values of its key, in words.
  package let variant: String
  package let error: FormatError

  /// Names the rendition. If it belongs to no asset, its number is used instead of a name.
  package init(
    _ key: RenditionKey, _ error: FormatError, names: FacetNames, words: KeyWords
  ) {
    name = names[key] ?? "rendition \(key.identifier)"
    variant = words.words(for: key).joined(separator: ", ")
    self.error = error
  }

  package var description: String {
    let place = variant.isEmpty ? "" : " (\(onOneLine(variant)))"
    return "\"\(onOneLine(name))\"\(place) is damaged: \(error)"
  }
}

extension Archive {
  /// Returns the renditions that can be read, and those that cannot, both in the order of the
  /// archive. Only the renditions whose blocks do not lie in the file come first.
  package func readableRenditions() throws(FormatError) -> (
    readable: [(entry: RenditionEntry, rendition: Rendition)],
    damaged: [(key: RenditionKey, error: FormatError)]
  ) {
    let table = try renditionTable(passingOverOutside: true)
    var readable: [(entry: RenditionEntry, rendition: Rendition)] = []
    readable.reserveCapacity(table.count)
    var damaged = table.outside
    for entry in table {
      do throws(FormatError) {
        readable.append((entry, try rendition(entry)))
      } catch {
        damaged.append((entry.key, error))
      }
    }
    return (readable, damaged)
  }

  /// Returns the renditions that cannot be read; empty if even the tables cannot be read.
  package func damagedRenditions() -> [DamagedRendition] {
    guard let found = try? readableRenditions().damaged, let names = try? FacetNames(of: self),
      let words = try? KeyWords(of: self)
    else { return [] }
    return found.map { DamagedRendition($0.key, $0.error, names: names, words: words) }
  }
}
