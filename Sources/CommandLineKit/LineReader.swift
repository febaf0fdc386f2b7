// The lines of a file, a pipe or standard input, one at a time. Holds one line and what was read
// with it, however long the input is; knows nothing of what the lines say.

import Glibc

package struct LineReader: ~Copyable {
  /// What messages call the input.
  package let name: String
  /// Of the line that `next` gave, from 1.
  package private(set) var number = 0
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private var buffer: [UInt8] = []
  /// Where the next line begins in the buffer, and how far its end was searched for.
  private var start = 0
  private var searched = 0
  private var isAtEnd = false

  /// A longer line is no line but another file by mistake.
  static let lineLimit = 1 << 20
  private static let chunk = 1 << 16

  /// Opens whatever can be read at a path; `-` is standard input.
  package init(path: String) throws(CommandFailure) {
    ownsDescriptor = path != "-"
    name = ownsDescriptor ? path : "<stdin>"
    // A pipe with a name is opened when its writer comes.
    descriptor = ownsDescriptor ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
    if descriptor < 0 { throw unreadable(path) }
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// The next line without its end; nil after the last. `beforeWaiting` is called before the input
  /// is read, which may take as long as its writer likes; where it returns false, there is no next.
  package mutating func next(
    beforeWaiting: () -> Bool
  ) throws(CommandFailure) -> ArraySlice<UInt8>? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return line(to: end, nextAt: end + 1)
      }
      searched = buffer.count
      guard searched - start <= LineReader.lineLimit else {
        throw .input("\(name):\(number + 1): the line has more than \(LineReader.lineLimit) bytes")
      }
      if isAtEnd { return start < searched ? line(to: searched, nextAt: searched) : nil }
      guard beforeWaiting() else { return nil }
      try readOn()
    }
  }

  private mutating func line(to end: Int, nextAt next: Int) -> ArraySlice<UInt8> {
    let line = buffer[start..<end]
    number += 1
    start = next
    searched = next
    return line
  }

  private mutating func readOn() throws(CommandFailure) {
    buffer.removeFirst(start)
    start = 0
    searched = buffer.count
    var chunk = [UInt8](repeating: 0, count: LineReader.chunk)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count >= 0 {
        isAtEnd = count == 0
        buffer += chunk[..<count]
        return
      }
      // A stream that another program has made non-blocking is waited for.
      if errno == EAGAIN {
        var stream = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&stream, 1, -1)
      } else if errno != EINTR {
        throw unreadable(name)
      }
    }
  }
}

private func unreadable(_ name: String) -> CommandFailure {
  .inputOutput("cannot read \(name): \(String(cString: strerror(errno)))")
}
