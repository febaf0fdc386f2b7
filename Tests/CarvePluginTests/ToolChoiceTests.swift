// Tests which program the plugin runs: that of the artifact bundle, an installed one of the same
// version, or the one that SwiftPM builds, and what it says about the choice.

import Foundation
import Support
import Testing

@Suite struct ToolChoiceTests {
  private let built = URL(fileURLWithPath: "/package/.build/debug/carve-tool")
  private let bundled = URL(fileURLWithPath: "/package/carve.artifactbundle/carve-1/bin/carve")
  private let same = InstalledTool(URL(fileURLWithPath: "/usr/bin/carve"), version: pluginVersion)
  private let older = InstalledTool(URL(fileURLWithPath: "/usr/bin/carve"), version: "0.0.1")
  private let other = InstalledTool(URL(fileURLWithPath: "/usr/bin/carve"), version: nil)

  @Test func theVersionIsThatOfTheTool() throws {
    #expect(try runTool(["--version"]).stdout == "carve \(pluginVersion)\n")
    let description = try String(contentsOfFile: packageRoot + "/Package.swift", encoding: .utf8)
    #expect(description.contains("\"carve \(pluginVersion)\\n\""))
  }

  @Test func theBundleIsBestAndAnInstalledToolOfTheVersionIsNext() {
    #expect(ToolChoice(ofPackage: bundled, installed: same) == .bundled(bundled))
    #expect(ToolChoice(ofPackage: built, installed: same) == .installed(same.url))
    #expect(ToolChoice(ofPackage: nil, installed: same) == .installed(same.url))
    #expect(ToolChoice(ofPackage: built, installed: same).options == ["--show-tool"])
    #expect(ToolChoice(ofPackage: bundled, installed: same).options == [])
  }

  @Test func aToolFromSourcesComesWithAdvice() {
    guard case .built(built, let advice) = ToolChoice(ofPackage: built, installed: nil) else {
      Issue.record("not the tool from the sources")
      return
    }
    #expect(advice.contains("install carve \(pluginVersion) in a folder of PATH"))
    #expect(!advice.contains("\n"))
    for (installed, words) in [(older, "/usr/bin/carve is 0.0.1"), (other, "is another program")] {
      guard case .built(built, let advice) = ToolChoice(ofPackage: built, installed: installed)
      else {
        Issue.record("not the tool from the sources")
        continue
      }
      #expect(advice.hasSuffix(words))
    }
  }

  /// The package description found a tool of this version, and the plugin finds another.
  @Test func aToolThatDisappearedIsAnError() {
    for (installed, words) in [(nil, "no longer is; install"), (older, "carve is 0.0.1; install")] {
      let choice = ToolChoice(ofPackage: nil, installed: installed)
      #expect(choice.url == nil)
      guard case .missing(let reason) = choice else {
        Issue.record("there is a tool")
        continue
      }
      #expect(reason.contains(words) && reason.contains("swift package purge-cache"))
    }
  }

  @Test func theFirstProgramInPathCounts() throws {
    let folder = try TemporaryDirectory()
    func install(_ place: String, printing text: String) throws {
      try folder.write("#!/bin/sh\necho \(text)\n", to: "\(place)/carve")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.path("\(place)/carve"))
    }
    try install("a", printing: "carve 1.2.3")
    try install("b", printing: "A game of carving")
    try folder.write("{}", to: "plain/carve")
    try folder.write("{}", to: "folder/carve/x")
    func found(_ folders: String..., more: [String: String] = [:]) -> InstalledTool? {
      let path = folders.map { folder.path($0) }.joined(separator: ":")
      return InstalledTool(in: ["PATH": path].merging(more) { first, _ in first })
    }
    let first = InstalledTool(
      URL(fileURLWithPath: folder.path("a/carve")), version: "1.2.3")
    #expect(found("plain", "folder", "none", "a", "b") == first)
    #expect(found("b", "a")?.version == nil && found("b", "a") != nil)
    #expect(found("plain", "folder") == nil)
    #expect(found("a", more: ["CARVE_FROM_SOURCES": "1"]) == nil)
    #expect(InstalledTool(in: [:]) == nil)
  }
}
