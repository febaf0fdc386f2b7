// The paints of fills and strokes (colours, shadings, tiling patterns), and pictures.

/// A colour in sRGB, not premultiplied. Each channel is from 0 to 1.
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
  /// The index of an entry of `Drawing.shadings`.
  case shading(Int32)
  /// The index of an entry of `Drawing.patterns`.
  case pattern(Int32)
}

/// A range of one of the drawing's lists.
package struct ListRange: Sendable, Equatable {
  package var first: Int32
  package var count: Int32

  package init(_ range: Range<Int>) {
    first = Int32(truncatingIfNeeded: range.lowerBound)
    count = Int32(truncatingIfNeeded: range.count)
  }

  package static let none = ListRange(0..<0)

  package var range: Range<Int> { Int(first)..<Int(first) + Int(count) }
}

/// A colour at an offset from 0 to 1. Between two stops, colours and alphas are mixed in sRGB, not
/// premultiplied. Two stops with the same offset make a hard edge.
///
/// The readers sample all other kinds of colour functions, with more stops if the function bends
/// more. Therefore the rasteriser needs no interpreter, and a table of some hundred stops looks the
/// same as exact values.
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

/// A corner of a triangle of a mesh. If the shading has stops, `color.red` is the offset of the
/// corner's colour among them.
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
    /// The entries of `Drawing.vertices`, three for each triangle. Later triangles cover earlier
    /// ones.
    case mesh(ListRange)
  }

  /// The way in which colours continue before offset 0 and after offset 1.
  package enum Spread: UInt8, Sendable {
    /// The first and the last colour continue if `extendsStart` and `extendsEnd` are set; otherwise
    /// nothing is shown.
    case pad
    case reflect
    case `repeat`
  }

  package var geometry: Geometry
  /// The entries of `Drawing.stops`, with ascending offsets.
  package var stops: ListRange
  package var spread = Spread.pad
  package var extendsStart = true
  package var extendsEnd = true
  /// The transform from the space of the geometry to the page or, within a pattern's cell, to the
  /// space of the pattern.
  package var transform: Transform
  /// The colour of the places to which the geometry gives no colour.
  package var background: Color?
  /// A rectangle in the space of the geometry. Nothing is painted outside of it, not even the
  /// background.
  package var box: Rect?

  package init(_ geometry: Geometry, stops: ListRange, transform: Transform) {
    self.geometry = geometry
    self.stops = stops
    self.transform = transform
  }
}

/// A cell that is repeated over the plane.
package struct TilingPattern: Sendable, Equatable {
  /// The index of the scene in `Drawing.scenes`. The transforms of its items and clips lead to the
  /// space of the pattern.
  package var scene: Int32
  /// The part of the scene that is shown in each cell, in the space of the pattern.
  package var cell: Rect
  /// The distances between cells, in the space of the pattern. Neither is 0.
  package var xStep: Double
  package var yStep: Double
  /// The transform from the space of the pattern to the page or, within another pattern's cell, to
  /// the space of that pattern.
  package var transform: Transform

  package init(scene: Int32, cell: Rect, xStep: Double, yStep: Double, transform: Transform) {
    self.scene = scene
    self.cell = cell
    self.xStep = xStep
    self.yStep = yStep
    self.transform = transform
  }
}

/// A picture: rows of pixels from the top down, without gaps.
package struct Image: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// Four bytes for each pixel: red, green, blue, alpha; premultiplied, in sRGB.
    case color
    /// One byte for each pixel: how much of the item's paint is shown.
    case stencil

    package var bytesPerPixel: Int { self == .color ? 4 : 1 }
  }

  package var width: Int
  package var height: Int
  package var kind: Kind
  /// Whether the file asks for smooth enlargement.
  package var interpolates: Bool
  package var pixels: [UInt8]
  /// The number of the object that holds the picture in a PDF; 0 if it has none.
  package var source = 0

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
