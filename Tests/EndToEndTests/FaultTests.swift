// Tests with failing system calls: Tests/Faults/run makes the calls of the tool fail, one after the
// other, and checks the results. `make faults` tries all of them, and several failures at once.

import Foundation
import Support
import Testing

@Suite struct FaultTests {
  /// Whether the tool was built with a sanitizer.
  static let isSanitized = ProcessInfo.processInfo.environment["CARVE_SANITIZER"] != nil

  static func hasTool(_ name: String) -> Bool {
    ["/usr/bin/\(name)", "/usr/local/bin/\(name)", "/bin/\(name)"]
      .contains { FileManager.default.isExecutableFile(atPath: $0) }
  }

  @Test(
    .enabled(if: hasTool("python3") && hasTool("cc"), "python3 and cc are not installed"),
    .disabled(if: isSanitized, "a sanitizer has to be loaded first itself"))
  func aThousandFaultsLeaveTheOldOutputsOrTheNew() throws {
    let result = try run(
      "/usr/bin/env",
      [
        "python3", "-B", "\(packageRoot)/Tests/Faults/run", "\(productFolder)/carve", "--runs",
        "1000",
      ], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    #expect(result.code == 0, "\(result.stdout)\(result.stderr)")
    #expect(result.stdout.hasSuffix(", 0 runs that were wrong\n"), "\(result.stdout)")
  }
}
