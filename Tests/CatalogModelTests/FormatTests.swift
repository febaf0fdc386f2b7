// Tests diagnostics as text, JSON, SARIF and annotations, and the effect of --werror and --no-warn
// on them.

import Bytes
import CatalogModel
import Foundation
import Support
import Testing
@testable import Documents

@Suite struct FormatTests {
  /// A finding with notes, one with a fix, one without a line, and names that need escapes.
  private static let samples: [Diagnostic] = {
    var builder = TreeBuilder().imageSet("One/Star", [""]).imageSet("Two/Star", [#""Scale":"1x""#])
    builder = builder.folder("A, b%.imageset", images(#"{"filename":"größe\n.png"}"#))
    return builder.read().diagnostics
  }()

  @Test(arguments: DiagnosticFormat.allCases)
  func eachFormatIsAsItWas(format: DiagnosticFormat) {
    let text = format.text(of: FormatTests.samples)
    golden(text.replacing("\"\(carveVersion)\"", with: "\"V\""), "diagnostics.\(format.rawValue)")
  }

  @Test func aNameWithANewlineEndsNoLine() {
    var diagnostic = Diagnostic(.unsupportedSet, "\"A\n\u{1B}[31m\" is left out", file: "A\n")
    diagnostic.notes = [Note("the \r other", file: "B")]
    let lines = diagnostic.text.split(whereSeparator: \.isNewline)
    #expect(lines.count == 2)
    #expect(!diagnostic.text.unicodeScalars.contains("\u{1B}"))
  }

  /// Line ends that only some programs recognise, control sequences of terminals, and controls that
  /// reorder text.
  private static let odd =
    "x\u{1B}[31m\u{85}y\u{2028}z\u{2029}\u{7F}\u{9B}2J\u{202E}cod\u{2066}.\r\n::error::"

  /// No format prints these characters: lines have a replacement character, JSON has their numbers.
  @Test(arguments: DiagnosticFormat.allCases)
  func noFormLetsControlCharactersThrough(format: DiagnosticFormat) throws {
    var diagnostic = Diagnostic(
      .unsupportedSet, "\(Self.odd) is left out", file: "A/\(Self.odd)/B")
    diagnostic.notes = [Note("and \(Self.odd)", file: ByteString(Self.odd))]
    let text = format.text(of: [diagnostic])
    #expect(!text.unicodeScalars.contains { $0 != "\n" && isControl($0) }, "\(text)")
    switch format {
    case .text: #expect(text.utf8.count { $0 == 10 } == 2)
    case .github: #expect(text.utf8.count { $0 == 10 } == 1 && text.contains("%0A"))
    case .json, .sarif:
      // Programs that parse the JSON get the original name.
      let root = try JSONSerialization.jsonObject(with: Data(text.utf8))
      let message = Array("\(Self.odd) is left out".utf16)
      func holds(_ value: Any) -> Bool {
        switch value {
        case let text as String: Array(text.utf16) == message
        case let list as [Any]: list.contains(where: holds)
        case let members as [String: Any]: members.values.contains(where: holds)
        default: false
        }
      }
      #expect(holds(root), "\(text)")
    }
  }

  @Test func jsonIsReadByOthers() throws {
    let text = DiagnosticFormat.json.text(of: FormatTests.samples)
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(root["version"] as? Int == 1)
    let list = try #require(root["diagnostics"] as? [[String: Any]])
    #expect(list.map { $0["code"] as? String } == FormatTests.samples.map(\.code.rawValue))
    #expect(list.map { $0["line"] as? Int } == FormatTests.samples.map(\.line))
  }

  /// Checks the written members against the schema of SARIF 2.1.0.
  @Test func sarifHasWhatItsSchemaDemands() throws {
    let text = DiagnosticFormat.sarif.text(of: FormatTests.samples)
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(root.keys) == ["$schema", "version", "runs"])
    #expect(root["version"] as? String == "2.1.0")
    let run = try #require((root["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "carve")
    let rules = try #require(driver["rules"] as? [[String: Any]]).map { $0["id"] as? String }
    #expect(Set(rules).count == rules.count)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == FormatTests.samples.count)
    for result in results {
      #expect((result["message"] as? [String: Any])?["text"] is String)
      #expect(["note", "warning", "error"].contains(result["level"] as? String ?? ""))
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index] == result["ruleId"] as? String)
      let location = try #require((result["locations"] as? [[String: Any]])?.first)
      let physical = try #require(location["physicalLocation"] as? [String: Any])
      let uri = try #require((physical["artifactLocation"] as? [String: Any])?["uri"] as? String)
      #expect(URL(string: uri) != nil && !uri.contains(" "))
      if let region = physical["region"] as? [String: Any] {
        #expect(region["startLine"] as? Int ?? 0 >= 1)
      }
    }
  }

  @Test func aListOfNothingIsStillADocument() {
    #expect(DiagnosticFormat.text.text(of: []) == "")
    #expect(DiagnosticFormat.json.text(of: []).contains("\"diagnostics\" : ["))
    #expect(DiagnosticFormat.sarif.text(of: []).contains("\"results\" : ["))
  }

  @Test func policiesRaiseAndSilence() throws {
    let found = FormatTests.samples
    let codes = found.map(\.code)
    #expect(codes.contains(.misspelledKey) && codes.contains(.nameClash))
    var policy = try DiagnosticPolicy(
      warningsAreErrors: true, errorCodes: [], silentCodes: ["name-clash"])
    let strict = policy.applied(to: found)
    #expect(!strict.contains { $0.code == .nameClash || $0.severity == .warning })
    policy = try DiagnosticPolicy(
      warningsAreErrors: false, errorCodes: ["empty-set"], silentCodes: ["empty-set"])
    #expect(!policy.applied(to: found).contains { $0.code == .emptySet })
  }

  @Test func anErrorCannotBeSilenced() throws {
    let found = TreeBuilder().folder("S.imageset", "{").read().diagnostics
    let policy = try DiagnosticPolicy(
      warningsAreErrors: false, errorCodes: [], silentCodes: ["json-syntax"])
    #expect(policy.applied(to: found) == found)
  }

  @Test func aWordThatIsNoCodeIsRefusedWithTheNearest() {
    #expect(throws: UnknownCode(word: "json-sintax", nearest: "json-syntax")) {
      try DiagnosticPolicy(warningsAreErrors: false, errorCodes: ["json-sintax"], silentCodes: [])
    }
  }
}
