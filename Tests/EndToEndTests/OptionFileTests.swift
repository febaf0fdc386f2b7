// Tests options of `compile` from a file: their effects, and the messages about invalid lines.

import Support
import Testing

@Suite struct OptionFileTests {
  private func compile(
    _ text: String, _ more: String = ""
  ) throws -> (TemporaryDirectory, ToolResult) {
    let folder = try TemporaryDirectory()
    try folder.copy(sampleCatalogs + "/Scales.xcassets", to: "A.xcassets")
    try folder.write(text, to: "A.carve")
    let words =
      "compile A.xcassets -o A.car --swift A.swift --usual-type First --depfile A.d "
      + "--options A.carve \(more)"
    return (folder, try runTool(words.split(separator: " ").map(String.init), in: folder.path))
  }

  /// The command line wins, in any order, and replaces each list as a whole.
  @Test func theCommandLineReplacesItsLines() throws {
    let (folder, result) = try compile(
      "--platform macosx\n--no-warn nonsuch-of-these\n", "--platform iphoneos --no-warn cut-image")
    // A line that is replaced is read, and only its meaning is not checked.
    #expect(result.code == 0, "\(result.stderr)")
    #expect(try runTool(["info", "A.car"], in: folder.path).stdout.contains(", ios "))
    let (other, lists) = try compile(
      "--device iPad5,3\n--public", "--device iPhone8,1 --type Third")
    #expect(lists.code == 0, "\(lists.stderr)")
    let (same, _) = try compile("--public", "--device iPhone8,1")
    #expect(try other.read("A.car") == same.read("A.car"))
    let source = String(decoding: try other.read("A.swift"), as: UTF8.self)
    #expect(source.contains("public enum Third {"))
    let (_, wrong) = try compile("--platform masosx", "--platform iphoneos")
    #expect(wrong.code == 2 && wrong.stderr.contains("A.carve:1: 'masosx' is not a value"))
  }

  @Test func itsLinesAreOptions() throws {
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
      (
        "--no-warn nonsense",
        "A.carve:2: 'nonsense' is not the code of a finding; 'carve lint --list' shows all"
      ),
      ("--minimum-deployment-target 1e5", "A.carve:2: '1e5' is not a version such as 15.0"),
      (
        "--device iPhone8,1\n--os 9.9.9.9.9", "A.carve:3: '9.9.9.9.9' is not a version such as 17.4"
      ),
      (
        "--public # for the game",
        "A.carve:2: unexpected argument '# for the game' (a comment needs a line of its own)"
      ),
      (
        "--platform macosx # for the game",
        "A.carve:2: 'macosx # for the game' is not a value of '--platform'; choose from macosx, "
          + "iphoneos, iphonesimulator, appletvos, appletvsimulator, watchos, watchsimulator, xros, "
          + "xrsimulator (a comment needs a line of its own)"
      ),
      ("--type 1st", "A.carve:2: '1st' cannot be the name of an enumeration"),
      // The last of the lines that do not fit together.
      (
        "--platform macosx\n--public\n--minimum-deployment-target 9\n--no-index",
        "A.carve:4: archives for macosx 9 are not supported; the oldest system is 10.9"
      ),
    ])
  func aLineThatIsNoOptionIsNamed(line: String, message: String) throws {
    let (folder, result) = try compile("--optimization time\n\(line)\n")
    #expect(result.code == 2)
    let help = message.contains("did you mean") ? "" : "; see 'carve compile --help'"
    #expect(result.stderr == "carve compile: error: \(message)\(help)\n")
    #expect(throws: (any Error).self) { try folder.read("A.car") }
  }

  @Test func aValueOfTheCommandLineIsNotOneOfTheFile() throws {
    let folder = try TemporaryDirectory()
    try folder.copy(sampleCatalogs + "/Scales.xcassets", to: "A.xcassets")
    try folder.write("--public\n", to: "A.carve")
    let result = try runTool(
      [
        "compile", "A.xcassets", "-o", "A.car", "--swift", "A.swift", "--type", "1st", "--options",
        "A.carve",
      ], in: folder.path)
    #expect(result.code == 2)
    #expect(
      result.stderr.hasPrefix("carve compile: error: '1st' cannot be the name of an enumeration"))
  }
}
