// Writes the file that tells Xcode's build system which files a run has read. It is a sequence of
// records; each has a byte with its kind, a text, and a zero byte.

import Bytes

struct DependencyInfo {
  private enum Record: UInt8 {
    case version = 0x00
    case input = 0x10
    case missing = 0x11
    case output = 0x40
  }

  /// The version of the tool. It is the first record and occurs once.
  var version: String
  var inputs: [ByteString]
  /// The paths that were searched for and do not exist. A file there would be an input.
  var missing: [ByteString]
  var outputs: [ByteString]

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func add(_ record: Record, _ texts: [ByteString]) {
      // An empty record, or one with a zero byte in its text, would make the whole file unreadable.
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
