import Foundation
import Support
import Testing

@testable import CommandLineKit

@Suite struct ProgramTests {
  @Test func nothingThatIsPrintedCommandsTheTerminal() throws {
    let screen = Screen()
    let terminal = screen.terminal()
    terminal.print("a\u{1B}[31m\tb\nc\u{7F}")
    try terminal.finish()
    #expect(screen.results == "a\u{FFFD}[31m\tb\nc\u{FFFD}\n")
    #expect(screen.run("fail", "\u{1B}]0;title\u{7}") == .inputOutput)
    #expect(screen.errors == "tool fail: error: \u{FFFD}]0;title\u{FFFD}\n")
  }

  @Test func aToolWithoutACommandLineSaysSo() {
    let screen = Screen()
    #expect(tool.run([], on: screen.terminal()) == .inputOutput)
    #expect(screen.results.isEmpty && screen.errors.contains("/proc"))
  }

  @Test func aCommandRunsAndItsStatusIsTheTools() {
    let screen = Screen()
    #expect(screen.run("compile", "A", "B") == .fine)
    #expect(screen.results == "2 catalogues\n")
    #expect(Screen().run("compile", "A", "--json") == .inputErrors)
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["help", "help"], ["help", "-h"], ["help", "--help"],
  ]) func helpListsTheCommands(words: [String]) {
    let screen = Screen()
    #expect(tool.run(["tool"] + words, on: screen.terminal()) == .fine)
    #expect(screen.results == tool.help)
    golden(screen.results, "help.txt")
  }

  @Test(arguments: [
    ["compile", "--help"], ["compile", "-h"], ["help", "compile"],
    ["compile", "--wrong", "--help"], ["compile", "-o", "--help"],
  ])
  func helpOfACommandComesBeforeAnyFault(words: [String]) {
    let screen = Screen()
    #expect(tool.run(["tool"] + words, on: screen.terminal()) == .fine)
    golden(screen.results, "help-compile.txt")
  }

  @Test(arguments: [["--version"], ["compile", "--version"]]) func versionIsTold(words: [String]) {
    let screen = Screen()
    #expect(tool.run(["tool"] + words, on: screen.terminal()) == .fine)
    #expect(screen.results == "tool 1.2\n")
  }

  @Test(arguments: [
    (["compil"], "tool: error: unknown command 'compil'; did you mean 'compile'?\n"),
    (["zzz"], "tool: error: unknown command 'zzz'; see 'tool --help'\n"),
    (["--hlep"], "tool: error: unknown option '--hlep'; did you mean '--help'?\n"),
    (["help", "compile", "x"], "tool: error: unexpected argument 'x'; see 'tool --help'\n"),
    (["help", "zzz"], "tool: error: unknown command 'zzz'; see 'tool --help'\n"),
    (["compile"], "tool compile: error: CATALOG is missing; see 'tool compile --help'\n"),
    (
      ["compile", "--jsn"],
      "tool compile: error: unknown option '--jsn'; did you mean '--json'?\n"
    ),
    (["compile", "--", "--help"], ""),
  ])
  func usageErrorsAreOneLine(words: [String], line: String) {
    let screen = Screen()
    let status = tool.run(["tool"] + words, on: screen.terminal())
    #expect(status == (line.isEmpty ? .fine : .usage))
    #expect(screen.errors == line)
  }

  @Test func noWordsShowHelpAsAnError() {
    let screen = Screen()
    #expect(screen.run() == .usage)
    #expect(screen.results.isEmpty)
    #expect(screen.errors.contains("Commands:"))
  }

  @Test func aFailureKeepsTheResultsBeforeIt() {
    let screen = Screen()
    #expect(screen.run("fail", "no", "disk") == .inputOutput)
    #expect(screen.results == "before\n")
    #expect(screen.errors == "tool fail: error: no disk\n")
  }

  @Test func aLinkOfTheNameRunsTheCommandWithItsWordsAsTheyAre() {
    let screen = Screen()
    #expect(tool.run(["/x/actool", "--version", "-h", "--a"], on: screen.terminal()) == .fine)
    #expect(screen.results == "--version|-h|--a\n")
    let second = Screen()
    #expect(second.run("actool", "--version", "--a=b") == .fine)
    #expect(second.results == "--version|--a=b\n")
    // Only a drop-in command can be called through a link.
    let third = Screen()
    #expect(tool.run(["compile", "--version"], on: third.terminal()) == .fine)
    #expect(third.results == "tool 1.2\n")
  }
}

@Suite struct TerminalTests {
  @Test func aFullDiskIsAFailureAndABrokenPipeIsNot() {
    let screen = Screen()
    let full = tool.run(["tool", "--version"], on: screen.terminal(failure: 28))
    #expect(full == .inputOutput)
    #expect(
      screen.errors == "tool: error: cannot write to standard output: No space left on device\n")
    let quiet = Screen()
    #expect(tool.run(["tool", "--version"], on: quiet.terminal(failure: 32)) == .fine)
    #expect(quiet.errors.isEmpty)
  }

  @Test func aStreamThatDoesNotBlockIsWaitedFor() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    // More bytes than a pipe can hold.
    let bytes = [UInt8](repeating: 7, count: 300_000)
    // A thread of its own, because a task may have to wait until other tests have ended.
    let count = Guarded(0)
    let isRead = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var part = [UInt8](repeating: 0, count: 4096)
      while case let got = read(reading, &part, part.count), got > 0 {
        count.withLock { $0 += got }
      }
      isRead.signal()
    }
    #expect(bytes.withUnsafeBytes { writeAll($0, to: writing) } == nil)
    close(writing)
    isRead.wait()
    #expect(count.withLock { $0 } == bytes.count)
    close(reading)
  }

  @Test func progressIsShownOnlyOnATerminal() {
    let screen = Screen()
    let watched = screen.terminal(progress: true)
    watched.progress("1 of 2")
    watched.diagnose("careful")
    watched.progress("2 of 2")
    watched.progress("")
    #expect(screen.errors == "\r\u{1B}[K1 of 2\r\u{1B}[Kcareful\n\r\u{1B}[K2 of 2\r\u{1B}[K")
    let silent = Screen()
    silent.terminal().progress("1 of 2")
    #expect(silent.errors.isEmpty)
  }

  @Test func progressIsNotShownFasterThanItIsRead() {
    let screen = Screen()
    let watched = screen.terminal(progress: true, pause: .seconds(3600))
    watched.progress("1 of 3")
    watched.progress("2 of 3")
    watched.progress("")
    #expect(screen.errors == "\r\u{1B}[K1 of 3\r\u{1B}[K")
  }

  @Test func colourIsOnlyForColouredTerminals() {
    #expect(Screen().terminal(colored: true).tinted("x", .red) == "\u{1B}[31mx\u{1B}[0m")
    #expect(Screen().terminal().tinted("x", .red) == "x")
  }
}
