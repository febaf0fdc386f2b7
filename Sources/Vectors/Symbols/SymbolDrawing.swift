// A drawing of a symbol as values: outlines from the back to the front, each with its layers. The
// readers of templates and of archives make it (ReadSymbol.swift, SymbolTemplate.swift).

import Bytes

/// The way in which the layers of a symbol are distinguished when it is drawn.
package enum SymbolMode: UInt8, Sendable, CaseIterable {
  /// The whole symbol has one colour.
  case monochrome = 0
  /// The symbol has one colour; layers farther back show a smaller share of it.
  case hierarchical
  /// The layers have the colours that the file names.
  case multicolor
}

/// The paint of a layer in one of the modes.
package enum SymbolInk: Sendable, Equatable {
  /// The tint that the caller chooses, with the share of it that is shown.
  case tint(Double)
  case color(Color)
  /// A colour of the system, which has a light and a dark value.
  case system(SystemInk)
}

/// A layer in one of the modes, as a class in the file describes it.
package struct SymbolLayer: Sendable, Equatable {
  package var mode: SymbolMode
  package var ink = SymbolInk.tint(1)
  /// Whether the layer is not shown itself but erases everything behind it.
  package var clearsBehind = false
  package var opacity = 1.0

  package init(mode: SymbolMode) { self.mode = mode }
}

/// One outline of a symbol.
package struct SymbolShape: Sendable {
  package var path: Path
  /// The transform from the space of the path to the page.
  package var transform: Transform
  package var rule: FillRule
  /// The stroke with which the outline is drawn; nil if the outline is filled.
  package var stroke: Stroke?
  /// The distance by which the outline's stroke extends beyond the outline. It is set even if the
  /// stroke is not drawn because the outline is filled.
  package var reach = 0.0
  /// The layers of the outline, at most one for each mode.
  package var layers: [SymbolLayer] = []
  /// The names of the layer classes, as the file writes them.
  package var classes: [[UInt8]] = []
  package var color = Color.black

  package func layer(_ mode: SymbolMode) -> SymbolLayer? { layers.first { $0.mode == mode } }
}

package struct SymbolDrawing: Sendable {
  /// The size of the page, whose upper left corner is the origin.
  package var width: Double
  package var height: Double
  package var paths = PathStore()
  package var shapes: [SymbolShape] = []
  /// The work and memory that reading the file has spent.
  package var spending = Spending(input: 0)

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Returns whether the file distinguishes layers in a mode.
  package func has(_ mode: SymbolMode) -> Bool { shapes.contains { $0.layer(mode) != nil } }

  /// The exact box of all outlines; nil if there are no outlines.
  package var bounds: Rect? { bounds(.identity) }

  /// Returns the exact box of all outlines in another space; nil if there are no outlines.
  package func bounds(_ transform: Transform) -> Rect? {
    var extent = Extent()
    for shape in shapes {
      let whole = shape.transform.then(transform)
      var own = Extent()
      paths.addBounds(of: shape.path, whole, to: &own)
      guard own.minX <= own.maxX else { continue }
      let reach = shape.reach * magnitude(whole.determinant).squareRoot()
      extent.add(Point(own.minX - reach, own.minY - reach))
      extent.add(Point(own.maxX + reach, own.maxY + reach))
    }
    guard extent.minX <= extent.maxX, extent.minY <= extent.maxY else { return nil }
    let box = Rect(
      x: extent.minX, y: extent.minY, width: extent.maxX - extent.minX,
      height: extent.maxY - extent.minY)
    return box.x.isFinite && box.y.isFinite && box.width.isFinite && box.height.isFinite ? box : nil
  }
}

/// The system colours that symbols name, in sRGB. Their names have the form "system…Color", except
/// "white" and "black".
package enum SystemInk: UInt8, Sendable, CaseIterable {
  case red, orange, yellow, green, mint, teal, cyan, blue, indigo, purple, pink, brown, gray
  case white, black

  package var name: StaticString {
    switch self {
    case .red: "systemRedColor"
    case .orange: "systemOrangeColor"
    case .yellow: "systemYellowColor"
    case .green: "systemGreenColor"
    case .mint: "systemMintColor"
    case .teal: "systemTealColor"
    case .cyan: "systemCyanColor"
    case .blue: "systemBlueColor"
    case .indigo: "systemIndigoColor"
    case .purple: "systemPurpleColor"
    case .pink: "systemPinkColor"
    case .brown: "systemBrownColor"
    case .gray: "systemGrayColor"
    case .white: "white"
    case .black: "black"
    }
  }

  package func color(isDark: Bool) -> Color {
    let value = isDark ? dark : light
    func channel(_ shift: UInt32) -> Double { Double(value >> shift & 0xFF) / 255 }
    return Color(channel(16), channel(8), channel(0))
  }

  private var light: UInt32 {
    switch self {
    case .red: 0xFF3B30
    case .orange: 0xFF9500
    case .yellow: 0xFFCC00
    case .green: 0x34C759
    case .mint: 0x00C7BE
    case .teal: 0x30B0C7
    case .cyan: 0x32ADE6
    case .blue: 0x007AFF
    case .indigo: 0x5856D6
    case .purple: 0xAF52DE
    case .pink: 0xFF2D55
    case .brown: 0xA2845E
    case .gray: 0x8E8E93
    case .white: 0xFFFFFF
    case .black: 0x000000
    }
  }

  private var dark: UInt32 {
    switch self {
    case .red: 0xFF453A
    case .orange: 0xFF9F0A
    case .yellow: 0xFFD60A
    case .green: 0x30D158
    case .mint: 0x63E6E2
    case .teal: 0x40C8E0
    case .cyan: 0x64D2FF
    case .blue: 0x0A84FF
    case .indigo: 0x5E5CE6
    case .purple: 0xBF5AF2
    case .pink: 0xFF375F
    case .brown: 0xAC8E68
    case .gray: 0x8E8E93
    case .white: 0xFFFFFF
    case .black: 0x000000
    }
  }
}
