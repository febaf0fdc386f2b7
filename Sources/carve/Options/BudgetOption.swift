// `--budget`: reads it, and warns of limits that limit nothing.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries
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
  /// Warns of limits that limit nothing. Returns the names of assets by the folders of the
  /// catalogue.
  func warnOfIdleLimits(_ facets: FacetTable) -> [ByteString: Set<ByteString>] {
    guard let budget else { return [:] }
    var names = LimitedNames(assets: facets.names)
    if !budget.groups.isEmpty, isFolder(arguments.input) {
      names.folders = readCatalogs([arguments.input], in: .disk).namesByFolder
    }
    let file = onOneLine(arguments.budget ?? "")
    for reason in budget.idleLimits(among: names) {
      terminal.diagnose("\(file): \(terminal.tinted("warning:", .yellow)) \(onOneLine(reason))")
    }
    return names.folders
  }
}
