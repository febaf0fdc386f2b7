// The settings of a project, which are in a file `.carve.json` beside its catalogues or above
// them: the severities of codes, the findings that are left out and why, and the target. Options on
// the command line override them. FindSettings.swift finds the file.

import Bytes
import Documents
import Host
import Traits

/// The severity that settings give to the findings of a code.
package enum SettingSeverity: String, CaseIterable, Sendable, Hashable {
  case error, warning, note
  /// The findings are not shown.
  case off

  var severity: Severity? { Severity(rawValue: rawValue) }
}

/// Findings that are left out.
package struct SettingException: Sendable, Hashable {
  /// The codes; empty for every code.
  package var codes: Set<DiagnosticCode> = []
  /// Patterns of the names of assets; empty for every asset.
  package var assets: [ByteString] = []
  /// Patterns of paths from the folder of the settings; empty for every path.
  package var paths: [ByteString] = []
  package var reason = ""

  fileprivate func covers(_ code: DiagnosticCode) -> Bool { codes.isEmpty || codes.contains(code) }

  /// Returns whether findings about a file are left out.
  fileprivate func covers(_ file: inout FileOfFindings) -> Bool {
    (paths.isEmpty || paths.contains { file.path.matches($0) })
      && (assets.isEmpty || assets.contains { file.assetIsNamed($0) })
  }
}

/// A file with findings, as the patterns of exceptions see it.
private struct FileOfFindings {
  /// The path from the folder of the settings. Patterns of its folders match, too.
  var path: GlobText
  /// The name of the asset, alone and with its groups.
  var names: [GlobText]

  init(_ path: ByteString) {
    let folders = sequence(first: path) { part in
      let folder = parentFolder(part)
      return folder == "." || folder == part ? nil : folder
    }
    self.path = GlobText(path, orPartsOf: folders.map(\.count))
    names = assetNames(in: path).map { GlobText($0) }
  }

  mutating func assetIsNamed(_ glob: ByteString) -> Bool {
    for number in names.indices where names[number].matches(glob) { return true }
    return false
  }
}

/// The answers of exceptions about the file of the last finding. A file can have very many
/// findings, which follow one another, and an exception very many patterns.
struct ExceptionAnswers {
  private var name: ByteString = ""
  private var file = FileOfFindings("")
  /// The answers by the numbers of the exceptions.
  private var answers: [Int: Bool] = [:]

  /// Returns whether an exception, which has this number, covers findings about a file, whose path
  /// from the folder of the settings is `path`. Compares once for findings of one file that follow
  /// one another.
  fileprivate mutating func covers(
    _ exception: SettingException, _ number: Int, in name: ByteString, at path: ByteString
  ) -> Bool {
    if self.name != name { (self.name, file, answers) = (name, FileOfFindings(path), [:]) }
    if let known = answers[number] { return known }
    let answer = exception.covers(&file)
    answers[number] = answer
    return answer
  }
}

/// Returns the name of the asset to which a path belongs, alone and with its groups; empty if the
/// path lies in no set.
private func assetNames(in path: ByteString) -> [ByteString] {
  var parts = path.components
  if let catalog = parts.firstIndex(where: { catalogEndings.contains(pathExtension($0)) }),
    pathExtension(parts[catalog]) != "icon"
  {
    parts.removeFirst(catalog + 1)
  }
  guard let set = parts.firstIndex(where: { FolderRole.setType(pathExtension($0)) != nil }) else {
    return []
  }
  let name = withoutExtension(parts[set])
  return [name, (parts[..<set] + [name]).joined(separator: "/")]
}

package struct ProjectSettings: Sendable, Hashable {
  /// The name of the file.
  package static let fileName: ByteString = ".carve.json"

  package var severities: [DiagnosticCode: SettingSeverity] = [:]
  package var exceptions: [SettingException] = []
  /// The platform, as a word of `--platform`.
  package var platform: String?
  package var minimum: OSVersion?
  /// The icons that are compiled.
  package var icons: [ByteString] = []
  /// The models of the devices for which the app is made.
  package var devices: [String] = []
  /// The limit of a thinned archive: a size, or the path of a file from the folder of the settings.
  package var budget: String?
  /// The folders with the sources of the app, from the folder of the settings.
  package var sources: [ByteString] = []
  /// The projects with the targets of the app, from the folder of the settings.
  package var projects: [ByteString] = []

  package init() {}

  /// Returns the severity of a finding; nil if the settings leave it out. `path` is its path from
  /// the folder of the settings.
  func severity(
    of diagnostic: Diagnostic, at path: ByteString, _ answers: inout ExceptionAnswers
  ) -> Severity? {
    if hasException(for: diagnostic, at: path, &answers) { return nil }
    guard let chosen = severities[diagnostic.code] else { return diagnostic.severity }
    return chosen.severity
  }

  func hasException(
    for diagnostic: Diagnostic, at path: ByteString, _ answers: inout ExceptionAnswers
  ) -> Bool {
    for (number, exception) in exceptions.enumerated() where exception.covers(diagnostic.code) {
      if exception.assets.isEmpty, exception.paths.isEmpty { return true }
      if answers.covers(exception, number, in: diagnostic.file, at: path) { return true }
    }
    return false
  }
}

// MARK: - Reading

/// The reason why settings cannot be read, with the place.
package struct SettingsError: Error, Sendable, Hashable {
  package var message: String
  /// Whether the file itself could not be read.
  package var isInputOutput = false

  package init(_ message: String, isInputOutput: Bool = false) {
    self.message = message
    self.isInputOutput = isInputOutput
  }
}

