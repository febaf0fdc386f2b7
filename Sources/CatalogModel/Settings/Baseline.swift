// A baseline: the findings of a project that `carve lint` does not show, because they were there
// when it was written. A finding is recognised by its file, its code and the names in its message,
// but not by its line, its place in an array or its other words: a line that moves, or a message
// that a newer version words otherwise, is the same finding.
//
//     { "findings" : {
//         "Assets.xcassets/S.imageset/Contents.json" : { "missing-file" : [ "a.png" ] } },
//       "version" : 1 }
//
// Paths count from the folder of the baseline. If a file has several equal findings, the list
// repeats their names.

import Bytes
import Documents

package struct Baseline: Sendable, Hashable {
  /// How often a file has a finding with some names, by file and code.
  private typealias Counts = [ByteString: [ByteString: [ByteString: Int]]]

  private var findings: Counts = [:]

  package init() {}

  /// Reads the text of a baseline. `file` is its path for messages.
  package init(json bytes: [UInt8], file: ByteString) throws(SettingsError) {
    let value: JSONValue
    do throws(JSONSyntaxError) { value = try parseJSON(bytes) } catch {
      throw SettingsError("\(onOneLine(file)): \(error.words)")
    }
    guard value["version"] == .integer(1), case .object(let files)? = value["findings"] else {
      throw SettingsError(
        "\(onOneLine(file)) is not a baseline of this version; --update-baseline writes one")
    }
    for file in files {
      guard case .object(let codes) = file.value else { continue }
      for code in codes {
        guard case .array(let names) = code.value else { continue }
        for case .string(let name) in names {
          findings[file.key, default: [:]][code.key, default: [:]][name, default: 0] += 1
        }
      }
    }
  }

  /// The text of the baseline.
  package var json: [UInt8] {
    let files = findings.map { path, codes in
      member(
        path,
        .object(
          codes.map { code, names in
            member(code, .array(Baseline.list(names).sorted().map { .string($0) }))
          }))
    }
    return formattedJSON(
      .object([member("findings", .object(files)), member("version", .integer(1))]))
  }

  /// The number of findings.
  package var count: Int {
    findings.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
  }

  /// One finding of a baseline.
  package struct Entry: Sendable, Hashable, Comparable {
    package var file: ByteString
    package var code: ByteString
    package var names: ByteString

    package static func < (a: Entry, b: Entry) -> Bool {
      a.file != b.file ? a.file < b.file : a.code != b.code ? a.code < b.code : a.names < b.names
    }

    /// The entry on one line.
    package var text: String {
      "\(onOneLine(file)): \(onOneLine(code))" + (names.isEmpty ? "" : " (\(onOneLine(names)))")
    }
  }

  /// The findings that are not in a baseline, and the entries whose findings are gone.
  package struct Comparison: Sendable, Hashable {
    package var new: [Diagnostic] = []
    package var knownCount = 0
    package var gone: [Entry] = []
  }

  /// Compares the findings about some folders with the baseline. Errors are always new, because
  /// they prevent a compilation. Entries of codes that were not examined are not gone. `place`
  /// returns the path of a file from the baseline's folder.
  package func comparison(
    with diagnostics: [Diagnostic], about folders: [ByteString],
    unexamined: Set<DiagnosticCode> = [], place: (ByteString) -> ByteString
  ) -> Comparison {
    var result = Comparison()
    var rest = findings
    for diagnostic in diagnostics {
      let entry = Entry(diagnostic, place(diagnostic.file))
      if diagnostic.severity != .error,
        let count = rest[entry.file]?[entry.code]?[entry.names], count > 0
      {
        rest[entry.file]?[entry.code]?[entry.names] = count - 1
        result.knownCount += 1
      } else {
        result.new.append(diagnostic)
      }
    }
    let places = folders.map(place)
    result.gone = Baseline.entries(rest).filter {
      $0.isAbout(places) && !$0.hasCode(in: unexamined)
    }.sorted()
    return result
  }

  /// Replaces the entries about some folders by findings, except entries of codes that were not
  /// examined.
  package mutating func update(
    with diagnostics: [Diagnostic], about folders: [ByteString],
    unexamined: Set<DiagnosticCode> = [], place: (ByteString) -> ByteString
  ) {
    let folders = folders.map(place)
    let kept = Baseline.entries(findings).filter {
      !$0.isAbout(folders) || $0.hasCode(in: unexamined)
    }
    findings = [:]
    let new = diagnostics.filter { $0.severity != .error }.map { Entry($0, place($0.file)) }
    for entry in kept + new {
      findings[entry.file, default: [:]][entry.code, default: [:]][entry.names, default: 0] += 1
    }
  }

  private static func entries(_ findings: Counts) -> [Entry] {
    findings.flatMap { file, codes in
      codes.flatMap { code, names in
        list(names).map { Entry(file: file, code: code, names: $0) }
      }
    }
  }

  /// Returns the names, each as often as it is counted.
  private static func list(_ names: [ByteString: Int]) -> [ByteString] {
    names.flatMap { [ByteString](repeating: $0.key, count: $0.value) }
  }
}

extension Baseline.Entry {
  init(_ diagnostic: Diagnostic, _ file: ByteString) {
    self.file = file
    code = ByteString(diagnostic.code.rawValue)
    names = ByteString(quotedNames(in: diagnostic.message).joined(separator: ", "))
  }

  fileprivate func hasCode(in codes: Set<DiagnosticCode>) -> Bool {
    DiagnosticCode(rawValue: code.text).map(codes.contains) ?? false
  }

  fileprivate func isAbout(_ folders: [ByteString]) -> Bool {
    folders.contains { $0 == "." || file == $0 || file.isInside($0) }
  }
}

/// Returns the texts in quotes in a message, in their order. Advice at its end is not read, because
/// it depends on other files.
private func quotedNames(in message: String) -> [String] {
  let fact = ByteString(message).before(";").text
  return fact.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
}

/// Returns the path of a file from a folder. Both paths begin at the root of the disk, and may
/// contain "..".
package func path(from folder: ByteString, to file: ByteString) -> ByteString {
  relativePath(from: folder.plainComponents, to: file.plainComponents)
}
