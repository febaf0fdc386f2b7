// Hidden commands that print manual pages and shell completions; `make install` keeps the output.

import CommandLineKit

private struct PageArguments: Sendable {
  var page: String?
}

let manualCommand = Command(
  "man", summary: "Print the source of a manual page, or the names of all pages",
  defaults: PageArguments(),
  operands: [.optional(.text("PAGE"), \.page, help: "such as carve-compile")],
  isHidden: true, run: printManual)

private func printManual(
  _ arguments: PageArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  guard let page = arguments.page else {
    for page in Main.program.manualPages { terminal.print(page) }
    return .fine
  }
  guard let text = Main.program.manualPage(page) else {
    let near = suggestion(for: page, in: Main.program.manualPages)
    throw .usage("there is no manual page '\(page)'\(near)")
  }
  terminal.write(text)
  return .fine
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
  isHidden: true, run: printCompletions)

private func printCompletions(
  _ arguments: ShellArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if let shell = Shell(rawValue: arguments.shell) {
    terminal.write(Main.program.completions(for: shell))
  }
  return .fine
}
