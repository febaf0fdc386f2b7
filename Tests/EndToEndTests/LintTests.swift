// `carve lint` as its users run it: exit codes, policies, formats, fixes.

import Foundation
import Support
import Testing

@Suite struct LintTests {
  private let folder: TemporaryDirectory

  /// One set with a fault that --fix mends and a warning that it does not.
  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(
      #"{"images":[{"Filename":"missing.png","idiom":"universal"},]}"#,
      to: "A.xcassets/S.imageset/Contents.json")
  }

  private func lint(_ arguments: String...) throws -> ToolResult {
    try runTool(["lint"] + arguments + ["A.xcassets"], in: folder.path)
  }

  @Test func warningsAreNoFailure() throws {
    let result = try lint()
    #expect(result.code == 0)
    #expect(
      result.stdout.contains(
        "A.xcassets/S.imageset/Contents.json:1:24: warning: \"missing.png\" is not in the folder "
          + "[missing-file]\n"))
    #expect(result.stderr.isEmpty)
  }

  @Test func errorsAndGatesAre() throws {
    #expect(try lint("--werror").code == 1)
    #expect(try lint("--werror=missing-file").code == 1)
    #expect(try lint("--werror=cut-image").code == 0)
    #expect(
      try lint("--werror", "--no-warn=missing-file,json-trailing-comma", "--no-warn=misspelled-key")
        .code == 0)
    try folder.write("{", to: "A.xcassets/T.imageset/Contents.json")
    #expect(try lint("--no-warn=json-syntax").code == 1)
  }

  @Test func aWordThatIsNoCodeIsAUsageError() throws {
    let result = try lint("--werror=missing-fiel")
    #expect(result.code == 2)
    #expect(result.stderr.contains("did you mean 'missing-file'?"))
    #expect(try runTool(["lint"]).code == 2)
    #expect(try lint("--dry-run").code == 2)
    #expect(try lint("--minimum-deployment-target", "new").code == 2)
  }

  @Test(arguments: ["json", "sarif"]) func reportsAreDocuments(format: String) throws {
    let result = try lint("--diagnostics", format)
    #expect(try JSONSerialization.jsonObject(with: Data(result.output)) is [String: Any])
  }

  @Test func aDryRunChangesNothingAndAFixIsDoneOnce() throws {
    let file = "A.xcassets/S.imageset/Contents.json"
    let before = try folder.read(file)
    let dry = try lint("--fix", "--dry-run")
    #expect(try folder.read(file) == before)
    #expect(dry.stderr.contains("would fix \(file): line 1: "))
    #expect(dry.stderr.contains("1 file to fix"))

    let fixed = try lint("--fix")
    #expect(fixed.stderr.contains("1 file fixed"))
    #expect(fixed.stdout.contains("[missing-file]"))
    #expect(!fixed.stdout.contains("[misspelled-key]"))
    let after = try folder.read(file)
    #expect(String(decoding: after, as: UTF8.self).hasPrefix("{\n  \"images\" : [\n    {\n"))

    #expect(try lint("--fix").stderr.contains("0 files fixed"))
    #expect(try folder.read(file) == after)
  }

  @Test func targetsAreChecked() throws {
    try folder.write(
      png(width: 4, height: 4), to: "A.xcassets/P.imageset/p.png")
    try folder.write(
      #"{"images":[{"filename":"p.png","idiom":"ipad","scale":"2x"}]}"#,
      to: "A.xcassets/P.imageset/Contents.json")
    let result = try lint("--platform", "iphoneos", "--target-device", "iphone")
    #expect(result.stdout.contains("[reachable-hole]"))
    #expect(result.stdout.contains("[unreachable-variant]"))
    #expect(try !lint().stdout.contains("[reachable-hole]"))
  }

  @Test func theListExplainsEveryCode() throws {
    let result = try runTool(["lint", "--list"])
    #expect(result.code == 0)
    #expect(result.stdout.contains("## missing-file (warning)\n\nAn entry names a file"))
  }
}
