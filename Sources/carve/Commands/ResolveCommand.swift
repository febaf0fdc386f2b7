// `carve resolve` and `carve explain`: print the variant that wins, and why each other loses.

import Archive
import Bytes
import CarveRuntime
import CatalogModel
import CommandLineKit
import Documents
import Queries
import Traits

/// The arguments of `resolve` and `explain`.
struct ResolveArguments: Sendable, Requesting, CatalogCompiling {
  var source: ByteString = ""
  var name: ByteString?
  var kind: String?
  var batch: ByteString?
  var printsJSON = false
  var request = QueryWords()
  var weight: SymbolWeight?
  var symbolSize: SymbolSize?
  var asksForVector = false
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
  "resolve", summary: "Show which variant of an asset a window shows",
  discussion: """
    The window is that of --device, or has the traits of --traits; without both options, it has no \
    particular traits. Catalogue folders and archives give the same answers.
    """,
  defaults: ResolveArguments(),
  operands: resolveOperands,
  options: [
    .flag(
      "vector", \.asksForVector,
      help: "show the PDF or SVG that is kept for these traits, from which any size is drawn")
  ] + resolveOptions(json: "print the answer as JSON"),
  examples: [
    Example("carve resolve Assets.car Star --device iPhone15,2", "what this phone shows"),
    Example(
      "carve resolve Assets.xcassets Star --traits scale=2,style=dark --json",
      "what such a window shows, for a script"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try answer(arguments, explains: false, terminal)
}

let explainCommand = Command(
  "explain", summary: "Explain why a variant of an asset wins, and why each other variant loses",
  discussion: """
    Each variant has its positions in the fallback chains of the traits that matter, strongest \
    first: 0 is the requested value, '-' a value that must not be shown. The variant whose \
    positions are smallest, compared from the left, wins. For a catalogue, the findings about the \
    asset follow, of every severity.
    """,
  defaults: ResolveArguments(),
  operands: resolveOperands,
  options: resolveOptions(json: "print the explanation as JSON"),
  examples: [
    Example(
      "carve explain Assets.xcassets Star --device iPad5,3 --orientation landscape --window split-1/2",
      "why this iPad shows what it shows in half of its screen"),
    Example(
      "carve explain Assets.xcassets Star --device iPad5,3,iPhone15,2 --windows all",
      "what two devices show in each of their windows"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try answer(arguments, explains: true, terminal)
}

private let resolveOperands: [Operand<ResolveArguments>] = [
  .one(
    .path("ARCHIVE-or-CATALOG", extensions: ["car", "xcassets"]), \.source,
    help: "the archive or the catalogue folder"),
  .optional(
    .listedForLine("NAME", by: WordList.assets.words, extensions: ["car", "xcassets"]), \.name,
    help: "the asset, with its namespaces: Group/Star"),
]

private func resolveOptions(json: String) -> [Option<ResolveArguments>] {
  [
    .choice(
      "kind", "KIND", of: AssetKind.names, \.kind, help: "the kind of the asset, image if not given"
    ),
    .named(
      "weight", "WEIGHT", \.weight,
      help:
        "for a symbol, the weight of the drawing: regular if only --symbol-size is given; without "
        + "both, the drawing that represents the symbol"),
    .named(
      "symbol-size", "SIZE", \.symbolSize,
      help: "for a symbol, the size of the drawing: medium if only --weight is given"),
    .batch(\.batch),
    .flag("json", \.printsJSON, help: json),
  ] + Option<ResolveArguments>.requestOptions + Option<ResolveArguments>.catalogOptions
}

extension CatalogCompiling {
  /// Reads an archive or a catalogue folder, and prints the findings about the folder. Warns about
  /// named devices that never read the archive.
  func candidateSource(
    _ given: ByteString, _ glyph: Glyph? = nil, for models: [String], _ terminal: Terminal
  ) throws(CommandFailure) -> CandidateSource {
    compiling.warnOfTarget(ofArchives: [given], terminal)
    let path = archiveInBundle(given) ?? given
    guard isFolder(path) else {
      let source: CandidateSource
      do throws(CatalogError) {
        source = try CandidateSource(archive: CarveRuntime.Catalog(at: path), glyph)
      } catch {
        throw CommandFailure(error, in: path)
      }
      try warnOfOtherPlatform(path, models, terminal)
      return source
    }
    let options = try compiling.queryOptions()
    let source = try queried { () throws(QueryError) in
      try CandidateSource(catalog: path, options, glyph, in: .disk)
    }
    let findings = try diagnostics.policy().applied(to: source.diagnostics)
    diagnostics.print(findings, terminal)
    let isGated = diagnostics.warningsAreErrors || !diagnostics.errorCodes.isEmpty
    if isGated, findings.contains(where: { $0.severity == .error }) {
      throw .input("\(path): not answered, because of --werror")
    }
    return source
  }
}

extension CandidateSource {
  /// The exit status of a command that has answered: whether the catalogue has errors.
  var status: ExitStatus {
    diagnostics.contains { $0.severity == .error } ? .inputErrors : .fine
  }
}

extension ResolveArguments {
  fileprivate func candidateSource(_ terminal: Terminal) throws(CommandFailure) -> CandidateSource {
    try candidateSource(source, glyph, for: request.devices, terminal)
  }
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
  for model in models.flatMap(deviceModels) {
    let device = try queried { () throws(QueryError) in try knownDevice(model) }
    device.warn(ofArchiveFor: platform, terminal)
  }
}

extension Device {
  /// Warns if the device reads archives of another platform.
  func warn(ofArchiveFor platform: String, _ terminal: Terminal) {
    if self.platform.archiveName == platform { return }
    terminal.diagnose(
      "\(terminal.tinted("warning:", .yellow)) \(identifier) reads archives of "
        + "\(self.platform.rawValue), but this one is for '\(onOneLine(platform))'")
  }
}

private func answer(
  _ given: ResolveArguments, explains: Bool, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  var arguments = given
  try arguments.followSettings(of: [given.source], terminal)
  if let batch = arguments.batch { return try answerBatch(batch, arguments, explains, terminal) }
  guard let name = arguments.name else {
    let command = explains ? "explain" : "resolve"
    throw .usage("\(command) needs a NAME after the archive or catalogue, or --batch FILE")
  }
  terminal.warnOfStandIns(arguments.request.devices)
  let source = try arguments.candidateSource(terminal)
  let queries = try queried { () throws(QueryError) in
    try arguments.request.queries(localeNumber: source.localeNumber)
  }
  let kind = source.kind(named: arguments.kind, of: name, for: queries)
  if arguments.glyph != nil, kind != .symbol {
    throw .usage("--weight and --symbol-size belong to symbols; --kind symbol asks for one")
  }
  let findings = explains ? try arguments.findings(about: name, kind, in: source) : []
  let isFound: Bool
  if arguments.request.isTable {
    if arguments.asksForVector {
      throw .usage("--vector is about one window; leave --windows out")
    }
    let table = AssetInWindows(of: name, kind, for: queries, in: source)
    terminal.write(arguments.printsJSON ? table.lines : table.text)
    isFound = table.showsSomething
  } else {
    isFound = try printAnswers(
      about: name, kind, to: queries, in: source, explains ? findings : nil, arguments, terminal)
  }
  if !arguments.printsJSON { arguments.print(findings, about: name, terminal) }
  return isFound ? source.status : .inputErrors
}

/// Prints the answer to each query, with explanations if there are `findings` to add to them.
/// Returns whether one of them names a variant.
private func printAnswers(
  about name: ByteString, _ kind: AssetKind, to queries: [Query], in source: CandidateSource,
  _ findings: [Diagnostic]?, _ arguments: ResolveArguments, _ terminal: Terminal
) throws(CommandFailure) -> Bool {
  var report = ExplanationReport()
  var isFound = false
  for (place, query) in queries.enumerated() {
    var resolution: Resolution
    do throws(AmbiguousAnswer) {
      resolution = try query.resolution(of: name, kind, in: source.table(for: query))
    } catch {
      throw .usage(error.message)
    }
    resolution.asksForVector = arguments.asksForVector
    if resolution.winner != nil { isFound = true }
    if arguments.printsJSON {
      let members = findings.map { report.members(of: resolution, $0) } ?? resolution.members
      if queries.count == 1 {
        terminal.print(JSONOutput.object(members).text)
      } else {
        let device = query.device.map { JSONOutput.Member("device", .string($0.identifier)) }
        terminal.print(JSONOutput.object([device].compactMap { $0 } + members).line)
      }
    } else if findings != nil {
      if place > 0 { terminal.print("") }
      terminal.write(report.text(of: resolution, to: query))
    } else {
      let name = queries.count == 1 ? nil : query.device?.identifier
      terminal.print((name.map { "\($0): " } ?? "") + resolution.sentence)
      if let remark = resolution.remark(about: query.device) {
        terminal.diagnose("note: \(remark)")
      }
    }
  }
  return isFound
}

extension ResolveArguments {
  /// Returns the findings that may explain an answer, of every severity.
  fileprivate func findings(
    about name: ByteString, _ kind: AssetKind, in source: CandidateSource
  ) throws(CommandFailure) -> [Diagnostic] {
    var policy = try diagnostics.policy()
    policy.minimum = .note
    return policy.applied(to: source.findings(about: name, kind))
  }

  fileprivate func print(
    _ findings: [Diagnostic], about name: ByteString, _ terminal: Terminal
  ) {
    if findings.isEmpty { return }
    terminal.write("\nfindings about '\(name)':\n")
    terminal.write(diagnostics.text(of: findings, terminal, inResults: true))
  }
}

// MARK: - Batches

extension Option {
  fileprivate static func batch(_ field: Field<ByteString?>) -> Option {
    .path(
      "batch", "FILE", extensions: ["json", "jsonl"], field,
      help:
        "answer every line {\"asset\": ..., \"kind\": ..., \"traits\": {...}} of a file or a "
        + "pipe as it arrives, a faulty one with {\"error\": ..., \"line\": ...}; - is standard "
        + "input"
    )
  }
}

/// Prints an answer for every line: for a line that is not a request, the reason.
private func answerBatch(
  _ file: ByteString, _ arguments: ResolveArguments, _ explains: Bool, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  guard arguments.name == nil, arguments.kind == nil, arguments.request.isEmpty,
    !arguments.asksForVector
  else {
    throw .usage(
      "--batch reads names, kinds and traits from the file; do not give them on the command line")
  }
  let source = try arguments.candidateSource(terminal)
  var policy = try arguments.diagnostics.policy()
  policy.minimum = .note
  var report = ExplanationReport()
  var lines = try LineReader(path: file)
  var status = source.status
  // A program that sends its requests line by line waits for each answer.
  while var line = try lines.next(beforeWaiting: terminal.flush) {
    if lines.number == 1, line.starts(with: "\u{FEFF}".utf8) { line = line.dropFirst(3) }
    guard line.contains(where: { ![9, 13, 32].contains($0) }) else { continue }
    var members: [JSONOutput.Member]
    do throws(BatchRequestError) {
      let resolution = try BatchRequest(jsonLine: line).resolution(in: source)
      members = resolution.members
      if explains {
        let about = policy.applied(to: source.findings(about: resolution.name, resolution.kind))
        members = report.members(of: resolution, about)
      }
    } catch {
      status = .inputErrors
      members = [.init("error", .string(error.message)), .init("line", .integer(lines.number))]
      if let column = error.column { members.append(.init("column", .integer(column))) }
      let place = "\(lines.name):\(lines.number)" + (error.column.map { ":\($0)" } ?? "")
      terminal.diagnose(
        "\(place): \(terminal.tinted("error:", .red)) \(onOneLine(error.message))")
    }
    terminal.print(JSONOutput.object(members).line)
  }
  return status
}
