// Tests `carve lint` with sources as users of the tool meet it: findings, counts, every use of an
// asset, settings, baselines and projects.

import Foundation
import Support
import Testing

@Suite struct LintSourcesTests {
  private let folder: TemporaryDirectory

  /// Makes a repository with a catalogue and sources that name some of its assets.
  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("", to: ".git/HEAD")
    for (index, name) in ["star", "icon_1", "gone"].enumerated() {
      try folder.write(
        #"{"images":[{"filename":"a.png","idiom":"universal"}],"#
          + #""info":{"author":"xcode","version":1}}"#,
        to: "App/A.xcassets/\(name).imageset/Contents.json")
      try folder.write(
        png(width: 4, height: 4 + index), to: "App/A.xcassets/\(name).imageset/a.png")
    }
    try folder.write(
      "import SwiftUI\nlet a = Image(\"star\")\nlet b = Image(\"icon_\\(1)\")\n"
        + "let c = Image(\"stars\")\n",
      to: "App/A.swift")
  }

  private func carve(_ line: String) throws -> ToolResult {
    try runTool(line.split(separator: " ").map(String.init), in: folder.path)
  }

  private let findings = """
    App/A.swift:4:15: warning: no catalogue has an image of the name "stars"; did you mean "star"? \
    [missing-asset]
    App/A.xcassets/star.imageset/Contents.json: note: image "star"
    App/A.xcassets/gone.imageset/Contents.json: warning: image "gone" is not used: no source names \
    it [unused-asset]

    """
  private let counts = "3 assets in 1 source: 1 used, 1 unused, 1 in doubt\n"

  @Test func unusedAndMissingAssetsAreNamed() throws {
    let result = try carve("lint --sources App --min-severity warning App/A.xcassets")
    #expect(result.stdout == findings + "2 warnings in 1 catalogue\n" + counts)
    #expect(result.stderr == "" && result.code == 0)
    #expect(try carve("lint --sources App App/A.xcassets --werror=unused-asset").code == 1)
    let other = try carve("lint --sources App App/A.xcassets --diagnostics github")
    #expect(other.stdout.contains("::warning file=App/A.swift,line=4,col=15,title=missing-asset::"))
    let sarif = try carve("lint --sources App App/A.xcassets --diagnostics sarif")
    #expect(sarif.stdout.contains(#""ruleId" : "unused-asset""#))
    #expect(sarif.stdout.contains(#""uri" : "App/A.swift""#))
  }

  @Test func everyUseIsPrinted() throws {
    let result = try carve("lint --sources App --why star --why icon_1 --why gone App/A.xcassets")
    #expect(
      result.stdout == """
        image "star" (App/A.xcassets/star.imageset): used
          App/A.swift:2:15: a call takes the name

        image "icon_1" (App/A.xcassets/icon_1.imageset): in doubt
          App/A.swift:3:15: perhaps: the name can be put together here (icon_*)

        image "gone" (App/A.xcassets/gone.imageset): unused; no source names it

        """)
    let unknown = try carve("lint --sources App --why stra App/A.xcassets")
    #expect(unknown.code == 1 && unknown.stderr.contains("did you mean 'star'?"))
  }

  @Test func settingsNameSourcesAndLeaveFindingsOut() throws {
    try folder.write(#"{"sources":["App"]}"#, to: ".carve.json")
    let result = try carve("lint --min-severity warning App -v")
    #expect(result.stdout == findings + "2 warnings in 1 catalogue\n" + counts)
    #expect(result.stderr == "settings: .carve.json (sources App)\n")
    try folder.write(
      """
      {"sources":["."],"severities":{"missing-asset":"error"},
       "ignore":[{"codes":["unused-asset"],"assets":["go*"],"reason":"the server names it"}]}
      """, to: ".carve.json")
    let strict = try carve("lint --min-severity warning App")
    #expect(strict.code == 1)
    #expect(strict.stdout.contains("App/A.swift:4:15: error: "))
    #expect(!strict.stdout.contains("unused-asset"))
    try folder.write(
      #"{"sources":["App"],"ignore":[{"paths":["App/*.swift"],"reason":"old"}]}"#,
      to: ".carve.json")
    #expect(!(try carve("lint App").stdout.contains("missing-asset")))
  }

  @Test func aBaselineKeepsThemWithoutSources() throws {
    let line = "lint App/A.xcassets --baseline lint.json"
    #expect(try carve("\(line) --sources . --update-baseline").code == 0)
    // The baseline names the unused asset, and is no use of it.
    let same = try carve("\(line) --sources .")
    #expect(same.stdout.hasPrefix("no findings in 1 catalogue; "), "\(same.stdout)")
    #expect(same.stdout.hasSuffix(": 1 used, 1 unused, 1 in doubt\n") && same.stderr == "")
    let without = try carve(line)
    #expect(without.stdout.hasPrefix("no findings") && without.stderr == "", "\(without.stderr)")
    try folder.write(#"let d = Image("gone")"#, to: "App/B.swift")
    let less = try carve("\(line) --sources .")
    #expect(less.stderr.contains("gone: App/A.xcassets/gone.imageset/Contents.json: unused-asset"))
  }

  @Test func aTargetWithoutTheAssetIsNamed() throws {
    try folder.write(
      """
      let package = Package(name: "P", targets: [
        .executableTarget(name: "App", path: "App"),
        .executableTarget(name: "Tool", path: "Tool"),
      ])
      """, to: "Package.swift")
    try folder.write(#"let e = Image("star")"#, to: "Tool/main.swift")
    let result = try carve("lint --project Package.swift --min-severity warning App/A.xcassets")
    #expect(
      result.stdout.contains(
        """
        Tool/main.swift:1:15: warning: the target "Tool" uses the image "star", which only the \
        catalogues of "App" have [asset-in-other-target]

        """), "\(result.stdout)")
  }

  @Test func initWritesSources() throws {
    #expect(try carve("lint --init --sources App/").code == 0)
    let settings = String(decoding: try folder.read(".carve.json"), as: UTF8.self)
    #expect(settings.contains(#""sources" : ["#) && settings.contains(#""App""#), "\(settings)")
  }
}
