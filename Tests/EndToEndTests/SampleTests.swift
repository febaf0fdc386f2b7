// Tests the sample catalogues: the findings about each, and the contents of its archive.

import Foundation
import Support
import Testing

/// Compiles a sample with every icon, for iOS 15.
private func compile(_ name: String, to archive: String) throws -> ToolResult {
  try runTool(
    ["compile", "\(name).xcassets", "-o", archive, "--include-all-app-icons"], in: sampleCatalogs)
}

/// The archives of the samples, each compiled once.
private let sampleArchives = SharedValues { name in
  let folder = try TemporaryDirectory()
  let result = try compile(name, to: folder.path("out.car"))
  try #require(result.code == 0, "\(result.stderr)")
  return try folder.read("out.car")
}

private func expected(_ name: String, _ file: String) -> URL {
  URL(fileURLWithPath: "\(sampleCatalogs)/Expected/\(name)/\(file)")
}

@Suite struct SampleTests {
  @Test(arguments: sampleNames) func findingsAreAsExpected(name: String) throws {
    let result = try runTool(["lint", "\(name).xcassets"], in: sampleCatalogs)
    golden(result.stdout, at: expected(name, "diagnostics.txt"))
    #expect(result.code == (name == "Broken" ? 1 : 0))
    // Only the sample with deliberate faults may have findings above notes, except for the samples
    // of formats that Apple's tool writes in a way that is not completely known.
    let serious = result.stdout.split(separator: "\n").filter {
      $0.contains(": warning: ") || $0.contains(": error: ")
    }
    #expect(serious.isEmpty == !["Broken", "Kinds"].contains(name))
  }

  @Test(arguments: sampleNames.filter { $0 != "Broken" })
  func theSameSourcesGiveTheSameBytes(name: String) throws {
    let folder = try TemporaryDirectory()
    // Another folder, another number of threads and another language give the same bytes.
    try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "copy/\(name).xcassets")
    _ = try runTool(
      ["compile", "\(name).xcassets", "-o", "../second.car", "--include-all-app-icons", "-j1"],
      in: folder.path("copy"), environment: ["LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo"])
    #expect(try folder.read("second.car") == sampleArchives[name])
  }

  @Test(arguments: sampleNames.filter { $0 != "Broken" })
  func contentsAreAsExpected(name: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write(sampleArchives[name], to: "out.car")
    let valid = try runTool(["validate", "out.car"], in: folder.path)
    #expect(valid.code == 0, "\(valid.stdout)\(valid.stderr)")
    let info = try runTool(["info", "out.car"], in: folder.path)
    golden(info.stdout, at: expected(name, "dump.txt"))
  }

  @Test func brokenSampleLeavesNoArchive() throws {
    let folder = try TemporaryDirectory()
    let result = try compile("Broken", to: folder.path("out.car"))
    #expect(result.code == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.car")))
  }
}
