// What one window of a device shows of some variants: one answer, or the environments between which
// nobody can decide. `resolve`, `explain` and the page of `preview` all ask here.

/// A way in which a device shows an app, with the width class where a window can have both.
package struct ShownWindow: Sendable, Hashable {
  /// Nil where no window of the device is known.
  package let window: Window?
  package let width: SizeClass?

  package init(_ window: Window?, width: SizeClass? = nil) {
    self.window = window
    self.width = width
  }
}

extension WindowMode {
  /// Whether the system, not the user, decides the size.
  package var hasOneSize: Bool { self != .stageManager && self != .freeWindow }
}

extension Device {
  /// Every window, those that can be of both width classes once for each; one that is not known
  /// where none are published.
  package var shownWindows: [ShownWindow] {
    let windows = windows
    if windows.isEmpty { return [ShownWindow(nil)] }
    return windows.flatMap { window in
      window.widthClass == nil && !window.mode.hasOneSize
        ? [SizeClass.compact, .regular].map { ShownWindow(window, width: $0) }
        : [ShownWindow(window)]
    }
  }

  /// The environments that a window can have, as far as keys can tell them apart.
  package func environments(
    of shown: ShownWindow, request: DeviceRequest, distinguishedBy distinction: Distinction
  ) -> [Environment] {
    environments(
      width: shown.width ?? shown.window?.widthClass, height: shown.window?.heightClass,
      request: request, distinguishedBy: distinction)
  }
}

extension [Environment] {
  /// Those that show something else of the variants than the first does.
  package func disagreeing(about keys: [VariantKey]) -> [Environment] {
    guard let first, count > 1 else { return [] }
    func outcome(_ environment: Environment) -> (winner: Int?, isMirrored: Bool) {
      let winner = environment.winner(among: keys)
      return (winner, winner.map { environment.mirrors(keys[$0]) } ?? false)
    }
    let answer = outcome(first)
    return filter { outcome($0) != answer }
  }
}

extension Device {
  /// What a window's environments are made of: devices that agree in it show the same there.
  package func factors(of shown: ShownWindow, request: DeviceRequest) -> ReachFactors {
    let classes = WindowClass(
      width: shown.width ?? shown.window?.widthClass, height: shown.window?.heightClass)
    return Reach(of: self, in: classes, request: request).factors
  }
}
