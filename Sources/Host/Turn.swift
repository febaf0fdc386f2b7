// Something that several threads use in turn.

import Glibc

/// Who has the turn may lend it to another thread while it waits for another machine.
package final class Turn: @unchecked Sendable {
  // On the heap, where the threads share it.
  private let free = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { sem_init(free, 0, 1) }

  deinit {
    sem_destroy(free)
    free.deallocate()
  }

  /// Waits for the turn, and has it until `body` ends.
  package func take<Result>(_ body: () -> Result) -> Result {
    wait()
    defer { sem_post(free) }
    return body()
  }

  /// Gives the turn away until `body` ends, by who has it.
  package func lend<Result>(_ body: () -> Result) -> Result {
    sem_post(free)
    defer { wait() }
    return body()
  }

  private func wait() {
    while sem_wait(free) != 0 && errno == EINTR {}
  }
}
