// The explanation of one call of actool: the effect of each option, the outcome of each kind of
// asset, and a verdict. The outcome comes from a trial: a whole run of the build step that puts no
// output in its place.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host

/// An option of Apple's actool, as the explanation needs it.
package struct BuildOption: Sendable {
  package enum Effect: Sendable, Hashable {
    /// The option has the effect that it has in Apple's tool.
    case same
    /// The option has Apple's effect with a difference, which the text names.
    case differs(String)
    /// The report differs in the way that the text names; the outputs are the same.
    case reports(String)
    /// The option is accepted and changes nothing; the text gives the reason. In Apple's tool it
    /// changes output files with the ending, if there is one.
    case ignored(String, changesFiles: ByteString? = nil)
    /// The option exists only in Carve.
    case own
  }

  package var name: String
  package var takesValue: Bool
  package var effect: Effect

  package init(name: String, takesValue: Bool, effect: Effect) {
    self.name = name
    self.takesValue = takesValue
    self.effect = effect
  }
}

/// The outcome of a run that puts no output in its place.
package struct BuildTrial: Sendable {
  /// The reasons for which the call is refused or fails.
  package var errors: [String] = []
  /// The warnings about the run as a whole.
  package var warnings: [String] = []
  /// All findings of the run, also those that a build does not report.
  var findings: [Diagnostic] = []
  /// The findings that a build reports.
  var reported: [Diagnostic] = []
  var outputs: [ByteString] = []
  /// The types of the sets, with the number of all sets and of those of which nothing is stored.
  var kinds: [KindOutcome] = []

  /// The outcome of a command line that is not understood.
  package init(refusal: String) { errors = [refusal] }

  /// Runs the build step for a request.
  package init(_ request: BuildRequest, in tree: FileTree, policy: DiagnosticPolicy) {
    // The step asks for the severities of all findings so far, again and again.
    final class Seen { var findings: Set<Diagnostic> = [] }
    let seen = Seen()
    let step = BuildStep(request, in: tree, version: "", isTrial: true) { found in
      seen.findings.formUnion(found)
      return policy.applied(to: found)
    }
    let result = step.run()
    findings = inPrintingOrder(Array(seen.findings))
    reported = result.report.findings.filter { $0.severity != .note }
    outputs = result.report.outputFiles ?? []
    for message in result.report.messages where message.severity != .note {
      let joint = message.description.hasSuffix(".") ? " " : ": "
      let reason = message.failureReason.map { joint + $0 } ?? ""
      let text = onOneLine(message.description + reason)
      if message.severity == .error { errors.append(text) } else { warnings.append(text) }
    }
    errors += reported.filter { $0.severity == .error }.map(\.oneLine)
    if errors.isEmpty, request.folder != nil, request.symbols.isEmpty {
      kinds = outcomes(of: request, stored: result.stored, in: step.tree)
    }
  }

  private func outcomes(
    of request: BuildRequest, stored: Set<ByteString>, in tree: FileTree
  ) -> [KindOutcome] {
    let assets = readCatalogs(request.documents, in: tree).assets
    let folders = Set(assets.map(\.folder))
    /// Calls `body` with the folder of each asset that contains a file.
    func eachAsset(of file: ByteString, _ body: (ByteString) -> Void) {
      var place = file
      while true {
        if folders.contains(place) { body(place) }
        let parent = parentFolder(place)
        if parent.count >= place.count { return }
        place = parent
      }
    }
    var stores: Set<ByteString> = []
    for file in stored { eachAsset(of: file) { stores.insert($0) } }
    var codes: [ByteString: Set<DiagnosticCode>] = [:]
    for finding in findings {
      eachAsset(of: finding.file) { codes[$0, default: []].insert(finding.code) }
    }
    var kinds: [SetType: KindOutcome] = [:]
    for asset in assets {
      var kind = kinds[asset.type] ?? KindOutcome(type: asset.type)
      kind.add(asset, isStored: stores.contains(asset.folder), codes[asset.folder] ?? [])
      kinds[asset.type] = kind
    }
    return kinds.values.sorted { $0.type.rawValue < $1.type.rawValue }
  }
}

/// The outcome for one type of set.
struct KindOutcome: Sendable, Hashable {
  let type: SetType
  var count = 0
  /// The number of sets of which nothing is stored.
  var leftOut = 0
  /// The codes of the findings about sets of which nothing is stored.
  var reasons: Set<String> = []
  /// The differences from Apple's output.
  var differences: Set<String> = []

