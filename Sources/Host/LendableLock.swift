// A lock for a resource that several threads use one after the other.

import Glibc

/// A lock that one thread holds at a time. While the thread waits for another machine, it may lend
/// the lock to another thread.
package final class LendableLock: @unchecked Sendable {
  // On the heap, because the threads share it.
  private let free = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { sem_init(free, 0, 1) }

  deinit {
    sem_destroy(free)
    free.deallocate()
  }

  /// Waits for the lock, and holds it until `body` ends.
  package func take<Result>(_ body: () -> Result) -> Result {
    wait()
    defer { sem_post(free) }
    return body()
  }

  /// Gives the lock back, calls `body`, and waits for the lock again. The calling thread must hold
  /// the lock.
  package func lend<Result>(_ body: () -> Result) -> Result {
    sem_post(free)
    defer { wait() }
    return body()
  }

  private func wait() {
    while sem_wait(free) != 0 && errno == EINTR {}
  }
}
