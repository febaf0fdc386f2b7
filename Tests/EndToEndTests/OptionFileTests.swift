// Tests options of `compile` from a file: their effects, and the messages about invalid lines.

import Support
import Testing

@Suite struct OptionFileTests {
  private func compile(_ text: String) throws -> (TemporaryDirectory, ToolResult) {
    let folder = try TemporaryDirectory()
    try folder.copy(sampleCatalogs + "/Scales.xcassets", to: "A.xcassets")
    try folder.write(text, to: "A.carve")
    let words =
      "compile A.xcassets -o A.car --swift A.swift --type First --depfile A.d --options A.carve"
    return (folder, try runTool(words.split(separator: " ").map(String.init), in: folder.path))
  }

  @Test func itsLinesAreOptionsThatComeLast() throws {
    let (folder, result) = try compile(
      "# of the game\n\n  --type Second \r\n--platform=macosx\n--public\n")
    #expect(result.code == 0, "\(result.stderr)")
    let source = String(decoding: try folder.read("A.swift"), as: UTF8.self)
    #expect(source.contains("public enum Second {"))
    #expect(source.contains("public static let rocket = "))
    #expect(
      try runTool(["info", "A.car"], in: folder.path).stdout.contains("macosx"))
    // The file of options is an input like the catalogue's files.
    let rule = String(decoding: try folder.read("A.d"), as: UTF8.self)
    #expect(rule.hasPrefix("A.car A.swift:"))
    #expect(rule.contains(" \\\n  A.carve\n"))
  }

  @Test(
    arguments: [
      ("--no-such-thing", "A.carve:2: unknown option '--no-such-thing'"),
      ("--platfrom ios", "A.carve:2: unknown option '--platfrom'; did you mean '--platform'?"),
      ("--platform", "A.carve:2: option '--platform' needs a value PLATFORM"),
      ("--public yes", "A.carve:2: unexpected argument 'yes'"),
      ("B.xcassets", "A.carve:2: unexpected argument 'B.xcassets'"),
      ("--depfile x", "A.carve:2: option '--depfile' is allowed only on the command line"),
      ("-o x.car", "A.carve:2: option '--output' is allowed only on the command line"),
      ("--options A.carve", "A.carve:2: option '--options' is allowed only on the command line"),
    ])
  func aLineThatIsNoOptionIsNamed(line: String, message: String) throws {
    let (folder, result) = try compile("--optimization time\n\(line)\n")
    #expect(result.code == 1)
    #expect(result.stderr == "carve compile: error: \(message)\n")
    #expect(throws: (any Error).self) { try folder.read("A.car") }
  }
}
