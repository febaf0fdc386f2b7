// Makes the names of extracted files from the names in the archive. The names are safe on every
// disk and all different, even if a disk treats upper and lower case, or the forms of an accented
// letter, as equal.

import Bytes

/// The names that are in use.
package struct ExtractedNames {
  private var used: Set<ByteString.CanonicalForm> = []
  /// The next number for a name that is in use, so that a thousand equal names need no thousand
  /// searches each.
  private var numbers: [ByteString.CanonicalForm: Int] = [:]

  package init() {}

  /// Returns a path that does not lead out of the folder. `words` distinguish variants and
  /// are used only if the plain name is in use. If the name with the words is in use, too, a number
  /// follows.
  package mutating func path(
    asset: ByteString, file: ByteString, pathExtension: ByteString?, words: [String]
  ) -> ByteString {
    let folder = asset.components.map { ExtractedNames.safe($0.text) }
    let (stem, ending) = ExtractedNames.split(ExtractedNames.safe(file.text), pathExtension)
    let prefix = folder.map { $0 + "/" }.joined()
    var candidates = [stem]
    if !words.isEmpty {
      candidates.append(([stem] + words.map { ExtractedNames.safe($0) }).joined(separator: "~"))
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

  /// Returns a name without its extension.
  static func stem(of name: ByteString) -> ByteString { split(name, nil).stem }

  /// Returns the name without its extension, and the extension of the file.
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

  /// Returns a component of a path without separators, control characters and a leading dot, and of
  /// a length that every disk allows.
  package static func safe(_ component: String) -> ByteString {
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
