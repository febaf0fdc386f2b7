// `carve symbols`: constants for the ids by which the run time finds assets, in Swift and in C.

import AssetSymbols
import Builds
import Bytes
import CatalogModel
import CommandLineKit
import Host

struct SymbolsArguments: Sendable, DiagnosticReporting, SymbolWriting {
  var catalogs: [ByteString] = []
  var symbols = ConstantFiles()
  var diagnostics = DiagnosticArguments()
}

let symbolsCommand = Command(
  "symbols", summary: "Write constants for the ids of assets, in Swift and C",
  discussion: """
    The ids are those of CarveRuntime: they follow from an asset's name and kind alone, so that \
    the source is valid for every archive with the name, before and after thinning, and no name is \
    looked up at run time. In Swift they are AssetID.Image.star, AssetID.Color.accent and so on, \
    with a namespace for each group that provides one; in C they are macros such as \
    ASSET_IMAGE_STAR.

    With --type they are Assets.star, Assets.Color.accent and so on, and with --bundle \
    Assets.view(for: window) opens the archive among the program's resources.

    Names become identifiers by the rules of Xcode's own symbols; keywords are escaped. If two \
    assets would have the same identifier, the first by name gets it, the other gets it with a \
    number, and a warning reports this. 'carve actool' writes Xcode's symbols.
    """,
  defaults: SymbolsArguments(),
  operands: [.many(.catalog, \.catalogs, help: "the catalogues")],
  options: Option<SymbolsArguments>.symbolOptions + Option<SymbolsArguments>.diagnosticOptions
    + Option<SymbolsArguments>.foldingOptions,
  examples: [
    Example(
      "carve symbols Assets.xcassets --swift Assets.swift --c assets.h",
      "write constants for both languages")
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runSymbols(arguments, terminal)
}

private func runSymbols(
  _ given: SymbolsArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  var arguments = given
  try arguments.findSettings(of: given.catalogs, terminal)
  guard arguments.symbols.areRequested else {
    throw .usage("give --swift FILE or --c HEADER")
  }
  try arguments.symbols.check()
  try checkPlaces(
    arguments.symbols.named, reading: NamedFile.operands(arguments.catalogs))
  let policy = try arguments.diagnostics.policy()
  try checkCatalogs(arguments.catalogs)
  let witness = WitnessedTree(.disk)
  let contents = readCatalogs(arguments.catalogs, in: witness.tree)
  var found = contents.diagnostics.filter { $0.severity == .error }
  let outputs = OutputSet()
  found += try writing { () throws(OutputError) in
    try arguments.symbols.write(
      SymbolAssets(contents), archive: archiveName(for: arguments.catalogs), to: outputs)
  }
  found = inPrintingOrder(policy.applied(to: found))
  if found.contains(where: { $0.severity == .error }) {
    arguments.diagnostics.printRefusal(found, terminal)
    return .inputErrors
  }
  arguments.diagnostics.print(found, terminal)
  if let trouble = witness.trouble { throw CommandFailure(trouble) }
  try writing { () throws(OutputError) in try outputs.commit() }
  return .fine
}

/// Returns the name of the archive of catalogues: that of the first catalogue.
private func archiveName(for catalogs: [ByteString]) -> ByteString {
  let name = (catalogs.first ?? "").components.last ?? "Assets"
  return name.before(".") + ".car"
}
