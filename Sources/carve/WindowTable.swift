// Prints one asset in every window of some devices: as a table for people, or as one object for
// each line.

import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Traits

/// The variant that one window shows; if it is not known, the reason.
struct WindowRow: Sendable {
  var question: Question
  var result: Result<Resolution, Undecided>
}

func windowRows(
  _ questions: [Question], _ name: ByteString, _ kind: AssetKind, _ source: CandidateSource
) -> [WindowRow] {
  questions.map { question in
    let result = Result { () throws(Undecided) in
      try question.resolution(of: name, kind, source.table(for: question).asset(name, kind))
    }
    return WindowRow(question: question, result: result)
  }
}

func windowTable(_ rows: [WindowRow]) -> String {
  var cells = [["DEVICE", "ORIENTATION", "WINDOW", "POINTS", "WIDTH", "HEIGHT", "SHOWS"]]
  cells += rows.map { row in
    let window = row.question.window
    let width = row.question.width
    return [
      row.question.device?.identifier ?? "-", window?.orientation.rawValue ?? "-",
      window?.mode.rawValue ?? "-", window?.points.map(sizeText) ?? "-",
      window == nil ? "-" : width?.name ?? "unknown", window?.heightClass?.name ?? "-",
      row.answer,
    ]
  }
  return aligned(cells)
}

extension WindowRow {
  /// Whether the window shows the asset; true if that is not known.
  var showsSomething: Bool {
    if case .success(let resolution) = result { resolution.winner != nil } else { true }
  }

  fileprivate var answer: String {
    switch result {
    case .success(let resolution):
      guard let winner = resolution.winner else { return "nothing (\(resolution.reason))" }
      return winner.label + (resolution.isMirrored ? " (mirrored)" : "")
    case .failure(let undecided):
      return undecided.names.joined(separator: " or ") + " (unknown: "
        + undecided.axes.map(\.name).joined(separator: ", ") + ")"
    }
  }
}

func windowLines(_ rows: [WindowRow]) -> String {
  rows.map { row in
    let window = row.question.window
    var members: [JSONOutput.Member] = [
      .init("device", .string(row.question.device?.identifier ?? ""))
    ]
    if let window {
      members += [
        .init("orientation", .string(window.orientation.rawValue)),
        .init("window", .string(window.mode.rawValue)), .init("points", window.pointsJSON),
        .init("width", classJSON(row.question.width)),
        .init("height", classJSON(window.heightClass)),
      ]
    }
    switch row.result {
    case .success(let resolution): members += resolution.members
    case .failure(let undecided):
      members.append(.init("unknown", .array(undecided.axes.map { .string($0.name) })))
    }
    return JSONOutput.object(members).line + "\n"
  }.joined()
}

func classJSON(_ sizeClass: SizeClass?) -> JSONOutput {
  sizeClass.map { .string($0.name) } ?? .null
}

extension Window {
  var pointsJSON: JSONOutput { points?.json ?? .null }
}

extension DisplaySize {
  var json: JSONOutput { [.number(width), .number(height)] }
}

func sizeText(_ size: DisplaySize) -> String {
  "\(numberText(size.width))x\(numberText(size.height))"
}

private func numberText(_ number: Double) -> String {
  Int(exactly: number).map { String($0) } ?? "\(number)"
}

/// Returns rows of cells as aligned columns, two blanks apart; the first row is the heading.
func aligned(_ rows: [[String]], indent: String = "") -> String {
  alignedColumns(rows).map { "\(indent)\($0)\n" }.joined()
}
