// Tests of the settings of a project: how they are found and read, which findings they leave out or
// change, and baselines.

import Bytes
import Documents
import Testing
import Traits

@testable import CatalogModel
@testable import Host

private let platforms = ["iphoneos", "macosx"]

private func settings(_ json: String) throws(SettingsError) -> ProjectSettings {
  try ProjectSettings(json: Array(json.utf8), file: ".carve.json", platforms: platforms)
}

private func policy(_ json: String, _ catalog: ByteString = "App/A.xcassets") throws
  -> DiagnosticPolicy
{
  var policy = DiagnosticPolicy()
  policy.settings = [
    FoundSettings(
      catalog: catalog, place: catalog, file: ".carve.json", settings: try settings(json))
  ]
  return policy
}

private func finding(
  _ code: DiagnosticCode, _ file: ByteString = "App/A.xcassets/Icons/Star.imageset/Contents.json",
  _ message: String = "\"a.png\" is wrong"
) -> Diagnostic {
  Diagnostic(code, message, file: file)
}

@Suite struct ProjectSettingsTests {
  @Test func everyValueIsRead() throws {
    let read = try settings(
      """
      {"$schema":"s.json","severities":{"missing-scale":"off","duplicate-file":"error"},
       "ignore":[{"codes":["size-mismatch"],"assets":["Icons/*"],"paths":["Old"],"reason":"old"}],
       "platform":"iphoneos","minimum-deployment-target":"15.2","icons":["AppIcon"],
       "devices":["iPhone8,1"],"budget":"12MB"}
      """)
    #expect(read.severities == [.missingScale: .off, .duplicateFile: .error])
    #expect(read.exceptions.map(\.codes) == [[.sizeMismatch]])
    #expect(read.exceptions.map(\.reason) == ["old"])
    #expect(read.platform == "iphoneos" && read.minimum == OSVersion(15, 2))
    #expect(read.icons == ["AppIcon"] && read.devices == ["iPhone8,1"] && read.budget == "12MB")
  }

