// Pictures that are made from several files: the layers and their places, in whole pixels.
// DrawComposition.swift draws them.

import CatalogModel
import Colors

/// Layers from the back to the front, on a transparent canvas.
package struct Composition: Sendable, Hashable {
  package var width: Int
  package var height: Int
  package var background: CompositionPaint?
  package var layers: [CompositionLayer] = []
  /// The shape to which the canvas is cut; nil for the whole canvas.
  package var plate: RoundedPlate?
  /// Whether the colours are replaced by their lightness.
  package var isGray = false

  /// The limit for the number of layers. Icon Composer makes four groups with a few layers each.
  static let mostLayers = 128

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

package struct CompositionLayer: Sendable, Hashable {
  package var file: SourceFile
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int
  /// The scale at which a vector with a size of its own is drawn.
  package var drawing: DrawingScale?
  package var opacity = 1.0
  package var blendMode = IconBlendMode.normal
  /// The paint that replaces the colours of the picture.
  package var paint: CompositionPaint?
  /// The opacity of the shadow below the layer.
  package var shadow = 0.0

  package init(_ file: SourceFile, x: Int, y: Int, width: Int, height: Int) {
    self.file = file
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// A square with round corners in the middle of the canvas, in pixels.
package struct RoundedPlate: Sendable, Hashable {
  package var inset: Double
  package var radius: Double
}

/// A colour, or a gradient between two points, whose coordinates are fractions of the canvas. The
/// colours are sRGB and not premultiplied.
package struct CompositionPaint: Sendable, Hashable {
  package var colors: [SIMD4<Double>]
  package var start: IconPoint
  package var stop: IconPoint

  /// Creates the paint of a fill; nil if the fill paints nothing.
  package init?(_ fill: IconFill) {
    (start, stop) = (IconFill.top, IconFill.bottom)
    switch fill {
    case .none, .automatic: return nil
    case .solid(let color): colors = [color.inSRGB]
    case .systemLight: colors = [SIMD4(1, 1, 1, 1), SIMD4(0.925, 0.925, 0.925, 1)]
    case .systemDark: colors = [SIMD4(0.192, 0.192, 0.192, 1), SIMD4(0.078, 0.078, 0.078, 1)]
    case .automaticGradient(let color):
      // The second colour that the system uses is not known. This one is a little lighter, at the
      // top.
      let own = color.inSRGB
      var light = own + (SIMD4(repeating: 1) - own) * 0.15
      light.w = own.w
      colors = [light, own]
    case .linearGradient(let all, let start, let stop):
      colors = all.map(\.inSRGB)
      (self.start, self.stop) = (start, stop)
    }
  }

  /// Whether two pixels of one row can have different colours.
  var changesInRows: Bool { colors.count > 1 && start.x != stop.x }

  /// Returns the colour at a point, whose coordinates are fractions of the canvas.
  func color(_ x: Double, _ y: Double) -> SIMD4<Double> {
    guard colors.count > 1 else { return colors.first ?? SIMD4(repeating: 0) }
    let (dx, dy) = (stop.x - start.x, stop.y - start.y)
    let length = dx * dx + dy * dy
    let share = length > 0 ? ((x - start.x) * dx + (y - start.y) * dy) / length : 0
    let place = max(0, min(share, 1)) * Double(colors.count - 1)
    let first = min(Int(place), colors.count - 2)
    return colors[first] + (colors[first + 1] - colors[first]) * (place - Double(first))
  }
}

extension IconColor {
  /// The colour in sRGB. Values outside of sRGB are clipped.
  fileprivate var inSRGB: SIMD4<Double> {
    let gray = space.isGray
    var color = SIMD4(
      components[0], components[gray ? 0 : 1], components[gray ? 0 : 2], components[gray ? 1 : 3])
    if space == .displayP3 {
      let r = lightOfSRGB(color.x)
      let g = lightOfSRGB(color.y)
      let b = lightOfSRGB(color.z)
      color.x = sRGBOfLight(max(0, 1.224_940_2 * r - 0.224_940_2 * g))
      color.y = sRGBOfLight(max(0, -0.042_056_95 * r + 1.042_056_95 * g))
      color.z = sRGBOfLight(max(0, -0.019_637_55 * r - 0.078_636_05 * g + 1.098_273_6 * b))
    }
    return color.clamped(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 1))
  }
}
