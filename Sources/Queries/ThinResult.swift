// The report of `thin` about its result: the lines for people, and JSON.

import ArchiveTools
import Bytes
import Documents
import Host

/// A proof, and the time that it took.
package struct TimedProof {
  package var proof: Proof
  package var seconds: Double

  package init(proof: Proof, seconds: Double) {
    self.proof = proof
    self.seconds = seconds
  }
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

  /// The texts about the archive; `isLong` adds the report about what was dropped.
  package func texts(isLong: Bool) -> [String] {
    let size = "\(path): \(grouped(byteCount)) of \(grouped(fullByteCount)) bytes"
    let report = isLong ? report : nil
    return [report?.text, size, report.map { $0.partsText(of: parts($0)) }].compactMap { $0 }
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
