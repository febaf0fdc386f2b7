// The report of `thin` about its result: the lines for people, and JSON.

import ArchiveTools
import Bytes
import CatalogModel
import Documents

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
  /// Sums for the devices, for a comment on a change.
  case markdown
}

/// An archive that was thinned.
package struct ThinResult {
  package var path: ByteString
  package var written: WrittenArchive
  package var fullByteCount: Int
  package var report: ThinningReport?
  package var proof: TimedProof?
  package var budget: BudgetTable

  package init(
    path: ByteString, written: WrittenArchive, fullByteCount: Int, report: ThinningReport?,
    proof: TimedProof?, budget: BudgetTable
  ) {
    self.path = path
    self.written = written
    self.fullByteCount = fullByteCount
    self.report = report
    self.proof = proof
    self.budget = budget
  }

  package var byteCount: Int { written.byteCount }
  /// Whether no counter-example was found. An archive with one is not written.
  package var isProved: Bool { proof?.proof.holds ?? true }
  package var isGood: Bool { budget.excesses.isEmpty && isProved }

  /// Returns the texts about the archive, with a report about dropped renditions if it is asked
  /// for.
  package func texts(_ length: ReportLength?) -> [String] {
    let size = "\(path): \(grouped(byteCount)) of \(grouped(fullByteCount)) bytes"
    guard let report, let length else { return [size] }
    let text =
      switch length {
      case .summary: report.summary
      case .full: report.text
      case .markdown: report.markdown
      }
    if length == .markdown { return [text] }
    return [text, size, report.partsText(of: parts(report))]
  }

  /// The line about a proof that holds; nil if there is no such proof.
  package var proofText: String? { proof.flatMap { $0.proof.holds ? $0.text : nil } }

  /// The note about an archive that grew; nil if it did not, or if it is not written.
  package var growth: String? {
    if byteCount <= fullByteCount || !isProved { return nil }
    let index = written.indexByteCount
    let reason = index == 0 ? "" : ": its index takes \(grouped(index)) (--no-index)"
    return
      "\(path) is \(grouped(byteCount - fullByteCount)) bytes larger than the full archive\(reason)"
  }

  /// The reasons why the result is not good.
  package var troubles: [String] {
    let example = proof?.proof.counterExample.map {
      "\(onOneLine(path)) is not proved and not written: \(onOneLine("\($0)"))"
    }
    return [example].compactMap { $0 } + budget.excesses.map { onOneLine("\($0)") }
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
    members += budget.members
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
