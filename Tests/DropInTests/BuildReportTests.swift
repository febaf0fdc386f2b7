// Tests the report of a build step from the side of its readers: the key of each message and its
// members.

import Bytes
import CatalogModel
import Documents
import Testing

@testable import DropIn

@Suite struct BuildReportTests {
  /// A report with a message and a finding of every severity.
  private var report: BuildReport {
    var report = BuildReport()
    report.documents = ["/a/A.xcassets", "/a/A.xcassets/Inner"]
    report.shown = [.error, .warning, .note]
    for severity in [Severity.note, .error, .warning] {
      report.messages.append(
        RunMessage(severity, "said \(severity.rawValue)", about: "/a/out", reason: "because"))
      var finding = Diagnostic(
        .missingFile, "found \(severity.rawValue)", file: "/a/A.xcassets/S.imageset/Contents.json")
      finding.severity = severity
      finding.line = 3
      finding.column = 5
      report.findings.append(finding)
    }
    return report
  }

  private func members(_ value: PropertyValue?) -> [ByteString: PropertyValue] {
    value?.dictionary ?? [:]
  }

  /// The keys of Apple's tool, with the name by which the tool was called.
  @Test(arguments: ["actool", "ibtool"]) func everySeverityHasItsKeys(name: String) {
    let list = members(report.propertyList(calledAs: name))
    let keys = ["errors", "warnings", "notices"].flatMap { (key) -> [ByteString] in
      ["com.apple.\(name).\(key)", "com.apple.\(name).document.\(key)"]
    }
    #expect(list.keys.sorted() == keys.sorted())
    for (key, word) in [("errors", "error"), ("warnings", "warning"), ("notices", "note")] {
      let said = list["com.apple.\(name).\(key)"]?.array ?? []
      #expect(said.map { members($0)["description"]?.string } == ["said \(word)"])
      let found = list["com.apple.\(name).document.\(key)"]?.array ?? []
      #expect(found.map { members($0)["message"]?.string } == ["found \(word)"])
    }
  }

  @Test func aMessageSaysItsReasonAndItsPath() {
    let list = members(report.propertyList(calledAs: "actool"))
    let said = members(list["com.apple.actool.errors"]?.array?.first)
    #expect(said.keys.sorted() == ["description", "failure-reason", "path"])
    #expect(said["failure-reason"]?.string == "because" && said["path"]?.string == "/a/out")
    var plain = BuildReport()
    plain.messages = [RunMessage(.error, "no more")]
    let alone = members(
      members(plain.propertyList(calledAs: "actool"))["com.apple.actool.errors"]?.array?.first)
    #expect(alone.keys.sorted() == ["description"])
  }

  @Test func aFindingStatesItsPlace() {
    let list = members(report.propertyList(calledAs: "actool"))
    let found = members(list["com.apple.actool.document.warnings"]?.array?.first)
    #expect(found["catalog"]?.string == "/a/A.xcassets")
    #expect(found["affected-items"]?.array?.map(\.string) == ["./S.imageset/Contents.json"])
    #expect(found["type"]?.string == "Missing Content" && found["code"]?.string == "missing-file")
    #expect(found["line"] == .integer(3) && found["column"] == .integer(5))
  }

  /// If one document lies inside another, the inner one contains the file. A finding about a
  /// document itself has no item.
  @Test func aFindingBelongsToTheInnermostDocument() {
    var report = report
    report.findings = ["/a/A.xcassets/Inner/x", "/a/A.xcassets/Inner", "/a/A.xcassets/Innermost"]
      .map {
        Diagnostic(.unassignedFile, "x", file: $0)
      }
    let list = members(report.propertyList(calledAs: "actool"))
    let found = (list["com.apple.actool.document.warnings"]?.array ?? []).map { members($0) }
    #expect(
      found.map { $0["catalog"]?.string } == [
        "/a/A.xcassets/Inner", "/a/A.xcassets/Inner", "/a/A.xcassets",
      ])
    #expect(
      found.map { $0["affected-items"]?.array?.first?.string } == ["./x", nil, "./Innermost"])
  }

  /// Errors are always shown, warnings and notices only on request. A warning about the whole run
  /// is always shown.
  @Test func messagesThatAreNotRequestedAreNotShown() {
    var report = report
    report.shown = []
    let keys = members(report.propertyList(calledAs: "actool")).keys.sorted()
    #expect(
      keys == [
        "com.apple.actool.document.errors", "com.apple.actool.errors", "com.apple.actool.warnings",
      ])
  }

  @Test func theTextSaysTheReasonBelowItsLine() {
    var report = BuildReport()
    report.shown = [.note]
    report.messages = [RunMessage(.note, "left out", about: "/a/out", reason: "because")]
    #expect(
      report.text(calledAs: "actool") == """
        /* com.apple.actool.notices */
        /a/out: notice: left out
            Failure Reason: because

        """)
  }
}
