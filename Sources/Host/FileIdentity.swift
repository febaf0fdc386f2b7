// The identity of a file and the time of its last change, as the system reports them. They tell,
// without reading the file, whether its content may have changed.

import Bytes
import CPosix
import Glibc

package struct FileIdentity: Sendable, Hashable {
  package var device: UInt64
  package var inode: UInt64
  package var size: UInt64
  /// The times in nanoseconds since 1970. Programs can set `modified` to any time; only the system
  /// sets `changed`.
  package var modified: Int64
  package var changed: Int64

  package init(device: UInt64, inode: UInt64, size: UInt64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  /// Returns the identity of the file at the path, with links followed; nil if there is no file or
  /// if the system reports an error.
  package init?(path: UnsafePointer<CChar>) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init?(_ path: ByteString) {
    guard !path.isEmpty, !path.contains(0) else { return nil }
    guard let identity = path.withCString({ FileIdentity(path: $0) }) else { return nil }
    self = identity
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(bitPattern: Int64(status.st_size))
    modified = FileIdentity.nanoseconds(status.st_mtim)
    changed = FileIdentity.nanoseconds(status.st_ctim)
  }
}

extension FileIdentity {
  /// Returns whether every change from `moment` on would give the file a different time. The
  /// system's clock for files moves in steps, so two changes within one step have equal times. A
  /// modification time in the future is ignored.
  package func isSettled(at moment: Int64) -> Bool {
    let latest = modified > moment ? changed : max(modified, changed)
    // Some file systems store only whole or even seconds.
    let second: Int64 = 1_000_000_000
    let isCoarse = changed % second == 0 && modified % second == 0
    return latest < moment - (isCoarse ? 2 * second : FileIdentity.step)
  }

  /// Waits some milliseconds until the file is settled. Returns false if that takes longer.
  package func settles() -> Bool {
    for _ in 0..<FileIdentity.step / 500_000 {
      if isSettled(at: FileIdentity.now()) { return true }
      usleep(1_000)
    }
    return false
  }

  /// Returns the nanoseconds since 1970 by the clock from which files get their times.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  /// Two steps of the clock for files, in nanoseconds.
  private static let step: Int64 = {
    var time = timespec()
    guard clock_getres(CLOCK_REALTIME_COARSE, &time) == 0 else { return 20_000_000 }
    return 2 * max(1_000_000, nanoseconds(time))
  }()

  /// Returns a time in nanoseconds. A time that is out of range wraps around, because it must not
  /// stop the program.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
