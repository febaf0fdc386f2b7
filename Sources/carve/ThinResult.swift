// The output of `carve thin` about its result.

import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Traits

/// A proof, and the time that it took.
struct TimedProof {
  var proof: Proof
  var seconds: Double
}

struct ThinResult {
  var path: ByteString
  var written: WrittenArchive
  var fullByteCount: Int
  var report: ThinningReport?
  var proof: TimedProof?
  var excesses: [BudgetExcess]

  var byteCount: Int { written.byteCount }
  var isGood: Bool { excesses.isEmpty && proof?.proof.holds ?? true }

  func print(_ form: ReportForm, on terminal: Terminal) {
    if form == .json {
      terminal.summarize(path, json.text)
    } else {
      if form == .text, let report { terminal.summarize(path, report.text) }
      terminal.summarize(path, "\(path): \(grouped(byteCount)) of \(grouped(fullByteCount)) bytes")
      if form == .text, let report {
        terminal.summarize(path, report.partsText(of: parts(report)))
      }
      if form == .none, let report {
        for note in report.notes { terminal.diagnose("note: \(note)") }
      }
      if let proof, proof.proof.holds { terminal.summarize(path, proof.text) }
    }
    printTroubles(on: terminal)
  }

  private func parts(_ report: ThinningReport) -> FileParts {
    FileParts(file: byteCount, pictures: report.pictures, index: written.indexByteCount)
  }

  func printTroubles(on terminal: Terminal) {
    if byteCount > fullByteCount {
      let index = written.indexByteCount
      let reason = index == 0 ? "" : ": its index takes \(grouped(index)) (--no-index)"
      terminal.diagnose(
        "note: \(path) is \(grouped(byteCount - fullByteCount)) bytes larger than the full archive\(reason)"
      )
    }
    if let proof, let example = proof.proof.counterExample {
      terminal.diagnose("\(terminal.tinted("error:", .red)) not proved: \(onOneLine("\(example)"))")
    }
    for excess in excesses {
      terminal.diagnose("\(terminal.tinted("error:", .red)) \(onOneLine("\(excess)"))")
    }
  }

  private var json: JSONOutput { .object(members) }

  var members: [JSONOutput.Member] {
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
