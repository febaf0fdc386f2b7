// Another program that runs as a child of this process, and answers requests: its input and its
// output are one socket.

import Bytes
import CPosix

/// A program that could not be started, or that ended too early.
package enum ChildError: Error, Sendable, Hashable {
  /// No folder of PATH has the program.
  case notFound
  case failed(errno: Int32)
  /// The program ended before its answer was complete.
  case ended
}

/// A running program. It is asked to end when the value is destroyed, and waited for.
package struct ChildProgram: ~Copyable {
  /// The socket; -1 after the end of the program.
  private var socket: Int32
  private let process: pid_t
  /// The bytes that arrived and were not taken yet.
  private var waiting: [UInt8] = []
  /// The number of the first of these bytes that was not taken yet.
  private var taken = 0

  /// The bytes that arrive at one time.
  private var piece = [UInt8](repeating: 0, count: 1 << 16)

  /// Starts a program. Each setting is NAME=VALUE, which the program gets in its environment, or
  /// NAME, which it does not get. Its errors are a part of its answer if `joinsErrors` is true, and
  /// are dropped otherwise.
  package init(
    _ words: [ByteString], settings: [ByteString] = [], joinsErrors: Bool = false
  ) throws(ChildError) {
    var words = words.map { $0.withCString { strdup($0) } }
    var settings = settings.map { $0.withCString { UnsafePointer(strdup($0)) } }
    defer {
      for word in words { free(word) }
      for setting in settings { free(UnsafeMutablePointer(mutating: setting)) }
    }
    words.append(nil)
    settings.append(nil)
    var child = pid_t()
    socket = carve_spawn(words, settings, joinsErrors, &child)
    process = child
    if socket < 0 {
      let code = carve_errno()
      throw code == ENOENT ? .notFound : .failed(errno: code)
    }
  }

  deinit {
    if socket < 0 { return }
    // The end of its input asks the program to end.
    close(socket)
    _ = carve_wait(process)
  }

  /// Sends a request.
  package func send(_ request: [UInt8]) throws(ChildError) {
    if !sendAll(request, to: socket) { throw .ended }
  }

  /// The most bytes that a line may have.
  private static let longestLine = 1 << 16

  /// Takes the bytes up to the next line end, which is removed.
  package mutating func line() throws(ChildError) -> [UInt8] {
    var searched = taken
    while true {
      if let end = waiting[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(waiting[taken..<end])
        taken = end + 1
        return line
      }
      searched = waiting.count
      if searched - taken > ChildProgram.longestLine { throw .ended }
      let before = taken
      if try !receive() { throw .ended }
      searched -= before - taken
    }
  }

  /// Takes the next bytes.
  package mutating func bytes(_ count: Int) throws(ChildError) -> [UInt8] {
    var found = Array(waiting[taken..<min(waiting.count, taken + count)])
    taken += found.count
    if found.count == count { return found }
    found.reserveCapacity(count)
    while found.count < count {
      if try !receive() { throw .ended }
      let piece = waiting[taken..<min(waiting.count, taken + count - found.count)]
      found += piece
      taken += piece.count
    }
    return found
  }

  /// Returns the rest of the output and the exit status of a program that reads no more input.
  package mutating func finish() throws(ChildError) -> (output: [UInt8], status: Int32) {
    var output: [UInt8] = []
    repeat {
      output += waiting[taken...]
      taken = waiting.count
    } while try receive()
    close(socket)
    socket = -1
    return (output, carve_wait(process))
  }

  /// Receives more bytes. Returns false at the end of the output.
  private mutating func receive() throws(ChildError) -> Bool {
    if taken > 0 {
      waiting.removeFirst(taken)
      taken = 0
    }
    var count = 0
    var code: Int32 = 0
    repeat {
      count = piece.withUnsafeMutableBytes { read(socket, $0.baseAddress, $0.count) }
      code = count < 0 ? carve_errno() : 0
    } while count < 0 && code == EINTR
    if count < 0 { throw .failed(errno: code) }
    waiting += piece[..<count]
    return count > 0
  }
}
