// What README.md shows is what the tool prints.

import Foundation
import Support
import Testing

/// Runs the commands of the `console` blocks in order and puts their output below them.
private func replayed(_ readme: String, in folder: String) throws -> String {
  var result: [String] = []
  var isConsole = false
  for line in readme.components(separatedBy: "\n") {
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

/// What a command prints, which may end in `| head -N`.
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

/// How `make run` ends, which is the part that is shown.
private func tourEnding(in folder: String) throws -> String {
  let tour = try run(
    sampleCatalogs + "/tour", [productFolder + "/carve", folder + "/tour"],
    environment: ["PATH": "/usr/bin:/bin"])
  #expect(tour.code == 0, "\(tour.stderr)")
  let start = try #require(tour.stdout.range(of: "A large star")).lowerBound
  return String(tour.stdout[start...]).replacing(folder + "/tour", with: ".build/samples")
}

@Suite struct ReadmeTests {
  @Test func shownOutputIsReal() throws {
    let folder = try TemporaryDirectory()
    for name in sampleNames {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "\(name).xcassets")
    }
    let place = URL(fileURLWithPath: packageRoot + "/README.md")
    let readme = try String(contentsOf: place, encoding: .utf8)
    try #require(readme.contains("```console\n$ make run"))
    golden(try replayed(readme, in: folder.path), at: place)
  }
}
