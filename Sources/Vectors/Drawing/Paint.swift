// What fills and strokes are painted with: colours, shadings, tiles; and pictures.

/// A colour in sRGB, not premultiplied; each channel from 0 to 1.
package struct Color: Sendable, Equatable {
  package var red: Double
  package var green: Double
  package var blue: Double

  package init(_ red: Double, _ green: Double, _ blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  package static let black = Color(0, 0, 0)
}

package enum Paint: Sendable, Equatable {
  case color(Color)
  /// An entry of `Drawing.shadings`.
  case shading(Int32)
  /// An entry of `Drawing.patterns`.
  case pattern(Int32)
}

/// A part of one of the drawing's lists.
package struct Span: Sendable, Equatable {
  package var first: Int32
  package var count: Int32

  package init(_ range: Range<Int>) {
    first = Int32(truncatingIfNeeded: range.lowerBound)
    count = Int32(truncatingIfNeeded: range.count)
  }

  package static let none = Span(0..<0)

  package var range: Range<Int> { Int(first)..<Int(first) + Int(count) }
}

/// A colour on the way from 0 to 1. Between two stops colours and alphas are mixed in sRGB, not
/// premultiplied. Two stops of one offset make a jump.
///
/// Functions of any other kind are sampled by the reader, as finely as they bend: the rasteriser needs
/// no interpreter, and tables of some hundred entries cannot be told from exact values.
package struct GradientStop: Sendable, Equatable {
  package var offset: Double
  package var color: Color
  package var alpha: Double

  package init(offset: Double, color: Color, alpha: Double = 1) {
    self.offset = offset
    self.color = color
    self.alpha = alpha
  }
}

/// A corner of a triangle of a mesh. Where the shading has stops, `color.red` is the place among them.
package struct MeshVertex: Sendable, Equatable {
  package var point: Point
  package var color: Color

  package init(_ point: Point, _ color: Color) {
    self.point = point
    self.color = color
  }
}

package struct Shading: Sendable, Equatable {
  package enum Geometry: Sendable, Equatable {
    case axial(from: Point, to: Point)
    case radial(from: Point, fromRadius: Double, to: Point, toRadius: Double)
    /// Entries of `Drawing.vertices`, three for each triangle; later ones cover earlier ones.
    case mesh(Span)
  }

  /// What lies before 0 and after 1.
  package enum Spread: UInt8, Sendable {
    /// The first and the last colour, where `extendsStart` and `extendsEnd` say so; else nothing.
    case pad
    case reflect
    case `repeat`
  }

  package var geometry: Geometry
  /// Entries of `Drawing.stops`, their offsets ascending.
  package var stops: Span
  package var spread = Spread.pad
  package var extendsStart = true
  package var extendsEnd = true
  /// From the space of the geometry to the page's (in a pattern's cell: the cell's).
  package var transform: Transform
  /// Shown where the geometry gives no colour.
  package var background: Color?
  /// In the space of the geometry; nothing is painted outside, the background neither.
  package var box: Rect?

  package init(_ geometry: Geometry, stops: Span, transform: Transform) {
    self.geometry = geometry
    self.stops = stops
    self.transform = transform
  }
}

/// A cell that is repeated over the plane.
package struct TilingPattern: Sendable, Equatable {
  /// An entry of `Drawing.scenes`. Its transforms, and those of its clips, lead to the pattern's space.
  package var scene: Int32
  /// What is shown of a cell, in the pattern's space.
  package var cell: Rect
  /// How far apart cells are, in the pattern's space; neither is 0.
  package var xStep: Double
  package var yStep: Double
  /// From the pattern's space to the page's (in a pattern's cell: the cell's).
  package var transform: Transform

  package init(scene: Int32, cell: Rect, xStep: Double, yStep: Double, transform: Transform) {
    self.scene = scene
    self.cell = cell
    self.xStep = xStep
    self.yStep = yStep
    self.transform = transform
  }
}

/// Pixels, rows from the top down, close together.
package struct Image: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// Red, green, blue, alpha; a byte each, premultiplied, sRGB.
    case color
    /// One byte: how much of the item's paint is shown.
    case stencil

    package var bytesPerPixel: Int { self == .color ? 4 : 1 }
  }

  package var width: Int
  package var height: Int
  package var kind: Kind
  /// The file asks for a smooth enlargement.
  package var interpolates: Bool
  package var pixels: [UInt8]

  package init(width: Int, height: Int, kind: Kind, interpolates: Bool, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.kind = kind
    self.interpolates = interpolates
    self.pixels = pixels
    precondition(
      pixels.count == width * height * kind.bytesPerPixel, "the pixels do not fill the image")
  }
}
