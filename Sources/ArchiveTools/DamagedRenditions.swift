// Renditions that cannot be read, called by what somebody asks for: the name of the asset and, in
// words, what its key holds. The others of an archive are not the worse for them.

import Archive
import Bytes
import Documents

/// The names of assets, as the keys of their renditions refer to them.
package struct AssetNames: Sendable {
  private var names: [UInt32: ByteString] = [:]
  package let count: Int

  package init(of archive: Archive) throws(FormatError) {
    let facets = try archive.facets()
    count = facets.count
    for facet in facets {
      if let element = facet.element, let identifier = facet.identifier {
        names[AssetNames.number(element, identifier)] = facet.name
      }
    }
  }

  /// Nil for what belongs to no asset, as atlases do.
  package subscript(key: RenditionKey) -> ByteString? {
    names[AssetNames.number(key.element, key.identifier)]
  }

  private static func number(_ element: UInt16, _ identifier: UInt16) -> UInt32 {
    UInt32(element) << 16 | UInt32(identifier)
  }
}

/// What distinguishes a rendition from others of its asset, in short.
package struct KeyWords: Sendable {
  private var appearances: [UInt16: String] = [:]

  package init(of archive: Archive) throws(FormatError) {
    for row in try archive.appearances() { appearances[row.number] = row.name }
  }

  /// The name of the appearance; nil for any.
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

package struct DamagedRendition: Sendable, CustomStringConvertible {
  package let name: ByteString
  /// What its key holds, in words.
  package let variant: String
  package let error: FormatError

  /// Where a rendition belongs to no asset, it is called by its number.
  package init(
    _ key: RenditionKey, _ error: FormatError, names: AssetNames, words: KeyWords
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
  /// All renditions that can be read, and those that cannot, in the order of the archive but for
  /// those whose blocks are not in the file: they come first.
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

  /// By their names, the renditions that cannot be read; none where not even the tables can be.
  package func damagedRenditions() -> [DamagedRendition] {
    guard let found = try? readableRenditions().damaged, let names = try? AssetNames(of: self),
      let words = try? KeyWords(of: self)
    else { return [] }
    return found.map { DamagedRendition($0.key, $0.error, names: names, words: words) }
  }
}
