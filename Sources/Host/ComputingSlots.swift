// The processors, where more threads than processors share them.

import Glibc

/// How many threads compute at once where there are more of them, because some wait for other machines.
package final class ComputingSlots: @unchecked Sendable {
  // On the heap, where the threads share it.
  private let free = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init(_ count: Int) { sem_init(free, 0, UInt32(clamping: max(1, count))) }

  deinit {
    sem_destroy(free)
    free.deallocate()
  }

  /// Waits until there is a slot, and has it until `body` ends.
  package func compute<Result>(_ body: () -> Result) -> Result {
    take()
    defer { sem_post(free) }
    return body()
  }

  /// Gives the slot of this thread to another one until `body` ends; for use within `compute`.
  package func wait<Result>(_ body: () -> Result) -> Result {
    sem_post(free)
    defer { take() }
    return body()
  }

  private func take() {
    while sem_wait(free) != 0 && errno == EINTR {}
  }
}
