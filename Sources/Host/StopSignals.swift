// Waiting for changes of files until the user, or who started the tool, asks it to end.

import CPosix

package struct StopSignals: ~Copyable {
  private let descriptor: Int32

  package init() { descriptor = carve_open_signals() }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits until something below watched paths changed and it was quiet for some milliseconds, or for
  /// `patience` milliseconds. Nil where the process is asked to end.
  package borrowing func wait(
    for watch: FolderWatch, quiet: Int32, patience: Int32
  ) -> FolderNews?? {
    var looks = watch.lookingPause >= 0
    let patience =
      looks && (patience < 0 || patience > watch.lookingPause) ? watch.lookingPause : patience
    carve_hold_signals(true)
    defer { carve_hold_signals(false) }
    var news: FolderNews?
    // An editor writes several files; who never rests is not waited for.
    for round in 0..<50 {
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&waits, nfds_t(waits.count), round == 0 ? patience : quiet)
      if waits[0].revents != 0 {
        // Taken, so that it does not end the process when it is let through again.
        var taken = [UInt8](repeating: 0, count: 4096)
        _ = read(descriptor, &taken, taken.count)
        return nil
      }
      if count < 0 {
        // Interrupted, or without memory for a moment: asked again, and not without a pause.
        if carve_errno() != EINTR { usleep(10_000) }
        continue
      }
      if count == 0 {
        // Files may be written while they are looked at: the last look is the one that counts.
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
