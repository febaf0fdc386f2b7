// Measures the duration of each pass and of the work of its threads, for `--timing`. Times are
// never written to an output.

import Glibc
import Synchronization

/// The time of a pass, or of a part of its work.
package struct PassTiming: Sendable {
  package var pass: String
  /// The start by the clock of `PassClock.now`. For a part, the start of its first piece of work.
  package var start: Double
  /// The duration. For a part, the sum over all threads.
  package var seconds: Double
  package var items: Int?
  package var bytes: Int?
  package var parts: [PassTiming] = []
}

package struct PassClock: Sendable {
  package private(set) var timings: [PassTiming] = []
  private var start = PassClock.now()

  package init() {}

  /// Ends the pass that began with the last call, or with the creation of the clock.
  package mutating func end(
    _ pass: String, items: Int? = nil, bytes: Int? = nil, parts: [PassTiming] = []
  ) {
    let now = PassClock.now()
    timings.append(
      PassTiming(
        pass: pass, start: start, seconds: now - start, items: items, bytes: bytes, parts: parts))
    start = now
  }

  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The times of the threads in a pass, added up for each kind of work.
package final class WorkTimes: Sendable {
  package enum Work: String, CaseIterable, Sendable {
    case read = "read files"
    case digest, lookUp = "look up", decode, draw, compress, keep
  }

  /// One piece of work on one thread. Threads are numbered from 1.
  package struct Span: Sendable {
    package var work: Work
    package var thread: Int
    package var start: Double
    package var seconds: Double
    package var bytes: Int
  }

  private struct State: Sendable {
    var totals: [Work: PassTiming] = [:]
    var spans: [Span] = []
    var threads: [UInt: Int] = [:]
  }

  private let state = Mutex(State())
  private let keepsSpans: Bool

  /// Creates empty times. If `keepsSpans`, every piece of work is kept separately, for a diagram of
  /// the whole run.
  package init(keepsSpans: Bool) { self.keepsSpans = keepsSpans }

  /// The times of the kinds of work that occurred, in the order of the kinds.
  package var parts: [PassTiming] {
    let totals = state.withLock { $0.totals }
    return Work.allCases.compactMap { totals[$0] }
  }

  package var spans: [Span] { state.withLock { $0.spans } }

  fileprivate func add(_ work: Work, from start: Double, bytes: Int) {
    let seconds = PassClock.now() - start
    let thread = UInt(pthread_self())
    state.withLock { state in
      var total =
        state.totals[work]
        ?? PassTiming(pass: work.rawValue, start: start, seconds: 0, items: 0, bytes: 0)
      total.seconds += seconds
      total.items = (total.items ?? 0) + 1
      total.bytes = (total.bytes ?? 0) + bytes
      state.totals[work] = total
      guard keepsSpans else { return }
      let number = state.threads[thread] ?? state.threads.count + 1
      state.threads[thread] = number
      state.spans.append(
        Span(work: work, thread: number, start: start, seconds: seconds, bytes: bytes))
    }
  }
}

extension Optional where Wrapped == WorkTimes {
  /// Does a piece of work, and adds its time if times are measured.
  @discardableResult
  package func measure<Result, Failure: Error>(
    _ work: WorkTimes.Work, size: (Result) -> Int = { _ in 0 },
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let times = self else { return try body() }
    let start = PassClock.now()
    do throws(Failure) {
      let result = try body()
      times.add(work, from: start, bytes: size(result))
      return result
    } catch {
      times.add(work, from: start, bytes: 0)
      throw error
    }
  }
}
