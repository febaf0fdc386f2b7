// Reports the names of entries that are not in the folder, and the parts of a set that no entry
// names. It is called after all entries are read: only then the files without an entry are known.

import Bytes
import Documents
import Host

extension SetReader {
  /// The folders that could be parts of the set and that no entry has named so far.
  func unnamedParts(of type: SetType) -> [FileEntry] {
    unnamed.filter { entry in
      guard entry.kind == .folder, let part = FolderRole.setType(pathExtension(entry.name)) else {
        return false
      }
      return type.canHold(part)
    }
  }

  /// Reports the names that are not in the folder, and the parts of the set that no entry names.
  /// `list` is the place of the entries, if they were read.
  func reportAbsent(_ type: SetType?, partsIn list: ByteString?) {
    if absent.isEmpty, !folder.entries.contains(where: { $0.kind == .folder }) { return }
    let parts = type.map { unnamedParts(of: $0) } ?? []
    let files = absent.contains { !$0.isPart } ? unnamedFiles : []
    var advised: [ByteString: Advice] = [:]
    /// The number of missing names that are similar to each name of the folder.
    var similar: [ByteString: Int] = [:]
    for absent in absent where advised[absent.name] == nil {
      // Each name is compared with every name in the folder, so only the first ones are.
      guard advised.count < 20 else { break }
      let isOnlyPart = absent.isPart && parts.count == 1 && self.absent.count == 1
      let advice =
        isOnlyPart
        ? Advice(only: parts[0].name, for: absent.name)
        : Advice(for: absent.name, among: (absent.isPart ? parts : files).map(\.name))
      advised[absent.name] = advice
      if let name = advice.name { similar[name, default: 0] += 1 }
    }
    for absent in absent {
      let advice = advised[absent.name] ?? Advice()
      let words = advice.name.map { "; did you mean \(quoted($0))?" } ?? ""
      let fixed = advice.isLikely ? advice.name.flatMap { similar[$0] == 1 ? $0 : nil } : nil
      findings.add(
        absent.isPart ? .danglingReference : .missingFile,
        absent.isPart
          ? "there is no folder \(quoted(absent.name))\(words)"
          : "\(quoted(absent.name)) is not in the folder\(words)",
        at: absent.pointer, subject: absent.name,
        fix: fixed.map { .writing($0, at: absent.pointer) })
    }
    suggested = Set(similar.keys)
    guard let list, !hasNamelessPart else { return }
    let key = quoted(list.dropFirst(1))
    for part in parts where !suggested.contains(part.name) {
      findings.add(
        .unlistedPart, "\(quoted(part.name)) is left out: no entry of \(key) names it", at: list,
        isKey: true)
    }
  }
}

/// The name in a folder that is most similar to a name without a file.
private struct Advice {
  var name: ByteString?
  /// Whether the author can have meant this name only.
  var isLikely = false

  init() {}

  /// The only part that no entry names must be the one that is meant.
  init(only part: ByteString, for name: ByteString) {
    self.init(for: name, among: [part])
    self.name = part
  }

  /// Compares the names without their extensions, because long extensions are most of a name.
  /// Numbers must be equal: "star@3x.png" is not what "star@2x.png" means.
  init(for name: ByteString, among candidates: [ByteString]) {
    let stem = withoutExtension(name).text
    let numbers = digits(of: name)
    let possible = candidates.filter { $0.isUTF8 && digits(of: $0) == numbers }
    let stems = nearestFew(to: stem, in: possible.map { withoutExtension($0).text }, atMost: 2)
    guard let nearest = stems.first else { return }
    let nearNames = possible.filter { withoutExtension($0).text == nearest }
    let suffix = pathExtension(name)
    let alike = nearNames.filter { isLike(suffix, pathExtension($0)) }
    self.name = alike.first ?? nearNames.first
    isLikely = alike.count == 1 && likeliest(of: stems, to: stem) == nearest
  }
}

/// Returns the numbers in a name, in their order.
private func digits(of name: ByteString) -> [Substring] {
  name.text.split { !("0"..."9").contains($0) }
}

/// Returns whether one extension is probably another one with a typing error.
private func isLike(_ suffix: ByteString, _ other: ByteString) -> Bool {
  suffix.isEmpty || suffix.lowercased() == other.lowercased()
    || nearest(to: suffix.text, in: [other.text]) != nil
}
