import Foundation
import Support
import Testing

@testable import CommandLineKit

@Suite struct ManualAndCompletionTests {
  @Test func manualPagesShowEveryRow() throws {
    #expect(tool.manualPages == ["tool", "tool-compile", "tool-actool"])
    for page in tool.manualPages { golden(try #require(tool.manualPage(page)), "\(page).1") }
    #expect(tool.manualPage("tool-fail") == nil)
  }

  /// A line that begins with a point or an apostrophe would be a macro.
  @Test(arguments: [".x", "'x", "\\x", "a-b"]) func linesOfManualPagesAreNoMacros(text: String)
    throws
  {
    let command = Command(
      "run", summary: "Run", discussion: text, defaults: Words(), run: { _, _ in .fine })
    let program = Program(name: "tool", version: "1", summary: "Tool", commands: [command])
    let lines = try #require(program.manualPage("tool-run")).split(separator: "\n").map(String.init)
    let shown = [".x": "\\&.x", "'x": "\\&'x", "\\x": "\\ex", "a-b": "a\\-b"]
    #expect(lines.contains(try #require(shown[text])), "\(lines)")
  }

  @Test(.enabled(if: present("mandoc"), "mandoc is not installed"))
  func manualPagesPleaseMandoc() throws {
    let folder = try TemporaryDirectory()
    for page in tool.manualPages {
      let file = try folder.write(try #require(tool.manualPage(page)), to: "\(page).1")
      let result = try run("/usr/bin/mandoc", ["-T", "lint", "-W", "warning", file])
      // The pages have no date on purpose: the same rows must give the same bytes.
      let faults = result.stdout.split(separator: "\n").filter { !$0.contains("missing date") }
      #expect(faults.isEmpty)
    }
  }

  @Test(arguments: Shell.allCases) func completionsShowEveryRow(shell: Shell) {
    golden(tool.completions(for: shell), "completions.\(shell.rawValue)")
  }

  @Test(arguments: Shell.allCases.filter { present($0.rawValue) })
  func completionsAreGoodSyntax(shell: Shell) throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(tool.completions(for: shell), to: "completions")
    let result = try run("/usr/bin/\(shell.rawValue)", ["-n", file])
    #expect(result.code == 0, "\(result.stderr)")
  }

  /// The words typed so far, of which the last one is completed, and the words that bash offers.
  @Test(arguments: [
    ("tool comp", "compile"), ("tool ", "compile actool help --help --version"),
    ("tool compile --dia", "--diagnostics"), ("tool compile --diagnostics ", "text json sarif"),
    ("tool compile --diagnostics = s", "sarif"),
    ("tool compile --diagnostics =", "text json sarif"),
    ("tool compile -n ", ""), ("tool compile --platform i", "iphoneos"),
    ("tool compile ", "My Sub.xcassets sub"), ("tool compile -o ", "My Sub.xcassets a.car sub"),
    ("tool compile --cache s", "sub"), ("tool help c", "compile"),
    ("tool compile --device b", "b1,2 b2"), ("tool compile --device b1", "b1,2"),
    ("tool compile --device b1,2,a", "b1,2,a1"), ("tool compile --device b1,2,b1,", "b1,2,b1,2"),
    ("tool compile --werror = a", "a1"), ("tool compile --werror ", "My Sub.xcassets sub"),
  ])
  func bashCompletes(line: String, offers: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write(tool.completions(for: .bash), to: "sub/script")
    for file in ["a.car", "b.txt", "My Sub.xcassets/x"] { try folder.write("", to: file) }
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      compopt() { :; }
      tool() { [[ $* == words ]] && printf '%s\\tmeaning\\n' a1 b1,2 b2; }
      source sub/script
      COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
      _tool
      echo "${COMPREPLY[*]}"
      """
    let result = try run(
      "/bin/bash", ["-c", script], in: folder.path, environment: ["LC_ALL": "C"])
    #expect(result.stderr.isEmpty)
    let offered = result.stdout.dropLast().split(separator: " ").sorted()
    #expect(offered == offers.split(separator: " ").sorted())
  }
}

private func present(_ program: String) -> Bool {
  FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
}
