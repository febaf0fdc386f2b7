// Finds the settings of the catalogues that a command reads, and takes values from them that its
// options do not give.

import Archive
import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries

extension DiagnosticReporting {
  /// Finds the settings of those inputs that are catalogues, checks them, and names their files if
  /// `--verbose` asks for it.
  mutating func findSettings(
    of inputs: [ByteString], _ terminal: Terminal
  ) throws(CommandFailure) {
    var finder = SettingsFinder(in: .disk, platforms: TargetPlatform.allCases.map(\.rawValue))
    diagnostics.settings = []
    var files: Set<ByteString> = []
    for input in inputs where isFolder(input) && archiveInBundle(input) == nil {
      let found: FoundSettings?
      do throws(SettingsError) { found = try finder.settings(of: input) } catch {
        throw CommandFailure(error)
      }
      guard let found else { continue }
      diagnostics.settings.append(found)
      guard files.insert(found.file).inserted else { continue }
      try check(found)
      if diagnostics.isVerbose { terminal.diagnose(found.summary) }
    }
    if diagnostics.isVerbose, files.isEmpty { terminal.diagnose("settings: none") }
  }

  /// The files with the settings, each once.
  var settingsFiles: [ByteString] { Set(diagnostics.settings.map(\.file)).sorted() }
}

extension FoundSettings? {
  /// Returns the models of devices that options name; if they name none, those of the settings.
  func models(unless named: [String]) -> [String] {
    named.isEmpty ? self?.settings.devices ?? [] : named
  }
}

extension CatalogCompiling {
  /// Finds the settings of the catalogues, and takes from those of the first catalogue with
  /// settings what options leave open.
  mutating func followSettings(
    of inputs: [ByteString], _ terminal: Terminal
  ) throws(CommandFailure) {
    try findSettings(of: inputs, terminal)
    if let first = diagnostics.settings.first {
      compiling.fromSettings = SettingsTarget(first.settings)
    }
  }
}

extension CatalogCompiling {
  /// If an archive is compared with catalogues, takes from it what options leave open: its
  /// platform, its oldest system and its icons. Returns false if no side, or each, is an archive.
  mutating func followArchive(
    _ first: ByteString, _ second: ByteString
  ) throws(CommandFailure) -> Bool {
    let archives = [first, second].filter { !isFolder($0) || archiveInBundle($0) != nil }
    guard archives.count == 1 else { return false }
    let file = try openFile(archives[0])
    let target: CompileTarget
    let icons: [ByteString]?
    do throws(FormatError) {
      let archive = try Archive(file.bytes)
      (target, icons) = (try CompileTarget(of: archive), try archive.iconNames())
    } catch {
      throw CommandFailure(error, in: archives[0])
    }
    compiling.fromSettings = SettingsTarget(target, icons: icons ?? [])
    if icons == nil, compiling.namedIcons.isEmpty { compiling.includesAllIcons = true }
    return true
  }
}

/// Throws if the settings name a device that is not known.
private func check(_ found: FoundSettings) throws(CommandFailure) {
  for (index, model) in found.settings.devices.enumerated() {
    do throws(QueryError) { _ = try knownDevice(model) } catch {
      throw .input(found.stating(CommandFailure(error).message, at: "/devices/\(index)"))
    }
  }
}

extension FoundSettings {
  /// Returns a message about a value of the settings, with its place.
  func stating(_ message: String, at pointer: ByteString) -> String {
    let bytes = try? FileTree.disk.read(file, FileLimit.contents)
    return "\(writtenPlace(of: pointer, in: bytes, file: file)): \(message)"
  }
}

extension FoundSettings {
  /// A line about the settings: the file, and the values that it has.
  fileprivate var summary: String {
    var values: [String] = []
    func add(_ noun: String, _ names: [String]) {
      if !names.isEmpty { values.append("\(noun) \(names.joined(separator: ", "))") }
    }
    add("platform", [settings.platform].compactMap { $0 })
    add("system", [settings.minimum.map { "\($0)" }].compactMap { $0 })
    add("icons", settings.icons.map(\.text))
    add("devices", settings.devices)
    add("budget", [settings.budget].compactMap { $0 })
    add("sources", settings.sources.map(\.text))
    add("projects", settings.projects.map(\.text))
    if !settings.severities.isEmpty { values.append("severities") }
    if !settings.exceptions.isEmpty {
      values.append(counted(settings.exceptions.count, "exception"))
    }
    let words = values.isEmpty ? "" : " (\(values.joined(separator: "; ")))"
    return onOneLine("settings: \(file.text)\(words)")
  }

  /// The limit of thinned archives, as a word of `--budget`.
  var budget: String? {
    settings.budget.map { text in
      SizeBudget.bytes(of: text) != nil ? text : path(of: ByteString(text)).text
    }
  }
}
