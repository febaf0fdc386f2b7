// The tool as a whole: chooses the command, answers --help and --version before anything can fail,
// and turns every result into an exit status.

import Bytes
import Documents

package struct Program: Sendable {
  package let name: String
  package let version: String
  package let summary: String
  package let commands: [Command]
  /// Returns a failure if an input changed during a command. It takes the place of other failures,
  /// which may be its consequences.
  private let changedInput: @Sendable () -> CommandFailure?
  /// The commands without the hidden ones.
  var listedCommands: [Command] { commands.filter { !$0.isHidden } }

  package init(
    name: String, version: String, summary: String, commands: [Command],
    changedInput: @escaping @Sendable () -> CommandFailure? = { nil }
  ) {
    self.changedInput = changedInput
    self.name = name
    self.version = version
    self.summary = summary
    self.commands = commands
  }

  /// The options that the program answers for every command.
  var generalRows: [OptionRow] {
    [
      OptionRow(long: "help", short: "h", form: .none, help: "show this help"),
      OptionRow(long: "version", form: .none, help: "show the version"),
    ]
  }

  /// Returns a command's own rows and the general ones. If both use a name or a letter, the
  /// command's row has it.
  func allRows(of command: Command) -> [OptionRow] {
    let rows = command.options
    return rows
      + generalRows.compactMap { row in
        if rows.contains(where: { $0.long == row.long }) { return nil }
        var row = row
        if rows.contains(where: { $0.short == row.short }) { row.short = nil }
        return row
      }
  }

  /// Runs the tool on the words of a command line. The first word is the path with which it was
  /// called.
  package func run(_ words: [String], on terminal: Terminal) -> ExitStatus {
    var status: ExitStatus
    do throws(CommandFailure) {
      status = try dispatch(words, terminal)
      if let failure = changedInput() { throw failure }
    } catch {
      status = report(changedInput() ?? error, words, terminal)
    }
    do throws(CommandFailure) {
      try terminal.finish()
    } catch {
      let failed = report(error, words, terminal)
      if status == .fine { status = failed }
    }
    return status
  }

  private func dispatch(
    _ words: [String], _ terminal: Terminal
  ) throws(CommandFailure) -> ExitStatus {
    if words.isEmpty {
      throw .inputOutput(
        "cannot read the command line: this system keeps it in /proc, which does not exist")
    }
    if let (command, name) = linked(words) {
      return try run(command, calledAs: name, Array(words.dropFirst()), terminal)
    }
    guard words.count > 1 else {
      terminal.diagnose(help)
      return .usage
    }
    let rest = Array(words.dropFirst(2))
    switch words[1] {
    case "-h", "--help":
      terminal.write(help)
      return .fine
    case "--version":
      terminal.print("\(name) \(version)")
      return .fine
    case "help":
      terminal.write(try help(about: rest))
      return .fine
    case let word where word.hasPrefix("-"):
      let known = generalRows.map(\.long)
      let near = suggestion(for: String(word.drop { $0 == "-" }), in: known, prefix: "--")
      throw .usage("unknown option '\(word)'\(near)")
    case let word:
      return try run(command(named: word), rest, terminal)
    }
  }

  private func run(
    _ command: Command, calledAs name: String? = nil, _ words: [String], _ terminal: Terminal
  ) throws(CommandFailure) -> ExitStatus {
    let asked = words.prefix { $0 != "--" }
    if command.takesRawWords
      ? asked.count == 1 && asksForHelp(asked[0], command) : asked.contains(where: isHelp)
    {
      terminal.write(help(for: command))
      return .fine
    }
    if !command.takesRawWords, asked.contains("--version") {
      terminal.print("\(self.name) \(version)")
      return .fine
    }
    return try command.run(Invocation(name: name ?? command.name, words: words), terminal)
  }

  /// Returns the answer of `help` to the words after it.
  private func help(about words: [String]) throws(CommandFailure) -> String {
    guard let topic = words.first, topic != "help", !words.contains(where: isHelp) else {
      return help
    }
    if words.count > 1 { throw .usage("unexpected argument '\(words[1])'") }
    return help(for: try command(named: topic))
  }

  private func isHelp(_ word: String) -> Bool { word == "-h" || word == "--help" }

  /// Returns whether a word asks for help: `--help`, or `-h` if the other tool has no such option.
  private func asksForHelp(_ word: String, _ command: Command) -> Bool {
    isHelp(word) && (word == "--help" || !command.options.contains { $0.short == "h" })
  }

  private func command(named word: String) throws(CommandFailure) -> Command {
    if let command = commands.first(where: { $0.name == word }) { return command }
    let known = listedCommands.map(\.name) + ["help"]
    throw .usage("unknown command '\(word)'\(suggestion(for: word, in: known))")
  }

  /// Returns the command whose link was used to call the tool, with the name of the link. The name
  /// is the command's or ends with it ("carve-actool").
  private func linked(_ words: [String]) -> (command: Command, name: String)? {
    guard let called = words.first.map({ lastComponent(ByteString($0)).text }) else { return nil }
    return commands.first {
      $0.answersToLink && ($0.name == called || called.hasSuffix("-" + $0.name))
    }.map { ($0, called) }
  }

  private func report(
    _ failure: CommandFailure, _ words: [String], _ terminal: Terminal
  ) -> ExitStatus {
    let command = commands.first { words.count > 1 && $0.name == words[1] }
    let tool = linked(words)?.name ?? command.map { "\(name) \($0.name)" } ?? name
    var message = harmless(failure.message)
    if failure.status == .usage, !message.hasSuffix("?") { message += "; see '\(tool) --help'" }
    terminal.diagnose("\(tool): \(terminal.tinted("error:", .red)) \(message)")
    return failure.status
  }
}
