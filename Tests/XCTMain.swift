// Starts all tests. The package manager finds this file by its name. Without the file, the package
// manager would search for tests in the index of the build, and writing the index takes a fifth of
// the time of a build.

import Testing

@main
private struct AllTests {
  static func main() async {
    // `swift test --filter` asks for a list of the tests of XCTest. The project has no such tests.
    if CommandLine.arguments.contains("--dump-tests-json") { return print(#"{"tests": []}"#) }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
