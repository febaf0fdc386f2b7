// The page of all codes, for `carve lint --list` and for the documentation.

/// Returns Markdown: an introduction, then for each code a heading and two paragraphs, sorted by
/// code.
package func diagnosticPages() -> String {
  var text = """
    # Diagnostics of Carve

    An error keeps a catalogue from being compiled. A warning is about what will not be as its author \
    meant; a note is worth knowing. --werror makes errors of all warnings, --werror=CODE of all \
    findings of a code; --no-warn=CODE hides what is not an error.

    """
  for code in DiagnosticCode.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
    let page = code.page
    text += "\n## \(code.rawValue) (\(page.severity.rawValue))\n\n\(page.meaning)\n\n"
    text += "What to do: \(page.remedy)\n"
  }
  return text
}
