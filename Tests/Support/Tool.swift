// Runs the built tool as users run it.

import CPosix
import CSpawn
import Foundation
import Glibc

public struct ToolResult: Sendable {
  public let output: [UInt8]
  public let errors: [UInt8]
  /// The exit code; 128 + n if signal n ended the tool.
  public let code: Int32
  /// The largest memory of the tool, in bytes.
  public let memory: Int

  public var stdout: String { String(decoding: output, as: UTF8.self) }
  public var stderr: String { String(decoding: errors, as: UTF8.self) }
}

/// The root of the package, for sample catalogues and documents.
public let packageRoot = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// The folder of the sample catalogues.
public let sampleCatalogs = packageRoot + "/SampleCatalogs"

/// The names of the sample catalogues, without the ending. If samples are missing, the program
/// stops, because a test with an empty list of arguments would pass.
public let sampleNames: [String] = {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: sampleCatalogs)) ?? []
  let found = names.filter { $0.hasSuffix(".xcassets") }.map { String($0.dropLast(9)) }.sorted()
  precondition(found.contains("Broken") && found.count >= 14, "samples are missing: \(found)")
  return found
}()

/// The names of the folders of the sample catalogues that compile.
public let soundSamples = sampleNames.filter { $0 != "Broken" }.map { "\($0).xcassets" }

/// The folder of the products of this build.
public let productFolder: String = {
  // The test runner is `…/debug/carvePackageTests.xctest`, beside the tool.
  let runner = URL(fileURLWithPath: CommandLine.arguments[0])
  return runner.standardizedFileURL.deletingLastPathComponent().path
}()

/// Runs `carve` with these arguments in a folder, and waits for it.
///
/// `link` runs it under another name. Its environment contains only `environment` and the variables
/// of a sanitizer.
public func runTool(
  _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:],
  link: String? = nil
) throws -> ToolResult {
  try run(link ?? productFolder + "/carve", arguments, in: folder, environment: environment)
}

/// Returns the variables with which a program is started: `given` and those of a sanitizer, which
/// are its options and the library of `make tsan`.
public func programVariables(_ given: [String: String] = [:]) -> [String: String] {
  let needed = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"].contains($0.key)
  }
  return given.merging(needed) { given, _ in given }
}

/// Runs a program and waits for it. Its standard input is empty.
public func run(
  _ program: String, _ arguments: [String], in folder: String? = nil,
  environment: [String: String] = [:]
) throws -> ToolResult {
  // The output goes to files and not to pipes, so the program never blocks, however long its output
  // is.
  let output = try UnnamedFile()
  let errors = try UnnamedFile()
  let variables = programVariables(environment)
  var status: Int32 = 0
  var memory = 0
  let failure = withCStrings([program] + arguments) { words in
    withCStrings(variables.map { "\($0)=\($1)" }) { variables in
      spawn_and_wait(
        program, words, variables, folder, output.descriptor, errors.descriptor, &status, &memory)
    }
  }
  guard failure == 0 else { throw SystemFailure(program, failure) }
  let signal = status & 0x7F
  return ToolResult(
    output: try output.contents(), errors: try errors.contents(),
    code: signal == 0 ? status >> 8 & 0xFF : 128 + signal, memory: memory * 1024)
}

/// Calls `body` with an array of strings in the form that system calls expect.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let pointers = strings.map { strdup($0) }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers + [nil])
}

/// A file without a name, which is removed with its last descriptor.
private final class UnnamedFile {
  let descriptor: Int32

  init() throws {
    descriptor = carve_open_scratch(TemporaryDirectory.base)
    guard descriptor >= 0 else { throw SystemFailure(TemporaryDirectory.base) }
  }

  deinit { close(descriptor) }

  func contents() throws -> [UInt8] { try readAll(descriptor, what: "an output") }
}