  /// Every fault is an error that names the place, because settings that are read in part hide
  /// findings or show them.
  @Test(arguments: [
    ("{", ".carve.json:1:2: the file ends too early"),
    ("[]", ".carve.json:1:1: the file must hold an object, and holds an array"),
    (#"{"severitys":{}}"#, #"unknown key "severitys"; did you mean "severities"?"#),
    (
      #"{"severities":{"missing-scal":"off"}}"#,
      #"unknown key "missing-scal"; did you mean "missing-scale"?"#
    ),
    (#"{"severities":{"missing-scale":"quiet"}}"#, #"unknown value "quiet""#),
    (#"{"severities":{"json-syntax":"off"}}"#, "it stays an error"),
    (#"{"ignore":[{"codes":["missing-fiel"],"reason":"r"}]}"#, "did you mean 'missing-file'?"),
    (#"{"ignore":[{"codes":["missing-file"]}]}"#, #"the entry has no "reason""#),
    (#"{"ignore":[{"reason":"r"}]}"#, #"neither "codes" nor "assets" nor "paths""#),
    (#"{"ignore":[{"assets":[],"reason":"r"}]}"#, #""assets" is an empty list"#),
    (
      #"{"ignore":[{"paths":["\#(String(repeating: "*a", count: 600))"],"reason":"r"}]}"#,
      "one of more than 1,024 bytes"
    ), (#"{"platform":"ios"}"#, #"unknown value "ios" of "platform""#),
    (#"{"minimum-deployment-target":"new"}"#, "is not a version"),
  ])
  func faultsAreErrors(json: String, words: String) {
    let error = #expect(throws: SettingsError.self) { try settings(json) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test func severitiesChangeAndOptionsOverrideThem() throws {
    var rules = try policy(
      #"{"severities":{"missing-scale":"error","missing-file":"note","duplicate-file":"off"}}"#)
    let all = [finding(.missingScale), finding(.missingFile), finding(.duplicateFile)]
    #expect(rules.applied(to: all).map(\.severity) == [.error, .note])
    #expect(rules.countLeftOut(of: all) == 1)
    // A finding of another catalogue is not changed.
    #expect(
      rules.applied(to: [finding(.missingFile, "B.xcassets/x")]).map(\.severity) == [.warning])
    // An error prevents a compilation, and stays an error.
    var error = finding(.missingFile)
    error.severity = .error
    #expect(rules.applied(to: [error]).map(\.severity) == [.error])
    rules.silentCodes = [.missingScale]
    rules.errorCodes = [.missingFile]
    #expect(rules.applied(to: all).map(\.severity) == [.error])
    // --werror=CODE is stronger than "off" and --no-warn.
    rules.errorCodes = [.missingScale, .duplicateFile]
    #expect(rules.applied(to: all).map(\.code) == [.missingScale, .missingFile, .duplicateFile])
  }

  @Test(arguments: [
    (#""codes":["missing-file"]"#, true), (#""codes":["missing-scale"]"#, false),
    (#""assets":["Star"]"#, true), (#""assets":["Icons/*"]"#, true), (#""assets":["S*"]"#, true),
    (#""assets":["Icons"]"#, false), (#""paths":["App"]"#, true),
    (#""paths":["App/A.xcassets/Icons"]"#, true), (#""paths":["*/Star.imageset"]"#, true),
    (#""paths":["App/A"]"#, false), (#""paths":["App"],"assets":["Moon"]"#, false),
    (#""codes":["missing-file"],"assets":["Star"],"paths":["App/*"]"#, true),
  ])
  func exceptionsNeedAllTheirConditions(conditions: String, isLeftOut: Bool) throws {
    let rules = try policy(#"{"ignore":[{\#(conditions),"reason":"r"}]}"#)
    #expect(rules.applied(to: [finding(.missingFile)]).isEmpty == isLeftOut)
  }

  // MARK: Finding

  private func find(
    _ catalog: ByteString, _ files: [ByteString]
  ) throws(SettingsError) -> FoundSettings? {
    var tree: [ByteString: MemoryFile] = ["repo/App/A.xcassets": .folder]
    for file in files { tree[file] = .bytes(Array(#"{"icons":["I"]}"#.utf8)) }
    var finder = SettingsFinder(in: .memory(tree), platforms: platforms)
    return try finder.settings(of: catalog)
  }

  @Test func theNearestFileInTheRepositoryCounts() throws {
    let beside = try find("/repo/App/A.xcassets", ["repo/App/.carve.json", "repo/.carve.json"])
    #expect(beside?.file == "/repo/App/.carve.json" && beside?.place == "A.xcassets")
    let above = try find("/repo/App/A.xcassets/", ["repo/.carve.json", "repo/.git/HEAD"])
    #expect(above?.file == "/repo/.carve.json" && above?.place == "App/A.xcassets")
    #expect(above?.settings.icons == ["I"])
    let group = try find("/repo/App/A.xcassets/Icons", ["repo/.carve.json", "repo/.git/HEAD"])
    #expect(group?.place == "App/A.xcassets/Icons")
  }

  @Test(arguments: [
    ["repo/.carve.json"], [".carve.json", "repo/.git/HEAD"],
    ["repo/App/A.xcassets/.carve.json", "repo/.git/HEAD"], ["repo/.git/HEAD"], [],
  ])
  func filesOfOthersDoNotCount(files: [ByteString]) throws {
    #expect(try find("/repo/App/A.xcassets", files) == nil)
  }

  @Test func aFileThatCannotBeReadIsAnError() throws {
    let tree = FileTree.memory([
      "repo/A.xcassets": .folder, "repo/.carve.json": .unreadable,
    ])
    var finder = SettingsFinder(in: tree, platforms: platforms)
    let error = #expect(throws: SettingsError.self) {
      try finder.settings(of: "/repo/A.xcassets")
    }
    #expect(error?.isInputOutput == true)
  }

  @Test func newSettingsAreReadAgain() throws {
    var new = ProjectSettings()
    (new.platform, new.icons, new.devices) = ("macosx", ["AppIcon"], ["iPhone8,1"])
    new.minimum = OSVersion(12)
    new.severities = [.missingScale: .off]
    let text = new.text(schema: ".carve.schema.json")
    #expect(
      try ProjectSettings(json: text, file: ".carve.json", platforms: platforms) == new)
  }
}

@Suite struct BaselineTests {
  private func baseline(of found: [Diagnostic]) -> Baseline {
    var baseline = Baseline()
    baseline.update(with: found, about: ["App/A.xcassets"]) { $0 }
    return baseline
  }

  @Test func aMovedLineIsTheSameFinding() throws {
    var old = finding(.missingFile)
    (old.pointer, old.line) = ("/images/0/filename", 4)
    var new = finding(.missingFile)
    (new.pointer, new.line) = ("/images/3/filename", 90)
    let text = baseline(of: [old]).json
    let read = try Baseline(json: text, file: "b.json")
    let same = read.comparison(with: [new], about: ["App/A.xcassets"]) { $0 }
    #expect(same.new.isEmpty && same.knownCount == 1 && same.gone.isEmpty)
    // Another name, another code, another file and one more finding are new.
    for other in [
      finding(.missingFile, new.file, "\"b.png\" is wrong"), finding(.duplicateFile),
      finding(.missingFile, "App/A.xcassets/S.imageset/Contents.json"),
    ] {
      let found = read.comparison(with: [new, other], about: ["App/A.xcassets"]) { $0 }
      #expect(found.new == [other])
    }
    #expect(read.comparison(with: [new, new], about: []) { $0 }.new == [new])
  }

  @Test func manyFindingsOfOneFileCostLittle() {
    let found = (0..<20_000).map { finding(.missingFile, "App/A.xcassets/x", "\"\($0)\" is gone") }
    let comparison = baseline(of: found.reversed() + found).comparison(
      with: found, about: ["App/A.xcassets"]
    ) { $0 }
    #expect(comparison.knownCount == 20_000 && comparison.gone.count == 20_000)
  }

  @Test func adviceAndWordsDoNotMatter() {
    let old = baseline(
      of: [finding(.missingFile, "App/A.xcassets/x", #""a.png" is gone; did you mean "b.png"?"#)])
    let new = finding(.missingFile, "App/A.xcassets/x", #"the folder lacks "a.png""#)
    #expect(old.comparison(with: [new], about: []) { $0 }.new.isEmpty)
  }

  @Test func errorsAreNeverAccepted() {
    var error = finding(.brokenImage)
    error.severity = .error
    let old = baseline(of: [error])
    #expect(old.count == 0)
    #expect(old.comparison(with: [error], about: []) { $0 }.new == [error])
  }

  @Test func goneFindingsAreNamedForTheCheckedCatalogues() throws {
    let other = finding(.missingFile, "App/B.xcassets/x")
    var old = Baseline()
    old.update(with: [finding(.missingFile), other], about: []) { $0 }
    let found = old.comparison(with: [], about: ["App/A.xcassets"]) { $0 }
    #expect(
      found.gone.map(\.text) == [
        "App/A.xcassets/Icons/Star.imageset/Contents.json: missing-file (a.png)"
      ])
    // An update keeps what it did not check.
    old.update(with: [], about: ["App/A.xcassets"]) { $0 }
    #expect(old.count == 1)
    #expect(old.comparison(with: [other], about: []) { $0 }.new.isEmpty)
  }

  @Test(arguments: ["", "[]", "{}", #"{"version":2,"findings":{}}"#])
  func otherFilesAreRefused(text: String) {
    #expect(throws: SettingsError.self) { try Baseline(json: Array(text.utf8), file: "b.json") }
  }

  @Test(arguments: [
    ("/a/b", "/a/b/c/d", "c/d"), ("/a/b", "/a/c", "../c"), ("/a/b/..", "/a/./c", "c"),
    ("/a", "/a", "."),
    ("/a/b/c", "/d", "../../../d"),
  ])
  func pathsCountFromTheFolder(folder: ByteString, file: ByteString, path: ByteString) {
    #expect(CatalogModel.path(from: folder, to: file) == path)
  }
}

@Suite struct LintSummaryTests {
  @Test func countsAndFindingsAreMarkdown() {
    var error = finding(.brokenImage, "A.xcassets/a|b.png", "the file is *broken*")
    error.line = 3
    let text = LintSummary(
      findings: [finding(.missingFile), error], catalogCount: 2, knownCount: 7,
      gone: ["x: missing-file (a.png)"]
    ).markdown
    #expect(
      text == #"""
        ### Asset catalogues

        new: 1 error, 1 warning in 2 catalogues; 7 findings in the baseline

        | severity | code | findings |
        | --- | --- | ---: |
        | error | broken-image | 1 |
        | warning | missing-file | 1 |

        | file | severity | finding | code |
        | --- | --- | --- | --- |
        | A.xcassets/a\|b.png:3 | error | the file is \*broken\* | broken-image |
        | App/A.xcassets/Icons/Star.imageset/Contents.json | warning | "a.png" is wrong | missing-file |

        Gone since the baseline: 1 finding

        * x: missing-file (a.png)

        """#)
  }
}
