// A command as a value: its rows of options and operands, its texts, and the function that does the
// work.

/// A command line that help texts show, and its effect.
package struct Example: Sendable, Hashable {
  package let command: String
  package let effect: String

  package init(_ command: String, _ effect: String) {
    self.command = command
    self.effect = effect
  }
}

/// The name and the words with which a command was called.
package struct Invocation: Sendable {
  /// The name of the link, or the command's own name.
  package let name: String
  /// The words after the name.
  package let words: [String]
}

package struct Command: Sendable {
  package let name: String
  /// One line: a sentence in the imperative without its full stop.
  package let summary: String
  /// Paragraphs and tables, separated by empty lines (`DiscussionPart`).
  package let discussion: String
  private let tables: @Sendable () -> (options: [OptionRow], operands: [OperandRow])
  package let examples: [Example]
  /// The meanings of the exit codes that mean something else than in other commands.
  private let ownMeanings: [ExitStatus: String]
  /// Whether the command is left out of lists. It can be called all the same.
  package let isHidden: Bool
  /// Whether a link to the tool with this name runs the command.
  package let answersToLink: Bool
  /// Whether the command receives its words unparsed, because it follows another tool's grammar.
  let takesRawWords: Bool
  let run: @Sendable (Invocation, Terminal) throws(CommandFailure) -> ExitStatus

  /// Creates a command whose words fill a copy of `defaults`, which is then passed to `run`.
  package init<Arguments: Sendable>(
    _ name: String, summary: String, discussion: String = "", defaults: Arguments,
    operands: @autoclosure @escaping @Sendable () -> [Operand<Arguments>] = [],
    options: @autoclosure @escaping @Sendable () -> [Option<Arguments>] = [],
    moreOptions: OptionFileUse<Arguments>? = nil,
    examples: [Example] = [], isHidden: Bool = false,
    run: @escaping @Sendable (Arguments, Terminal) throws(CommandFailure) -> ExitStatus
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    tables = { (options().map(\.row), operands().map(\.row)) }
    self.examples = examples
    ownMeanings = [:]
    self.isHidden = isHidden
    answersToLink = false
    takesRawWords = false
    self.run = { (invocation, terminal) throws(CommandFailure) in
      let parser = Parser(options: options(), operands: operands())
      guard let moreOptions else {
        return try run(parser.parse(invocation.words, into: defaults), terminal)
      }
      return try moreOptions.run(invocation.words, parser, defaults) {
        (arguments) throws(CommandFailure) in try run(arguments, terminal)
      }
    }
  }

  /// Creates a command that replaces another tool, which also runs through a link with its name. It
  /// answers `--version` itself, and it receives the name with which it was called.
  package init<Arguments: Sendable>(
    dropIn name: String, summary: String, discussion: String, defaults: Arguments,
    operands: @autoclosure @escaping @Sendable () -> [Operand<Arguments>],
    options: @autoclosure @escaping @Sendable () -> [Option<Arguments>], examples: [Example] = [],
    run: @escaping @Sendable (Arguments, String, Terminal) throws(CommandFailure) -> ExitStatus
  ) {
    self.init(
      dropIn: name, summary: summary, discussion: discussion, options: options().map(\.row),
      operands: operands().map(\.row), examples: examples
    ) { (invocation, terminal) throws(CommandFailure) in
      let parser = Parser(options: options(), operands: operands())
      return try run(parser.parse(invocation.words, into: defaults), invocation.name, terminal)
    }
  }

  /// Creates a command with its own grammar, which also runs through a link with its name.
  /// `exitMeanings` has the exit codes that mean something else than in other commands.
  package init(
    dropIn name: String, summary: String, discussion: String,
    options: @autoclosure @escaping @Sendable () -> [OptionRow] = [],
    operands: @autoclosure @escaping @Sendable () -> [OperandRow] = [], examples: [Example] = [],
    exitMeanings: [ExitStatus: String] = [:],
    run: @escaping @Sendable (Invocation, Terminal) throws(CommandFailure) -> ExitStatus
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    tables = { (options(), operands()) }
    self.examples = examples
    ownMeanings = exitMeanings
    isHidden = false
    answersToLink = true
    takesRawWords = true
    self.run = run
  }

  /// The rows of options. They are made on demand, because a run needs the rows of one command
  /// only.
  package var options: [OptionRow] { tables().options }
  package var operands: [OperandRow] { tables().operands }

  func meaning(of status: ExitStatus) -> String { ownMeanings[status] ?? status.meaning }

  /// The usage line, such as `[OPTIONS] CATALOG... -o PATH`. Only required options are named.
  var usage: String {
    let (options, operands) = tables()
    let required = options.filter(\.isRequired).map { row in
      row.short.map { "-\($0) \(row.form.placeholder)" } ?? row.synopsis
    }
    let optional = options.contains { !$0.isRequired } ? ["[OPTIONS]"] : []
    return (optional + operands.map(\.synopsis) + required).joined(separator: " ")
  }
}
