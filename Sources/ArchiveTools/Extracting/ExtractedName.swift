// Names of extracted files: made of what the archive says, but safe on every disk and never twice
// the same, even where a disk takes upper and lower case for one.

import Host

package struct ExtractedNames {
  private var used: Set<String> = []
  /// The number that comes next for a name that is taken: a thousand equal names are one search.
  private var numbers: [String: Int] = [:]

  package init() {}

  /// A path in which no component leads out of the folder. `words` tell variants apart and are used
  /// only where the plain name is taken; numbers follow where they do not help.
  package mutating func path(
    asset: String, file: String, pathExtension: String?, words: [String]
  ) -> String {
    let folder = asset.split(separator: "/", omittingEmptySubsequences: true).map(safe)
    let (stem, ending) = ExtractedNames.split(safe(file[...]), pathExtension)
    let prefix = folder.isEmpty ? "" : folder.joined(separator: "/") + "/"
    var candidates = [stem]
    if !words.isEmpty {
      candidates.append(([stem] + words.map { safe($0[...]) }).joined(separator: "~"))
    }
    for candidate in candidates {
      let path = prefix + candidate + ending
      if used.insert(path.lowercased()).inserted { return path }
    }
    let last = prefix + (candidates.last ?? stem)
    let taken = (last + ending).lowercased()
    while true {
      let number = numbers[taken, default: 2]
      numbers[taken] = number + 1
      let candidate = "\(last)-\(number)\(ending)"
      if used.insert(candidate.lowercased()).inserted { return candidate }
    }
  }

  /// A name without its extension.
  static func stem(of name: String) -> String { split(name, nil).stem }

  /// The name without its extension, and the extension that the file gets.
  private static func split(_ name: String, _ wanted: String?) -> (stem: String, ending: String) {
    let ending = wanted.map { ".\($0)" }
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      name.distance(from: dot, to: name.endIndex) <= 6
    else { return (name, ending ?? "") }
    return (String(name[..<dot]), ending ?? String(name[dot...]))
  }

  /// One component: no separators, nothing invisible, no leading dot, of a length that disks take.
  private func safe(_ component: Substring) -> String {
    var text = ""
    for scalar in component.unicodeScalars {
      let isControl = scalar.value < 32 || scalar.value == 127
      let isRefused = "/\\:*?\"<>|".unicodeScalars.contains(scalar)
      text.unicodeScalars.append(isControl || isRefused ? "_" : scalar)
      if text.utf8.count >= 180 { break }
    }
    if text.isEmpty { return "unnamed" }
    return text.hasPrefix(".") ? "_" + text.dropFirst() : text
  }
}
