// Names of extracted files: made of what the archive says, but safe on every disk and never twice
// the same, even if a disk takes upper and lower case, or the forms of an accented letter, for one.

import Bytes
import Host

package struct ExtractedNames {
  private var used: Set<ByteString.CanonicalForm> = []
  /// The number that comes next for a name that is taken: a thousand equal names are one search.
  private var numbers: [ByteString.CanonicalForm: Int] = [:]

  package init() {}

  /// A path in which no component leads out of the folder. `words` tell variants apart and are used
  /// only where the plain name is taken; numbers follow where they do not help.
  package mutating func path(
    asset: ByteString, file: ByteString, pathExtension: ByteString?, words: [String]
  ) -> ByteString {
    let folder = asset.components.map { safe($0.text) }
    let (stem, ending) = ExtractedNames.split(safe(file.text), pathExtension)
    let prefix = folder.map { $0 + "/" }.joined()
    var candidates = [stem]
    if !words.isEmpty {
      candidates.append(([stem] + words.map { safe($0) }).joined(separator: "~"))
    }
    for candidate in candidates {
      let path = prefix + candidate + ending
      if used.insert(path.lowercased().canonicalForm).inserted { return path }
    }
    let last = prefix + (candidates.last ?? stem)
    let taken = (last + ending).lowercased().canonicalForm
    while true {
      let number = numbers[taken, default: 2]
      numbers[taken] = number + 1
      let candidate: ByteString = "\(last)-\(number)\(ending)"
      if used.insert(candidate.lowercased().canonicalForm).inserted { return candidate }
    }
  }

  /// A name without its extension.
  static func stem(of name: ByteString) -> ByteString { split(name, nil).stem }

  /// The name without its extension, and the extension that the file gets.
  private static func split(
    _ name: ByteString, _ wanted: ByteString?
  ) -> (stem: ByteString, ending: ByteString) {
    let stem = withoutExtension(name)
    let ending = name.dropFirst(stem.count)
    guard (1...6).contains(ending.text.unicodeScalars.count) else {
      return (name, wanted.map { "." + $0 } ?? "")
    }
    return (stem, wanted.map { "." + $0 } ?? ending)
  }

  /// One component: no separators, nothing invisible, no leading dot, of a length that disks take.
  private func safe(_ component: String) -> ByteString {
    var text = ""
    for scalar in component.unicodeScalars {
      let isControl = scalar.value < 32 || scalar.value == 127
      let isRefused = "/\\:*?\"<>|".unicodeScalars.contains(scalar)
      text.unicodeScalars.append(isControl || isRefused ? "_" : scalar)
      if text.utf8.count >= 180 { break }
    }
    if text.isEmpty { return "unnamed" }
    let name = ByteString(text)
    return name.isHidden ? "_" + name.dropFirst() : name
  }
}
