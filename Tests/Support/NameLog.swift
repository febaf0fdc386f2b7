// A log of the order in which files in folders got and lost their names, as the system reports it.

import Foundation
import Glibc

package final class NameLog {
  private let descriptor: Int32
  private var folders: [Int32: String] = [:]

  /// Starts a log of existing folders. It contains everything that happens from here on.
  package init(_ folders: [String]) throws {
    descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure("inotify") }
    let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE)
    for folder in folders {
      self.folders[inotify_add_watch(descriptor, folder, events)] = folder
    }
  }

  deinit { close(descriptor) }

  /// Returns "+ name" for each file that got its name and "- name" for each that was removed.
  /// Unfinished files of the tool are left out.
  package func events() -> [String] {
    var lines: [String] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { return lines }
      buffer.withUnsafeBytes { bytes in
        var place = 0
        while place + 16 <= count {
          let mask = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
          let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
          let name = bytes[place + 16..<place + 16 + length].prefix { $0 != 0 }
          let text = String(decoding: name, as: UTF8.self)
          if !text.hasPrefix(".carve-") {
            lines.append((mask & UInt32(IN_DELETE) != 0 ? "- " : "+ ") + text)
          }
          place += 16 + length
        }
      }
    }
  }
}
