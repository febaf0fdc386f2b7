// The graphics state of a content stream, which `q` saves and `Q` restores.

struct GraphicsState {
  /// The transform from the current user space to the page or, within a pattern's cell, to the
  /// space of the pattern.
  var transform: Transform
  var clip = Clip.none
  var fill = PaintState()
  var stroke = PaintState()
  var fillAlpha = 1.0
  var strokeAlpha = 1.0
  var blend = BlendMode.normal
  var mask = SoftMask.none
  var line = Stroke(width: 1)
  var text = TextState()

  init(transform: Transform) { self.transform = transform }

  /// The paint of strokes or of fills.
  subscript(strokes strokes: Bool) -> PaintState {
    get { strokes ? stroke : fill }
    set { if strokes { stroke = newValue } else { fill = newValue } }
  }
}

/// A colour space with the values of a colour, or with a pattern.
struct PaintState {
  var space = ColorSpace.gray
  var values: [Double] = [0]
  /// The pattern, from the resources of the stream that set it.
  var pattern: PatternSource?
  /// The paint, which is made at the first use; nil before.
  var paint: Paint? = .color(.black)
}

/// A pattern, and the transform to which its matrix is relative.
struct PatternSource {
  var value: PDFValue
  var base: Transform
}

struct TextState {
  var font: PDFFont?
  var size = 0.0
  var characterSpacing = 0.0
  var wordSpacing = 0.0
  /// The horizontal scaling, as a factor: 1 is 100 percent.
  var stretch = 1.0
  var leading = 0.0
  var rise = 0.0
  var mode = 0
}
