// `carve actool`, and a link named `actool`: Apple's command line for Carve's compiler. Reads the
// arguments, runs the step and prints the report; the module DropIn does the step.

import Bytes
import CPosix
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import DropIn
import Host

let actoolCommand = Command(
  dropIn: "actool", summary: "Apple's actool: compile catalogues for build systems",
  discussion: """
    Takes every option of Apple's tool, as --name value and --name=value. The report goes to \
    standard output in the form that --output-format names; standard error has only what belongs \
    to no report, such as an unknown option or a device family that no device of the platform \
    has. Exits with 0 if there are at most warnings, and with 1 if there is an \
    error; then no output is written or changed.

    Findings name the file and the line. --werror, --no-warn and --diagnostics are as for 'carve \
    compile'; formats other than text go to standard error beside the report. Compressed pictures \
    are kept for the next run in the folder that --cache or CARVE_CACHE in the environment names, \
    or else in $XDG_CACHE_HOME/carve or ~/.cache/carve, if that folder can be written; see 'carve \
    cache'.
    """,
  defaults: ActoolArguments(),
  operands: actoolOperands, options: allActoolOptions,
  examples: [
    Example(
      "actool Assets.xcassets --compile build --platform iphoneos --minimum-deployment-target 15.0 "
        + "--app-icon AppIcon --output-partial-info-plist build/partial.plist",
      "write build/Assets.car, the icons beside it and the keys of the Info.plist"),
    Example("actool --version --output-format xml1", "report the version"),
  ]
) { (arguments, name, terminal) throws(CommandFailure) in
  try runActool(arguments, calledAs: name, terminal)
}

private let actoolOperands: [Operand<ActoolArguments>] = [
  .many(
    .path("DOCUMENT", extensions: ["xcassets", "xcstickers", "icon"]), orNone: true,
    \.request.documents, help: "catalogues, sticker catalogues and layered icons")
]

private let allActoolOptions =
  actoolOptions.map(\.option) + carveOptions + Option<ActoolArguments>.diagnosticOptions

/// The run of a call of actool that puts no output in its place. Relative paths start at `folder`.
func trial(of words: [String], in folder: ByteString?, _ terminal: Terminal) -> BuildTrial {
  do throws(CommandFailure) {
    let parser = Parser(options: allActoolOptions, operands: actoolOperands)
    var arguments = try parser.parse(words, into: ActoolArguments())
    if arguments.asksVersion {
      return BuildTrial(
        BuildRequest(target: .init(platform: .iOS)), in: .disk, policy: DiagnosticPolicy())
    }
    // A trial leaves no file, not even in a cache.
    arguments.cache = CacheArguments()
    arguments.cache.isRefused = true
    arguments.diagnostics.isVerbose = false
    let (request, policy) = try arguments.prepare(in: folder, terminal)
    var trial = BuildTrial(request, in: .disk, policy: policy)
    if let contradiction = request.target.contradiction { trial.warnings.append(contradiction) }
    return trial
  } catch {
    return BuildTrial(refusal: error.message)
  }
}

extension ActoolArguments {
  /// Checks the arguments, and finds the settings of the documents. Returns the request, and the
  /// policy for its findings. Relative paths start at `folder`, or at the current folder.
  fileprivate mutating func prepare(
    in folder: ByteString? = nil, _ terminal: Terminal
  ) throws(CommandFailure) -> (request: BuildRequest, policy: DiagnosticPolicy) {
    if request.documents.isEmpty { throw noDocument }
    if let name = request.archiveName, name.contains(UInt8(ascii: "/")) || name == ".." {
      throw .usage(
        "--compile-output-filename is the name of a file in the folder of --compile, but "
          + "\(quoted(name)) is a path")
    }
    var resolved = try resolvedRequest(in: folder)
    if diagnostics.warningsAreErrors, let contradiction = resolved.target.contradiction {
      throw .usage(contradiction)
    }
    try findSettings(of: resolved.documents, terminal)
    do throws(FileError) {
      resolved.settingsFiles = try settingsFiles.map { (path) throws(FileError) in
        absolutePath(path, in: try currentFolder())
      }
    } catch {
      throw CommandFailure(error, reading: ".")
    }
    resolved.warningsAreErrors = diagnostics.warningsAreErrors
    return (resolved, try diagnostics.policy())
  }
}

private let noDocument = CommandFailure.usage("there is no document to read")

private let carveOptions: [Option<ActoolArguments>] =
  Option<ActoolArguments>.cacheOptions + [
    .number("jobs", short: "j", "N", in: 1...256, \.jobs, help: "use N processors")
  ]

/// The version of Apple's tool whose options are known. Build systems compare it with the version
/// that they need.
private let versionOfApple = ToolVersion(bundle: "24506", short: "26.4", carve: carveVersion)

private func runActool(
  _ given: ActoolArguments, calledAs name: String, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  var arguments = given
  if arguments.asksVersion {
    var report = BuildReport()
    report.version = versionOfApple
    print(report, arguments, name, terminal)
    return .fine
  }
  let (request, policy) = try arguments.prepare(terminal)
  if let contradiction = request.target.contradiction {
    terminal.diagnose("\(terminal.tinted("warning:", .yellow)) \(contradiction)")
  }
  let step = BuildStep(
    request, in: .disk, version: "actool-\(versionOfApple.bundle)", applyPolicy: policy.applied)
  carve_bound_spare_memory()
  var result = step.run()
  if arguments.showsErrors { result.report.shown.insert(.error) }
  if arguments.showsWarnings { result.report.shown.insert(.warning) }
  if arguments.showsNotices { result.report.shown.insert(.note) }
  if arguments.diagnostics.format != .text {
    let text = arguments.diagnostics.format.text(of: result.report.findings)
    if !text.isEmpty { terminal.diagnose(text.droppingLastNewline) }
  }
  terminal.warn(ofRemoteCache: result.cacheTrouble)
  print(result.report, arguments, name, terminal)
  return result.report.hasErrors ? .inputErrors : .fine
}

private func print(
  _ report: BuildReport, _ arguments: ActoolArguments, _ name: String, _ terminal: Terminal
) {
  switch arguments.format {
  case .text: terminal.write(report.text(calledAs: name))
  case .xml1:
    report.propertyList(calledAs: name).xmlPropertyList().withUnsafeBytes { terminal.write($0) }
  case .binary1:
    report.propertyList(calledAs: name).binaryPropertyList().withUnsafeBytes { terminal.write($0) }
  }
}
