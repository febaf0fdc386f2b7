// Requests of the user or another process to end: work during which they are held, and the wait for
// changes of files that they end.

import CPosix

/// Calls `body`, which creates something that a signal must remove. Signals that end the process
/// wait until it has returned, so that `body` can note what it has created.
func holdingSignals<Result>(_ body: () -> Result) -> Result {
  carve_hold_signals(true)
  defer { carve_hold_signals(false) }
  return body()
}

package struct StopSignals: ~Copyable {
  private let descriptor: Int32

  package init() { descriptor = carve_open_signals() }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits until something below watched paths has changed and no other change followed for `quiet`
  /// milliseconds. Waits at most `patience` milliseconds for the first change. Returns the outer
  /// nil if the process is asked to end.
  package borrowing func wait(
    for watch: FolderWatch, quiet: Int32, patience: Int32
  ) -> FolderChange?? {
    var looks = watch.lookingPause >= 0
    let patience =
      looks && (patience < 0 || patience > watch.lookingPause) ? watch.lookingPause : patience
    carve_hold_signals(true)
    defer { carve_hold_signals(false) }
    var news: FolderChange?
    let start = PassClock.now()
    // An editor writes several files, so the wait continues after a change. Endless changes end it
    // after 50 rounds. Events of other files in a folder above the catalogue are ignored.
    var round = 0
    while round < 50 {
      if news != nil { round += 1 }
      let elapsed = Int32(clamping: Int((PassClock.now() - start) * 1000))
      let pause = news != nil ? quiet : patience < 0 ? patience : max(patience - elapsed, 0)
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&waits, nfds_t(waits.count), pause)
      if waits[0].revents != 0 {
        // The signal is read here. Otherwise it would end the process when signals are no longer
        // held.
        var taken = [UInt8](repeating: 0, count: 4096)
        _ = read(descriptor, &taken, taken.count)
        return nil
      }
      if count < 0 {
        // poll was interrupted and is called again; or the system was short of memory, and poll is
        // called again after a pause.
        if carve_errno() != EINTR { usleep(10_000) }
        continue
      }
      if count == 0 {
        // Files may be written while they are looked at, so only a look without a difference ends
        // the wait.
        guard looks, watch.looksOtherwise() else { break }
        looks = round < 40
        news = .folders
        continue
      }
      switch watch.take() {
      case .folders?: news = .folders
      case .files?: news = news ?? .files
      case nil: break
      }
    }
    return .some(news)
  }
}
