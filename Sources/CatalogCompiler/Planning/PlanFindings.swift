// What compiling would say of catalogues and leave out, for those who only check them.

import Bytes
import CatalogModel
import Host

/// The findings of the plan for a target, or for several that may be meant: then those that hold wherever
/// something of the asset is compiled. What reading and looking into pictures finds is not among them. For
/// one target it may be said that nothing is compiled at all.
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

/// What is said where, whatever the words.
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

/// What becomes of the catalogues for one target.
private struct Outcome {
  var diagnostics: [Diagnostic]
  var findings: Set<Finding>
  /// The folders of the assets of which something is compiled.
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
