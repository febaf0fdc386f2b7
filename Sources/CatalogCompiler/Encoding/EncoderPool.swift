// The encoders of a run, and the threads that use them. Each encoder has one thread, or several
// that share a lock if threads wait for a server.

import Host

struct EncoderPool: Sendable {
  private let encoders: [RenditionEncoder]
  private let threads: Int

  init(_ settings: EncodingSettings, jobs: Int) {
    let jobs = max(1, jobs)
    encoders = (0..<jobs).map { _ in RenditionEncoder(settings) }
    threads = jobs + (settings.cache?.waitingThreads ?? 0)
  }

  /// Makes a result for each index and passes it to `receive`. An encoder makes one result at a
  /// time.
  func forEach<Made>(
    count: Int, make: @escaping @Sendable (_ index: Int, RenditionEncoder) -> Made,
    then receive: @escaping @Sendable (_ index: Int, Made) -> Void
  ) {
    parallelForEach(count: count, jobs: threads) { index, thread in
      let encoder = encoders[thread % encoders.count]
      receive(index, encoder.turn.take { make(index, encoder) })
    }
  }
}
