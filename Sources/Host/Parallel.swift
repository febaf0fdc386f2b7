// Runs independent work on all cores and returns the results in input order. Only this file starts
// threads.

import CPosix
import Glibc
import Synchronization

/// Returns the number of processors that this process may use.
package func availableProcessors() -> Int { max(1, Int(carve_processor_count())) }

/// Calls `body` with each index below `count`, on `jobs` threads, and returns when all calls have
/// ended. The indices are taken in rising order. `body` also gets the number of its thread (0 ..<
/// jobs).
package func parallelForEach(
  count: Int, jobs: Int, _ body: @escaping @Sendable (_ index: Int, _ worker: Int) -> Void
) {
  let workers = max(1, min(jobs, count))
  if workers == 1 {
    for index in 0..<count { body(index, 0) }
    return
  }
  let work = SharedWork(count: count, body: body)
  var threads: [pthread_t] = []
  for worker in 1..<workers {
    if let thread = startThread({ work.run(as: worker) }) { threads.append(thread) }
  }
  work.run(as: 0)
  for thread in threads { pthread_join(thread, nil) }
}

/// Returns `items.map(body)`, computed on `jobs` threads.
package func parallelMap<Item: Sendable, Result: Sendable>(
  _ items: [Item], jobs: Int, _ body: @escaping @Sendable (Item) -> Result
) -> [Result] {
  [Result](unsafeUninitializedCapacity: items.count) { results, count in
    // Each call initialises a place of its own.
    nonisolated(unsafe) let places = results
    parallelForEach(count: items.count, jobs: jobs) { index, _ in
      places.initializeElement(at: index, to: body(items[index]))
    }
    count = items.count
  }
}

private final class SharedWork: Sendable {
  private let next = Atomic<Int>(0)
  private let count: Int
  private let body: @Sendable (Int, Int) -> Void

  init(count: Int, body: @escaping @Sendable (Int, Int) -> Void) {
    self.count = count
    self.body = body
  }

  func run(as worker: Int) {
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      if index >= count { return }
      body(index, worker)
    }
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a thread. Returns nil if the system refuses it; the other threads then do the work.
private func startThread(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
  var thread = pthread_t()
  let box = Unmanaged.passRetained(ThreadBody(run))
  let status = pthread_create(
    &thread, nil,
    { pointer in
      if let pointer { Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run() }
      return nil
    }, box.toOpaque())
  if status == 0 { return thread }
  box.release()
  return nil
}
