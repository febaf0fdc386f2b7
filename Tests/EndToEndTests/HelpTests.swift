// Tests the tool's own help, and its use of standard input, output and error.

import Foundation
import Support
import Testing

private func isInstalled(_ program: String) -> Bool {
  FileManager.default.isExecutableFile(atPath: program)
}

/// Returns the commands that have a manual page: all that `carve --help` lists.
func listedCommands() throws -> [String] {
  let commands = try runTool(["man"]).stdout.split(separator: "\n").dropFirst()
    .map { String($0.dropFirst("carve-".count)) }
  try #require(commands.contains("compile") && commands.contains("thin"), "\(commands)")
  return commands
}

@Suite struct HelpTests {
  @Test func helpOfTheToolIsAsExpected() throws {
    let result = try runTool(["--help"])
    #expect(result.code == 0)
    golden(result.stdout, "help.txt")
  }

  @Test func helpOfEveryCommandIsAsExpected() throws {
    for command in try listedCommands() {
      let result = try runTool([command, "--help"])
      #expect(result.code == 0)
      golden(result.stdout, "help-\(command).txt")
    }
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc"),
      "mandoc is not installed"))
  func manualPagesAreGoodSyntax() throws {
    let lint = "/usr/bin/mandoc"
    let folder = try TemporaryDirectory()
    for page in try ["carve"] + listedCommands().map({ "carve-\($0)" }) {
      let text = try runTool(["man", page])
      let file = try folder.write(text.output, to: "\(page).1")
      let faults = try run(lint, ["-T", "lint", "-W", "warning", file]).stdout
        .split(separator: "\n").filter { !$0.contains("missing date") }
      #expect(faults.isEmpty)
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsNameEveryCommand(shell: String) throws {
    let script = try runTool(["completions", shell]).stdout
    for command in try listedCommands() { #expect(script.contains(command)) }
    let program = "/usr/bin/\(shell)"
    guard FileManager.default.isExecutableFile(atPath: program) else { return }
    let file = try TemporaryDirectory()
    let result = try run(program, ["-n", file.write(script, to: "script")])
    #expect(result.code == 0, "\(result.stderr)")
  }

  /// The words typed so far, and one of the offered completions.
  @Test(arguments: [
    ("carve thin --device iPad16,", "iPad16,6"),
    ("carve resolve A --device Watch7,12", "Watch7,12"),
    ("carve diff --device iPad16,5,iPhone8,", "iPad16,5,iPhone8,1"),
    ("carve explain --device iPad5", "iPad5,3"),
    ("carve compile --device iPhone3", "iPhone3,1"),
    ("carve devices RealityDevice", "RealityDevice14,1"),
    ("carve lint --no-warn js", "json-syntax"),
    ("carve compile --werror = empty-", "empty-set"),
    ("carve assetutil --idiom p", "phone"),
    ("carve compile --optimization s", "space"),
    ("carve thin --platform ", "macosx"),
    ("carve resolve --kind ", "image"),
    ("carve compile --diagnostics ", "sarif"),
    ("carve thin --report ", "json"),
    ("carve resolve --window ", "slide-over"),
    ("carve compile --target-device ", "ipad"),
    ("carve resolve --style ", "dark"),
    ("carve resolve Arch", "Archive.car"),
    ("carve resolve Real.car St", "Star"),
    ("carve explain --device iPad5,3 Real.car Fac", "Facts"),
    ("carve explain Real.car Star --traits sc", "scale="),
    ("carve resolve --traits scale=2,st", "scale=2,style="),
    ("carve assetutil Arch", "Archive.car"),
  ])
  func bashOffersWhatTheTablesHold(line: String, offer: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write("", to: "Archive.car")
    try folder.write(OptionCatalog.archive.get(), to: "Real.car")
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let script = """
      compopt() { :; }
      source <(carve completions bash)
      COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
      COMP_CWORD=\(words.count - 1)
      _carve
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let path = "\(productFolder):/usr/bin:/bin"
    let result = try run(
      "/bin/bash", ["-c", script], in: folder.path, environment: ["PATH": path])
    #expect(result.stderr.isEmpty)
    #expect(result.stdout.split(separator: "\n").contains(Substring(offer)), "\(result.stdout)")
  }

  @Test func theLettersOfApplesToolAreItsOwn() throws {
    let folder = try TemporaryDirectory()
    let link = folder.path("assetutil")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: productFolder + "/carve")
    let help = try runTool(["--help"], link: link)
    #expect(help.code == 0, "\(help.stderr)")
    #expect(help.stdout == (try runTool(["assetutil", "--help"]).stdout))
    #expect(help.stdout.contains("Usage: carve assetutil [OPTIONS] ARCHIVE\n"))
    let options = help.stdout.split(separator: "\n").filter { $0.contains(" --") }
    #expect(options.filter { $0.hasPrefix("  -h, ") }.count == 1)
    #expect(options.filter { $0.hasPrefix("      --help ") }.count == 1)
    let letter = try runTool(["-h"], link: link)
    #expect(letter.code == 2)
    #expect(letter.stderr.contains("option '--hostedidioms' needs a value"), "\(letter.stderr)")
  }

  @Test func aReaderThatHangsUpIsNoFailure() throws {
    let tool = productFolder + "/carve"
    let script = "'\(tool)' completions bash | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}"
    let result = try run("/bin/bash", ["-c", script])
    #expect(result.stdout == "0\n")
    #expect(result.stderr.isEmpty)
  }

  @Test func aFullDiskIsAnOutputFailure() throws {
    let result = try run("/bin/sh", ["-c", "'\(productFolder)/carve' --version >/dev/full"])
    #expect(result.code == 4)
    #expect(result.stderr.contains("cannot write to standard output"))
  }

  /// A terminal gets the page from man, other readers its source.
  @Test(
    .enabled(
      if: isInstalled("/usr/bin/script") && isInstalled("/usr/bin/man"),
      "script or man is not installed"))
  func aTerminalShowsThePage() throws {
    let shown = try run(
      "/usr/bin/script", ["-qec", "\(productFolder)/carve man thin", "/dev/null"],
      environment: ["PATH": "/usr/bin:/bin", "PAGER": "cat", "MANPAGER": "cat", "TERM": "dumb"])
    // Without a terminal for colours, bold letters are written twice.
    let text = shown.stdout.replacing(/.\u{8}/, with: "")
    #expect(text.contains("SYNOPSIS") && !text.contains(".SH"))
    #expect(try runTool(["man", "thin"]).stdout.contains(".SH SYNOPSIS"))
  }

  @Test(arguments: [([], 2), (["nothing"], 2), (["--version"], 0), (["man", "x"], 2)])
  func exitCodesAreThoseOfTheContract(words: [String], code: Int) throws {
    #expect(try runTool(words).code == Int32(code))
  }
}
