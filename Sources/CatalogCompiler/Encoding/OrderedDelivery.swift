// Results of parallel work, handed on in input order: the archive's bytes must not depend on which
// thread was faster. Threads that run too far ahead wait, so that memory stays bounded.

import Glibc

/// Collects results by index and passes them on in rising order, one at a time.
final class OrderedDelivery<Value: Sendable>: @unchecked Sendable {
  // On the heap: the threads that wait share them, as no two accesses to a property may.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let moved = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // The variables below are read and written only with `mutex` held.
  private var waiting: [Int: (value: Value, cost: Int)] = [:]
  private var next = 0
  private var pendingCost = 0
  /// Whether a thread is passing on what is ready.
  private var isReceiving = false
  private var stoppedCount = 0
  private let budget: Int
  private let receive: (Int, Value) -> Void

  /// `receive` is called with each index in turn, never by two threads at once. Values whose costs
  /// add up to more than `budget` hold back the threads that bring more.
  init(budget: Int, receive: @escaping (Int, Value) -> Void) {
    self.budget = budget
    self.receive = receive
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(moved, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(moved)
    mutex.deallocate()
    moved.deallocate()
  }

  /// Every index from 0 on must be delivered once. The thread with the next index never waits, so
  /// that there is always one that moves. Who finds another thread passing values on leaves it to that one.
  func deliver(_ value: Value, at index: Int, cost: Int) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while index != next && pendingCost + cost > budget {
      stoppedCount += 1
      pthread_cond_wait(moved, mutex)
      stoppedCount -= 1
    }
    waiting[index] = (value, cost)
    pendingCost += cost
    if isReceiving { return }
    isReceiving = true
    while let ready = waiting.removeValue(forKey: next) {
      let place = next
      next += 1
      pthread_mutex_unlock(mutex)
      receive(place, ready.value)
      pthread_mutex_lock(mutex)
      pendingCost -= ready.cost
      // Not with each: who is woken for the room of one value soon stops again.
      if stoppedCount > 0, pendingCost <= budget / 2 || waiting[next] == nil {
        pthread_cond_broadcast(moved)
      }
    }
    isReceiving = false
  }
}
