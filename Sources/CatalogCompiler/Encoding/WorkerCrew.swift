// The workers of a run, and the threads that use them. Each worker has one thread, or several that
// take turns if threads wait for a server.

import Host

struct WorkerCrew: Sendable {
  private let workers: [Worker]
  private let threads: Int

  init(_ settings: EncodingSettings, jobs: Int) {
    let jobs = max(1, jobs)
    workers = (0..<jobs).map { _ in Worker(settings) }
    threads = jobs + (settings.cache?.waitingThreads ?? 0)
  }

  /// Makes a result for each index and passes it to `receive`. A worker makes one result at a time.
  func forEach<Made>(
    count: Int, make: @escaping @Sendable (_ index: Int, Worker) -> Made,
    then receive: @escaping @Sendable (_ index: Int, Made) -> Void
  ) {
    parallelForEach(count: count, jobs: threads) { index, thread in
      let worker = workers[thread % workers.count]
      receive(index, worker.turn.take { make(index, worker) })
    }
  }
}
