// Tests `carve explain-build` with the calls of actool in a log, and `xcrun`, through which scripts
// call the tools.

import Foundation
import Support
import Testing

@Suite struct ExplainBuildTests {
  private func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try folder.copy(sampleCatalogs + "/Scales.xcassets", to: "My App/Assets.xcassets")
    try folder.copy(
      sampleCatalogs + "/Vectors.xcassets/Bell.imageset", to: "My App/Assets.xcassets/Bell.imageset"
    )
    try folder.write("{}", to: "My App/Assets.xcassets/Pack.stickerpack/Contents.json")
    return folder
  }

  @Test func theFirstCallsOfAnEndlessLogAreExplained() throws {
    let folder = try TemporaryDirectory()
    let calls = (0..<310).map { "actool A\($0).xcassets --option\($0) a" }
    try folder.write(calls.joined(separator: "\n"), to: "build.log")
    let result = try runTool(["explain-build", "build.log"], in: folder.path)
    #expect(result.code == 1)
    #expect(
      result.stderr
        == "warning: the log has 310 calls; only the first 300 are explained\n"
    )
    #expect(
      result.stdout.contains("\n300 calls: 0 the same, 0 with differences, 300 cannot be built"))
    // One call with very many unknown options.
    let options = (0..<3_000).map { "--option\($0) a" }.joined(separator: " ")
    try folder.write("actool A.xcassets " + options, to: "build.log")
    let lines = try runTool(["explain-build", "build.log"], in: folder.path).stdout
    #expect(lines.contains("--option2999"))
  }

  @Test func aLogOfXcodeIsExplained() throws {
    let folder = try folder()
    try folder.write(
      #"""
      CompileAssetCatalogVariant thinned /out My\ App/Assets.xcassets (in target 'App')
          cd /Users/me
          /Applications/Xcode.app/Contents/Developer/usr/bin/actool My\ App/Assets.xcassets \
            --compile out --output-format human-readable-text --notices --compress-pngs \
            --filter-for-device-model=iPhone17,1 --platform iphoneos --no-such-thing
      builtin-linkAssetCatalog
          /Applications/Xcode.app/Contents/Developer/usr/bin/actool --version --output-format xml1
      """#, to: "build.log")
    let result = try runTool(["explain-build", "build.log"], in: folder.path)
    // One of the options is unknown.
    #expect(result.code == 1)
    #expect(result.stderr.isEmpty)
    golden(result.stdout, "Actool/explain-build.txt")
  }

  @Test(
    arguments: [
      (["explain-build", "--", "actool", "--complie", "out"], ""),
      (
        ["explain-build", "cd /x && env A=b xcrun actool --complie out"],
        "  in /x, which does not exist here, so paths start at the current folder\n"
      ),
    ])
  func aCommandIsExplained(words: [String], folder: String) throws {
    let result = try runTool(words)
    #expect(result.code == 1)
    #expect(
      result.stdout == """
        actool --complie out
        \(folder)  --complie  refused: no such option; did you mean '--compile'?
          cannot be built:
            unknown option '--complie'; did you mean '--compile'?

        """)
  }

  /// The log names the folder in which paths start; it may be packed, or come from a pipe. Nothing
  /// is written.
  @Test func aLogIsReadInEveryForm() throws {
    let folder = try TemporaryDirectory()
    try folder.copy(sampleCatalogs + "/Scales.xcassets", to: "deep/App/Assets.xcassets")
    try folder.write(
      "CompileAssetCatalog\n    cd deep/App\n    actool Assets.xcassets --compile out "
        + "--platform iphoneos --minimum-deployment-target 15.0\n", to: "build.log")
    let before = try folder.files(below: "deep")
    let plain = try runTool(["explain-build", "build.log"], in: folder.path)
    #expect(plain.code == 0, "\(plain.stdout)")
    #expect(plain.stdout.hasPrefix("actool Assets.xcassets --compile out "))
    #expect(plain.stdout.hasSuffix("  the output will be the same as that of Apple's tool\n"))
    #expect(try folder.files(below: "deep") == before)
    let script =
      "gzip -k build.log; \(productFolder)/carve explain-build build.log.gz; "
      + "\(productFolder)/carve explain-build - <build.log; cat build.log | \(productFolder)/carve explain-build -"
    let others = try run("/bin/sh", ["-c", script], in: folder.path)
    #expect(others.stdout == plain.stdout + plain.stdout + plain.stdout)
    let data = try folder.read("build.log.gz")
    try Data(data.dropLast(9)).write(to: URL(fileURLWithPath: folder.path("cut.gz")))
    let cut = try runTool(["explain-build", "cut.gz"], in: folder.path)
    #expect(cut.code != 0 && cut.stderr.contains("cut.gz: the file is packed by gzip, and damaged"))
  }

  @Test func differencesFailOnlyIfThatIsAsked() throws {
    let folder = try folder()
    let call = ["actool", "My App/Assets.xcassets", "--compile", "out", "--platform", "iphoneos"]
    #expect(try runTool(["explain-build", "--"] + call, in: folder.path).code == 0)
    #expect(try runTool(["explain-build", "--same", "--"] + call, in: folder.path).code == 1)
    let json = try runTool(["explain-build", "--json", "--"] + call, in: folder.path)
    #expect(json.stdout.contains(#""verdict":"differs""#), "\(json.stdout)")
    #expect(json.stdout.contains(#""leftOut":1"#))
    #expect(json.stdout.split(separator: "\n").count == 1)
  }

  /// The explanation prepares a call as the call itself does.
  @Test func aCallIsRefusedForTheReasonsOfTheRun() throws {
    let folder = try folder()
    let call = "actool Assets.xcassets --compile out --platform iphoneos"
      .split(separator: " ").map(String.init)
    func verdict(_ more: [String] = []) throws -> String {
      try runTool(["explain-build", "--"] + call + more, in: folder.path("My App")).stdout
    }
    #expect(
      try verdict(["--compile-output-filename", "a/b"]).contains(
        "--compile-output-filename is the name of a file"))
    #expect(try verdict(["--target-device", "mac"]).contains("contradicts the platform iphoneos"))
    #expect(try !verdict().contains("cannot be built"))
    try folder.write(#"{"severities":{"unsupported-set":"error"}}"#, to: "My App/.carve.json")
    let strict = try verdict()
    #expect(strict.contains("cannot be built"), "\(strict)")
  }

  @Test func logsWithoutACallOfActoolAreRefused() throws {
    let result = try runTool(["explain-build", "clang -c a.c"])
    #expect(result.code == 1)
    #expect(result.stderr.contains("there is no call of actool in clang -c a.c"))
  }

  @Test func xcrunRunsTheToolsThatItKnows() throws {
    let folder = try folder()
    for name in ["actool", "xcrun", "assetutil"] { _ = try link(name, in: folder) }
    let xcrun = folder.path("xcrun")
    let version = try runTool(["actool", "--version"], link: xcrun)
    #expect(version.stdout == (try runTool(["actool", "--version"]).stdout))
    #expect(try runTool(["--find", "actool"], link: xcrun).stdout == folder.path("actool") + "\n")
    // A link to a link, a name found in PATH, and the links of an installation in PATH.
    let far = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: far.path("xcrun"), withDestinationPath: xcrun)
    #expect(
      try runTool(["--find", "actool"], link: far.path("xcrun")).stdout
        == folder.path("actool") + "\n")
    let path = ["PATH": "\(far.path):/usr/bin:/bin"]
    #expect(
      try run("/bin/sh", ["-c", "xcrun --find actool"], environment: path).stdout
        == folder.path("actool") + "\n")
    let alone = try TemporaryDirectory()
    _ = try link("xcrun", in: alone)
    #expect(
      try runTool(
        ["--find", "actool"], environment: ["PATH": "\(folder.path):/usr/bin"],
        link: alone.path("xcrun")
      ).stdout == folder.path("actool") + "\n")
    let sdk = try runTool(
      ["--sdk", "iphoneos", "actool", "My App/Assets.xcassets", "--print-asset-tag-combinations"],
      in: folder.path, link: xcrun)
    #expect(sdk.code == 0)
    #expect(sdk.stdout.contains("<key>com.apple.actool.asset-tag-combinations</key>\n\t<array/>"))
    let other = try runTool(["echo", "a b"], environment: ["PATH": "/usr/bin:/bin"], link: xcrun)
    #expect(other.stdout == "a b\n")
    let none = try runTool(["swiftui-preview"], environment: ["PATH": "/usr/bin"], link: xcrun)
    #expect(none.code == 1)
    #expect(
      none.stderr.contains(
        "unable to find utility \"swiftui-preview\", not a developer tool or in PATH"))
  }
}
