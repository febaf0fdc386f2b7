// Runs the built tool as its users do.

import Foundation

public struct ToolResult: Sendable {
  public let output: [UInt8]
  public let errors: [UInt8]
  /// The exit code; 128 + n where signal n ended the tool.
  public let code: Int32

  public var stdout: String { String(decoding: output, as: UTF8.self) }
  public var stderr: String { String(decoding: errors, as: UTF8.self) }
}

/// The root of the package, for sample catalogues and documents.
public let packageRoot = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// The folder of the sample catalogues.
public let sampleCatalogs = packageRoot + "/SampleCatalogs"

/// The folder in which this build put its products.
public let productFolder: String = {
  // The test runner is `…/debug/carvePackageTests.xctest`, beside the tool.
  let runner = URL(fileURLWithPath: CommandLine.arguments[0])
  return runner.standardizedFileURL.deletingLastPathComponent().path
}()

/// Runs `carve` with these arguments in the given folder and waits for it.
///
/// `link` runs it under another name; the environment is empty but for `environment` and what the
/// address sanitizer reads.
public func runTool(
  _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:],
  link: String? = nil
) throws -> ToolResult {
  try run(link ?? productFolder + "/carve", arguments, in: folder, environment: environment)
}

private let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
  $0.key == "ASAN_OPTIONS"
}

/// Runs any program and waits for it. Its standard input is empty.
public func run(
  _ program: String, _ arguments: [String], in folder: String? = nil,
  environment: [String: String] = [:]
) throws -> ToolResult {
  let place = try TemporaryDirectory()
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  process.environment = environment.merging(sanitizerOptions) { given, _ in given }
  if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
  process.standardInput = FileHandle.nullDevice
  // Files, not pipes: nothing can block however much is written.
  try place.write("", to: "output")
  try place.write("", to: "errors")
  let output = try FileHandle(forWritingTo: URL(fileURLWithPath: place.path("output")))
  let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: place.path("errors")))
  process.standardOutput = output
  process.standardError = errors
  try process.run()
  process.waitUntilExit()
  try output.close()
  try errors.close()
  let signalled = process.terminationReason == .uncaughtSignal
  return ToolResult(
    output: try place.read("output"), errors: try place.read("errors"),
    code: process.terminationStatus + (signalled ? 128 : 0))
}
