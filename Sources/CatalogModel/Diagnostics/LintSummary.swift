// The summary of `carve lint` in Markdown, for the page of a run of a build service.

import Bytes
import Documents

package struct LintSummary: Sendable {
  /// The findings that are shown.
  package var findings: [Diagnostic]
  package var catalogCount: Int
  /// The number of findings that are in the baseline; nil without a baseline.
  package var knownCount: Int?
  /// The entries of the baseline whose findings are gone.
  package var gone: [String]
  /// Further sections in Markdown, such as the sizes for devices, each with a title, which
  /// is empty if there is one section for all catalogues.
  package var sections: [(title: String, markdown: String)] = []

  /// The greatest number of findings and of entries that are listed.
  private static let mostRows = 50

  package init(findings: [Diagnostic], catalogCount: Int, knownCount: Int?, gone: [String]) {
    self.findings = findings
    self.catalogCount = catalogCount
    self.knownCount = knownCount
    self.gone = gone
  }

  package var markdown: String {
    let what = knownCount == nil ? "" : "new: "
    var text = "### Asset catalogues\n\n"
    text += "\(what)\(findings.summary ?? "no findings") in \(counted(catalogCount, "catalogue"))"
    if let knownCount { text += "; \(counted(knownCount, "finding")) in the baseline" }
    text += "\n"
    for (title, section) in sections {
      if !title.isEmpty { text += "\n\(title.escapedForMarkdown)\n" }
      text += section
    }
    if !findings.isEmpty { text += "\n" + codeTable + "\n" + findingTable }
    if !gone.isEmpty {
      text += "\nGone since the baseline: \(counted(gone.count, "finding"))\n\n"
      text += gone.prefix(LintSummary.mostRows).map { "* \($0.escapedForMarkdown)\n" }.joined()
      text += rest(of: gone.count)
    }
    return text
  }

  /// A row for each code: errors first, then by the number of findings.
  private var codeTable: String {
    struct Row: Hashable {
      var severity: Severity
      var code: DiagnosticCode
    }
    var counts: [Row: Int] = [:]
    for finding in findings {
      counts[Row(severity: finding.severity, code: finding.code), default: 0] += 1
    }
    let rows = counts.sorted { a, b in
      if a.key.severity != b.key.severity { return a.key.severity > b.key.severity }
      if a.value != b.value { return a.value > b.value }
      return a.key.code.rawValue < b.key.code.rawValue
    }
    return "| severity | code | findings |\n| --- | --- | ---: |\n"
      + rows.map {
        "| \($0.key.severity.rawValue) | \($0.key.code.rawValue) | \(grouped($0.value)) |\n"
      }
      .joined()
  }

  private var findingTable: String {
    let ordered = [Severity.error, .warning, .note].flatMap { severity in
      findings.filter { $0.severity == severity }
    }
    let rows = ordered.prefix(LintSummary.mostRows).map { finding in
      let line = finding.line.map { ":\($0)" } ?? ""
      return "| \((finding.file.text + line).escapedForMarkdown) | \(finding.severity.rawValue) | "
        + "\(finding.message.escapedForMarkdown) | \(finding.code.rawValue) |\n"
    }
    return "| file | severity | finding | code |\n| --- | --- | --- | --- |\n" + rows.joined()
      + rest(of: findings.count)
  }

  private func rest(of count: Int) -> String {
    count > LintSummary.mostRows ? "\nand \(grouped(count - LintSummary.mostRows)) more\n" : ""
  }
}
