// Tests that the commands and outputs on every page of documentation are the tool's, and that its
// links lead to existing places.

import Foundation
import Support
import Testing

/// README.md, the pages below Docs, and the pages for contributors.
private let pages: [String] = {
  let docs = (try? FileManager.default.contentsOfDirectory(atPath: packageRoot + "/Docs")) ?? []
  return ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
    + docs.filter { $0.hasSuffix(".md") }.sorted().map { "Docs/" + $0 }
}()

private func text(of page: String) throws -> String {
  try String(contentsOfFile: packageRoot + "/" + page, encoding: .utf8)
}

/// Runs the commands of the `console` blocks in order and returns the page with their output below
/// them.
private func replayed(_ page: String, in folder: String) throws -> String {
  var result: [String] = []
  var isConsole = false
  for line in page.components(separatedBy: "\n") {
    if line.hasPrefix("```") { isConsole = line == "```console" }
    if isConsole && !line.hasPrefix("```") && !line.hasPrefix("$ ") { continue }
    result.append(line)
    guard isConsole, line.hasPrefix("$ ") else { continue }
    let words = line.dropFirst(2).split(separator: " ").map(String.init)
    let text =
      words == ["make", "run"] ? try tourEnding(in: folder) : try output(of: words, folder)
    result += text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
  }
  return result.joined(separator: "\n")
}

/// Returns what a command prints. The command may end in `| head -N`.
private func output(of words: [String], _ folder: String) throws -> String {
  #expect(words.first == "carve")
  let command = words.prefix { $0 != "|" }
  let result = try runTool(Array(command.dropFirst()), in: folder)
  // Times differ from run to run.
  let text = (result.stdout + result.stderr).replacing(#/[0-9.]+ ms/#, with: "… ms")
  guard command.count < words.count, let last = words.last, let count = Int(last.dropFirst())
  else { return text }
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(count)
  return lines.joined(separator: "\n") + "\n"
}

/// Returns the targets of the links of a page.
private func linkTargets(in page: String) -> [String] {
  page.matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.output.1) }
}

/// Returns the part of the output of `make run` that the tutorial shows.
private func tourEnding(in folder: String) throws -> String {
  let tour = try run(
    sampleCatalogs + "/tour", [productFolder + "/carve", folder + "/tour"],
    environment: ["PATH": "/usr/bin:/bin"])
  #expect(tour.code == 0, "\(tour.stderr)")
  let start = try #require(tour.stdout.range(of: "A large star")).lowerBound
  return String(tour.stdout[start...]).replacing(folder + "/tour", with: ".build/samples")
}

@Suite struct DocumentPageTests {
  @Test(arguments: pages)
  func shownOutputIsReal(page: String) throws {
    let shown = try text(of: page)
    guard shown.contains("```console\n") else { return }
    let folder = try TemporaryDirectory()
    for name in sampleNames {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "\(name).xcassets")
    }
    golden(
      try replayed(shown, in: folder.path), at: URL(fileURLWithPath: packageRoot + "/" + page))
  }

  /// Checks that the test above finds pages.
  @Test func commandsAreShown() throws {
    let shown = try pages.filter { try text(of: $0).contains("```console\n$ ") }
    #expect(shown.count >= 6 && shown.first == "README.md", "\(shown)")
    #expect(try text(of: "Docs/tutorial.md").contains("```console\n$ make run"))
  }

  /// A link to a file leads to an existing file, and a link to a section to an existing heading.
  @Test(arguments: pages)
  func linksLeadSomewhere(page: String) throws {
    let folder = URL(fileURLWithPath: packageRoot + "/" + page).deletingLastPathComponent()
    for target in try linkTargets(in: text(of: page)) {
      if target.hasPrefix("https://") { continue }
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let file = parts[0].isEmpty ? packageRoot + "/" + page : folder.path + "/" + parts[0]
      try #require(FileManager.default.fileExists(atPath: file), "\(page): \(target)")
      guard parts.count == 2 else { continue }
      let headings = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        .filter { $0.hasPrefix("#") }
        .map { $0.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-") }
      #expect(headings.contains(String(parts[1])), "\(page): \(target)")
    }
  }

  /// The first column of the table of commands names every command in backquotes.
  @Test func theTableNamesEveryCommand() throws {
    let page = try text(of: "Docs/reference-commands.md")
    let table = try #require(page.components(separatedBy: "\n\n").first { $0.contains("`carve ") })
    var named: [String] = []
    for line in table.split(separator: "\n") {
      let cell = line.split(separator: "|").first ?? ""
      for match in cell.matches(of: /`(?:carve )?([a-z-]+)`/) { named.append(String(match.1)) }
    }
    #expect(named.sorted() == (try listedCommands()).sorted())
  }

  /// Checks that the test above finds links, to files and to sections.
  @Test func linksAreFound() throws {
    let targets = try pages.flatMap { try linkTargets(in: text(of: $0)) }
    #expect(targets.count > 100)
    #expect(targets.contains("CONTRIBUTING.md") && targets.contains { $0.contains("#") })
    #expect(linkTargets(in: "[a](b.md) and [c](d.md#e), not [f] (g)") == ["b.md", "d.md#e"])
  }

  /// ARCHITECTURE.md is read as a whole, the first page of README.md at a glance.
  @Test func theArchitectureAndTheReadmeAreShort() throws {
    #expect(try text(of: "ARCHITECTURE.md").split(separator: "\n").count <= 250)
    #expect(try text(of: "README.md").split(separator: "\n").count <= 60)
  }
}
