// `--budget`: what it is read from, and what is said of limits that hold nothing back.

import Archive
import ArchiveTools
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Traits

/// A size, or the file of that name.
func readBudget(_ text: String?) throws(CommandFailure) -> Budget? {
  guard let text else { return nil }
  if let bytes = Budget.bytes(of: text) { return Budget(total: bytes) }
  guard let file = try? FileTree.disk.read(text, 1 << 26) else {
    throw .usage("\(BudgetError.notASize(text))")
  }
  do throws(BudgetError) {
    return try Budget(json: file)
  } catch {
    throw .input("\(text): \(error)")
  }
}

extension ThinRun {
  /// A limit on a name that is not there is one on nothing: it is misspelt, or left from what was
  /// deleted. Names of an earlier report are none: what was deleted grew no more.
  func warnOfIdleLimits(_ facets: FacetTable) {
    guard let budget else { return }
    var idle: [String] = []
    for model in budget.devices.keys.sorted() {
      do throws(CommandFailure) { _ = try knownDevice(model) } catch { idle.append(error.message) }
    }
    let names = facets.names
    // Reports list them as if they were an asset.
    let known = Set(names + ["(atlases)", "(unnamed)"])
    for name in budget.assets.keys.sorted() where !known.contains(name) {
      idle.append("there is no asset '\(name)'\(suggestion(for: name, in: names))")
    }
    for group in budget.groups.keys.sorted() {
      let prefix = group.hasSuffix("/") ? group : group + "/"
      if names.contains(where: { $0.hasPrefix(prefix) }) { continue }
      let near = suggestion(for: String(prefix.dropLast()), in: shortGroups(in: names))
      idle.append("no name of an asset begins with '\(prefix)'\(near)")
    }
    let file = onOneLine(arguments.budget ?? "")
    for reason in idle {
      terminal.diagnose(
        "\(file): \(terminal.tinted("warning:", .yellow)) \(onOneLine(reason))")
    }
  }
}

/// The beginnings of names up to a slash that could be meant, sorted.
private func shortGroups(in names: [String]) -> [String] {
  var groups: Set<String> = []
  for name in names {
    let start = name.utf8.prefix(64)
    for place in start.indices where start[place] == UInt8(ascii: "/") {
      if let group = String(start[..<place]) { groups.insert(group) }
    }
  }
  return groups.sorted()
}
