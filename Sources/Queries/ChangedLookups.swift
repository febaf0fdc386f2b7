// The lines about names whose lookups give other answers in a later archive.

import ArchiveTools
import Bytes

extension ArchiveDifference {
  /// One line for each name whose lookups give other answers.
  package var lookupLines: [String] {
    var variants: [ByteString: [String]] = [:]
    for rendition in renditions where rendition.isNamed {
      variants[rendition.asset, default: []].append(rendition.variant)
    }
    let added = Set(addedNames)
    let removed = Set(removedNames)
    let names = added.union(removed).union(variants.keys).sorted()
    let lines = names.map { name in
      if added.contains(name) { return "+ \(name)" }
      if removed.contains(name) { return "- \(name)" }
      return "~ \(name): \((variants[name] ?? []).joined(separator: "; "))"
    }
    return lines.isEmpty ? ["every lookup answers as before"] : lines
  }
}
