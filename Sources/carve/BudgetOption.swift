// `--budget`: reads it, and warns of limits that limit nothing.

import Archive
import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Traits

/// Returns the budget of an option's text, which is a size or the name of a file.
func readBudget(_ text: String?) throws(CommandFailure) -> SizeBudget? {
  guard let text else { return nil }
  if let bytes = SizeBudget.bytes(of: text) { return SizeBudget(total: bytes) }
  guard let file = try? FileTree.disk.read(ByteString(text), 1 << 26) else {
    throw .usage("\(BudgetError.notASize(text))")
  }
  do throws(BudgetError) {
    return try SizeBudget(json: file)
  } catch {
    throw .input("\(text): \(error)")
  }
}

extension ThinRun {
  /// Warns of limits for names that do not exist: the name is misspelt, or the asset was deleted.
  /// Names of an earlier report count as existing: a deleted asset has not grown. Returns the names
  /// of assets by the folders of the catalogue, which groups may name too.
  func warnOfIdleLimits(
    _ facets: FacetTable
  ) throws(CommandFailure) -> [ByteString: Set<ByteString>] {
    guard let budget else { return [:] }
    var idle: [String] = []
    for model in budget.devices.keys.sorted() {
      do throws(CommandFailure) { _ = try knownDevice(model.text) } catch {
        idle.append(error.message)
      }
    }
    let names = facets.names
    // Reports list these two as if they were assets.
    let known = Set(names + ["(atlases)", "(unnamed)"])
    for name in budget.assets.keys.sorted() where !known.contains(name) {
      idle.append("there is no asset '\(name)'\(suggestion(for: name, in: names))")
    }
    let folders = budget.groups.isEmpty ? [:] : folders()
    for group in budget.groups.keys.sorted() {
      let prefix = group.endsWithSlash ? group : group + "/"
      let word = prefix.dropLast()
      if folders[word] != nil || names.contains(where: { $0.hasPrefix(prefix) }) { continue }
      let groups = Set(shortGroups(in: names) + folders.keys).sorted()
      idle.append(
        "no namespace and no folder is called '\(word)'\(groupChoice(for: word, among: groups))")
    }
    let file = onOneLine(arguments.budget ?? "")
    for reason in idle {
      terminal.diagnose(
        "\(file): \(terminal.tinted("warning:", .yellow)) \(onOneLine(reason))")
    }
    return folders
  }

  /// Returns the names of the assets in each folder of a catalogue, whether the folder gives them a
  /// namespace or not.
  private func folders() -> [ByteString: Set<ByteString>] {
    guard isFolder(arguments.input) else { return [:] }
    var folders: [ByteString: Set<ByteString>] = [:]
    let contents = readCatalogs([arguments.input], in: .disk)
    for asset in contents.assets {
      guard
        let inside = contents.catalogs.lazy.compactMap({ asset.folder.relative(to: $0.path) }).first
      else { continue }
      let parts = inside.components.dropLast()
      for count in 0..<parts.count {
        folders[parts[...count].joined(separator: "/"), default: []].insert(asset.name)
      }
    }
    return folders
  }
}

/// Returns the most similar group, or all groups.
private func groupChoice(for word: ByteString, among groups: [ByteString]) -> String {
  if groups.isEmpty { return "; there are none" }
  let near = suggestion(for: word, in: groups)
  if !near.isEmpty { return near }
  let shown = groups.prefix(12).joined(separator: ", ")
  return "; there are \(shown)\(groups.count > 12 ? " and \(groups.count - 12) more" : "")"
}

/// Returns the prefixes of names up to a slash that the user could mean, sorted.
private func shortGroups(in names: [ByteString]) -> [ByteString] {
  var groups: Set<ByteString> = []
  for name in names {
    let start = name.bytes.prefix(64)
    for place in start.indices where start[place] == UInt8(ascii: "/") {
      groups.insert(ByteString(bytes: Array(start[..<place])))
    }
  }
  return groups.sorted()
}
