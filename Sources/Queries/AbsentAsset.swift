// Explains why an asset of a name does not exist: another kind has the name, an icon was left out,
// the name differs in capitals or namespace, or it is similar to other names.

import Bytes
import CatalogModel
import Documents
import Traits

extension CandidateTable {
  /// Returns the message for a name that does not exist, with advice if there is any.
  package func absence(of name: ByteString, _ kind: AssetKind) -> String {
    "there is no \(kind.noun) '\(name)'" + (reason(for: name, kind) ?? near(name, kind))
  }

  private func reason(for name: ByteString, _ kind: AssetKind) -> String? {
    if let other = kinds(of: name).first {
      return "; there is one of the kind \(other.noun) (--kind \(other.name))"
    }
    if leftOutIcons.contains(name) {
      return "; the icon is left out, and --app-icon \(name) compiles it"
    }
    let names = allNames
    let folded = name.lowercased()
    if let same = names.first(where: { $0.lowercased() == folded }) {
      return "; names are case-sensitive, and there is '\(same)'"
    }
    if names.contains(where: { $0.canonicalForm == name.canonicalForm }) {
      return
        "; names are compared by bytes, and there is one with the same characters in another "
        + "form of Unicode"
    }
    let inNamespaces = names.filter { ownName($0) == ownName(name) }
    if !inNamespaces.isEmpty {
      return "; names include their namespaces, and there is \(list(inNamespaces))"
    }
    // A request without a kind means an icon if the name contains "icon".
    if kind == .icon || folded.text.contains("icon"), isArchive, self.names(of: .icon).isEmpty {
      return "; the archive holds no icons, which compile leaves out unless --app-icon names them"
    }
    return nil
  }

  private func near(_ name: ByteString, _ kind: AssetKind) -> String {
    let few = nearestFew(to: name, in: names(of: kind), atMost: 3)
    let found = few.isEmpty ? nearestFew(to: name, in: allNames, atMost: 3) : few
    return found.isEmpty ? "" : "; did you mean \(list(found))?"
  }

  /// Returns a list such as `'A', 'B' or 'C'`, of at most three names.
  private func list(_ names: [ByteString]) -> String {
    // Assets of several kinds can have one name.
    var distinct: [ByteString] = []
    for name in names where !distinct.contains(name) { distinct.append(name) }
    let shown = distinct.prefix(3).map { "'\($0)'" }
    return listed(shown, joinedBy: "or")
  }

  /// Returns the part of a name after its last slash.
  private func ownName(_ name: ByteString) -> ByteString {
    name.components.last ?? ""
  }
}

extension AssetKind {
  /// The kind in a sentence. The word of an option is `name`.
  fileprivate var noun: String { self == .color ? "colour" : name }
}
