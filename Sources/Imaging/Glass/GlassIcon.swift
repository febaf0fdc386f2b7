// A layered icon as values, from which GlassRenderer draws pictures: the background, groups of
// layers with their glass, and paints. Documents and archives are both read into these values.

/// A colour in sRGB whose encoded channels may leave 0…1, and its alpha, not premultiplied.
package typealias GlassColor = SIMD4<Float>

/// The colours of a background or of a layer.
package enum GlassPaint: Sendable, Hashable {
  case color(GlassColor)
  /// A gradient from this colour to one that the system derives from it.
  case automatic(GlassColor)
  case linear([GlassStop], start: SIMD2<Float>, end: SIMD2<Float>)
}

package struct GlassStop: Sendable, Hashable {
  package var position: Float
  package var color: GlassColor

  package init(_ position: Float, _ color: GlassColor) {
    self.position = position
    self.color = color
  }
}

/// The way in which a layer or a group is mixed with what is below, by its number in archives.
package enum GlassBlend: UInt32, Sendable, Hashable {
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight
  case hardLight, difference, exclusion, hue, saturation, color, luminosity
  case plusDarker = 26
  case plusLighter = 27
}

package struct GlassLayer: Sendable, Hashable {
  /// The number of the layer's picture in the list that the renderer has.
  package var picture: Int
  /// The place on a canvas of 1,024 units, from its upper left corner.
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double
  package var opacity: Float = 1
  package var blend = GlassBlend.normal
  package var isGlass = true
  /// The paint that replaces the colours of the picture.
  package var fill: GlassPaint?

  package init(picture: Int, x: Double, y: Double, width: Double, height: Double) {
    self.picture = picture
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// The kind of a group's shadows, by its number in archives.
package enum GlassShadow: UInt32, Sendable, Hashable {
  case none = 0
  case layerColor = 2
  case neutral = 3
}

package struct GlassGroup: Sendable, Hashable {
  /// The layers from the back to the front.
  package var layers: [GlassLayer] = []
  package var opacity: Float = 1
  package var blend = GlassBlend.normal
  /// Whether the layers are one piece of glass.
  package var isLitTogether = false
  package var isSpecular = true
  package var translucency: Float = 0
  package var shadow = GlassShadow.none
  package var shadowOpacity: Float = 0

  package init() {}
}

/// The shape on which the layers lie.
package enum GlassPlate: Sendable, Hashable {
  /// The plate of a Mac, with free space and a shadow around it.
  case mac
  /// The whole square. The system cuts it.
  case square
}

package struct GlassIcon: Sendable, Hashable {
  package var plate: GlassPlate
  /// The paint of the plate; nil if it is left out.
  package var background: GlassPaint?
  /// The groups from the back to the front.
  package var groups: [GlassGroup] = []
  /// Whether the colours are replaced by their lightness.
  package var isGray = false
  /// Whether glass is drawn: rims, light, shadows and translucency.
  package var hasGlass = true

  /// The limit for the number of layers. Icon Composer makes four groups with a few layers each.
  package static let mostLayers = 128

  /// The longest side of a drawn vector in pixels, a multiple of that of real icons.
  package static let longestVector = 65_536.0

  package init(plate: GlassPlate, background: GlassPaint?) {
    self.plate = plate
    self.background = background
  }

  package var layerCount: Int { groups.reduce(0) { $0 + $1.layers.count } }
}

/// The looks of icons that systems show.
package enum GlassLook: String, CaseIterable, Sendable, Hashable {
  case light = "default"
  case dark, tinted
  case clearLight = "clear-light"
  case clearDark = "clear-dark"
}

extension GlassIcon {
  /// Shows the icon as systems do in a look. On a phone, a dark icon has no background, because the
  /// system has its own, and a tinted one is grey on black. For clear icons, and for looks of a Mac
  /// other than the light one, there are no pictures of Apple's tool to compare with.
  package mutating func show(_ look: GlassLook) {
    switch look {
    case .light: break
    case .dark:
      if plate == .square { background = nil }
    case .tinted:
      isGray = true
      if plate == .square { background = .color(GlassColor(0, 0, 0, 1)) }
    case .clearLight:
      isGray = true
      background = .color(GlassColor(1, 1, 1, 0.4))
    case .clearDark:
      isGray = true
      background = .color(GlassColor(0, 0, 0, 0.4))
    }
  }
}

/// The picture of a layer, as it was read from its file.
package enum GlassPicture: Sendable {
  case bitmap(Bitmap)
  case vector(VectorPicture)
}
