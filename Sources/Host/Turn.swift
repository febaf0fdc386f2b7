// A resource that several threads use one after the other.

import Glibc

/// A turn that one thread has at a time. While the thread waits for another machine, it may lend
/// the turn to another thread.
package final class Turn: @unchecked Sendable {
  // On the heap, because the threads share it.
  private let free = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { sem_init(free, 0, 1) }

  deinit {
    sem_destroy(free)
    free.deallocate()
  }

  /// Waits for the turn, and keeps it until `body` ends.
  package func take<Result>(_ body: () -> Result) -> Result {
    wait()
    defer { sem_post(free) }
    return body()
  }

  /// Gives the turn back, calls `body`, and waits for the turn again. The calling thread must have
  /// the turn.
  package func lend<Result>(_ body: () -> Result) -> Result {
    sem_post(free)
    defer { wait() }
    return body()
  }

  private func wait() {
    while sem_wait(free) != 0 && errno == EINTR {}
  }
}
