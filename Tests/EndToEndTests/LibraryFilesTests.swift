// The C library is built from some files of a module, listed in .ci/build-library: they need no other.

import Foundation
import Support
import Testing
@testable import Host

@Suite struct LibraryFilesTests {
  /// The files that the script compiles of a module, without folder and extension.
  private func listed(_ module: String) throws -> [String] {
    let script = try String(contentsOfFile: packageRoot + "/.ci/build-library", encoding: .utf8)
    let joined = script.replacingOccurrences(of: "\\\n", with: " ")
    let line = try #require(
      joined.split(separator: "\n").first { $0.hasPrefix("compile \(module) ") })
    return line.split(separator: " ").dropFirst(2).map(String.init)
  }

  @Test(arguments: ["Traits", "Archive"])
  func theListedFilesOfAModuleNeedNoOthers(module: String) throws {
    let files = try listed(module).map { "Sources/\(module)/\($0).swift" }
    let result = try run(
      "/usr/bin/env",
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-package-name", "carve", "-module-name",
        module, "-enable-experimental-feature", "Lifetimes", "-I", productFolder + "/Modules",
      ] + files, in: packageRoot, environment: ProcessInfo.processInfo.environment)
    #expect(result.code == 0, "add what is missing to .ci/build-library: \(result.stderr)")
  }
}
