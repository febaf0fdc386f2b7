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

// MARK: - Interpolation between weights

// Drawings for weights that a file does not have, interpolated point by point between two weights
// that it has. The positions of the weights were measured on symbols whose files have all nine
// weights; they are the same in all of these symbols to three digits.

/// The positions of weights between the lightest one at 0, the regular one at 1 and the boldest one
/// at 2.
package enum SymbolAxis {
  /// Returns the position of a weight. `weight` is the number that archives use, from 1 to 9.
  package static func place(ofWeight weight: Int) -> Double {
    switch weight {
    case ...1: 0
    case 2: 0.226
    case 3: 0.667
    case 4: 1
    case 5: 1.18
    case 6: 1.318
    case 7: 1.5
    case 8: 1.764
    default: 2
    }
  }

  /// Returns the scale of a size relative to the small size, for files that have only small
  /// drawings. Archives state the factor of the middle size for such symbols. The factor of the
  /// large size is the square of it, and lies within the range that was measured.
  package static func growth(ofSize size: Int) -> Double {
    switch size {
    case ...1: 1
    case 2: 1.27604
    default: 1.62828
    }
  }
}

extension SymbolDrawing {
  /// Returns whether the outlines of another drawing have the same steps, so that drawings between
  /// both exist.
  package func isCompatible(with other: SymbolDrawing) -> Bool {
    guard shapes.count == other.shapes.count else { return false }
    for (mine, theirs) in zip(shapes, other.shapes) {
      let own = paths.steps[mine.path.stepRange]
      guard own.elementsEqual(other.paths.steps[theirs.path.stepRange]),
        (mine.stroke == nil) == (theirs.stroke == nil)
      else { return false }
    }
    return true
  }

  /// The number of points of each outline.
  package var pointCounts: [Int] { shapes.map { Int($0.path.pointCount) } }

  /// Returns the drawing at `share` of the way to another; nil if the two are not compatible. `own`
  /// and `others` transform both drawings to a common space. The page has the size of this
  /// drawing's page.
  package func interpolated(
    to other: SymbolDrawing, _ share: Double, own: Transform, others: Transform
  ) -> SymbolDrawing? {
    guard isCompatible(with: other) else { return nil }
    var result = SymbolDrawing(width: width, height: height)
    result.spending = spending
    for (mine, theirs) in zip(shapes, other.shapes) {
      var shape = mine
      let first = mine.transform.then(own)
      let second = theirs.transform.then(others)
      result.paths.begin()
      var point = Int(mine.path.firstPoint)
      var opposite = Int(theirs.path.firstPoint)
      func next() -> Point {
        let a = first.apply(paths.points[point])
        let b = second.apply(other.paths.points[opposite])
        point += 1
        opposite += 1
        return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
      }
      for step in paths.steps[mine.path.stepRange] {
        switch step {
        case .move: result.paths.move(to: next())
        case .line: result.paths.line(to: next())
        case .curve:
          let handle = next()
          let second = next()
          result.paths.curve(handle, second, to: next())
        case .close: result.paths.close()
        }
      }
      shape.path = result.paths.end()
      shape.transform = .identity
      if let mineWidth = mine.stroke?.width, let theirWidth = theirs.stroke?.width {
        let here = mineWidth * magnitude(first.determinant).squareRoot()
        let there = theirWidth * magnitude(second.determinant).squareRoot()
        shape.stroke?.width = here + (there - here) * share
      }
      shape.reach = 0
      result.shapes.append(shape)
    }
    return result
  }

  /// Returns the same drawing, transformed to another page.
  package func moved(_ transform: Transform, width: Double, height: Double) -> SymbolDrawing {
    var copy = self
    copy.width = width
    copy.height = height
    for index in copy.shapes.indices {
      copy.shapes[index].transform = copy.shapes[index].transform.then(transform)
    }
    return copy
  }
}

extension Path {
  fileprivate var stepRange: Range<Int> { Int(firstStep)..<Int(firstStep) + Int(stepCount) }
}

// MARK: - Drawing in a mode

// Converts the drawing of a symbol to the drawing that the rasteriser draws, in one of the modes.

/// The colours in which a symbol is drawn.
package struct SymbolPaints: Sendable, Equatable {
  package var mode: SymbolMode
  package var tint: Color
  package var tintAlpha: Double
  /// Whether the system's colours are those for a dark background.
  package var isDark: Bool

  package init(mode: SymbolMode, tint: Color, alpha: Double = 1, isDark: Bool = false) {
    self.mode = mode
    self.tint = tint
    tintAlpha = alpha
    self.isDark = isDark
  }
}

extension SymbolDrawing {
  /// Returns the drawing in these colours. If the file does not distinguish layers in the mode, the
  /// symbol has one colour.
  package func painted(_ paints: SymbolPaints) -> Drawing {
    var drawing = Drawing(width: width, height: height)
    drawing.paths = paths
    drawing.spending = spending
    let mode = has(paints.mode) ? paints.mode : .monochrome
    var items: [Item] = []
    for shape in shapes {
      let layer = shape.layer(mode)
      let item = shape.item(layer?.ink ?? .tint(1), opacity: layer?.opacity ?? 1, paints)
      guard let layer, layer.clearsBehind else {
        if item.alpha > 0 { items.append(item) }
        continue
      }
      guard !items.isEmpty else { continue }
      var hole = item
      hole.alpha = 1
      var mask = SoftMask(.alpha, scene: drawing.addScene([hole]))
      mask.transfer = (0...255).reversed().map { UInt8($0) }
      var group = Item(.group(Group(scene: drawing.addScene(items))))
      group.mask = drawing.addMask(mask)
      items = [group]
    }
    drawing.page = items
    return drawing
  }
}

extension SymbolShape {
  fileprivate func item(_ ink: SymbolInk, opacity: Double, _ paints: SymbolPaints) -> Item {
    let shape: Item.Shape = if let stroke { .stroke(path, stroke) } else { .fill(path, rule) }
    var item = Item(shape, transform: transform)
    switch ink {
    case .tint(let share):
      item.paint = .color(paints.tint)
      item.alpha = paints.tintAlpha * share * opacity
    case .color(let color):
      item.paint = .color(color)
      item.alpha = opacity
    case .system(let system):
      item.paint = .color(system.color(isDark: paints.isDark))
      item.alpha = opacity
    }
    return item
  }
}
