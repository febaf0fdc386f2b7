// What a command works on: an archive as it is, or catalogues that are compiled first.

import CPosix
import CarveRuntime
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Host
import Traits

/// How a catalogue is compiled where a command takes one instead of an archive.
struct InputArguments: Sendable {
  var platform: String?
  var appIcons: [String] = []
  var includesAllIcons = false
}

protocol CompilingInput {
  var compiling: InputArguments { get set }
}

extension Option where Arguments: CompilingInput & Sendable {
  static var compilingOptions: [Option] {
    [
      .choice(
        "platform", "PLATFORM", of: TargetPlatform.allCases.map(\.rawValue),
        \.compiling.platform, help: "the platform for which a catalogue is compiled"),
      .list(
        "app-icon", "NAME", \.compiling.appIcons,
        help: "an icon set of the catalogue to compile; those not named are left out"),
      .flag(
        "include-all-app-icons", \.compiling.includesAllIcons,
        help: "compile every icon set of the catalogue"),
    ]
  }
}

/// Does something with the bytes of an archive. A folder is compiled to a file that nobody sees.
func withInput(
  _ path: String, _ arguments: InputArguments, for platform: Platform?, _ terminal: Terminal,
  _ body: (UnsafeRawBufferPointer) throws(CommandFailure) -> ExitStatus
) throws(CommandFailure) -> ExitStatus {
  guard isFolder(path) else {
    let file = try openFile(path)
    return try body(file.bytes)
  }
  let compiled = try scratchFile()
  let options = arguments.options(for: platform)
  let report: CompileReport
  do throws(CompileError) {
    report = try compile([path], in: .disk, options: options, to: .scratch(compiled))
  } catch {
    throw error.failure
  }
  for finding in report.diagnostics where finding.severity != .note {
    terminal.diagnose(DiagnosticFormat.text.text(of: [finding]).droppingLastNewline)
  }
  if report.isRefused { return .inputErrors }
  let file = try openFile(compiled)
  return try body(file.bytes)
}

/// The bytes of a file, in place.
func openFile(_ path: String) throws(CommandFailure) -> MappedFile {
  do throws(CatalogError) {
    return try MappedFile(path: path)
  } catch {
    throw error.failure(about: path)
  }
}

/// The bytes of a compiled archive, in place.
func openFile(_ file: ScratchFile) throws(CommandFailure) -> MappedFile {
  do throws(CatalogError) {
    return try MappedFile(descriptor: file.descriptor)
  } catch {
    throw error.failure(about: file.name)
  }
}

/// A file for one archive.
func scratchFile() throws(CommandFailure) -> ScratchFile {
  do throws(OutputError) {
    return try ScratchFile()
  } catch {
    throw .inputOutput(error.description)
  }
}

extension InputArguments {
  fileprivate func options(for platform: Platform?) -> CompileOptions {
    let named = self.platform.flatMap { TargetPlatform(rawValue: $0) }
    let target = CompileTarget(platform: named ?? platform.map(TargetPlatform.init) ?? .iOS)
    return CompileOptions(target: target, icons: includesAllIcons ? .all : .named(appIcons))
  }
}

extension TargetPlatform {
  /// The platform whose archives a device reads.
  init(_ platform: Platform) {
    switch platform {
    case .iOS, .iPadOS: self = .iOS
    case .tvOS: self = .tvOS
    case .watchOS: self = .watchOS
    case .macOS: self = .macOS
    case .visionOS: self = .visionOS
    }
  }
}

extension String {
  var droppingLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
