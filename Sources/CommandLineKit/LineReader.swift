// Reads the lines of a file, a pipe or standard input, one at a time. It stores one line and the
// bytes that were read with it, however long the input is.

import Bytes
import Glibc

package struct LineReader: ~Copyable {
  /// The name of the input in messages.
  package let name: String
  /// The number of the line that `next` returned, from 1.
  package private(set) var number = 0
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private var buffer: [UInt8] = []
  /// The place in the buffer where the next line begins, and the place up to which its end was
  /// searched.
  private var start = 0
  private var searched = 0
  private var isAtEnd = false

  /// The limit of a line in bytes. An input with a longer line is not the right file.
  static let lineLimit = 1 << 20
  private static let chunk = 1 << 16

  /// Opens a path of any kind that can be read; `-` is standard input.
  package init(path: ByteString) throws(CommandFailure) {
    ownsDescriptor = path != "-"
    name = ownsDescriptor ? path.text : "<stdin>"
    // Opening a named pipe waits until a program opens it for writing.
    descriptor = ownsDescriptor ? path.withCString { open($0, O_RDONLY | O_CLOEXEC) } : STDIN_FILENO
    if descriptor < 0 { throw unreadable(name) }
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// Returns the next line without its end; nil after the last. Calls `beforeWaiting` before it
  /// reads the input, because reading can take a long time. If `beforeWaiting` returns false,
  /// returns nil.
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
      // Another program can have made the stream non-blocking. Then this waits until it can be
      // read.
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
