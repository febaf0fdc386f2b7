// The exit codes of the tool. Only this file assigns numbers to results.

/// The result of a command, as scripts see it.
package enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
  case fine = 0
  /// Errors in the input, or a limit or a check (`--werror`, a budget, a proof) that failed.
  case inputErrors = 1
  case usage = 2
  case internalFault = 3
  case inputOutput = 4

  /// The meaning in help texts and manual pages. `Command.meaning(of:)` has that of one command.
  package var meaning: String {
    switch self {
    case .fine: "success, with or without warnings"
    case .inputErrors: "errors in the input, or a limit or a check that failed"
    case .usage: "a wrong command line"
    case .internalFault: "a fault of the tool itself"
    case .inputOutput: "a file that could not be read or written"
    }
  }
}

/// An error that ends a command: the line to print, and the exit code.
package struct CommandFailure: Error, Sendable, Hashable {
  package let status: ExitStatus
  /// A complete message for the user: what failed, and what to do. The tool's name is printed
  /// before it.
  package let message: String

  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  package static func usage(_ message: String) -> CommandFailure { .init(.usage, message) }
  package static func input(_ message: String) -> CommandFailure { .init(.inputErrors, message) }
  package static func inputOutput(_ message: String) -> CommandFailure {
    .init(.inputOutput, message)
  }
  package static func internalFault(_ message: String) -> CommandFailure {
    .init(.internalFault, message)
  }
}
