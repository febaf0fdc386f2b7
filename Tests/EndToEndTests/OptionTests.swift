// Tests that every option of every command has an effect: each option has a row that checks it, and
// a test checks that each has a row. Other behaviour of the commands is tested in their own files.

import Foundation
import Support
import Testing

/// The results of one run of the tool.
struct OptionRun {
  let folder: TemporaryDirectory
  let result: ToolResult
  /// The renditions of archives that were read; the archives do not change any more.
  private let known = Known()

  private final class Known { var renditions: [String: [[String: Any]]] = [:] }

  init(folder: TemporaryDirectory, result: ToolResult) {
    self.folder = folder
    self.result = result
  }

  var text: String { result.stdout + result.stderr }

  /// Returns the renditions of an archive, in the words of `info --json`.
  func renditions(_ archive: String = "out.car") throws -> [[String: Any]] {
    if let known = known.renditions[archive] { return known }
    let info = try runTool(["info", "--json", archive], in: folder.path)
    let list = try JSONSerialization.jsonObject(with: Data(info.output)) as? [[String: Any]]
    known.renditions[archive] = list
    return list ?? []
  }

  /// Returns the names of their files, sorted.
  func files(_ archive: String = "out.car") throws -> [String] {
    try renditions(archive).compactMap { $0["RenditionName"] as? String }
      .filter { !$0.hasPrefix("ZZZZ") }.sorted()
  }

  func header(_ archive: String = "out.car") throws -> [String: Any] {
    try renditions(archive).first ?? [:]
  }

  func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(path))
  }

  func object() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any] ?? [:]
  }
}

struct OptionRow: Sendable, CustomTestStringConvertible {
  /// The command and the option, such as "compile --platform".
  var option: String
  /// Command lines that run one after the other; the last one is checked.
  var lines: [[String]]
  var check: @Sendable (OptionRun) throws -> Bool

  var testDescription: String { "\(option): \(lines.last?.joined(separator: " ") ?? "")" }

  init(
    _ option: String, _ lines: String..., check: @escaping @Sendable (OptionRun) throws -> Bool
  ) {
    self.option = option
    self.lines = lines.map { $0.split(separator: " ").map(String.init) }
    self.check = check
  }
}

private let allOptionRows =
  compileOptionRows + editOptionRows + objectOptionRows + thinOptionRows + catalogOptionRows
  + askingOptionRows
  + otherOptionRows
  + previewOptionRows + actoolOptionRows + buildOptionRows + symbolOptionRows

@Suite struct OptionTests {
  @Test(arguments: allOptionRows)
  func theOptionDoesWhatItSays(row: OptionRow) throws {
    let folder = try TemporaryDirectory()
    try OptionCatalog.only.write(to: folder)
    var run: OptionRun?
    for line in row.lines {
      if line == OptionCatalog.compiling {
        try folder.write(OptionCatalog.archive.get(), to: "full.car")
        continue
      }
      if line[0] == "git" {
        try runGit(Array(line.dropFirst()), in: folder)
        continue
      }
      run = OptionRun(folder: folder, result: try runTool(line, in: folder.path))
    }
    let last = try #require(run)
    #expect(try row.check(last), "\(last.result.code) \(last.text.prefix(2000))")
  }

  /// Checks that there is a row for each option in the help of each command.
  @Test func everyOptionHasARow() throws {
    let tested = Set(allOptionRows.map(\.option))
    let commands = try runTool(["man"]).stdout.split(separator: "\n").dropFirst()
      .map { String($0.dropFirst("carve-".count)) }
    var missing: [String] = []
    for command in commands {
      for line in try runTool([command, "--help"]).stdout.split(separator: "\n") {
        guard let match = line.firstMatch(of: /^ {2,6}(-[A-Za-z], )?(--[a-z-]+)/) else { continue }
        let option = "\(command) \(match.output.2)"
        if ["--help", "--version"].contains(match.output.2) { continue }
        if !tested.contains(option) { missing.append(option) }
      }
    }
    #expect(missing == [])
  }
}
