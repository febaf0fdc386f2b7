// Passes on the results of parallel work in the order of the inputs, because the bytes of the
// archive must not depend on which thread was faster. Threads that are too far ahead wait, so that
// the memory for waiting results stays bounded.
//
// An example with a budget of 10, in which each result costs 4. Threads A, B, C and D make the
// results 0, 1, 2 and 3, and A is slow:
//
//   step                  waiting   cost   action
//    1   B delivers 1     1           4    stored, because 0 is missing
//    2   C delivers 2     1 2         8    stored
//    3   D delivers 3     1 2         8    D waits, because 8 + 4 exceeds the budget
//    4   A delivers 0     0 1 2      12    stored: the next index never waits for room
//    5   A passes on 0    1 2         8
//    6   A passes on 1    2           4    not more than half of the budget is used: D is woken
//    7   A passes on 2    3           8    the mutex is free meanwhile, and D stores 3
//    8   A passes on 3                0    A returns
//
// Only one thread passes on results at a time. A thread that delivers meanwhile stores its result
// and returns to its work, as D does in step 7.

import Glibc

/// A collector of results by index, which passes them on in rising order, one at a time.
final class OrderedDelivery<Value: Sendable>: @unchecked Sendable {
  // Both are on the heap, because waiting threads use them at the same time. Two overlapping
  // accesses to a Swift property would be an error.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let moved = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // The variables below are read and written only while `mutex` is locked.
  private var waiting: [Int: (value: Value, cost: Int)] = [:]
  private var next = 0
  private var pendingCost = 0
  /// Whether a thread is passing results on.
  private var isReceiving = false
  private var stoppedCount = 0
  private let budget: Int
  private let receive: (Int, Value) -> Void

  /// Creates a delivery. `receive` is called with each index in rising order, and never by two
  /// threads at once. If the costs of the waiting values exceed `budget`, threads with further
  /// values wait.
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

  /// Delivers the value of an index. Every index from 0 on must be delivered once. The thread with
  /// the next index never waits, so that one thread always makes progress. If another thread is
  /// passing values on, that thread passes this value on, too.
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
      let index = next
      next += 1
      pthread_mutex_unlock(mutex)
      receive(index, ready.value)
      pthread_mutex_lock(mutex)
      pendingCost -= ready.cost
      // A broadcast after every value would be wasteful: a thread that is woken for the room of one
      // value soon waits again.
      if stoppedCount > 0, pendingCost <= budget / 2 || waiting[next] == nil {
        pthread_cond_broadcast(moved)
      }
    }
    isReceiving = false
  }
}
