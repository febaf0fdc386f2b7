// One gate for the memory of all decoders and rasterisers of a run: whoever is about to take the memory of a
// picture takes its share of the room first, and waits until there is enough.

import Glibc

/// Shares one amount of memory among threads. A share that alone is larger than the room is given as soon as
/// no other share is in use, so that every picture can be made and at most one exceeds the room.
///
/// A thread holds at most one share, and waits for nothing else while it holds one: so no two threads can wait
/// for each other. A thread that needs more than it has gives its share back and takes the larger one.
package final class MemoryGate: @unchecked Sendable {
  // On the heap: the threads that wait share them, as no two accesses to a property may.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let moved = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // The variables below are read and written only with `mutex` held.
  private var used = 0
  private var most = 0
  /// The threads that wait get their shares in the order in which they came, so that a large picture is not
  /// overtaken for ever by small ones.
  private var nextTicket = 0
  private var servedTicket = 0
  /// The bytes that all shares together may have.
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

  /// Calls `body` with a share of so many bytes.
  package func share<Result, Failure: Error>(
    _ bytes: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = max(0, bytes)
    take(bytes)
    defer { giveBack(bytes) }
    return try body()
  }

  /// The most bytes that were in use at one time.
  package var mostUsed: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return most
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
    // A header may ask for any size.
    let (sum, isTooLarge) = used.addingReportingOverflow(bytes)
    used = isTooLarge ? .max : sum
    most = max(most, used)
    // The next in the row may fit, too.
    if servedTicket != nextTicket { pthread_cond_broadcast(moved) }
  }

  private func giveBack(_ bytes: Int) {
    pthread_mutex_lock(mutex)
    used = max(0, used - bytes)
    if servedTicket != nextTicket { pthread_cond_broadcast(moved) }
    pthread_mutex_unlock(mutex)
  }
}
