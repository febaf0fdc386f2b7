// How a command ends: the only place where an outcome becomes a number.

/// What the tool's exit code tells a script.
public enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
  case fine = 0
  /// Errors in the input, or a gate (`--werror`, a budget, a proof) that did not hold.
  case inputErrors = 1
  case usage = 2
  case internalFault = 3
  case inputOutput = 4

  /// One line for help and manual pages.
  public var meaning: String {
    switch self {
    case .fine: "success; warnings do not change this"
    case .inputErrors: "errors in the input, or a gate that failed"
    case .usage: "the command line was wrong"
    case .internalFault: "a fault of the tool itself"
    case .inputOutput: "a file could not be read or written"
    }
  }
}

/// A command that cannot go on: the one line to print, and how to exit.
public struct CommandFailure: Error, Sendable, Hashable {
  public let status: ExitStatus
  /// Complete for the reader: what failed, and what to do. The tool's name is put before it.
  public let message: String

  public init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  public static func usage(_ message: String) -> CommandFailure { .init(.usage, message) }
  public static func input(_ message: String) -> CommandFailure { .init(.inputErrors, message) }
  public static func inputOutput(_ message: String) -> CommandFailure {
    .init(.inputOutput, message)
  }
  public static func internalFault(_ message: String) -> CommandFailure {
    .init(.internalFault, message)
  }
}
