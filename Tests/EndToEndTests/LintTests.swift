// Tests `carve lint` as its users run it: exit codes, policies, formats, fixes.

import Foundation
import Support
import Testing

@Suite struct LintTests {
  /// The name of a folder counts, however its path ends.
  @Test(arguments: [".", "./", "../Moon.imageset/.", "Parts/.."])
  func aSetIsASetFromInside(path: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      #"{ "images" : [ { "filename" : "a.png" } ], "info" : { "version" : 1 } }"#,
      to: "X.xcassets/Moon.imageset/Contents.json")
    try folder.write(png(width: 4, height: 4), to: "X.xcassets/Moon.imageset/a.png")
    if path.hasPrefix("Parts") {
      try folder.write("", to: "X.xcassets/Moon.imageset/Parts/.keep")
    }
    let set = folder.path("X.xcassets/Moon.imageset")
    let lint = try runTool(["lint", path], in: set)
    #expect(lint.code == 0 && !lint.stdout.contains("unknown-key"), "\(lint.stdout)")
    let archive = folder.path("a.car")
    let compiled = try runTool(["compile", path, "-o", archive], in: set)
    #expect(compiled.code == 0, "\(compiled.stderr)")
    #expect(try runTool(["resolve", archive, "Moon"]).stdout.hasPrefix("a.png "))
  }

  private let folder: TemporaryDirectory

  /// Makes one set with a fault that --fix mends and a warning that it does not.
  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(
      #"{"images":[{"Filename":"missing.png","idiom":"universal"},]}"#,
      to: "A.xcassets/S.imageset/Contents.json")
  }

  private func lint(_ arguments: String...) throws -> ToolResult {
    try runTool(["lint"] + arguments + ["A.xcassets"], in: folder.path)
  }

  @Test func warningsAreNoFailure() throws {
    let result = try lint()
    #expect(result.code == 0)
    #expect(
      result.stdout.contains(
        "A.xcassets/S.imageset/Contents.json:1:24: warning: \"missing.png\" is not in the folder "
          + "[missing-file]\n"))
    #expect(result.stderr.isEmpty)
  }

  @Test func errorsAndGatesAre() throws {
    #expect(try lint("--werror").code == 1)
    #expect(try lint("--werror=missing-file").code == 1)
    #expect(try lint("--werror=cut-image").code == 0)
    #expect(
      try lint("--werror", "--no-warn=missing-file,json-trailing-comma", "--no-warn=misspelled-key")
        .code == 0)
    try folder.write("{", to: "A.xcassets/T.imageset/Contents.json")
    #expect(try lint("--no-warn=json-syntax").code == 1)
  }

  @Test func aWordThatIsNoCodeIsAUsageError() throws {
    let result = try lint("--werror=missing-fiel")
    #expect(result.code == 2)
    #expect(result.stderr.contains("did you mean 'missing-file'?"))
    #expect(try runTool(["lint"]).code == 2)
    #expect(try lint("--dry-run").code == 2)
    #expect(try lint("--minimum-deployment-target", "new").code == 2)
  }

  @Test(arguments: ["json", "sarif"]) func reportsAreDocuments(format: String) throws {
    let result = try lint("--diagnostics", format)
    #expect(try JSONSerialization.jsonObject(with: Data(result.output)) is [String: Any])
  }

  @Test func aDryRunChangesNothingAndAFixIsDoneOnce() throws {
    let file = "A.xcassets/S.imageset/Contents.json"
    let before = try folder.read(file)
    let dry = try lint("--fix", "--dry-run")
    #expect(try folder.read(file) == before)
    #expect(dry.stderr.contains("would fix \(file): line 1: "))
    #expect(dry.stderr.contains("1 file to fix"))

    let fixed = try lint("--fix")
    #expect(fixed.stderr.contains("1 file fixed"))
    #expect(fixed.stdout.contains("[missing-file]"))
    #expect(!fixed.stdout.contains("[misspelled-key]"))
    let after = try folder.read(file)
    // The parts that are not fixed stay as they were written.
    #expect(
      String(decoding: after, as: UTF8.self)
        == #"{"images":[{"filename":"missing.png","idiom":"universal"}]}"#)
    #expect(try lint("--fix").stderr.contains("0 files fixed"))
    #expect(try folder.read(file) == after)

    #expect(try lint("--fix=format").stderr.contains("\(file): format as Xcode does"))
    let formatted = String(decoding: try folder.read(file), as: UTF8.self)
    #expect(formatted.hasPrefix("{\n  \"images\" : [\n    {\n"))
    #expect(try lint("--fix=format").stderr.contains("0 files fixed"))
  }

  /// Catalogues that `lint` finds belong to different apps, unless they lie in the same folder.
  /// Fixes change the documents of layered icons as they change those of sets.
  @Test func documentsOfIconsAreFixed() throws {
    let file = "A.xcassets/I.icon/icon.json"
    func text(_ picture: String, _ mode: String, _ key: String) -> String {
      "{ \"fill\" :\"none\",\r\n\t\"groups\":[{\"layers\":[{\"image-name\":\"\(picture)\",  "
        + "\"blend-mode\":\"\(mode)\",\"opacity\":0.50}],\"\(key)\":\"individual\"}],\r\n"
        + "\"supported-platforms\":{\"squares\":\"shared\"} }"
    }
    try folder.write(text("A.png", "Multiply", "lightning"), to: file)
    try folder.write(png(width: 4, height: 4), to: "A.xcassets/I.icon/Assets/a.png")
    #expect(try lint("--fix").stderr.contains("fixed \(file): line 2: write \"a.png\"\n"))
    #expect(
      String(decoding: try folder.read(file), as: UTF8.self)
        == text("a.png", "Multiply", "lightning"))
    // A layered icon can be given by itself.
    let icon = "A.xcassets/I.icon"
    let all = try runTool(["lint", "--fix=all", icon], in: folder.path)
    #expect(all.stderr.contains("1 file fixed"))
    let fixed = text("a.png", "multiply", "lighting")
    #expect(String(decoding: try folder.read(file), as: UTF8.self) == fixed)
    // Icon Composer has a format of its own.
    #expect(try runTool(["lint", "--fix=format", icon], in: folder.path).code == 0)
    #expect(String(decoding: try folder.read(file), as: UTF8.self) == fixed)
  }

  @Test func foundCataloguesAreCheckedFolderByFolder() throws {
    let folder = try TemporaryDirectory()
    for place in ["One/A", "One/B", "Two/C"] {
      try folder.write(png(width: 4, height: 4), to: "All/\(place).xcassets/Star.imageset/s.png")
      try folder.write(
        #"{"images":[{"filename":"s.png"}]}"#,
        to: "All/\(place).xcassets/Star.imageset/Contents.json")
    }
    let clash = """
      warning: "Star" is left out: another .imageset in an earlier catalogue has that name [name-clash]
      """
    let found = try runTool(["lint", "All", "--no-warn=duplicate-file"], in: folder.path).stdout
    #expect(found.contains("All/One/B.xcassets/Star.imageset: \(clash)\n"), "\(found)")
    #expect(found.split(separator: "\n").last == "1 warning in 3 catalogues")
    let named = ["All/One/A.xcassets", "All/Two/C.xcassets"]
    let both = try runTool(["lint"] + named + ["--no-warn=duplicate-file"], in: folder.path).stdout
    #expect(both.contains("All/Two/C.xcassets/Star.imageset: \(clash)\n"))
    #expect(both.split(separator: "\n").last == "1 warning in 2 catalogues")
    // If icons are named, all catalogues belong to one app.
    let app = try runTool(["lint", "All", "--app-icon", "Logo"], in: folder.path)
    #expect(app.stdout.split(separator: "\n").filter { $0.contains("[missing-icon]") }.count == 1)
  }

  /// If a platform is named, `lint` gives compile's finding about an archive without contents.
  @Test func anEmptyArchiveIsForetold() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      png(width: 16, height: 16), to: "Mac.xcassets/File.iconset/icon_16x16.png")
    let words =
      "Mac.xcassets: warning: the archive is empty: no asset of the catalogues (1 asset) is "
      + "compiled for iphoneos; choose another platform with --platform [empty-archive]\n"
    let lines = ["Mac.xcassets", "--platform", "iphoneos"]
    #expect(
      try runTool(["lint"] + lines, in: folder.path).stdout
        == words + "1 warning in 1 catalogue\n")
    #expect(try runTool(["compile"] + lines + ["-o", "a.car"], in: folder.path).stderr == words)
    for silent in [["Mac.xcassets"], ["Mac.xcassets", "--platform", "macosx"]] {
      #expect(try runTool(["lint"] + silent, in: folder.path).stdout == "")
    }
  }

  /// Another platform is proposed only if no finding gives another reason.
  @Test func anEmptyArchiveNamesTheOtherFindings() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      #"{"images":[{"filename":"star.png"}]}"#, to: "A.xcassets/S.imageset/Contents.json")
    let result = try runTool(["lint", "A.xcassets", "--platform", "iphoneos"], in: folder.path)
    #expect(
      result.stdout.contains(
        "[missing-file]\nA.xcassets: warning: the archive is empty: no asset of the catalogues "
          + "(1 asset) is compiled; other findings say why [empty-archive]\n"))
    // A finding about something else is no reason.
    try folder.write(png(width: 16, height: 16), to: "B.xcassets/F.iconset/icon_16x16.png")
    try folder.write("x", to: "B.xcassets/F.iconset/x.png")
    let other = try runTool(["lint", "B.xcassets", "--platform", "iphoneos"], in: folder.path)
    #expect(other.stdout.contains("for iphoneos; choose another platform with --platform"))
    #expect(other.stdout.contains("[unassigned-file]"))
  }

  @Test func systemColoursAreSuggested() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      #"{"colors":[{"color":{"platform":"ios","reference":"SystemBlueColor"}}]}"#,
      to: "A.xcassets/C.colorset/Contents.json")
    let result = try runTool(["lint", "A.xcassets", "--platform", "iphoneos"], in: folder.path)
    #expect(
      result.stdout.contains(
        "\"SystemBlueColor\" of \"ios\"; did you mean \"systemBlueColor\"? [unknown-system-color]\n"
      ))
  }

  @Test func targetsAreChecked() throws {
    try folder.write(
      png(width: 4, height: 4), to: "A.xcassets/P.imageset/p.png")
    try folder.write(
      #"{"images":[{"filename":"p.png","idiom":"ipad","scale":"2x"}]}"#,
      to: "A.xcassets/P.imageset/Contents.json")
    let result = try lint("--platform", "iphoneos", "--target-device", "iphone")
    #expect(result.stdout.contains("[reachable-hole]"))
    #expect(result.stdout.contains("[unreachable-variant]"))
    #expect(try !lint().stdout.contains("[reachable-hole]"))
  }

  /// A picture without which the asset cannot be compiled is an error of both commands, and one
  /// that the platform does not show is an error of neither.
  @Test func compileAgreesAboutFaultyPictures() throws {
    let vector =
      #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0H9V9z"/></svg>"#
    let folder = try TemporaryDirectory()
    try folder.write(
      #"{"groups":[{"layers":[{"image-name":"a.png","name":"a"}]}],"supported-platforms":{"squares":"shared"}}"#,
      to: "Icon.icon/icon.json")
    try folder.write(vector, to: "Icon.icon/Assets/a.png")
    let image = #"{"images":[{"filename":"a.png","scale":"2x"}]}"#
    try folder.write("{}", to: "Sky.xcassets/Sky.spriteatlas/Contents.json")
    try folder.write(image, to: "Sky.xcassets/Sky.spriteatlas/Sun.imageset/Contents.json")
    try folder.write(vector, to: "Sky.xcassets/Sky.spriteatlas/Sun.imageset/a.png")
    try folder.write(image, to: "Plain.xcassets/Sun.imageset/Contents.json")
    try folder.write(vector, to: "Plain.xcassets/Sun.imageset/a.png")
    try folder.write(
      #"{"images":[{"idiom":"iphone","filename":"a.png","scale":"2x"}]}"#,
      to: "Phone.xcassets/Sun.imageset/Contents.json")
    try folder.write([UInt8](), to: "Phone.xcassets/Sun.imageset/a.png")
    let calls: [(String, String, Int32)] = [
      ("Icon.icon --app-icon Icon", "iphoneos", 1), ("Sky.xcassets", "iphoneos", 1),
      ("Plain.xcassets", "iphoneos", 0), ("Phone.xcassets", "macosx", 0),
      ("Phone.xcassets", "iphoneos", 1),
    ]
    for (words, platform, code) in calls {
      let words = words.split(separator: " ").map(String.init) + ["--platform", platform]
      let checked = try runTool(["lint"] + words, in: folder.path)
      let compiled = try runTool(["compile"] + words + ["-o", "a.car"], in: folder.path)
      #expect(checked.code == code, "\(words) \(checked.stdout)")
      #expect(compiled.code == code, "\(words) \(compiled.stderr)")
    }
  }

  @Test func theListExplainsEveryCode() throws {
    let result = try runTool(["lint", "--list"])
    #expect(result.code == 0)
    #expect(result.stdout.contains("## missing-file\n\n**warning**: An entry names a file"))
  }

  /// Makes twelve sets with two faults each, in two catalogues.
  private func manyFaults() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for number in 0..<12 {
      let place = "App/\(number < 6 ? "A" : "Sub/B").xcassets/S\(number).imageset"
      try folder.write(
        png(width: 2, height: 2, color: .gray, samples: [1, 2, 3, UInt8(number)]),
        to: "\(place)/one.png")
      try folder.write(
        #"{ "images" : [ { "idiom" : "universal", "scale" : "1x", "filename" : "one.png" },"#
          + #" { "idiom" : "universal", "scale" : "2x" }, { "idiom" : "universal", "scale" : "3x" },"#
          + #" { "idiom" : "universal", "scale" : "1x", "filename" : "gone.png", "#
          + #""appearances" : [ { "appearance" : "luminosity", "value" : "dark" } ] } ] }"#,
        to: "\(place)/Contents.json")
    }
    return folder
  }

  @Test func findingsOfOneCodeAreFoldedAndCounted() throws {
    let folder = try manyFaults()
    func lint(_ words: String...) throws -> [String] {
      try runTool(["lint", "App"] + words, in: folder.path).stdout.split(separator: "\n")
        .map(String.init)
    }
    let lines = try lint()
    // No fault is reported twice: an empty slot is a missing scale.
    #expect(lines.count { $0.hasSuffix("[missing-scale]") } == 5, "\(lines)")
    #expect(lines.count { $0.hasSuffix("[missing-file]") } == 5)
    #expect(!lines.contains { $0.contains("empty-slot") })
    #expect(
      lines.suffix(2) == [
        "and more: 7 of missing-file, 7 of missing-scale; --all shows them",
        "12 warnings, 12 notes in 2 catalogues",
      ])
    let all = try lint("--all")
    #expect(all.count == 25)
    #expect(
      all.contains(
        "App/A.xcassets/S0.imageset/Contents.json:1:16: note: \"S0\" has no picture for 2x and 3x "
          + "(universal) [missing-scale]"), "\(all)")
    #expect(try lint("--min-severity", "warning").last == "12 warnings in 2 catalogues")
    #expect(try lint("--min-severity", "error") == [])
    let errors = try lint("--werror=missing-file")
    #expect(errors.count { $0.contains(": error: ") } == 12)
    let json = try runTool(["lint", "App", "--diagnostics", "json"], in: folder.path)
    let report = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
    #expect((report?["diagnostics"] as? [Any])?.count == 24)
  }

  @Test func scalesAreThoseOfThePlatformInUse() throws {
    let folder = try manyFaults()
    func missing(_ words: String...) throws -> Set<String> {
      let text = try runTool(["lint", "App/A.xcassets", "--all"] + words, in: folder.path).stdout
      return Set(
        text.matches(of: /has no picture for ([^(]*) \(/).map { String($0.output.1) })
    }
    #expect(try missing() == ["2x and 3x"])
    #expect(try missing("--platform", "macosx") == ["2x"])
    #expect(try missing("--platform", "xros") == ["2x"])
    // A catalogue with pictures for the Mac only is for the Mac.
    try folder.write(
      png(width: 1, height: 1, color: .gray, samples: [1]), to: "App/A.xcassets/M.imageset/m.png")
    try folder.write(
      #"{ "images" : [ { "idiom" : "mac", "scale" : "2x", "filename" : "m.png" } ] }"#,
      to: "App/A.xcassets/M.imageset/Contents.json")
    #expect(try missing() == ["2x", "1x"])
  }

  @Test func coloursAreForTerminalsAndOnRequest() throws {
    let result = try runTool(["lint", "A.xcassets"], in: folder.path)
    #expect(!result.stdout.contains("\u{1B}"))
    let forced = try runTool(
      ["lint", "A.xcassets"], in: folder.path, environment: ["CLICOLOR_FORCE": "1"])
    #expect(forced.stdout.contains(": \u{1B}[33mwarning\u{1B}[0m: "))
    let none = try runTool(
      ["lint", "A.xcassets"], in: folder.path,
      environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"])
    #expect(none.stdout == result.stdout)
  }

  @Test func aFolderOfOtherThingsIsSearchedAndOneThatIsNotThereIsSaid() throws {
    let folder = try manyFaults()
    #expect(
      try runTool(["lint", "."], in: folder.path).stdout
        .hasSuffix("12 warnings, 12 notes in 2 catalogues\n"))
    for command in [["lint", "nope.xcassets"], ["compile", "nope.xcassets", "-o", "x.car"]] {
      let result = try runTool(command, in: folder.path)
      #expect(result.code == 4)
      #expect(
        result.stderr.hasSuffix(
          "error: cannot read nope.xcassets: No such file or directory\n"))
    }
    let compile = try runTool(["compile", "App", "-o", "x.car"], in: folder.path)
    #expect(compile.code == 1)
    #expect(
      compile.stderr.contains(
        "it holds \"App/A.xcassets\" and \"App/Sub/B.xcassets\" [not-a-catalog]"),
      "\(compile.stderr)")
  }
}
