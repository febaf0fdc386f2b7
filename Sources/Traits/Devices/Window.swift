// The windows in which a device can show an app: rows of Tables/windows.tsv. Reach.swift decides
// which of them an app can have.

package enum Orientation: String, CaseIterable, Sendable, Hashable {
  case portrait, landscape, any
}

package enum WindowMode: String, CaseIterable, Sendable, Hashable {
  case full
  case slideOver = "slide-over"
  case oneThird = "split-1/3"
  case oneHalf = "split-1/2"
  case twoThirds = "split-2/3"
  case stageManager = "stage-manager"
  case freeWindow = "free-window"
  /// The whole second display of a phone that unfolds.
  case unfolded

  package static var names: [String] { allCases.map { $0.rawValue } }
}

extension WindowMode {
  /// Whether the window fills a display of the device.
  package var fillsDisplay: Bool { self == .full || self == .unfolded }
}

/// A way in which a device shows an app. A size class is nil if it is unknown or can be both.
package struct Window: Sendable, Hashable {
  package let orientation: Orientation
  package let mode: WindowMode
  /// The size; nil if the user chooses it or if it is not published.
  package let points: PointSize?
  package private(set) var widthClass: SizeClass?
  package let heightClass: SizeClass?

  /// The approximate width in points from which a window of an iPad has regular width. The exact
  /// limit is not published: 639 points are compact and 678 are regular, so the class of a width
  /// between them is unknown.
  package static let proposedRegularWidth = 640.0
  package static let undecidedWidths = 639.0..<678.0

  fileprivate init(row: [Substring]) {
    precondition(row.count == 8, "a row of the window table has 8 columns")
    orientation = Orientation(rawValue: String(row[2])) ?? .any
    mode = WindowMode(rawValue: String(row[3])) ?? .full
    if let width = decimal(row[4]), let height = decimal(row[5]) {
      points = PointSize(width: width, height: height)
    } else {
      points = nil
    }
    widthClass = SizeClass(named: String(row[6]))
    heightClass = SizeClass(named: String(row[7]))
  }

  /// Returns the same window; in landscape it has this width class.
  fileprivate func turned(_ width: SizeClass?) -> Window {
    var window = self
    if orientation == .landscape { window.widthClass = width }
    return window
  }
}

/// The windows by idiom and display. They are read once, because many functions ask for them.
private let windowsByDisplay = Dictionary(
  grouping: TableText(text: windowTable).rows(), by: { "\($0[0]);\($0[1])" }
).mapValues { rows in rows.map { Window(row: $0) } }

extension Device {
  /// Every window that the device has, for any app; empty if its windows are not published.
  package var windows: [Window] {
    guard let points else { return [] }
    let second = unfolded.map { windows(onDisplayOf: $0.points) } ?? []
    let own = windows(onDisplayOf: points)
    if landscapeWidth == "-" { return own + second }
    // The width of a turned phone belongs to the model: models with the same display can differ.
    let width = SizeClass(named: String(landscapeWidth))
    return own.map { $0.turned(width) } + second
  }

  private func windows(onDisplayOf points: PointSize) -> [Window] {
    let display = "\(idiom.name);\(Int(points.width))x\(Int(points.height))"
    return (windowsByDisplay[display] ?? []).filter { offers($0.mode) }
  }

  /// Returns whether a system of this device has windows of this mode.
  package func offers(_ mode: WindowMode) -> Bool {
    switch mode {
    case .full: true
    case .slideOver: multitasking.slideOver
    case .oneThird, .oneHalf, .twoThirds: multitasking.splitView
    case .stageManager: multitasking.stageManager != nil
    case .freeWindow: multitasking.freeWindows != nil
    case .unfolded: unfolded != nil
    }
  }
}
