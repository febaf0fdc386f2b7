// The windows in which a device can show an app: rows of Tables/windows.tsv. Which of them an app can
// reach is decided in Reach.swift.

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

  package static var names: [String] { allCases.map { $0.rawValue } }
}

/// One way in which a device shows an app. A class that is nil is not known, or can be both.
package struct Window: Sendable, Hashable {
  package let orientation: Orientation
  package let mode: WindowMode
  /// Nil where the user chooses the size, or nobody has published it.
  package let points: DisplaySize?
  package private(set) var widthClass: SizeClass?
  package let heightClass: SizeClass?

  /// A window of an iPad is regular in width from about here on. Where exactly is not published:
  /// 639 points are compact and 678 regular, so a width between the two stays unknown.
  package static let proposedRegularWidth = 640.0
  package static let undecidedWidths = 639.0..<678.0

  fileprivate init(row: [Substring]) {
    precondition(row.count == 8, "a row of the window table has 8 columns")
    orientation = Orientation(rawValue: String(row[2])) ?? .any
    mode = WindowMode(rawValue: String(row[3])) ?? .full
    if let width = decimal(row[4]), let height = decimal(row[5]) {
      points = DisplaySize(width: width, height: height)
    } else {
      points = nil
    }
    widthClass = SizeClass(named: String(row[6]))
    heightClass = SizeClass(named: String(row[7]))
  }

  /// The same window of a phone whose width, when it is turned, is of this class.
  fileprivate func turned(_ width: SizeClass?) -> Window {
    var window = self
    if orientation == .landscape { window.widthClass = width }
    return window
  }
}

/// The windows by idiom and display, read once: they are asked for again and again.
private let windowsByDisplay = Dictionary(
  grouping: TableText(text: windowTable).rows(), by: { "\($0[0]);\($0[1])" }
).mapValues { rows in rows.map { Window(row: $0) } }

extension Device {
  /// Every window the device has, whatever the app; empty where none are published.
  package var windows: [Window] {
    guard let points else { return [] }
    let display = "\(idiom.name);\(Int(points.width))x\(Int(points.height))"
    let windows = (windowsByDisplay[display] ?? []).filter { offers($0.mode) }
    if landscapeWidth == "-" { return windows }
    // The width of a turned phone is a fact of the model: one of a display's models may lack it.
    let width = SizeClass(named: String(landscapeWidth))
    return windows.map { $0.turned(width) }
  }

  /// Whether some system of this device has windows of this mode.
  package func offers(_ mode: WindowMode) -> Bool {
    switch mode {
    case .full: true
    case .slideOver: multitasking.slideOver
    case .oneThird, .oneHalf, .twoThirds: multitasking.splitView
    case .stageManager: multitasking.stageManager != nil
    case .freeWindow: multitasking.freeWindows != nil
    }
  }
}
