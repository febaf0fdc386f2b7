// The output of a command: results go to standard output, all other text to standard error. It
// handles colours, progress lines and readers that close a pipe.

import Documents
import Glibc
import Synchronization

/// The colours of diagnostics. If colours are off, diagnostics are plain text.
package enum TerminalColor: String, Sendable {
  case red = "31"
  case yellow = "33"
  case cyan = "36"
  case bold = "1"
}

/// The two output streams of a run. Several threads can use it at the same time.
package final class Terminal: Sendable {
  /// Writes all bytes, or returns the reason (errno) why it could not.
  package typealias Sink = @Sendable (UnsafeRawBufferPointer) -> Int32?

  private struct State {
    var pending: [UInt8] = []
    var failure: Int32?
    var progressShown = false
    /// The time of the last progress line.
    var progressTime: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let results: Sink
  private let diagnostics: Sink
  /// Whether diagnostics are coloured.
  package let isColored: Bool
  /// Whether results are coloured, if they are findings.
  private let hasColoredResults: Bool
  private let showsProgress: Bool
  /// The least time between two progress lines: people cannot read faster, and terminals are slow.
  private let progressPause: Duration

  package init(
    results: @escaping Sink, diagnostics: @escaping Sink, isColored: Bool, showsProgress: Bool,
    hasColoredResults: Bool = false, progressPause: Duration = .milliseconds(100)
  ) {
    self.results = results
    self.diagnostics = diagnostics
    self.isColored = isColored
    self.hasColoredResults = hasColoredResults
    self.showsProgress = showsProgress
    self.progressPause = progressPause
  }

  /// The streams of a check that prints nothing.
  package static let silent = Terminal(
    results: { _ in nil }, diagnostics: { _ in nil }, isColored: false, showsProgress: false)

  /// Returns the process's own streams. Colour and progress lines are used only on a terminal.
  package static func standard() -> Terminal {
    // If a reader closes the pipe, write(2) must return an error instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the limit of file sizes must return an error, too.
    signal(SIGXFSZ, SIG_IGN)
    func isWatched(_ descriptor: Int32) -> Bool {
      isatty(descriptor) == 1 && variable("TERM") != "dumb"
    }
    // The common convention: NO_COLOR disables colours, CLICOLOR_FORCE enables them for all
    // outputs.
    let isForced = !["", "0"].contains(variable("CLICOLOR_FORCE"))
    func isColored(_ descriptor: Int32) -> Bool {
      variable("NO_COLOR").isEmpty && (isForced || isWatched(descriptor))
    }
    return Terminal(
      results: { writeAll($0, to: STDOUT_FILENO) },
      diagnostics: { writeAll($0, to: STDERR_FILENO) },
      isColored: isColored(STDERR_FILENO),
      showsProgress: isWatched(STDERR_FILENO) && variable("CI").isEmpty,
      hasColoredResults: isColored(STDOUT_FILENO))
  }

  /// Adds one or several lines to the results.
  package func print(_ line: String) { write(harmless(line) + "\n") }

  /// Adds text to the results without changing it.
  package func write(_ text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Adds bytes to the results.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      state.pending.append(contentsOf: bytes)
      if state.pending.count >= 1 << 16 { flush(&state) }
    }
  }

  /// Writes a line to standard error, after the results that came before it.
  package func diagnose(_ line: String) {
    state.withLock { state in
      flush(&state)
      send((state.progressShown ? eraseLine : "") + line + "\n")
      state.progressShown = false
    }
  }

  /// Replaces the progress line; an empty text removes it. Does nothing if standard error is not a
  /// terminal.
  package func progress(_ text: @autoclosure () -> String) {
    guard showsProgress else { return }
    let text = text()
    state.withLock { state in
      if text.isEmpty && !state.progressShown { return }
      let now = ContinuousClock.now
      if !text.isEmpty, let last = state.progressTime, now - last < progressPause { return }
      state.progressTime = now
      send(eraseLine + text)
      state.progressShown = !text.isEmpty
    }
  }

  /// Returns `text` in a colour, or unchanged if colours are off.
  package func tinted(_ text: String, _ tint: TerminalColor, inResults: Bool = false) -> String {
    (inResults ? hasColoredResults : isColored) ? "\u{1B}[\(tint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Writes pending results, for a reader that waits for them. Returns false if the reader is gone.
  package func flush() -> Bool {
    state.withLock { state in
      flush(&state)
      return state.failure == nil
    }
  }

  /// Writes pending results. A reader that closed the pipe is not a failure: it did not want more.
  package func finish() throws(CommandFailure) {
    progress("")
    let failure = state.withLock { state in
      flush(&state)
      return state.failure
    }
    if let failure, failure != EPIPE {
      throw .inputOutput("cannot write to standard output: \(String(cString: strerror(failure)))")
    }
  }

  private func flush(_ state: inout State) {
    guard !state.pending.isEmpty else { return }
    if state.failure == nil {
      state.failure = state.pending.withUnsafeBytes { results($0) }
    }
    state.pending.removeAll(keepingCapacity: true)
  }

  private func send(_ text: String) {
    var text = text
    // If standard error cannot be written, there is no other place to report it.
    _ = text.withUTF8 { diagnostics(UnsafeRawBufferPointer($0)) }
  }
}

/// Replaces characters that would control a terminal or reorder a line by U+FFFD, because names
/// come from files. Tabs and ends of lines stay.
func harmless(_ text: String) -> String {
  func isCommand(_ unit: UInt8) -> Bool { unit < 32 && unit != 9 && unit != 10 || unit == 127 }
  guard text.utf8.contains(where: isCommand) || mayHoldWideControl(text) else { return text }
  var plain = ""
  for scalar in text.unicodeScalars {
    let isKept = scalar == "\t" || scalar == "\n" || !isControl(scalar)
    plain.unicodeScalars.append(isKept ? scalar : "\u{FFFD}")
  }
  return plain
}

private let eraseLine = "\r\u{1B}[K"

private func variable(_ name: String) -> String {
  getenv(name).map { String(cString: $0) } ?? ""
}

/// Calls `write(2)` until everything is written. If another program made the stream non-blocking,
/// as some build tools do, waits until it can be written.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
  var rest = bytes[...]
  while !rest.isEmpty {
    let written = Glibc.write(
      descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if written >= 0 {
      rest = rest.dropFirst(written)
    } else if errno == EAGAIN {
      var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&stream, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return nil
}
