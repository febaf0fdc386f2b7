// The page of all codes, for `carve lint --list` and for the documentation.

/// Returns Markdown: an introduction, then for each code a heading and two paragraphs, sorted by
/// code.
package func diagnosticPages() -> String {
  var text = """
    # Diagnostics of Carve

    An error prevents the compilation of a catalogue. A warning reports a result that differs from \
    what the author probably intended; a note is information. --werror turns all warnings into \
    errors, --werror=CODE all findings of a code; --no-warn=CODE hides findings that are not \
    errors.

    """
  for code in DiagnosticCode.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
    let page = code.page
    text += "\n## \(code.rawValue) (\(page.severity.rawValue))\n\n\(page.meaning)\n\n"
    text += "What to do: \(page.remedy)\n"
  }
  return text
}
