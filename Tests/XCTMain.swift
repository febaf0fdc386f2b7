// Starts all tests. The package manager finds this file by its name. Without it, it would search the
// index of the build for tests, and the index takes a fifth of the time of a build.

import Testing

@main
private struct AllTests {
  static func main() async {
    // `swift test --filter` lists the tests of XCTest first, and there are none.
    if CommandLine.arguments.contains("--dump-tests-json") { return print(#"{"tests": []}"#) }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
