// Tests the inputs that the tool takes from the system: its command line, and few settings.

import Foundation
import Support
import Testing

@Suite struct SystemInputTests {
  /// The words that run a program without /proc; nil if the system does not allow that.
  private static let withoutProc: [String]? = ["-m", "-rm"].lazy.map { flags in
    ["/usr/bin/unshare", flags, "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh"]
  }.first { words in
    let result = try? run(
      words[0], Array(words.dropFirst()) + ["/bin/test", "!", "-e", "/proc/self"])
    return result?.code == 0
  }

  @Test(
    .enabled(if: withoutProc != nil, "no namespace of its own may be made here"),
    .enabled(
      if: ProcessInfo.processInfo.environment["CARVE_SANITIZER"] != "address",
      "the address sanitizer itself needs /proc"))
  func theToolKnowsItsWordsWithoutProc() throws {
    let words = try #require(SystemInputTests.withoutProc)
    let folder = try TemporaryDirectory()
    let catalog = sampleCatalogs + "/SizeClasses.xcassets"
    let compile = [productFolder + "/carve", "compile", catalog, "-o"]
    #expect(try runTool(Array(compile.dropFirst()) + [folder.path("with.car")]).code == 0)
    let result = try run(
      words[0], Array(words.dropFirst()) + compile + [folder.path("without.car")])
    #expect(result.code == 0, "\(result.stderr)")
    #expect(try folder.read("without.car") == folder.read("with.car"))
    let version = try run(
      words[0], Array(words.dropFirst()) + [productFolder + "/carve", "--version"])
    #expect(version.stdout.hasPrefix("carve "), "\(version.stderr)")
  }

  /// Build systems set hundreds of variables for their own purposes: none may change an archive.
  /// The tool reads only variables about the display of text, the place of files without a name,
  /// the place of the cache, which does not change the bytes, the place where xcrun finds programs
  /// that are not Carve's, and the file to which a summary is appended. The plugin looks for an
  /// installed tool, and says which it takes.
  @Test func fewVariablesAreRead() throws {
    let sources = packageRoot + "/Sources"
    var found: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources) {
      guard let ending = file.split(separator: ".").last, ["swift", "c", "h"].contains(ending)
      else {
        continue
      }
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      // Searching for words is quick, matching is slow.
      guard ["getenv", "variable(", "environ", "ProcessInfo"].contains(where: text.contains) else {
        continue
      }
      for match in text.matches(of: /(getenv|variable)\("([A-Z_]+)"\)/) {
        found.insert(String(match.output.2))
      }
      // All other ways to read variables.
      for word in ["environ", "ProcessInfo", "secure_getenv", "getenv"] where text.contains(word) {
        let isKnown = [
          "Host/ScratchFile.swift", "CommandLineKit/Terminal.swift",
          "carve/Options/CacheOptions.swift", "carve/Commands/XcrunCommand.swift",
          "carve/Commands/LintRun.swift", "carve/Options/DiagnosticOptions.swift",
          "CarvePlugin/CarvePlugin.swift",
        ].contains(file)
        let isWord = text.contains("\(word)(") || word != "environ" && text.contains(word)
        #expect(isKnown || !isWord, "\(file) reads \(word)")
      }
    }
    #expect(
      found == [
        "NO_COLOR", "CLICOLOR_FORCE", "TERM", "CI", "TMPDIR", "CARVE_CACHE", "PATH",
        "XDG_CACHE_HOME", "HOME", "GITHUB_STEP_SUMMARY", "CARVE_FINDINGS_URL",
      ])
  }
}
