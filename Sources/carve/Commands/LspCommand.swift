// `carve lsp`: runs the language server over standard input and output.

import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Glibc
import Host
import LanguageServer

private struct LspArguments: Sendable {
  /// Editors give this word to every server.
  var isOverStandardStreams = false
}

let lspCommand = Command(
  "lsp", summary: "Serve editors with findings, completion and fixes (Language Server Protocol)",
  discussion: """
    Reads messages from standard input and answers on standard output, until the editor closes the connection. \
    For Contents.json and icon.json it shows the findings of 'carve lint' while you type, \
    completes keys, words and file names, explains keys and pictures, offers the fixes of --fix \
    and files for empty entries, leads to files and assets, gives sets new names, and formats as \
    Xcode does. In Swift and Objective-C it explains the names of assets and leads to them. \
    Settings are those of .carve.json.

    Editors start the command themselves; Docs/language-server.md lists what it does.
    """,
  defaults: LspArguments(),
  options: [
    .flag(
      "stdio", \.isOverStandardStreams,
      help: "use standard input and output, as the command always does; editors add this word")
  ]
) { (_, terminal) throws(CommandFailure) in
  try serve(terminal)
}

private func serve(_ terminal: Terminal) throws(CommandFailure) -> ExitStatus {
  var surroundings = ServerSurroundings(
    tree: .disk, platforms: TargetPlatform.allCases.map(\.rawValue), target: target)
  surroundings.pages = .named
  var session = Session(LanguageServer(in: surroundings, version: carveVersion), terminal)
  while true {
    if let status = try session.step() { return status }
  }
}

/// Returns the target of catalogues by their settings, as `carve lint` would check them.
private func target(_ settings: FoundSettings?) -> Result<CatalogTarget, SettingsError> {
  var arguments = LintArguments()
  arguments.diagnostics.settings = settings.map { [$0] } ?? []
  do throws(CommandFailure) {
    return .success(try arguments.group(settings.map { [$0.catalog] } ?? []).target)
  } catch {
    return .failure(SettingsError(error.message))
  }
}

// MARK: - The streams

/// The server between its two streams.
private struct Session {
  private var server: LanguageServer
  private let terminal: Terminal
  private var reader = MessageReader()
  private var inbox = Inbox()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var isAtEnd = false

  /// The milliseconds without a message after which the checks of all assets are made.
  private static let pause: Int32 = 200

  init(_ server: LanguageServer, _ terminal: Terminal) {
    self.server = server
    self.terminal = terminal
  }

  /// Answers a message, publishes findings, or waits for input. Returns the status of the end.
  mutating func step() throws(CommandFailure) -> ExitStatus? {
    if hasInput(within: 0), !inbox.isFull { try readInput() }
    guard try takeMessages() else { return .fine }
    if let message = inbox.next() {
      guard send(server.answer(message)) else { return .fine }
      return server.exitStatus.map { $0 == 0 ? .fine : .inputErrors }
    }
    // The editor must end the server by a message.
    if isAtEnd { return .inputErrors }
    if server.hasNews {
      if !hasInput(within: 0), !send(server.publish()) { return .fine }
    } else if server.isUnsettled, !hasInput(within: Session.pause) {
      if !send(server.settle()) { return .fine }
    }
    if !server.hasNews, !server.isUnsettled || hasInput(within: 0) { try readInput() }
    return nil
  }

  /// Moves messages from the reader into the inbox. Returns false if the editor is gone.
  private mutating func takeMessages() throws(CommandFailure) -> Bool {
    while !inbox.isFull {
      switch reader.next() {
      case .message(let body):
        if let answer = inbox.add(body), !send([answer]) { return false }
      case .tooLarge:
        if !send([LanguageServer.tooLarge]) { return false }
      case .broken: throw .input("the input is not a message of the Language Server Protocol")
      case .incomplete: return true
      }
    }
    return true
  }

  private func send(_ messages: [JSONOutput]) -> Bool {
    for message in messages { framed(message).withUnsafeBytes { terminal.write($0) } }
    return terminal.flush()
  }

  /// Returns whether bytes, or the end, come on standard input within some milliseconds.
  private func hasInput(within milliseconds: Int32) -> Bool {
    if isAtEnd { return false }
    var stream = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&stream, 1, milliseconds) > 0
  }

  private mutating func readInput() throws(CommandFailure) {
    let count = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    if count > 0 {
      reader.add(buffer[..<count])
    } else if count == 0 {
      isAtEnd = true
    } else if errno != EINTR && errno != EAGAIN {
      throw .inputOutput("cannot read standard input: \(String(cString: strerror(errno)))")
    }
  }
}
