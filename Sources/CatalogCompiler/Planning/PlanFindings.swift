// The diagnostics that compiling catalogues would give, for commands that only check them.

import Bytes
import CatalogModel
import Host

/// Returns the diagnostics of the plan for one target, or for several possible ones. For several
/// targets, returns only the diagnostics that hold for every target that compiles something of the
/// asset. Diagnostics of the reader, and those that need the contents of pictures, are not
/// included. For one target, and if `saysWhereEmpty` is true, also reports if nothing is compiled.
package func planFindings(
  of contents: CatalogContents, for targets: [CompileTarget], icons: IconSelection,
  in tree: FileTree, saysWhereEmpty: Bool = false
) -> [Diagnostic] {
  let catalogs = contents.catalogs.map(\.path)
  let outcomes = targets.map { target in
    var plan = Plan(of: contents.assets, for: target, icons: icons)
    plan.checkIcons(icons, among: contents.assets, catalogs: catalogs)
    return Outcome(plan)
  }
  var seen: Set<Finding> = []
  var found: [Diagnostic] = []
  for diagnostic in outcomes.flatMap(\.diagnostics) {
    let finding = Finding(diagnostic)
    guard seen.insert(finding).inserted else { continue }
    let folder = folder(of: diagnostic.file)
    let isTrue = outcomes.allSatisfy {
      $0.findings.contains(finding) || !$0.folders.contains(folder)
    }
    if isTrue { found.append(diagnostic) }
  }
  if saysWhereEmpty, targets.count == 1, let outcome = outcomes.first, outcome.isEmpty,
    !contents.diagnostics.contains(where: { $0.severity == .error })
  {
    found.append(emptyArchive(of: contents, targets[0].platform, outcome.diagnostics))
  }
  return located(found, in: tree)
}

/// A diagnostic without its text: two targets can describe the same finding differently.
private struct Finding: Hashable {
  var code: DiagnosticCode
  var file: ByteString
  var pointer: ByteString?

  init(_ diagnostic: Diagnostic) {
    code = diagnostic.code
    file = diagnostic.file
    pointer = diagnostic.pointer
  }
}

/// The result of planning for one target.
private struct Outcome {
  var diagnostics: [Diagnostic]
  var findings: Set<Finding>
  /// The folders of the assets that have renditions.
  var folders: Set<ByteString>
  var isEmpty: Bool

  init(_ plan: Plan) {
    diagnostics = plan.diagnostics
    findings = Set(plan.diagnostics.map(Finding.init))
    folders = Set(plan.renditions.map { folder(of: $0.file) })
    isEmpty = plan.renditions.isEmpty
  }
}

private func folder(of file: ByteString) -> ByteString {
  file.hasSuffix(".json") ? parentFolder(file) : file
}
