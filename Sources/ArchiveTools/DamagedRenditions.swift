// Finds renditions that cannot be read, and names them for the user. The other renditions of the
// archive stay usable.

import Archive
import Bytes
import Documents

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
    variant = words.text(for: key)
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
