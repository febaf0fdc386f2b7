// Why there is no asset of a name: another kind has it, an icon was left out, the capitals or the
// namespace are others, or which names are near.

import Bytes
import CatalogModel
import Documents
import Traits

extension CandidateTable {
  /// What is said of a name that is not there, with the way out where there is one.
  func absence(of name: ByteString, _ kind: AssetKind) -> String {
    "there is no \(kind.name) '\(name)'" + (reason(for: name, kind) ?? near(name, kind))
  }

  private func reason(for name: ByteString, _ kind: AssetKind) -> String? {
    if let other = kinds(of: name).first {
      return "; it is there as \(other.name) (--kind \(other.name))"
    }
    if leftOutIcons.contains(name) {
      return "; the icon is left out, and --app-icon \(name) compiles it"
    }
    let names = allNames
    let folded = name.lowercased()
    if let same = names.first(where: { $0.lowercased() == folded }) {
      return "; capitals matter, and there is '\(same)'"
    }
    if names.contains(where: { $0.canonicalForm == name.canonicalForm }) {
      return "; bytes matter, and there is one of these characters in another form of Unicode"
    }
    let inNamespaces = names.filter { ownName($0) == ownName(name) }
    if !inNamespaces.isEmpty {
      return "; names hold their namespaces, and there is \(list(inNamespaces))"
    }
    // Who asks for no kind means an icon where the name says so.
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

  /// `'A', 'B' or 'C'`, of three at most
  private func list(_ names: [ByteString]) -> String {
    let shown = names.prefix(3).map { "'\($0)'" }
    guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
    return shown.dropLast().joined(separator: ", ") + " or " + last
  }

  /// What follows the last slash.
  private func ownName(_ name: ByteString) -> ByteString {
    name.components.last ?? ""
  }
}
