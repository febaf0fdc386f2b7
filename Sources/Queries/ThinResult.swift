// The report of `thin` about its result: the lines for people, JSON, and the limits of a budget
// that have no effect.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Host
import Traits

/// A proof, and the time that it took.
package struct TimedProof {
  package var proof: Proof
  package var seconds: Double

  package init(proof: Proof, seconds: Double) {
    self.proof = proof
    self.seconds = seconds
  }
}

/// The length of a report about dropped renditions.
package enum ReportLength: Sendable {
  /// Sums for the devices, and the assets that lose most.
  case summary
  case full
}

/// An archive that was thinned.
package struct ThinResult {
  package var path: ByteString
  package var written: WrittenArchive
  package var fullByteCount: Int
  package var report: ThinningReport?
  package var proof: TimedProof?
  package var excesses: [BudgetExcess]

  package init(
    path: ByteString, written: WrittenArchive, fullByteCount: Int, report: ThinningReport?,
    proof: TimedProof?, excesses: [BudgetExcess]
  ) {
    self.path = path
    self.written = written
    self.fullByteCount = fullByteCount
    self.report = report
    self.proof = proof
    self.excesses = excesses
  }

  package var byteCount: Int { written.byteCount }
  package var isGood: Bool { excesses.isEmpty && proof?.proof.holds ?? true }

  /// Returns the texts about the archive, with a report about dropped renditions if it is asked
  /// for.
  package func texts(_ length: ReportLength?) -> [String] {
    let size = "\(path): \(grouped(byteCount)) of \(grouped(fullByteCount)) bytes"
    guard let report, let length else { return [size] }
    let text =
      switch length {
      case .summary: report.summary
      case .full: report.text
      }
    return [text, size, report.partsText(of: parts(report))]
  }

  /// The line about a proof that holds; nil if there is no such proof.
  package var proofText: String? { proof.flatMap { $0.proof.holds ? $0.text : nil } }

  /// The note about an archive that grew; nil if it did not.
  package var growth: String? {
    if byteCount <= fullByteCount { return nil }
    let index = written.indexByteCount
    let reason = index == 0 ? "" : ": its index takes \(grouped(index)) (--no-index)"
    return
      "\(path) is \(grouped(byteCount - fullByteCount)) bytes larger than the full archive\(reason)"
  }

  /// The reasons why the result is not good.
  package var troubles: [String] {
    let example = proof?.proof.counterExample.map { "not proved: \(onOneLine("\($0)"))" }
    return [example].compactMap { $0 } + excesses.map { onOneLine("\($0)") }
  }

  private func parts(_ report: ThinningReport) -> FileParts {
    FileParts(file: byteCount, pictures: report.pictures, index: written.indexByteCount)
  }

  /// The members of `thin --report json`.
  package var members: [JSONOutput.Member] {
    var members: [JSONOutput.Member] = [
      .init(
        "archive",
        [
          "path": .name(path), "bytes": .integer(byteCount),
          "fullBytes": .integer(fullByteCount),
        ])
    ]
    if let report {
      members.append(.init("parts", .object(report.partsJSON(of: parts(report)))))
    }
    if let report, case .object(let own) = report.json { members += own }
    if let proof { members.append(.init("proof", proof.json)) }
    if !excesses.isEmpty {
      members.append(.init("excesses", .array(excesses.map { .string("\($0)") })))
    }
    return members
  }
}

extension TimedProof {
  /// The line about a proof that holds.
  var text: String {
    let tenths = Int((seconds * 10_000).rounded())
    return "proved: \(counted(proof.assetCount, "set")) of variants give the same answers in "
      + "\(grouped(proof.answerCount)) environments, and each of the "
      + "\(counted(proof.variantCount, "kept variant")) is needed "
      + "(\(counted(proof.decisionCount, "decision")), \(tenths / 10).\(tenths % 10) ms)"
  }

  var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("holds", .bool(proof.holds)), .init("sets", .integer(proof.assetCount)),
      .init("answers", .integer(proof.answerCount)),
      .init("variants", .integer(proof.variantCount)),
      .init("decisions", .integer(proof.decisionCount)), .init("seconds", .number(seconds)),
    ]
    if let example = proof.counterExample {
      members.append(.init("counterExample", .string("\(example)")))
    }
    return .object(members)
  }
}

// MARK: - Limits without effect

// The limits of a budget that limit nothing, because their device, asset or group does not exist.

/// The names that limits of a budget may have.
package struct LimitedNames: Sendable {
  package var assets: [ByteString]
  /// The names of the assets in each folder of the catalogue, which groups may name too.
  package var folders: [ByteString: Set<ByteString>]

  package init(assets: [ByteString], folders: [ByteString: Set<ByteString>] = [:]) {
    self.assets = assets
    self.folders = folders
  }
}

extension SizeBudget {
  /// Returns the reason for each limit of a name that does not exist: the name is misspelt, or the
  /// asset was deleted. Names of an earlier report count as existing, because a deleted asset has
  /// not grown.
  package func idleLimits(among names: LimitedNames) -> [String] {
    var idle: [String] = []
    for model in devices.keys.sorted() {
      do throws(QueryError) { _ = try deviceOfTable(model.text) } catch {
        idle.append(error.message)
      }
    }
    // Reports list these two as if they were assets.
    let known = Set(names.assets + ["(atlases)", "(unnamed)"])
    for name in assets.keys.sorted() where !known.contains(name) {
      idle.append("there is no asset '\(name)'\(suggestion(for: name, in: names.assets))")
    }
    for group in groups.keys.sorted() {
      let prefix = group.endsWithSlash ? group : group + "/"
      let word = prefix.dropLast()
      let isFolder = names.folders[word] != nil
      if isFolder || names.assets.contains(where: { $0.hasPrefix(prefix) }) { continue }
      let groups = Set(shortGroups(in: names.assets) + names.folders.keys).sorted()
      idle.append(
        "no namespace and no folder is called '\(word)'\(groupChoice(for: word, among: groups))")
    }
    return idle
  }
}

extension CatalogContents {
  /// The names of the assets in each folder of the catalogues, whether the folder gives them a
  /// namespace or not.
  package var namesByFolder: [ByteString: Set<ByteString>] {
    var folders: [ByteString: Set<ByteString>] = [:]
    for asset in assets {
      guard let inside = catalogs.lazy.compactMap({ asset.folder.relative(to: $0.path) }).first
      else { continue }
      let parts = inside.components.dropLast()
      for count in 0..<parts.count {
        folders[parts[...count].joined(separator: "/"), default: []].insert(asset.name)
      }
    }
    return folders
  }
}

/// Returns the most similar group, or all groups.
private func groupChoice(for word: ByteString, among groups: [ByteString]) -> String {
  if groups.isEmpty { return "; there are none" }
  let near = suggestion(for: word, in: groups)
  if !near.isEmpty { return near }
  let shown = groups.prefix(12).joined(separator: ", ")
  return "; there are \(shown)\(groups.count > 12 ? " and \(groups.count - 12) more" : "")"
}

/// Returns the prefixes of names up to a slash that the user could mean, sorted.
private func shortGroups(in names: [ByteString]) -> [ByteString] {
  var groups: Set<ByteString> = []
  for name in names {
    let start = name.bytes.prefix(64)
    for place in start.indices where start[place] == UInt8(ascii: "/") {
      groups.insert(ByteString(bytes: Array(start[..<place])))
    }
  }
  return groups.sorted()
}