  init(type: SetType) { self.type = type }

  mutating func add(_ asset: AssetSet, isStored: Bool, _ codes: Set<DiagnosticCode>) {
    count += 1
    var codes = codes
    // For phones, launch images are files beside the archive, which this step writes.
    if asset.type == .launchImage { codes.remove(.settingNotApplied) }
    if !isStored {
      leftOut += 1
      reasons.formUnion(codes.map(\.rawValue))
    }
    differences.formUnion(codes.filter(\.meansDifference).map(\.rawValue))
    if isStored, asset.hasVectors {
      differences.insert("bitmaps of vectors are drawn by Carve")
    }
  }

  /// The differences in words; nil if the output is the same. Sets that Apple's tool also leaves
  /// out, such as empty ones and icons that are not named, are no difference.
  var difference: String? {
    differences.isEmpty ? nil : differences.sorted().joined(separator: ", ")
  }

  var text: String {
    var parts: [String] = []
    if leftOut > 0 {
      let why = reasons.isEmpty ? "" : " (\(reasons.sorted().joined(separator: ", ")))"
      parts.append(leftOut == count ? "left out\(why)" : "\(leftOut) left out\(why)")
    }
    if leftOut < count {
      parts.insert(difference.map { "with a difference: \($0)" } ?? "as Apple's tool", at: 0)
    }
    return parts.joined(separator: "; ")
  }
}

extension DiagnosticCode {
  /// Whether the finding names a difference from the output of Apple's tool.
  fileprivate var meansDifference: Bool {
    switch self {
    case .unsupportedSet, .unsupportedImage, .unsupportedFormat, .unsupportedAppearance,
      .settingNotApplied, .vectorFeature, .unprovenForm, .refusedByApple, .iconDrawnPlainly,
      .iconGlassApproximated, .unknownSystemColor:
      true
    default: false
    }
  }
}

extension AssetSet {
  fileprivate var hasVectors: Bool {
    if case .images(let set) = contents {
      return set.entries.contains { $0.file?.isVector ?? false }
    }
    return false
  }
}

