// `carve resolve`: prints the variant that wins.

import Archive
import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Traits

/// The arguments of `resolve` and `explain`.
struct ResolveArguments: Sendable, Requesting, CatalogCompiling {
  var source: ByteString = ""
  var name: ByteString?
  var kind: String?
  var batch: ByteString?
  var printsJSON = false
  var request = RequestArguments()
  var weight: SymbolWeight?
  var symbolSize: SymbolSize?
  var compiling = CatalogArguments()
  var diagnostics = DiagnosticArguments(minimum: usualSeverity)

  /// Other findings are left to lint and compile.
  static let usualSeverity = Severity.error

  /// The requested drawing of symbols; nil for the drawing that represents them.
  var glyph: Glyph? {
    weight == nil && symbolSize == nil ? nil : Glyph(weight ?? .regular, symbolSize ?? .medium)
  }
}

let resolveCommand = Command(
  "resolve", summary: "Say which variant of an asset a window shows",
  discussion: """
    The window is that of a device, or one that asks for given traits; without either, one that asks \
    for nothing in particular. Catalogue folders and archives give the same answers.
    """,
  defaults: ResolveArguments(),
  operands: resolveOperands,
  options: resolveOptions(json: "print the answer as JSON"),
  examples: [
    Example("carve resolve Assets.car Star --device iPhone15,2", "what this phone shows"),
    Example(
      "carve resolve Assets.xcassets Star --traits scale=2,style=dark --json",
      "what such a window shows, for a script"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try resolve(arguments, terminal)
}

let resolveOperands: [Operand<ResolveArguments>] = [
  .one(
    .path("ARCHIVE-or-CATALOG", extensions: ["car", "xcassets"]), \.source,
    help: "the archive or the catalogue folder"),
  .optional(
    .listedForLine("NAME", by: WordList.assets.words, extensions: ["car", "xcassets"]), \.name,
    help: "the asset, with its namespaces: Group/Star"),
]

func resolveOptions(json: String) -> [Option<ResolveArguments>] {
  [
    .choice(
      "kind", "KIND", of: AssetKind.names, \.kind, help: "what to look for under the name; image"),
    .named(
      "weight", "WEIGHT", \.weight,
      help: "of a symbol the drawing of this weight, regular if not said"),
    .named(
      "symbol-size", "SIZE", \.symbolSize,
      help: "of a symbol the drawing of this size, medium if not said"),
    .batch(\.batch),
    .flag("json", \.printsJSON, help: json),
  ] + Option<ResolveArguments>.requestOptions + Option<ResolveArguments>.catalogOptions
}

/// Reads an archive or a catalogue folder, and prints the findings about the folder.
func candidateSource(
  _ arguments: ResolveArguments, _ terminal: Terminal
) throws(CommandFailure) -> CandidateSource {
  let path = arguments.source
  guard isFolder(path) else {
    let source = try CandidateSource(archive: path, arguments.glyph)
    try warnOfOtherPlatform(path, arguments.request.devices, terminal)
    return source
  }
  let source = try CandidateSource(
    catalog: path, arguments.compiling, arguments.glyph, in: .disk)
  let findings = try arguments.diagnostics.policy().applied(to: source.diagnostics)
  arguments.diagnostics.print(findings, terminal)
  let isGated = arguments.diagnostics.warningsAreErrors || !arguments.diagnostics.errorCodes.isEmpty
  if isGated, findings.contains(where: { $0.severity == .error }) {
    throw .input("\(path): nothing is answered, as --werror asks")
  }
  return source
}

/// Warns if a device never reads such an archive: it then shows none of its assets, regardless of
/// the rule.
private func warnOfOtherPlatform(
  _ path: ByteString, _ models: [String], _ terminal: Terminal
) throws(CommandFailure) {
  if models.isEmpty { return }
  let file = try openFile(path)
  guard let platform = (try? Archive(file.bytes).metadata())?.platform, !platform.isEmpty else {
    return
  }
  for model in models.flatMap(DeviceArguments.models) {
    try knownDevice(model).warn(ofArchiveFor: platform, terminal)
  }
}

extension Device {
  /// Warns if the device reads archives of another platform.
  func warn(ofArchiveFor platform: String, _ terminal: Terminal) {
    if self.platform.archiveName == platform { return }
    terminal.diagnose(
      "\(terminal.tinted("warning:", .yellow)) \(identifier) reads archives of "
        + "\(self.platform.rawValue), and this one is for '\(onOneLine(platform))'")
  }
}

/// Returns the requested kind. Without one, it is image if there is an image of this name,
/// otherwise the kind of another asset of this name.
func assetKind(
  _ asked: String?, of name: ByteString, for questions: [Question], in source: CandidateSource
) -> AssetKind {
  if let asked, let kind = AssetKind(named: asked) { return kind }
  return questions.lazy.compactMap { source.table(for: $0).kinds(of: name).first }.first ?? .image
}

private func resolve(
  _ arguments: ResolveArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if let batch = arguments.batch {
    guard arguments.name == nil, arguments.kind == nil else { throw .besideBatch }
    return try answerBatch(batch, arguments, terminal) { $0.members }
  }
  guard let name = arguments.name else {
    throw .usage("resolve needs a NAME after the archive or catalogue, or --batch FILE")
  }
  let source = try candidateSource(arguments, terminal)
  let questions = try arguments.request.questions(source)
  let kind = assetKind(arguments.kind, of: name, for: questions, in: source)
  if arguments.request.isTable {
    let rows = windowRows(questions, name, kind, source)
    terminal.write(arguments.printsJSON ? windowLines(rows) : windowTable(rows))
    return rows.contains(where: \.showsSomething) ? .fine : .inputErrors
  }
  var isFound = false
  for question in questions {
    let table = source.table(for: question)
    let resolution: Resolution
    do throws(Undecided) {
      resolution = try question.resolution(of: name, kind, table.asset(name, kind))
    } catch {
      throw .usage(error.message)
    }
    if resolution.winner != nil { isFound = true }
    if arguments.printsJSON {
      let answer = JSONOutput.object(resolution.members)
      terminal.print(questions.count == 1 ? answer.text : answer.line)
    } else {
      terminal.print(resolution.sentence(table))
    }
  }
  return isFound ? .fine : .inputErrors
}

extension Resolution {
  /// Returns one line that begins with the file.
  func sentence(_ table: CandidateTable) -> String {
    guard let winner else {
      guard let asset else { return table.absence(of: name, kind) }
      if kind == .symbol, asset.candidates.isEmpty {
        return "'\(name)' has no drawing of this weight and size; programs make it of others"
      }
      return "nothing: \(reason) removes the last variant"
    }
    let mirrored = isMirrored ? ", mirrored" : ""
    let key = winner.key.summary(language: winner.language)
    if winner.isNothing { return "nothing, on purpose (\(key))" }
    return winner.file.map { "\($0) (\(key)\(mirrored))" } ?? "\(key)\(mirrored)"
  }
}
