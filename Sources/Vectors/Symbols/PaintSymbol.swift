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
