// Tests `carve symbols`: its Swift is compiled with the tests of the run time (which compare the
// ids with those of names), its header with the C compiler of the machine.

import Foundation
import Support
import Testing

@Suite struct SymbolsCommandTests {
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

  @Test func ofTwoNamesForOneConstantTheSecondHasANumberAndIsNamed() throws {
    let folder = try TemporaryDirectory()
    for name in ["Star", "Star-Image", "Star 2"] {
      try folder.write("{}", to: "A.xcassets/\(name).imageset/Contents.json")
    }
    let result = try runTool(
      ["symbols", "A.xcassets", "--swift", "ids.swift", "--c", "ids.h"], in: folder.path)
    #expect(result.code == 0)
    #expect(
      result.stderr
        == "A.xcassets/Star-Image.imageset: warning: the constant of \"Star-Image\" is star3: "
        + "star is taken [symbol-clash]\n")
    let source = String(decoding: try folder.read("ids.swift"), as: UTF8.self)
    // An asset that has the constant's name keeps it; the number avoids all other names.
    let constants = source.matches(of: #/"(.+)"\n +static let (star[0-9]*) =/#)
    #expect(
      constants.map { "\($0.1) \($0.2)" } == ["Star star", "Star 2 star2", "Star-Image star3"])
    #expect(try runTool(["symbols", "A.xcassets"], in: folder.path).code == 2)
  }

  /// Reserved words, digits, names without letters, and names that the enumeration itself uses: all
  /// of them compile.
  @Test func namesThatAreNoIdentifiersAreEscapedNumberedAndTold() throws {
    let folder = try TemporaryDirectory()
    let names = ["class", "self", "init", "Type", "catalog", "view", "1st", "🚀", "✨", "Größe"]
    for name in names {
      try folder.write("{}", to: "A.xcassets/\(name).imageset/Contents.json")
    }
    for name in ["Color", "AssetID", "Type", "Result", "🚀", "Catalog"] {
      try folder.write("{}", to: "A.xcassets/\(name)/x.imageset/Contents.json")
      let group = #"{"properties" : {"provides-namespace" : true}}"#
      try folder.write(group, to: "A.xcassets/\(name)/Contents.json")
    }
    let result = try runTool(
      ["symbols", "A.xcassets", "--swift", "ids.swift", "--type", "A", "--bundle", "a"],
      in: folder.path)
    #expect(result.code == 0)
    #expect(
      result.stderr.split(separator: "\n").map { $0.split(separator: ": ").dropFirst(2).joined() }
        == [
          "the constant of \"catalog\" is catalog2catalog is taken [symbol-clash]",
          "the constant of \"view\" is view2view is taken [symbol-clash]",
          "the constant of \"✨\" is unnamedits name has no letter and no digit [symbol-clash]",
          "the constant of \"🚀\" is unnamed2its name has no letter and no digit [symbol-clash]",
        ])
    try folder.write(
      """
      let ids = [
        A.`class`, A.`self`, A.`init`, A.type, A.catalog2, A.view2, A._1St, A.unnamed, A.unnamed2, A.größe,
        A.Color2.x, A.AssetID2.x, A.Type2.x, A.Result2.x, A.Unnamed.x, A.Catalog.x,
      ]
      let star = try A.view(for: .init()).find(ids[0])
      """, to: "main.swift")
    let checked = try run(
      "/usr/bin/env",
      ["swiftc", "-typecheck", "ids.swift", "main.swift", "-I", productFolder + "/Modules"]
        + [
          "\(packageRoot)/Sources/CCarve/include", "\(productFolder)/CPosix.build",
          "\(productFolder)/CRows.build",
        ].flatMap { ["-Xcc", "-fmodule-map-file=\($0)/module.modulemap"] }, in: folder.path,
      environment: ProcessInfo.processInfo.environment)
    #expect(checked.code == 0, "\(checked.stderr)")
  }
}
