// Replays the example on the page of every code: its files give the finding, after the change they
// do not, and `--fix` does what the page says.

import Foundation
import Support
import Testing

/// The codes that the tool knows.
private let codes: [String] = {
  let words = (try? runTool(["words", "codes"]).stdout) ?? ""
  return words.split(separator: "\n").compactMap {
    $0.split(separator: "\t").first.map(String.init)
  }
}()

/// The parts of a page as `carve explain-code` prints it.
private struct Page {
  var text: String
  var before: CatalogExample
  var after: CatalogExample
  /// The option of `lint` that mends the finding; nil if a person must.
  var fix: String?

  init(_ code: String) throws {
    text = try runTool(["explain-code", code]).stdout
    let parts =
      text.components(separatedBy: "\nBefore:\n").last?
      .components(separatedBy: "\nAfter:\n") ?? []
    try #require(parts.count == 2)
    func example(_ block: String) -> CatalogExample {
      let lines = block.split(separator: "\n").map { $0.dropFirst(4) }
      return CatalogExample(lines.joined(separator: "\n"))
    }
    (before, after) = (example(parts[0]), example(parts[1]))
    fix = text.firstMatch(of: #/\*\*Fix:\*\* `(--fix[a-z=]*)`/#).map { String($0.1) }
  }
}

@Suite struct CodeExampleTests {
  @Test func codesAreListed() {
    #expect(codes.count >= 98)
  }

  @Test(arguments: codes) func theExampleIsTrue(code: String) throws {
    let page = try Page(code)
    let plain = ["lint", "Assets.xcassets"]
    let folder = try TemporaryDirectory()
    try page.before.apply(to: folder)
    let first = page.before.command ?? plain
    let found = try output(of: first, page, in: folder)
    #expect(has(code, found), "\(found)")
    let severity = try #require(page.text.firstMatch(of: #/\*\*(\w+)\*\*: /#)).1
    #expect(found.contains("\(severity): ") || first.first == "actool", "\(found)")
    try page.after.apply(to: folder)
    let left = try output(of: page.after.command ?? first, page, in: folder)
    #expect(!has(code, left), "\(left)")
    #expect(!left.contains(": error: ") && !left.contains(": warning: "), "\(left)")
  }

  @Test(arguments: codes) func theFixIsAsThePageSays(code: String) throws {
    let page = try Page(code)
    let command = page.before.command ?? ["lint", "Assets.xcassets"]
    guard command.first == "lint" else { return #expect(page.fix == nil) }
    for option in ["--fix", "--fix=all", "--fix=format"] {
      let folder = try TemporaryDirectory()
      try page.before.apply(to: folder)
      let left = try output(of: command + [option], page, in: folder)
      let isMended = option == page.fix || (page.fix == "--fix")
      #expect(has(code, left) == !isMended, "\(option): \(left)")
    }
  }

  /// The list of `lint`, the pages and the document have the same text.
  @Test func everyPlaceHasTheSamePages() throws {
    let all = try runTool(["explain-code"]).stdout
    #expect(try runTool(["lint", "--list"]).stdout == all)
    #expect(
      try runTool(["lint", "--list", "cut-image", "empty-set"]).stdout
        == runTool(["explain-code", "cut-image", "empty-set"]).stdout)
    for code in codes { #expect(all.contains(try Page(code).text)) }
    golden(all, at: URL(fileURLWithPath: packageRoot + "/Docs/reference-findings.md"))
  }

  @Test func aCodeThatDoesNotExistIsAUsageError() throws {
    let result = try runTool(["explain-code", "missing-fiel"])
    #expect(result.code == 2 && result.stderr.contains("did you mean 'missing-file'?"))
  }

  @Test func reportsLinkToThePages() throws {
    let folder = try TemporaryDirectory()
    try Page("missing-file").before.apply(to: folder)
    let words = ["lint", "Assets.xcassets", "--diagnostics", "sarif"]
    let usual = try runTool(words, in: folder.path).stdout
    #expect(usual.contains(#""helpUri" : "man:carve-explain-code(1)#missing-file""#), "\(usual)")
    let address = "https://example.org/findings.md"
    let named = try runTool(
      words, in: folder.path, environment: ["CARVE_FINDINGS_URL": address]
    ).stdout
    #expect(named.contains(#""helpUri" : "\#(address)#missing-file""#), "\(named)")
    let odd = try runTool(words, in: folder.path, environment: ["CARVE_FINDINGS_URL": "x"]).stdout
    #expect(odd == usual)
  }

  private func has(_ code: String, _ text: String) -> Bool {
    text.contains("[\(code)]") || text.contains("<string>\(code)</string>")
  }

  /// Returns the output of a command. Root can read every file, so another user runs the tool for a
  /// page about permissions.
  private func output(
    of words: [String], _ page: Page, in folder: TemporaryDirectory
  ) throws -> String {
    let result: ToolResult
    if page.text.contains("without permission to read"), getuid() == 0 {
      // That user writes what is formatted.
      let open = [
        folder.path, "-type", "d", "-perm", "-700", "-exec", "/bin/chmod", "777", "{}", "+",
      ]
      _ = try run("/usr/bin/find", open)
      let user = ["--reuid=65534", "--regid=65534", "--clear-groups", productFolder + "/carve"]
      result = try run("/usr/bin/setpriv", user + words, in: folder.path)
    } else {
      result = try runTool(words, in: folder.path)
    }
    return result.stdout + result.stderr
  }
}
