// `carve symbols`: constants for the ids by which the run time finds assets, in Swift and in C.

import AssetSymbols
import CatalogModel
import CommandLineKit
import Documents
import Host

struct SymbolsArguments: Sendable, DiagnosticReporting {
  var catalogs: [String] = []
  var swift: String?
  var header: String?
  var prefix: String?
  var isPublic = false
  var diagnostics = DiagnosticArguments()
}

let symbolsCommand = Command(
  "symbols", summary: "Write constants for the ids of assets, in Swift and C",
  discussion: """
    The ids are those of CarveRuntime: they follow from an asset's name and kind alone, so that the \
    source holds for every archive with the name, before and after thinning, and no name is looked up at run \
    time. In Swift they are AssetID.Image.star, AssetID.Color.accent and so on, with a namespace for each \
    group that provides one; in C they are macros such as ASSET_IMAGE_STAR.

    Names become identifiers by the rules of Xcode's own symbols. Of two assets that want one identifier \
    the first by name has it, and the other is named in a warning. Xcode's symbols are written by \
    'carve actool'.
    """,
  defaults: SymbolsArguments(),
  operands: [.many(.catalog, \.catalogs, help: "the catalogues")],
  options: [
    .path("swift", "FILE", extensions: ["swift"], \.swift, help: "the Swift source to write"),
    .path("c", "HEADER", extensions: ["h"], \.header, help: "the header of C to write"),
    .text("prefix", "WORD", \.prefix, help: "what the macros of C begin with (ASSET)"),
    .flag("public", \.isPublic, help: "let other modules use the constants of Swift"),
  ] + Option<SymbolsArguments>.diagnosticOptions + Option<SymbolsArguments>.foldingOptions,
  examples: [
    Example(
      "carve symbols Assets.xcassets --swift Assets.swift --c assets.h",
      "write constants for both languages")
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runSymbols(arguments, terminal)
}

private func runSymbols(
  _ arguments: SymbolsArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  guard arguments.swift != nil || arguments.header != nil else {
    throw .usage("say what to write with --swift FILE or --c HEADER")
  }
  let prefix = arguments.prefix ?? "ASSET"
  guard isIdentifier(prefix) else {
    throw .usage("'\(prefix)' cannot begin the name of a macro")
  }
  let policy = try arguments.diagnostics.policy()
  try checkCatalogs(arguments.catalogs)
  let contents = readCatalogs(arguments.catalogs, in: .disk)
  let assets = SymbolAssets(contents)
  let swift = assets.swiftIDs(isPublic: arguments.isPublic)
  let header = assets.headerIDs(prefix: prefix)
  var found = contents.diagnostics.filter { $0.severity == .error }
  if arguments.swift != nil { found += swift.clashes.map(\.diagnostic) }
  if arguments.header != nil { found += header.clashes.map(\.diagnostic) }
  found = inPrintingOrder(policy.applied(to: found))
  arguments.diagnostics.print(found, terminal)
  if found.contains(where: { $0.severity == .error }) { return .inputErrors }
  do throws(OutputError) {
    let outputs = OutputSet()
    if let path = arguments.swift { try outputs.write(Array(swift.text.utf8), to: path) }
    if let path = arguments.header { try outputs.write(Array(header.text.utf8), to: path) }
    try outputs.commit()
  } catch {
    throw .inputOutput(error.description)
  }
  return .fine
}

private func isIdentifier(_ word: String) -> Bool {
  word.utf8.allSatisfy { $0 == 95 || 48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 }
    && !(word.utf8.first.map { 48...57 ~= $0 } ?? true)
}

extension SymbolClash {
  fileprivate var diagnostic: Diagnostic {
    Diagnostic(
      .symbolClash,
      "\(quoted(asset.name)) gets no constant: \(symbol) is that of an asset before it",
      file: asset.folder)
  }
}
