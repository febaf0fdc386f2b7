// The answer of one window of a device about some variants: one answer, or the environments between
// which the facts do not decide. `resolve`, `explain` and the page of `preview` use it.

/// A way in which a device shows an app, with a width class if the window can have both.
package struct ShownWindow: Sendable, Hashable {
  /// The window; nil if the windows of the device are not known.
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
  /// Every window. A window that can have both width classes is listed once for each; if the
  /// windows are not published, the list has one unknown window.
  package var shownWindows: [ShownWindow] {
    let windows = windows
    if windows.isEmpty { return [ShownWindow(nil)] }
    return windows.flatMap { window in
      window.widthClass == nil && !window.mode.hasOneSize
        ? [SizeClass.compact, .regular].map { ShownWindow(window, width: $0) }
        : [ShownWindow(window)]
    }
  }

  /// Returns the environments of a window between which the keys can distinguish.
  package func environments(
    of shown: ShownWindow, request: DeviceRequest, distinguishedBy distinction: Distinction
  ) -> [Environment] {
    environments(
      width: shown.width ?? shown.window?.widthClass, height: shown.window?.heightClass,
      request: request, distinguishedBy: distinction)
  }
}

extension [Environment] {
  /// Returns the environments whose answer about the variants differs from that of the first.
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
  /// Returns the factors of a window's environments. Devices with equal factors show the same
  /// there.
  package func factors(of shown: ShownWindow, request: DeviceRequest) -> ReachFactors {
    let classes = WindowClass(
      width: shown.width ?? shown.window?.widthClass, height: shown.window?.heightClass)
    return Reach(of: self, in: classes, request: request).factors
  }
}
