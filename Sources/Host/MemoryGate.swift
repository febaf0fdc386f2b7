// A limit for the memory of all decoders and rasterisers of a run. Before a thread allocates the
// memory for a picture, it takes a share of the available memory, and waits until there is enough.

import Glibc

/// A fixed amount of memory that threads share. A share that alone is larger than this amount is
/// given as soon as no other share is in use. So every picture can be made, and at most one exceeds
/// the limit.
///
/// A thread holds at most one share, and waits for nothing else while it holds one, so two threads
/// never wait for each other. A thread that needs more gives its share back and takes a larger one.
package final class MemoryGate: @unchecked Sendable {
  // On the heap, because waiting threads use them at once, and Swift forbids overlapping accesses
  // to a property.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let moved = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // The variables below are read and written only with `mutex` held.
  private var used = 0
  /// The threads get their shares in the order in which they came. Otherwise small pictures could
  /// overtake a large one for ever.
  private var nextTicket = 0
  private var servedTicket = 0
  /// The number of bytes that all shares together may have.
  package let room: Int

  /// Enough for 16 pictures of 2,048 × 2,048 pixels, for commands that have no option for it.
  package static let usualRoom = 256 << 20

  package init(room: Int = MemoryGate.usualRoom) {
    self.room = max(0, room)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(moved, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(moved)
    mutex.deallocate()
    moved.deallocate()
  }

  /// Calls `body` while it holds a share of `bytes` bytes.
  package func share<Result, Failure: Error>(
    _ bytes: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = max(0, bytes)
    take(bytes)
    defer { giveBack(bytes) }
    return try body()
  }

  private func take(_ bytes: Int) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let ticket = nextTicket
    nextTicket += 1
    while ticket != servedTicket || (used > 0 && bytes > room - used) {
      pthread_cond_wait(moved, mutex)
    }
    servedTicket += 1
    // The sum can overflow, because a file's header may claim any size.
    let (sum, isTooLarge) = used.addingReportingOverflow(bytes)
    used = isTooLarge ? .max : sum
    // There may be enough memory for the next thread too.
    if servedTicket != nextTicket { pthread_cond_broadcast(moved) }
  }

  private func giveBack(_ bytes: Int) {
    pthread_mutex_lock(mutex)
    used = max(0, used - bytes)
    if servedTicket != nextTicket { pthread_cond_broadcast(moved) }
    pthread_mutex_unlock(mutex)
  }
}
