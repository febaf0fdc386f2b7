// The file by which Xcode's build system learns what a run read: one record after the other, each a byte
// that says what it is, a text, and a zero.

import Bytes
import Documents

struct DependencyInfo {
  private enum Record: UInt8 {
    case version = 0x00
    case input = 0x10
    case missing = 0x11
    case output = 0x40
  }

  /// Comes first, and once.
  var version: String
  var inputs: [ByteString]
  /// What was looked for in vain, and would be an input if it came.
  var missing: [ByteString]
  var outputs: [ByteString]

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func add(_ record: Record, _ texts: [ByteString]) {
      // A record without text, or with a zero in it, makes the whole file unreadable.
      for text in texts where !text.isEmpty && !text.contains(0) {
        bytes.append(record.rawValue)
        bytes += text.bytes
        bytes.append(0)
      }
    }
    add(.version, [ByteString(version)])
    add(.input, unique(inputs))
    add(.missing, unique(missing))
    add(.output, unique(outputs))
    return bytes
  }

  private func unique(_ paths: [ByteString]) -> [ByteString] {
    Set(paths).sorted()
  }
}
