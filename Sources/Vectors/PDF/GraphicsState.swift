// What `q` keeps and `Q` brings back.

struct GraphicsState {
  /// From the user space of now to the page (in a pattern's cell: to the pattern).
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

  /// What strokes are painted with, or fills.
  subscript(strokes strokes: Bool) -> PaintState {
    get { strokes ? stroke : fill }
    set { if strokes { stroke = newValue } else { fill = newValue } }
  }
}

/// A colour space with values in it, or with a pattern.
struct PaintState {
  var space = ColorSpace.gray
  var values: [Double] = [0]
  /// The name of a pattern in the resources of the stream that set it.
  var pattern: PatternSource?
  /// Made when first painted with.
  var paint: Paint? = .color(.black)
}

/// A pattern and where its coordinates count from.
struct PatternSource {
  var value: PDFValue
  var base: Transform
}

struct TextState {
  var font: PDFFont?
  var size = 0.0
  var characterSpacing = 0.0
  var wordSpacing = 0.0
  /// 1 is 100 percent.
  var stretch = 1.0
  var leading = 0.0
  var rise = 0.0
  var mode = 0
}
