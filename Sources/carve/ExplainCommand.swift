// `carve explain`: prints every variant of an asset, and why it wins or loses.

import ArchiveTools
import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Traits

let explainCommand = Command(
  "explain", summary: "Say why a variant of an asset wins, and why each other loses",
  discussion: """
    Each variant gets its positions in the fallback chains of the traits that matter here, strongest \
    first: 0 is what was asked for, '-' what may not be shown. The variant whose positions are \
    smallest, compared from the left, wins.
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
  try explain(arguments, terminal)
}

private func explain(
  _ arguments: ResolveArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if let batch = arguments.batch {
    guard arguments.name == nil, arguments.kind == nil else { throw .besideBatch }
    var known: [AssetCandidates: SourceLines] = [:]
    return try answerBatch(batch, arguments, terminal) { resolution in
      let lines = known.lines(of: resolution.asset)
      return resolution.members + [resolution.candidates(lines)]
    }
  }
  guard let name = arguments.name else {
    throw .usage("explain needs a NAME after the archive or catalogue, or --batch FILE")
  }
  let source = try candidateSource(arguments, terminal)
  let questions = try arguments.request.questions(source)
  let kind = assetKind(arguments.kind, of: name, for: questions, in: source)
  if arguments.request.isTable {
    let rows = windowRows(questions, name, kind, source)
    terminal.write(arguments.printsJSON ? windowLines(rows) : windowTable(rows))
    return rows.contains(where: \.showsSomething) ? .fine : .inputErrors
  }
  var known: [AssetCandidates: SourceLines] = [:]
  var isFound = false
  for (place, question) in questions.enumerated() {
    let table = source.table(for: question)
    let asset = table.asset(name, kind)
    let lines = known.lines(of: asset)
    let resolution: Resolution
    do throws(Undecided) {
      resolution = try question.resolution(of: name, kind, asset)
    } catch {
      throw .usage(error.message)
    }
    if resolution.winner != nil { isFound = true }
    if arguments.printsJSON {
      let answer = JSONOutput.object(resolution.members + [resolution.candidates(lines)])
      terminal.print(questions.count == 1 ? answer.text : answer.line)
    } else {
      if place > 0 { terminal.print("") }
      terminal.write(resolution.text(question, lines, table))
    }
  }
  return isFound ? .fine : .inputErrors
}

/// The line numbers of entries; each file is read once.
private struct SourceLines {
  private var lines: [ByteString: [ByteString: Int]] = [:]

  init(_ asset: AssetCandidates?) {
    let files = Set((asset?.candidates ?? []).compactMap(\.contents))
    for file in files {
      let pointers = (asset?.candidates ?? []).filter { $0.contents == file }.compactMap(\.pointer)
      lines[file] = sourceLines(of: pointers, in: file, tree: .disk)
    }
  }

  func line(of candidate: Candidate) -> Int? {
    guard let contents = candidate.contents, let pointer = candidate.pointer else { return nil }
    return lines[contents]?[pointer]
  }

  /// Returns a place such as `Star.imageset/Contents.json:12`.
  func place(of candidate: Candidate) -> String {
    guard let contents = candidate.contents else { return "" }
    return line(of: candidate).map { "\(contents):\($0)" } ?? contents.text
  }
}

extension [AssetCandidates: SourceLines] {
  /// Returns the lines of an asset, which are read on first use.
  fileprivate mutating func lines(of asset: AssetCandidates?) -> SourceLines {
    if let asset, let lines = self[asset] { return lines }
    let lines = SourceLines(asset)
    if let asset { self[asset] = lines }
    return lines
  }
}

// MARK: - Text

extension Resolution {
  fileprivate func text(
    _ question: Question, _ lines: SourceLines, _ table: CandidateTable
  ) -> String {
    var text = "\(name) (\(kind.name)): \(sentence(table))\n"
    text += "asked for: \(question.summary(environment))\n"
    guard let asset, !asset.candidates.isEmpty else { return text }
    let axes = explanation.axes.map(\.name)
    var rows = [["", "VARIANT", "KEY"] + axes + ["VERDICT", "WHERE"]]
    for (ordinal, candidate) in asset.candidates.enumerated() {
      let verdict = explanation.verdicts[ordinal]
      let positions = explanation.positions[ordinal].map { $0.map { "\($0)" } ?? "-" }
      rows.append(
        [
          verdict == .wins ? "*" : "", candidate.file?.text ?? "-",
          candidate.key.summary(language: candidate.language),
        ] + positions + [verdict.text, lines.place(of: candidate)])
    }
    text += aligned(rows)
    if let obstacle = explanation.obstacle {
      text += "nothing is shown: \(obstacle.name) removes the last variant\n"
    }
    return text
  }
}

extension Verdict {
  fileprivate var text: String {
    switch self {
    case .wins: "wins"
    case .excluded(let axis): "may not be shown: \(axis.name)"
    case .outranked(let axis): "loses on \(axis.name)"
    case .repeated: "has the key of the winner, after it"
    }
  }
}

extension Question {
  /// Returns the device and window, and the traits that follow from them.
  fileprivate func summary(_ environment: Environment) -> String {
    var parts: [String] = []
    if let device { parts.append("\(device.identifier) (\(device.name))") }
    if let window {
      parts.append("\(window.orientation.rawValue) \(window.mode.rawValue)")
      if let points = window.points { parts.append("\(sizeText(points)) points") }
    }
    return (parts + environment.traitTexts).joined(separator: ", ")
  }
}

extension Environment {
  /// The traits of the environment, as a request writes them.
  var traitTexts: [String] {
    var texts = ["idiom=\(idiom.name)"]
    if subtype != 0 { texts.append("subtype=\(subtype)") }
    texts += ["scale=\(scale)", "width=\(width.name)", "height=\(height.name)"]
    texts += ["style=\(style.name)", "contrast=\(contrast.name)", "gamut=\(gamut.name)"]
    texts.append("direction=\(direction.name)")
    if memory != .max { texts.append("memory=\(memory)") }
    if graphics != .unlimited { texts.append("graphics=\(graphics.newest.name)") }
    let start = Traits.Platform(of: idiom).start(of: osGeneration)
    if osGeneration != .max { texts.append("os=\(start?.description ?? "before all generations")") }
    if contentSize != .any { texts.append("content-size=\(contentSize.name)") }
    return texts
  }
}

// MARK: - JSON

extension Resolution {
  fileprivate func candidates(_ lines: SourceLines) -> JSONOutput.Member {
    let entries = (asset?.candidates ?? []).enumerated().map { ordinal, candidate in
      let verdict = explanation.verdicts[ordinal]
      var members: [JSONOutput.Member] = [
        .init("variant", candidate.json), .init("wins", .bool(verdict == .wins)),
      ]
      switch verdict {
      case .wins: break
      case .excluded(let axis):
        members += [.init("eligible", false), .init("lostOn", .string(axis.name))]
      case .outranked(let axis):
        members += [.init("eligible", true), .init("lostOn", .string(axis.name))]
      case .repeated: members += [.init("eligible", true), .init("lostOn", "order")]
      }
      let positions = zip(explanation.axes, explanation.positions[ordinal]).map { axis, position in
        JSONOutput.Member(axis.name, position.map { .integer(Int($0)) } ?? .null)
      }
      members.append(.init("rank", .object(positions)))
      if let contents = candidate.contents {
        members.append(.init("source", .name(contents)))
        if let line = lines.line(of: candidate) { members.append(.init("line", .integer(line))) }
      }
      return JSONOutput.object(members)
    }
    return .init("candidates", .array(entries))
  }
}
