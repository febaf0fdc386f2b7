// Rows for the options of `edit` and `merge`.

import Foundation
import Support

private let full = OptionCatalog.compiling.joined(separator: " ")
private let edit = "edit full.car -o out.car"
private let alone = "compile B.xcassets -o wall.car"

let editOptionRows: [OptionRow] =
  [
    OptionRow("edit --output", full, "\(edit) --remove Facts") {
      try $0.has("out.car") && !$0.files().contains("facts.json")
    },
    OptionRow("edit --replace", full, "\(edit) --replace Facts=none.txt") {
      $0.result.code == 4 && $0.text.contains("none.txt cannot be read: No such file or directory")
    },
    OptionRow("edit --replace", full, "\(edit) --replace Facts=full.car") {
      $0.result.code == 0 && $0.text.contains("~ Facts (")
    },
    OptionRow("edit --recolor", full, "\(edit) --recolor Facts=#FF0000") {
      $0.result.code == 1 && $0.text.contains("'Facts' is not a colour")
    },
    OptionRow("edit --remove", full, "\(edit) --remove Fact") {
      $0.result.code == 1 && $0.text.contains("did you mean 'Facts'?")
    },
    OptionRow("edit --rename", full, "\(edit) --rename Facts=News") {
      $0.result.code == 0 && $0.text.contains("+ News") && $0.text.contains("- Facts")
    },
    OptionRow("edit --add", full, "\(edit) --add B.xcassets") {
      try $0.result.code == 0 && $0.files().contains("w.png")
    },
    OptionRow("edit --icon", full, "\(edit) --icon none.icon") { $0.result.code == 4 },
    OptionRow("edit --script", full, "\(edit) --script none.json") { $0.result.code == 4 },
    OptionRow(
      "edit --scale-from", alone,
      "edit wall.car --replace Wall=B.xcassets/Wall.imageset/w.png --scale-from 2x -o out.car"
    ) { $0.result.code == 0 && $0.text.contains("both archives show the same") },
    OptionRow(
      "edit --force", full,
      "\(edit) --replace Star:idiom=phone=B.xcassets/Wall.imageset/w.png --force"
    ) { $0.result.code == 0 && $0.text.contains("→ 700×8") },
    OptionRow(
      "edit --force", full, "\(edit) --replace Star:idiom=phone=B.xcassets/Wall.imageset/w.png"
    ) { $0.result.code == 1 && $0.text.contains("--force") && !$0.has("out.car") },
  ] + ["edit", "merge"].flatMap(writingRows)

/// The rows of the options that both commands have.
private func writingRows(_ command: String) -> [OptionRow] {
  let line =
    command == "edit"
    ? "edit full.car --rename Facts=News -o out.car" : "merge full.car wall.car -o out.car"
  func row(
    _ option: String, _ words: String, check: @escaping @Sendable (OptionRun) throws -> Bool
  ) -> OptionRow {
    OptionRow("\(command) --\(option)", full, alone, "\(line) \(words)", check: check)
  }
  var rows = [
    row("prove", "--prove") { $0.result.code == 0 && $0.text.contains("proved: ") },
    row("no-prove", "--no-prove") { $0.result.code == 0 && !$0.text.contains("proved: ") },
    row("no-prove", "--no-prove --prove") {
      $0.result.code == 2 && $0.text.contains("--prove and --no-prove exclude each other")
    },
    row("index", "--index --no-index") { $0.result.code == 2 && !$0.has("out.car") },
    row("no-index", "--no-index") { try !$0.hasIndex() },
    row("index", "--index") { try $0.hasIndex() },
    row("json", "--json") {
      let proof = try $0.object()["proof"] as? [String: Any]
      return try $0.object()["same"] as? Bool == false && proof?["holds"] as? Bool == true
    },
    row("json", "--json --no-prove") {
      try $0.object()["same"] as? Bool == false && $0.object()["proof"] == nil
    },
  ]
  if command == "merge" {
    rows.append(row("output", "") { $0.has("out.car") })
  }
  return rows
}

extension OptionRun {
  fileprivate func hasIndex() throws -> Bool {
    try Data(folder.read("out.car")).range(of: Data("CARVEINDEX".utf8)) != nil
  }
}
