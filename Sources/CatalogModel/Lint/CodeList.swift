// The page of all codes, as `carve lint --list` prints it and the documentation shows it.

/// Markdown: a heading and two paragraphs for each code, sorted.
public func diagnosticPages() -> String {
  var text = "# Diagnostics of Carve\n"
  for code in DiagnosticCode.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
    let page = code.page
    text += "\n## \(code.rawValue) (\(page.severity.rawValue))\n\n\(page.meaning)\n\n"
    text += "What to do: \(page.remedy)\n"
  }
  return text
}
