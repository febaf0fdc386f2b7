// How long each pass took, for `--timing`. Times never reach a file.

import Glibc

package struct PassTiming: Sendable {
  package var pass: String
  package var seconds: Double
}

package struct PassClock {
  package private(set) var timings: [PassTiming] = []
  private var start = PassClock.now()

  package init() {}

  /// Ends the pass that began with the last call, or with the clock.
  package mutating func end(_ pass: String) {
    let now = PassClock.now()
    timings.append(PassTiming(pass: pass, seconds: now - start))
    start = now
  }

  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
