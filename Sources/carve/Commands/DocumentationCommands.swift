// Commands that print manual pages and shell completions, which `make install` installs, and the
// hidden command for the words that completions offer.

import Bytes
import CPosix
import CarveRuntime
import CatalogModel
import CommandLineKit
import Documents
import Host
import Traits

private struct PageArguments: Sendable {
  var page: String?
}

let manualCommand = Command(
  "man", summary: "Show a manual page, or print the names of all pages",
  discussion: """
    On a terminal the page is shown by man. Otherwise its source is printed, in the form that man \
    reads.
    """,
  defaults: PageArguments(),
  operands: [.optional(.text("PAGE"), \.page, help: "such as carve-compile, or compile")],
  run: printManual)

private func printManual(
  _ arguments: PageArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  guard let page = arguments.page else {
    for page in Main.program.manualPages { terminal.print(page) }
    return .fine
  }
  guard let text = Main.program.manualPage(page) ?? Main.program.manualPage("carve-\(page)") else {
    let near = suggestion(for: page, in: Main.program.manualPages)
    throw .usage("there is no manual page '\(page)'\(near)")
  }
  if isatty(STDOUT_FILENO) == 1, placeInPath(of: "man") != nil, show(text) { return .fine }
  terminal.write(text)
  return .fine
}

/// Shows a manual page by the system's man, which formats it and calls the pager. Returns false if
/// man did not succeed.
private func show(_ page: String) -> Bool {
  // The pager can end, and thereby close the pipe, before everything is written.
  guard let pipe = popen("man -l -", "w") else { return false }
  page.withCString { _ = fputs($0, pipe) }
  return pclose(pipe) == 0
}

private struct ShellArguments: Sendable {
  var shell = ""
}

let completionsCommand = Command(
  "completions", summary: "Print the completions for a shell",
  defaults: ShellArguments(),
  operands: [
    .one(
      .choice("SHELL", of: Shell.allCases.map(\.rawValue)), \.shell,
      help: "the shell to complete in")
  ],
  run: printCompletions)

private func printCompletions(
  _ arguments: ShellArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if let shell = Shell(rawValue: arguments.shell) {
    terminal.write(Main.program.completions(for: shell))
  }
  return .fine
}

extension WordList {
  /// Returns each word and its meaning; the words that depend on a command line come from the rest
  /// of that line.
  fileprivate func entries(_ line: [String]) -> [(word: String, meaning: String)] {
    switch self {
    case .traits: Axis.inRequests.map { ("\($0.name)=", $0.choices.joined(separator: " ")) }
    case .assets: assetNames(line)
    case .devices: Device.all.map { ($0.identifier, $0.name) }
    case .codes: DiagnosticCode.allCases.map { ($0.rawValue, $0.page.meaning) }
    }
  }
}

private struct WordsArguments: Sendable {
  var list = WordList.devices.rawValue
  var line: [String] = []
}

let wordsCommand = Command(
  "words", summary: "Print the words that a shell offers",
  defaults: WordsArguments(),
  operands: [
    .one(.choice("LIST", of: WordList.allCases.map(\.rawValue)), \.list, help: "which words"),
    .many(.text("WORD"), orNone: true, \.line, help: "the words of the line to complete"),
  ],
  isHidden: true, run: printWords)

private func printWords(
  _ arguments: WordsArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  for (word, meaning) in WordList(rawValue: arguments.list)?.entries(arguments.line) ?? [] {
    terminal.print("\(word)\t\(meaning)")
  }
  return .fine
}

/// Returns the names in the first archive or catalogue of a line, and their kinds; empty if the
/// line names nothing that can be read.
private func assetNames(_ line: [String]) -> [(word: String, meaning: String)] {
  for word in line {
    if word.hasSuffix(".car"), let catalog = try? CarveRuntime.Catalog(path: word) {
      return catalog.assets.map { ($0.name, $0.kind.name) }
    }
    let path = ByteString(word)
    if pathExtension(path) == "xcassets", isFolder(path) {
      return readCatalogs([path], in: .disk).assets.compactMap { asset in
        asset.kind.map { (asset.name.text, $0.name) }
      }
    }
  }
  return []
}
