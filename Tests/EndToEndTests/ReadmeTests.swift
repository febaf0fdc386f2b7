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
    guard isConsole, line.hasPrefix("$ carve ") else { continue }
    let words = line.dropFirst("$ carve ".count).split(separator: " ").map(String.init)
    let output = try runTool(words, in: folder)
    let text = output.stdout + output.stderr
    result += text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
  }
  return result.joined(separator: "\n")
}

@Suite struct ReadmeTests {
  @Test func shownOutputIsReal() throws {
    let folder = try TemporaryDirectory()
    for name in sampleNames {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "\(name).xcassets")
    }
    let place = URL(fileURLWithPath: packageRoot + "/README.md")
    let readme = try String(contentsOf: place, encoding: .utf8)
    try #require(readme.contains("```console\n$ carve "))
    golden(try replayed(readme, in: folder.path), at: place)
  }
}
