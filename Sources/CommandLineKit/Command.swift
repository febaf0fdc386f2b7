// A command as a value: its rows, its texts and the function that does the work.

/// A command line to show, and what it does.
package struct Example: Sendable, Hashable {
  package let command: String
  package let effect: String

  package init(_ command: String, _ effect: String) {
    self.command = command
    self.effect = effect
  }
}

/// How a command was called.
package struct Invocation: Sendable {
  /// The name of the link, or the command's own.
  package let name: String
  /// What followed it.
  package let words: [String]
}

package struct Command: Sendable {
  package let name: String
  /// One line, a sentence in the imperative without its full stop.
  package let summary: String
  /// Paragraphs, parted by empty lines.
  package let discussion: String
  private let tables: @Sendable () -> (options: [OptionRow], operands: [OperandRow])
  package let examples: [Example]
  /// Left out of lists; works all the same.
  package let isHidden: Bool
  /// A link of this name to the tool runs the command.
  package let answersToLink: Bool
  /// Words reach the command unparsed: another tool's grammar.
  let takesRawWords: Bool
  let run: @Sendable (Invocation, Terminal) throws(CommandFailure) -> ExitStatus

  /// A command whose words fill a copy of `defaults`, which then goes to `run`.
  package init<Arguments: Sendable>(
    _ name: String, summary: String, discussion: String = "", defaults: Arguments,
    operands: @autoclosure @escaping @Sendable () -> [Operand<Arguments>] = [],
    options: @autoclosure @escaping @Sendable () -> [Option<Arguments>] = [],
    examples: [Example] = [], isHidden: Bool = false,
    run: @escaping @Sendable (Arguments, Terminal) throws(CommandFailure) -> ExitStatus
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    tables = { (options().map(\.row), operands().map(\.row)) }
    self.examples = examples
    self.isHidden = isHidden
    answersToLink = false
    takesRawWords = false
    self.run = { (invocation, terminal) throws(CommandFailure) in
      let parser = Parser(options: options(), operands: operands())
      return try run(parser.parse(invocation.words, into: defaults), terminal)
    }
  }

  /// A command in the place of another tool, which also runs through a link of its name. It answers
  /// `--version` itself, and knows by which name it was called.
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

  /// A command with a grammar of its own, which also runs through a link of its name.
  package init(
    dropIn name: String, summary: String, discussion: String,
    options: @autoclosure @escaping @Sendable () -> [OptionRow] = [],
    operands: @autoclosure @escaping @Sendable () -> [OperandRow] = [], examples: [Example] = [],
    run: @escaping @Sendable (Invocation, Terminal) throws(CommandFailure) -> ExitStatus
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    tables = { (options(), operands()) }
    self.examples = examples
    isHidden = false
    answersToLink = true
    takesRawWords = true
    self.run = run
  }

  /// Made when they are asked for: a run needs the rows of one command, and of none to show a version.
  package var options: [OptionRow] { tables().options }
  package var operands: [OperandRow] { tables().operands }

  /// `[OPTIONS] CATALOG... -o PATH`: what must be there is named.
  var usage: String {
    let (options, operands) = tables()
    let required = options.filter(\.isRequired).map { row in
      row.short.map { "-\($0) \(row.form.placeholder)" } ?? row.synopsis
    }
    let optional = options.contains { !$0.isRequired } ? ["[OPTIONS]"] : []
    return (optional + operands.map(\.synopsis) + required).joined(separator: " ")
  }
}
