// `carve symbols`: its Swift is compiled with the tests of the run time (which compare the ids with those
// of names), its header by the C compiler of the machine.

import Foundation
import Support
import Testing

@Suite struct TypedIDTests {
  private func symbols(_ more: [String] = []) throws -> (TemporaryDirectory, ToolResult) {
    let folder = try TemporaryDirectory()
    let catalogs = ["Namespaces", "Colors", "Data", "AppIcon"].map {
      "\(sampleCatalogs)/\($0).xcassets"
    }
    let result = try runTool(
      ["symbols"] + catalogs + ["--swift", "ids.swift", "--c", "ids.h"] + more, in: folder.path)
    return (folder, result)
  }

  @Test func theSwiftSourceIsTheOneThatTheRunTimesTestsCompile() throws {
    let (folder, result) = try symbols()
    #expect(result.code == 0)
    #expect(result.stderr.isEmpty)
    let text = String(decoding: try folder.read("ids.swift"), as: UTF8.self)
    let place = URL(fileURLWithPath: packageRoot + "/Tests/CarveRuntimeTests/SampleIDs.swift")
    golden(text, at: place)
  }

  @Test func theHeaderIsCAndHasTheSameNumbers() throws {
    let (folder, _) = try symbols(["--prefix", "SAMPLE"])
    let program = """
      #include <inttypes.h>
      #include <stdio.h>
      #include "ids.h"
      static const uint64_t apple = SAMPLE_IMAGE_FRUIT_APPLE;
      int main(void) { return printf("0x%016" PRIX64 "\\n", apple) < 0; }
      """
    try folder.write(program, to: "main.c")
    let compiled = try run(
      "/usr/bin/env", ["cc", "-std=c99", "-Wall", "-Werror", "main.c", "-o", "main"],
      in: folder.path, environment: ProcessInfo.processInfo.environment)
    try #require(compiled.code == 0, "\(compiled.stderr)")
    let number = try run(folder.path("main"), []).stdout.trimmingCharacters(in: .newlines)
    let swift = String(decoding: try folder.read("ids.swift"), as: UTF8.self)
    let image = try #require(swift.components(separatedBy: "enum Color").first)
    #expect(image.contains("static let apple = AssetID(rawValue: \(number))"), "\(number)")
  }

  @Test func ofTwoNamesForOneConstantTheSecondIsNamed() throws {
    let folder = try TemporaryDirectory()
    for name in ["Star", "Star-Image"] {
      try folder.write("{}", to: "A.xcassets/\(name).imageset/Contents.json")
    }
    let result = try runTool(["symbols", "A.xcassets", "--swift", "ids.swift"], in: folder.path)
    #expect(result.code == 0)
    #expect(
      result.stderr
        == "A.xcassets/Star-Image.imageset: warning: \"Star-Image\" gets no constant: star is "
        + "that of an asset before it [symbol-clash]\n")
    #expect(try runTool(["symbols", "A.xcassets"], in: folder.path).code == 2)
  }
}