extension Diagnostic {
  /// The place, the message and the code.
  fileprivate var oneLine: String {
    let place = [file.text, line.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
    return onOneLine("\(place): \(message) [\(code.rawValue)]")
  }
}

// MARK: - The explanation

package struct BuildExplanation: Sendable {
  package enum Outcome: Sendable, Hashable {
    case same
    /// The points in which the output will differ.
    case differs([String])
    /// The reasons for which there will be no output.
    case refused([String])

    package var word: String {
      switch self {
      case .same: "same"
      case .differs: "differs"
      case .refused: "refused"
      }
    }
  }

  private let call: ActoolCall
  /// Whether the folder of the call exists. If it does not, paths start at the current folder.
  private let isFolderHere: Bool
  private let parts: [ActoolPart]
  private let trial: BuildTrial
  private let options: [BuildOption]

  package init(
    _ call: ActoolCall, isFolderHere: Bool = true, options: [BuildOption], _ trial: BuildTrial
  ) {
    (self.call, self.isFolderHere, self.options) = (call, isFolderHere, options)
    self.trial = trial
    parts = actoolParts(of: call.words, options)
  }

  package var verdict: Outcome {
    if !trial.errors.isEmpty { return .refused(trial.errors) }
    var points: [String] = []
    for part in parts {
      switch part.option?.effect {
      case .differs(let how): points.append("\(part.name): \(how)")
      case .ignored(let why, let ending?) where trial.outputs.contains { $0.hasSuffix(ending) }:
        points.append("\(part.name): \(why)")
      default: continue
      }
    }
    points += trial.kinds.compactMap { kind in
      kind.difference.map { ".\(kind.type.rawValue): \($0)" }
    }
    return points.isEmpty ? .same : .differs(points)
  }

  package var lines: [String] {
    var lines = ["actool " + call.words.map(onOneLine).joined(separator: " ")]
    if let folder = call.folder {
      let rest =
        isFolderHere ? "" : ", which does not exist here, so paths start at the current folder"
      lines.append("  in \(onOneLine(folder))\(rest)")
    }
    lines += alignedColumns(zip(parts, meanings).map { [$0.text, $1] }).map { "  " + $0 }
    if !trial.kinds.isEmpty {
      let rows = trial.kinds.map { ["." + $0.type.rawValue, "\($0.count)", $0.text] }
      lines += ["  assets:"] + alignedColumns(rows, right: [1]).map { "    " + $0 }
    }
    let warnings = trial.warnings + trial.reported.filter { $0.severity == .warning }.map(\.oneLine)
    if !warnings.isEmpty {
      lines.append("  warnings:")
      lines += warnings.prefix(5).map { "    " + $0 }
      if warnings.count > 5 { lines.append("    and \(grouped(warnings.count - 5)) more") }
    }
    switch verdict {
    case .same: lines.append("  the output will be the same as that of Apple's tool")
    case .differs(let points):
      lines.append("  the output will differ in \(counted(points.count, "point")):")
      lines += points.map { "    " + $0 }
    case .refused(let reasons):
      lines.append("  cannot be built:")
      lines += reasons.map { "    " + $0 }
    }
    return lines
  }

  /// The meanings of the parts. Proposals for unknown options are made only for the first ones,
  /// because each is compared with all options.
  private var meanings: [String] {
    var proposalsLeft = 20
    return parts.map { meaning(of: $0, &proposalsLeft) }
  }

  private func meaning(of part: ActoolPart, _ proposalsLeft: inout Int) -> String {
    switch part.option?.effect {
    case .same: return "as Apple's tool"
    case .differs(let how): return "with a difference: \(how)"
    case .reports(let how): return "with a difference in the report: \(how)"
    case .ignored(let why, _): return "accepted, without effect: \(why)"
    case .own: return "Carve does it; Apple's tool does not"
    case nil:
      proposalsLeft -= 1
      let near =
        proposalsLeft < 0
        ? ""
        : suggestion(
          for: String(part.name.dropFirst(2)), in: options.map(\.name), prefix: "--")
      return "refused: no such option\(near)"
    }
  }

  package var json: JSONOutput {
    let members = zip(parts, meanings).map { part, meaning in
      JSONOutput.object([
        .init("name", .string(part.name)), .init("value", part.value.map { .string($0) } ?? .null),
        .init("effect", .string(part.option.map(\.effect.word) ?? "refused")),
        .init("meaning", .string(meaning)),
      ])
    }
    let kinds = trial.kinds.map { kind in
      JSONOutput.object([
        .init("type", .string(kind.type.rawValue)), .init("count", .integer(kind.count)),
        .init("leftOut", .integer(kind.leftOut)),
        .init("reasons", .array(kind.reasons.sorted().map { .string($0) })),
        .init("differences", .array(kind.differences.sorted().map { .string($0) })),
      ])
    }
    let points: [String] =
      switch verdict {
      case .same: []
      case .differs(let points), .refused(let points): points
      }
    let warnings = trial.warnings + trial.reported.filter { $0.severity == .warning }.map(\.oneLine)
    return .object([
      .init("words", .array(call.words.map { .string($0) })),
      .init("folder", call.folder.map { .name($0) } ?? .null),
      .init("verdict", .string(verdict.word)),
      .init("points", .array(points.map { .string($0) })),
      .init("options", .array(members)), .init("assets", .array(kinds)),
      .init("warnings", .array(warnings.map { .string($0) })),
    ])
  }
}

extension BuildOption.Effect {
  fileprivate var word: String {
    switch self {
    case .same: "same"
    case .differs: "differs"
    case .reports: "reports"
    case .ignored: "ignored"
    case .own: "own"
    }
  }
}

/// An option of a command line with its value.
private struct ActoolPart: Sendable {
  var name: String
  var value: String?
  /// The row of the table; nil if the table does not have the option, which is then refused.
  var option: BuildOption?

  var text: String { onOneLine(name + (value.map { " " + $0 } ?? "")) }
}

/// Returns the options of a command line, with those that the table does not have.
private func actoolParts(of words: [String], _ options: [BuildOption]) -> [ActoolPart] {
  var parts: [ActoolPart] = []
  var rest = words[...]
  while let word = rest.popFirst() {
    if word == "--" { break }
    guard word.hasPrefix("--") else { continue }
    let name = String(word.prefix { $0 != "=" })
    var part = ActoolPart(name: name, option: options.first { "--" + $0.name == name })
    if word.count > name.count {
      part.value = String(word.dropFirst(name.count + 1))
    } else if let option = part.option, option.takesValue {
      part.value = rest.popFirst()
    }
    parts.append(part)
  }
  return parts
}
