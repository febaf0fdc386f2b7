// The report of `explain`: every variant of an asset, and why it wins or loses.

import Bytes
import CatalogModel
import Documents
import Traits

/// Makes the reports of `explain`. The lines of an asset's entries are read once.
package struct ExplanationReport {
  private var known: [AssetCandidates: SourceLines] = [:]

  package init() {}

  /// Returns the report as text.
  package mutating func text(of resolution: Resolution, to query: Query) -> String {
    resolution.text(query, lines(of: resolution))
  }

  /// Returns the members of `explain --json`: those of `resolve --json`, then all candidates, and
  /// the findings about the asset if there are any.
  package mutating func members(
    of resolution: Resolution, _ findings: [Diagnostic] = []
  ) -> [JSONOutput.Member] {
    var members = resolution.members + [resolution.candidates(lines(of: resolution))]
    if !findings.isEmpty {
      members.append(.init("findings", .array(findings.map(\.stored))))
    }
    return members
  }

  private mutating func lines(of resolution: Resolution) -> SourceLines {
    guard let asset = resolution.asset else { return SourceLines(nil, in: resolution.table.tree) }
    if let lines = known[asset] { return lines }
    let lines = SourceLines(asset, in: resolution.table.tree)
    known[asset] = lines
    return lines
  }
}

// MARK: - Text

extension Resolution {
  fileprivate func text(_ query: Query, _ lines: SourceLines) -> String {
    var text = "\(name) (\(kind.name)): \(sentence)\n"
    text += "request: \(query.summary(environment, languages: asset?.languages ?? [:]))\n"
    if let remark = remark(about: query.device) { text += "supposed: \(remark)\n" }
    guard let asset, !asset.candidates.isEmpty else { return text }
    let chain = ChainPlaces(of: asset.keys, in: environment)
    let axes = chain.axes.map(\.name)
    var rows = [["", "VARIANT", "KEY"] + axes + ["VERDICT", "WHERE"]]
    for (ordinal, candidate) in asset.candidates.enumerated() {
      let verdict = explanation.verdicts[ordinal]
      let positions = chain.positions[ordinal].map { $0.map { "\($0)" } ?? "-" }
      rows.append(
        [
          verdict == .wins ? "*" : "", candidate.fileName?.text ?? candidate.color?.text ?? "-",
          candidate.traits,
        ] + positions + [verdict.words, lines.place(of: candidate).text])
    }
    text += aligned(rows)
    if let obstacle = explanation.obstacle {
      text += "nothing is shown: \(obstacle.name) removes the last variant\n"
    }
    return text
  }
}

extension Query {
  /// Returns the device and window, and the traits that follow from them. `languages` are the tags
  /// of the languages that decide.
  fileprivate func summary(_ environment: Environment, languages: [UInt16: String]) -> String {
    var parts: [String] = []
    if let device { parts.append("\(device.identifier) (\(device.name))") }
    if let window {
      parts.append("\(window.orientation.rawValue) \(window.mode.rawValue)")
      if let points = window.points { parts.append("\(sizeText(points)) points") }
    }
    parts += environment.traitTexts
    let wanted = environment.languages.compactMap { languages[$0] }
    if !wanted.isEmpty { parts.append("language=\(wanted.joined(separator: ":"))") }
    return parts.joined(separator: ", ")
  }
}

extension AssetCandidates {
  /// The tags of the variants' languages, by their numbers.
  fileprivate var languages: [UInt16: String] {
    candidates.reduce(into: [:]) { tags, candidate in
      if let tag = candidate.language { tags[candidate.key.locale] = tag }
    }
  }
}

extension Environment {
  /// The traits of the environment without languages, as a request writes them.
  package var traitTexts: [String] {
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
    let chain = ChainPlaces(of: asset?.keys ?? [], in: environment)
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
      let positions = zip(chain.axes, chain.positions[ordinal]).map { axis, position in
        JSONOutput.Member(axis.name, position.map { .integer(Int($0)) } ?? .null)
      }
      members.append(.init("rank", .object(positions)))
      if let file = candidate.jsonFile {
        members.append(.init("source", .name(file)))
        if let line = lines.line(of: candidate) { members.append(.init("line", .integer(line))) }
      }
      return JSONOutput.object(members)
    }
    return .init("candidates", .array(entries))
  }
}
