// Prints the report of a run on standard output, in the three forms of Apple's tool: the same keys
// as text, as an XML property list, or as a binary one. The messages come from BuildStep and its
// parts; AppleWords.swift chooses the words of findings.

import Bytes
import CatalogModel
import Documents

package enum ReportFormat: String, CaseIterable, Sendable {
  case xml1, binary1
  case text = "human-readable-text"
}

extension Severity {
  /// The word in a line of the report.
  var word: String { self == .note ? "notice" : rawValue }

  /// The word in the keys of the report.
  var key: String { word + "s" }
}

/// A message about the run as a whole, or about a document.
package struct RunMessage: Sendable, Hashable {
  package var severity: Severity
  /// The document or output that the message is about; nil if it is about the run.
  package var path: ByteString?
  package var description: String
  package var failureReason: String?

  package init(
    _ severity: Severity, _ description: String, about path: ByteString? = nil,
    reason: String? = nil
  ) {
    self.severity = severity
    self.description = description
    self.path = path
    failureReason = reason
  }
}

/// The versions of the tool in the report.
package struct ToolVersion: Sendable {
  package var bundle: String
  package var short: String
  /// The version of Carve.
  package var carve: String

  package init(bundle: String, short: String, carve: String) {
    self.bundle = bundle
    self.short = short
    self.carve = carve
  }
}

package struct BuildReport: Sendable {
  package var messages: [RunMessage] = []
  /// The findings about places in the catalogues, sorted, with lines.
  package var findings: [Diagnostic] = []
  /// The severities of findings to show. Errors are always shown, so that a failed run gives the
  /// reason.
  package var shown: Set<Severity> = []
  /// The catalogues. Findings name the one that contains their file.
  package var documents: [ByteString] = []
  package var outputFiles: [ByteString]?
  package var tagCombinations: [[ByteString]]?
  package var contents: [PropertyValue]?
  package var version: ToolVersion?

  package init() {}

  /// Whether the run failed.
  package var hasErrors: Bool {
    messages.contains { $0.severity == .error } || findings.contains { $0.severity == .error }
  }

  /// Returns the messages to show. Notices are shown only on request; other messages always are.
  private func shownMessages(_ severity: Severity) -> [RunMessage] {
    severity != .note || shown.contains(.note) ? messages.filter { $0.severity == severity } : []
  }

  private func shownFindings(_ severity: Severity) -> [Diagnostic] {
    severity == .error || shown.contains(severity)
      ? findings.filter { $0.severity == severity } : []
  }

  /// Returns the document that contains a file.
  private func document(of file: ByteString) -> ByteString? {
    documents.filter { file == $0 || file.isInside($0) }.max { $0.count < $1.count }
  }
}

private let severities: [Severity] = [.error, .warning, .note]

// MARK: - Property lists

extension BuildReport {
  /// Returns the report as a property list. The keys begin with the name by which the tool was
  /// called, because build systems look for that name.
  package func propertyList(calledAs name: String) -> PropertyValue {
    let prefix: ByteString = "com.apple.\(name)."
    var members: [ByteString: PropertyValue] = [:]
    for severity in severities {
      let found = shownFindings(severity)
      if !found.isEmpty {
        members[prefix + "document.\(severity.key)"] = .array(found.map(value))
      }
      let reported = shownMessages(severity)
      if !reported.isEmpty { members[prefix + "\(severity.key)"] = .array(reported.map(value)) }
    }
    if let outputFiles {
      members[prefix + "compilation-results"] = .dictionary([
        "output-files": .array(outputFiles.map { .name($0) })
      ])
    }
    if let tagCombinations {
      members[prefix + "asset-tag-combinations"] = .array(
        tagCombinations.map { .array($0.map { .name($0) }) })
    }
    if let contents { members[prefix + "catalog-contents"] = .array(contents) }
    if let version {
      members[prefix + "version"] = .dictionary([
        "bundle-version": .string(version.bundle),
        "short-bundle-version": .string(version.short),
        "carve-version": .string(version.carve),
      ])
    }
    return .dictionary(members)
  }

  private func value(_ message: RunMessage) -> PropertyValue {
    var members: [ByteString: PropertyValue] = ["description": .string(message.description)]
    if let path = message.path { members["path"] = .name(path) }
    if let reason = message.failureReason { members["failure-reason"] = .string(reason) }
    return .dictionary(members)
  }

  private func value(_ finding: Diagnostic) -> PropertyValue {
    var members: [ByteString: PropertyValue] = [
      "message": .string(finding.message), "type": .string(finding.code.appleType),
      "code": .string(finding.code.rawValue), "file": .name(finding.file),
    ]
    if let document = document(of: finding.file) {
      members["catalog"] = .name(document)
      if finding.file != document {
        let item = "." + finding.file.dropFirst(document.count)
        members["affected-items"] = .array([.name(item)])
      }
    }
    if let line = finding.line { members["line"] = .integer(line) }
    if let column = finding.column { members["column"] = .integer(column) }
    return .dictionary(members)
  }
}

// MARK: - Text

extension BuildReport {
  /// Returns the report as text: each key as a comment, with its lines below.
  package func text(calledAs name: String) -> String {
    var text = ""
    func section(_ key: String, _ lines: [String]) {
      text += "/* com.apple.\(name).\(key) */\n" + lines.map { $0 + "\n" }.joined()
    }
    for severity in severities {
      let lines = shownFindings(severity).map(line)
      if !lines.isEmpty { section("document." + severity.key, lines) }
    }
    for severity in severities {
      let lines = shownMessages(severity).map { line($0, name) }
      if !lines.isEmpty { section(severity.key, lines) }
    }
    if let tagCombinations {
      section(
        "asset-tag-combinations",
        tagCombinations.map { "(" + $0.map(onOneLine).joined(separator: ", ") + ")" })
    }
    if let contents {
      let bytes = PropertyValue.array(contents).xmlPropertyList()
      section("catalog-contents", [String(decoding: bytes.dropLast(), as: UTF8.self)])
    }
    if let outputFiles { section("compilation-results", outputFiles.map(onOneLine)) }
    if let version {
      section(
        "version",
        [
          "bundle-version: \(version.bundle)", "short-bundle-version: \(version.short)",
          "carve-version: \(version.carve)",
        ])
    }
    return text
  }

  private func line(_ message: RunMessage, _ name: String) -> String {
    let place = onOneLine(message.path?.text ?? name)
    let reason = message.failureReason.map { "\n    Failure Reason: \(onOneLine($0))" } ?? ""
    return "\(place): \(message.severity.word): \(onOneLine(message.description))\(reason)"
  }

  /// Returns a line such as `file:line: warning: text [code]`. If there is no line number, the path
  /// within the document takes its place, as in Apple's report, because build systems expect one
  /// part between two colons.
  private func line(_ finding: Diagnostic) -> String {
    var place = onOneLine(finding.file)
    if let line = finding.line {
      place += ":\(line)"
    } else if let document = document(of: finding.file), document != finding.file {
      place = onOneLine("\(document):.\(finding.file.dropFirst(document.count))")
    }
    return "\(place): \(finding.severity.word): \(onOneLine(finding.message)) "
      + "[\(finding.code.rawValue)]"
  }
}
