// The page of each code: its severity, its meaning, its effect on a device, its remedy, an example
// before and after, and the kind of its fix. `carve explain-code`, `carve lint --list`,
// Docs/reference-findings.md, SARIF reports and the language server show the same text.
//
// The pages are in the folder Pages, by topic. An example is written as people read it: the files
// of a catalogue, each with its text or with a description. A test makes these files, runs the
// command of the example, and expects the finding before the change, but not after it
// (Tests/EndToEndTests/CodeExampleTests.swift).

import Documents

/// The kind of the change by which `carve lint` mends a finding.
package enum FixKind: String, Sendable, Hashable, CaseIterable {
  /// The meaning of the file stays the same. `--fix` makes the change.
  case certain
  /// The change is what the author probably meant. `--fix=all` makes it.
  case review
  /// Only the layout of the text changes. `--fix=format` makes the change.
  case format

  /// The option of `carve lint` that makes the change.
  package var option: String {
    switch self {
    case .certain: "--fix"
    case .review: "--fix=all"
    case .format: "--fix=format"
    }
  }

  /// The kind in words, for the page of a code.
  fileprivate var text: String {
    switch self {
    case .certain:
      "`--fix` makes the change. It is always right: the meaning of the file stays the same."
    case .review:
      "`--fix=all` makes the change if only one is likely. Look at the result: it changes what is "
        + "compiled."
    case .format:
      "`--fix=format` makes the change. It is always right: only the layout of the text changes."
    }
  }
}

/// The description of a code, the same for every catalogue.
package struct CodePage: Sendable, Hashable {
  package var code: DiagnosticCode
  /// The default severity of findings with this code.
  package var severity: Severity
  package var meaning: String
  /// The effect on a device, or on the build of the app.
  package var why: String
  /// The steps by which the author of the catalogue can mend the finding.
  package var remedy: String
  /// The kind of the fix that findings of this code can have; nil if a person must decide.
  package var fix: FixKind?
  /// Files that give the finding, and the changes after which they do not.
  package var before: String
  package var after: String

  init(
    _ code: DiagnosticCode, _ severity: Severity, _ meaning: String, why: String, remedy: String,
    fix: FixKind? = nil, before: String, after: String
  ) {
    self.code = code
    self.severity = severity
    self.meaning = meaning
    self.why = why
    self.remedy = remedy
    self.fix = fix
    self.before = before
    self.after = after
  }
}

extension CodePage {
  /// The pages by topic.
  package static let all: [[CodePage]] = [
    files, names, json, slots, pictures, icons, symbols, colors, targets, compiling, uses,
  ]

  fileprivate static let byCode: [DiagnosticCode: CodePage] = {
    var pages: [DiagnosticCode: CodePage] = [:]
    for page in all.joined() { pages[page.code] = page }
    return pages
  }()
}

extension DiagnosticCode {
  /// The page of the code. Every code has one; a test checks this.
  package var page: CodePage {
    CodePage.byCode[self]
      ?? CodePage(self, .error, rawValue, why: "", remedy: "", before: "", after: "")
  }

  /// The page in Markdown, under the heading of the code.
  package var pageText: String { "## \(rawValue)\n\n\(page.text)" }
}

extension CodePage {
  /// The page in Markdown, without its heading.
  package var text: String {
    let paragraphs = [
      "**\(severity.rawValue)**: \(meaning)", "**On a device:** \(why)",
      "**What to do:** \(remedy)", "**Fix:** \(fix?.text ?? "By hand.")",
    ]
    return
      (paragraphs.map(onLines) + [
        "Before:", indented(before), "After:", indented(after),
      ]).joined(separator: "\n\n") + "\n"
  }

  /// Returns lines as a block of Markdown that keeps its layout.
  private func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
      .joined(separator: "\n")
  }
}

/// Returns a paragraph on lines of 100 columns.
private func onLines(_ paragraph: String) -> String {
  wrap(paragraph, to: 100).joined(separator: "\n")
}

/// Returns Markdown: an introduction, then the page of each code, sorted by code.
package func diagnosticPages() -> String {
  let introduction = [
    """
    Each finding has a code, and each code has a page here; `carve explain-code CODE` prints it. \
    An error prevents the compilation of a catalogue. A warning reports a result that differs from \
    what the author probably intended; a note is information. `--werror` turns all warnings into \
    errors, `--werror=CODE` all findings of a code; `--no-warn=CODE` hides findings that are not \
    errors. A file `.carve.json` does the same for a project.
    """,
    """
    An example shows files in `Assets.xcassets`, each with its text or with a description of its \
    content; the part "After" has only the files that change. The finding comes from `carve lint \
    Assets.xcassets`, or from the command with which the example begins.
    """,
  ]
  let codes = DiagnosticCode.allCases.sorted { $0.rawValue < $1.rawValue }
  return (["# Findings of Carve"] + introduction.map(onLines)).joined(separator: "\n\n")
    + "\n\n" + codes.map(\.pageText).joined(separator: "\n")
}

// MARK: - Places of the pages

/// The address of the pages of all codes, to which reports and editors link.
package struct PageAddress: Sendable, Hashable {
  /// The address of a page whose sections are named by codes; nil for the manual.
  private var base: String?

  /// The pages in the manual of the tool.
  package static let manual = PageAddress(base: nil)

  /// Creates the address of Docs/reference-findings.md, or of a copy of it, from the value of the
  /// environment variable CARVE_FINDINGS_URL. Values that are no address of the web or of a file
  /// count as absent.
  package init(variable: String?) {
    let isAddress = ["https://", "http://", "file://"].contains { variable?.hasPrefix($0) == true }
    base = isAddress ? variable : nil
  }

  private init(base: String?) { self.base = base }

  /// Whether editors can open the address.
  package var canBeOpened: Bool { base != nil }

  package func address(of code: DiagnosticCode) -> String {
    "\(base ?? "man:carve-explain-code(1)")#\(code.rawValue)"
  }
}
