// Tests that the version is the same in all places: carve.h defines it, the others repeat it.

import Foundation
import Support
import Testing

@Suite struct VersionTests {
  @Test func toolLibraryAndChangesHaveTheVersionOfTheHeader() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: packageRoot + "/" + path, encoding: .utf8)
    }
    let header = try text("Sources/CCarve/include/carve.h")
    let version = String(
      try #require(header.firstMatch(of: #/#define CARVE_VERSION "([0-9.]+)"/#)).1)
    let numbers = ["MAJOR", "MINOR", "PATCH"].map { name in
      let line = header.split(separator: "\n").first {
        $0.hasPrefix("#define CARVE_VERSION_\(name) ")
      }
      return line?.split(separator: " ").last.map(String.init) ?? "none"
    }
    #expect(numbers.joined(separator: ".") == version)
    #expect(try runTool(["--version"]).stdout.contains(version))
    #expect(
      try text("Sources/CarveRuntime/CABI/HandleFunctions.swift").contains(
        "{ constant(\"\(version)\") }"))
    let changes = try text("CHANGELOG.md").split(separator: "\n").first {
      $0.hasPrefix("## ") && $0 != "## Next"
    }
    #expect(changes == "## \(version)")
  }
}
