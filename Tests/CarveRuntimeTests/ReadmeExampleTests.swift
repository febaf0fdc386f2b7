// Runs the Swift example of Docs/reference-run-time.md: Tests/ReadmeExample is compiled with the
// package.

import Foundation
import Support
import Testing
import Traits

@Suite struct ReadmeExampleTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: packageRoot + "/" + path, encoding: .utf8)
  }

  @Test func theExampleIsWhatTheReadmeShows() throws {
    let block = try #require(
      try text("Docs/reference-run-time.md").components(separatedBy: "```swift\n").dropFirst().first
    )
    let shown = try #require(block.components(separatedBy: "```").first)
    try #require(shown.hasPrefix("import CarveRuntime\n") && shown.contains("decode"))
    #expect(try text("Tests/ReadmeExample/main.swift").contains("\n\n" + shown + "\nprint("))
  }

  @Test func theExampleRuns() throws {
    let folder = try TemporaryDirectory()
    var builder = CatalogBuilder()
    builder.addImage("Star", key { $0.scale = 2 }, TestPicture(width: 3, height: 3, seed: 1))
    builder.addImage(
      "Star",
      key {
        $0.scale = 2
        $0.style = .dark
      }, TestPicture(width: 8, height: 5, seed: 2))
    try Data(try builder.bytes()).write(to: URL(fileURLWithPath: folder.path("Assets.car")))
    let ran = try run(productFolder + "/ReadmeExample", [], in: folder.path)
    #expect(ran.code == 0 && ran.stdout == "8x5\n", "\(ran.stdout)\(ran.stderr)")
  }
}