extension ProjectSettings {
  /// Reads the text of a file. `file` is its path for messages, `platforms` are the words of
  /// `--platform`. Every finding about the text is an error: settings that are read in part would
  /// show findings that the user has left out, or hide others.
  package init(
    json bytes: [UInt8], file: ByteString, platforms: [String]
  ) throws(SettingsError) {
    let document = JSONDocument(bytes, file: file)
    let findings = Findings(file: file)
    findings.add(document.diagnostics)
    switch document.value {
    case .object(let members):
      read(Fields(members, pointer: "", findings: findings), platforms)
    case let value?:
      findings.add(.wrongType, "the file must hold an object, and holds \(value.kind)", at: "")
    case nil: break
    }
    let found = inPrintingOrder(located(findings.list, in: bytes))
    guard let first = found.first else { return }
    let more = found.count == 1 ? "" : " (and \(found.count - 1) more)"
    throw SettingsError(first.sentence + more)
  }

  fileprivate mutating func read(_ root: Fields, _ platforms: [String]) {
    _ = root.string("$schema")
    if let words = root.object("severities") {
      for code in DiagnosticCode.allCases { read(code, words) }
      words.finish(suggesting: DiagnosticCode.allCases.map(\.rawValue))
    }
    exceptions = (root.objects("ignore") ?? []).map { exception($0) }
    let patterns = exceptions.flatMap { $0.assets + $0.paths }
    // Every finding is compared with every pattern.
    if patterns.count > 10_000 || patterns.contains(where: { $0.count > 1024 }) {
      root.findings.add(
        .numberRange, "\"ignore\" has more than 10,000 patterns, or one of more than 1,024 bytes",
        at: "/ignore")
    }
    platform = root.word("platform", of: platforms)
    if let text = root.string("minimum-deployment-target") {
      minimum = OSVersion(text)
      if minimum == nil {
        root.findings.add(
          .unknownValue, "\(quoted(text)) is not a version such as \"15.0\"",
          at: "/minimum-deployment-target")
      }
    }
    icons = root.names("icons") ?? []
    devices = (root.names("devices") ?? []).map(\.text)
    budget = root.string("budget")
    sources = root.names("sources") ?? []
    projects = root.names("projects") ?? []
    root.finish()
  }

  private mutating func read(_ code: DiagnosticCode, _ words: Fields) {
    let key = code.rawValue
    // Only exact keys: codes are written as they are printed.
    guard words.isDescribed || words.hasExactly(key),
      let severity: SettingSeverity = words.choice(key)
    else { return }
    if code.page.severity == .error, severity != .error {
      words.findings.add(
        .unknownValue,
        "\(quoted(key)) is an error, which prevents a compilation; it stays an error",
        at: words.pointer(of: key))
    }
    severities[code] = severity
  }

  private func exception(_ fields: Fields) -> SettingException {
    var exception = SettingException()
    if let words = fields.names("codes") {
      for (index, word) in words.enumerated() {
        do throws(UnknownCode) { exception.codes.insert(try diagnosticCode(word.text)) } catch {
          fields.findings.add(
            .unknownValue, error.message, at: "\(fields.pointer(of: "codes"))/\(index)")
        }
      }
      if words.isEmpty { empty("codes", fields) }
    }
    fields.describer?.require("reason")
    exception.assets = names("assets", fields)
    exception.paths = names("paths", fields)
    exception.reason = fields.string("reason") ?? ""
    if exception.reason.isEmpty {
      fields.findings.add(.missingKey, "the entry has no \"reason\"", at: fields.pointer)
    }
    if !["codes", "assets", "paths"].contains(where: fields.has) {
      fields.findings.add(
        .missingKey, "the entry names neither \"codes\" nor \"assets\" nor \"paths\"",
        at: fields.pointer)
    }
    fields.finish()
    return exception
  }

  /// Reads a list of patterns. An empty list would mean every name, which its author hardly meant.
  private func names(_ key: String, _ fields: Fields) -> [ByteString] {
    guard let names = fields.names(key) else { return [] }
    if names.isEmpty { empty(key, fields) }
    return names
  }

  private func empty(_ key: String, _ fields: Fields) {
    fields.findings.add(
      .missingKey, "\(quoted(key)) is an empty list; leave the key out", at: fields.pointer(of: key)
    )
  }
}

/// Returns the description of the file, for its schema.
func settingsDescription(platforms: [String]) -> ObjectDescription {
  let describer = FieldDescriber()
  var settings = ProjectSettings()
  settings.read(Fields(describing: describer, findings: Findings(file: "")), platforms)
  return describer.description
}

extension Diagnostic {
  /// The place and the message, as the message of an error.
  fileprivate var sentence: String {
    var place = onOneLine(file)
    if let line { place += ":\(line)" }
    if line != nil, let column { place += ":\(column)" }
    return "\(place): \(onOneLine(message))"
  }
}

// MARK: - Writing

extension ProjectSettings {
  /// The text of a new file. `schema` is the path of the schema beside it, from which editors take
  /// the meanings of the keys.
  package func text(schema: String) -> [UInt8] {
    var members = [member("$schema", .text(schema))]
    members.append(
      member("devices", .array(devices.map { .text($0) })))
    members.append(member("icons", .array(icons.map { .string($0) })))
    members.append(member("ignore", .array([])))
    if let minimum { members.append(member("minimum-deployment-target", .text("\(minimum)"))) }
    if let platform { members.append(member("platform", .text(platform))) }
    for (key, paths) in [("projects", projects), ("sources", sources)] where !paths.isEmpty {
      members.append(member(ByteString(key), .array(paths.map { .string($0) })))
    }
    members.append(
      member(
        "severities",
        .object(
          severities.map { member(ByteString($0.key.rawValue), .text($0.value.rawValue)) })))
    return formattedJSON(.object(members))
  }
}
