// Colour operators, and the paints of fills and strokes: colours and tiling patterns.
// Shadings.swift makes shadings.

import Bytes

extension ContentReader {
  func setColor(_ word: String, strokes: Bool) {
    guard setsColors else { return }
    var paint = state[strokes: strokes]
    switch word {
    case "g", "G": paint.space = .gray
    case "rg", "RG": paint.space = .rgb
    case "k", "K": paint.space = .cmyk
    case "cs", "CS":
      setSpace(strokes: strokes)
      return
    default: break
    }
    paint.values = numbers
    paint.pattern = nil
    if case .pattern = paint.space, let name = operands.last?.name {
      paint.pattern = PatternSource(value: resource("Pattern", name), base: base)
    }
    paint.paint = nil
    state[strokes: strokes] = paint
  }

  private func setSpace(strokes: Bool) {
    guard let name = operands.first, let space = colorSpace(named: name) else {
      return file.note(.missingObject)
    }
    state[strokes: strokes] = PaintState(
      space: space, values: space.initialValues, pattern: nil, paint: nil)
  }

  /// Returns the colour space that a content stream names. A space that is an object of its own is
  /// looked up by the number of the object, so that it is read once.
  func colorSpace(named value: PDFValue) -> ColorSpace? {
    guard budget.spend(.objects) else { return nil }
    if let name = value.name {
      let found = resource("ColorSpace", name)
      if !found.isNull, let space = file.colorSpace(found, resources: resources) { return space }
    }
    return file.colorSpace(value, resources: resources)
  }

  /// Returns the paint of fills or strokes; nil if nothing is painted.
  func paint(strokes: Bool) -> Paint? {
    if let known = state[strokes: strokes].paint { return known }
    let source = state[strokes: strokes]
    let paint: Paint?
    switch source.space {
    case .pattern(let inner):
      guard let pattern = source.pattern else { return nil }
      paint = self.paint(of: pattern, uncolored: inner, values: source.values)
    case .tint(_, _, _, paints: false): return nil
    default:
      note(inks: source.space)
      paint = .color(source.space.color(source.values))
    }
    state[strokes: strokes].paint = paint
    return paint
  }

  /// Notes that the colours of inks are approximate, because their exact values depend on a profile
  /// that the file does not contain.
  func note(inks space: ColorSpace) {
    if space.usesInks { drawing.note(.approximateColor) }
  }

  private func paint(
    of pattern: PatternSource, uncolored: ColorSpace?, values: [Double]
  ) -> Paint? {
    guard budget.spend(.objects, 2) else { return nil }
    guard let dictionary = file.dictionary(pattern.value) else {
      file.note(.missingObject)
      return nil
    }
    let matrix = file.transform(dictionary["Matrix"]) ?? .identity
    let transform = matrix.then(pattern.base)
    guard transform.isFinite else { return nil }
    if file.int(dictionary["PatternType"]) == 2 {
      return shading(dictionary["Shading"], transform: transform, isPattern: true)
        .map(Paint.shading)
    }
    guard let stream = file.stream(pattern.value) else { return nil }
    let color = uncolored.map { $0.color(values) }
    return tiles(stream, transform: transform, color: color)
  }

  /// Makes a tiling pattern. Its cell is a scene in the pattern's own space.
  private func tiles(_ stream: PDFStream, transform: Transform, color: Color?) -> Paint? {
    let dictionary = stream.dictionary
    guard let box = file.rect(dictionary["BBox"]), box.width > 0, box.height > 0,
      let xStep = file.number(dictionary["XStep"]), let yStep = file.number(dictionary["YStep"]),
      xStep != 0, yStep != 0
    else { return nil }
    let isColored = file.int(dictionary["PaintType"]) != 2
    let outer = (state, base, setsColors, hasBlended, hiddenMarks, isInCell)
    state = GraphicsState(transform: .identity)
    base = .identity
    hiddenMarks = 0
    isInCell = true
    setsColors = isColored
    if !isColored {
      let paint = PaintState(paint: .color(color ?? .black))
      state.fill = paint
      state.stroke = paint
    }
    let cell = scene { run(stream: stream, resources: file.dictionary(dictionary["Resources"])) }
    (state, base, setsColors, hasBlended, hiddenMarks, isInCell) = outer
    return .pattern(
      drawing.addPattern(
        TilingPattern(
          scene: drawing.addScene(cell), cell: box, xStep: xStep, yStep: yStep,
          transform: transform)))
  }
}
