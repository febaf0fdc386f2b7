// Runs the content streams of pages, forms, patterns and glyphs: operators with their operands.
// This file has the loop and the state; other files have the operators, by kind.

import Bytes

final class ContentReader {
  let file: PDFFile
  var drawing: Drawing
  /// The items of the scene that is being made.
  var items: [Item] = []
  var state: GraphicsState
  /// The states that `q` saved. A stream may restore only states that it has saved itself: those
  /// from `savedFloor` on.
  var saved: [GraphicsState] = []
  var savedFloor = 0
  var resources: PDFDictionary
  /// The transform to which the matrices of this stream's patterns are relative.
  var base: Transform
  /// The operands of the next operator. Every operator uses them and the pending clip below, so the
  /// check for overlapping accesses is switched off for both.
  @exclusivity(unchecked) var operands: [PDFValue] = []
  /// The fill rule of a `W` operator, which applies at the end of the path.
  @exclusivity(unchecked) var pendingClip: FillRule?
  var text = TextPosition()
  var optionalContent: OptionalContent
  /// The marked content that is open: whether each part is hidden.
  var marks: [Bool] = []
  var hiddenMarks = 0
  /// The numbers of the stream objects that are running.
  var running: Set<Int> = []
  var depth = 0
  /// The number of `BX` without their `EX`. Between the two, PDF allows operators that it does not
  /// define.
  var unknownOperatorDepth = 0
  /// Whether operators may set colours. In uncoloured cells and glyphs, which use the colour of the
  /// place that shows them, they may not.
  var setsColors = true
  /// Whether this is the cell of a pattern, which has its own space.
  var isInCell = false
  /// Whether anything was painted with a blend mode other than the normal one.
  var hasBlended = false
  /// The fonts and pictures that were read, by the number of the object.
  var fonts: [Int: PDFFont] = [:]
  var pictures: [Int: PDFImageEntry] = [:]

  /// The shadings that were made, by the number of the object, so that their stops and triangles
  /// are added once.
  var shadings: [Int: Shading] = [:]
  /// The number of items of the scenes around the scene that is being made.
  private var outerItems = 0

  /// The deepest nesting of forms, patterns and glyphs.
  private static let mostNesting = 32

  var budget: Budget { file.budget }
  var isHidden: Bool { hiddenMarks > 0 }

  init(_ file: PDFFile, page: PDFPage) {
    self.file = file
    drawing = Drawing(width: page.width, height: page.height)
    state = GraphicsState(transform: page.transform)
    base = page.transform
    resources = page.resources
    optionalContent = OptionalContent(file)
  }

  /// Returns an operand as a number, counted from the first operand.
  func number(_ index: Int) -> Double {
    index >= 0 && index < operands.count ? operands[index].number ?? 0 : 0
  }

  var numbers: [Double] { operands.compactMap { $0.number } }

  func name(_ index: Int) -> String? { index < operands.count ? operands[index].name : nil }

  /// Returns a resource by its category and name. The result may be a reference.
  func resource(_ category: String, _ name: String?) -> PDFValue {
    guard let name else { return .null }
    return file.dictionary(resources[category])?[name] ?? .null
  }

  // MARK: The loop

  func run(_ content: [UInt8]) {
    var lexer = PDFLexer(content, budget: budget)
    operands.removeAll(keepingCapacity: true)
    while file.failure == nil, budget.spend(.operators) {
      switch lexer.next() {
      case .value(let value):
        // No operator needs more operands than a colour has components.
        if operands.count >= 64 { operands.removeFirst() }
        operands.append(value)
      case .keyword("BI"):
        drawInlineImage(&lexer)
        operands.removeAll(keepingCapacity: true)
        lexer.releaseValues()
      case .keyword(let word):
        perform(word)
        if !operands.isEmpty { operands.removeAll(keepingCapacity: true) }
        if lexer.held > 0 { lexer.releaseValues() }
      case .end: return
      default: continue
      }
    }
  }

  /// Runs a stream that is an object of its own. The states that it saves and its path end with it.
  func run(stream: PDFStream, resources inner: PDFDictionary?) {
    guard !running.contains(stream.number) || stream.number == 0 else { return }
    guard budget.spend(.objects, 5) else { return }
    guard depth < ContentReader.mostNesting else {
      return file.fail(.overLimit(.nesting, most: ContentReader.mostNesting))
    }
    running.insert(stream.number)
    depth += 1
    let outer = (resources, savedFloor, marks, hiddenMarks, text, pendingClip, operands)
    if let inner { resources = inner }
    savedFloor = saved.count
    let kept = state
    marks = []
    text = TextPosition()
    pendingClip = nil
    drawing.paths.begin()
    run(file.decoded(stream))
    saved.removeLast(saved.count - savedFloor)
    state = kept
    drawing.paths.begin()
    (resources, savedFloor, marks, hiddenMarks, text, pendingClip, operands) = outer
    depth -= 1
    running.remove(stream.number)
  }

  /// Returns the items that a function paints, as a scene of their own.
  func scene(_ paint: () -> Void) -> [Item] {
    let outer = items
    outerItems += outer.count
    items = []
    paint()
    let scene = items
    items = outer
    outerItems -= outer.count
    return scene
  }

  /// Charges the memory of the drawing so far.
  func countMemory() {
    let unfinished = items.count + outerItems + text.clips.count
    budget.hold(.pathPoints, bytes: drawing.storedBytes(items: unfinished))
  }

  // MARK: Operators

  /// Performs an operator; unknown operators are ignored. Operators of one letter, which are the
  /// most frequent, have their own switch, because comparing words would take longer than the
  /// operators themselves.
  private func perform(_ word: String) {
    if word.utf8.count == 1, let letter = word.unicodeScalars.first {
      return perform(letter: letter)
    }
    switch word {
    case "re": rectangle()
    case "f*": paintPath(fill: .evenOdd)
    case "cm": concatenate()
    case "W*": pendingClip = .evenOdd
    case "gs":
      let settings = file.dictionary(resource("ExtGState", name(0)))
      if settings == nil { file.note(.missingObject) }
      applyGraphicsState(settings)
    case "Do": drawObject()
    case "B*": paintPath(fill: .evenOdd, strokes: true)
    case "b*":
      drawing.paths.close()
      paintPath(fill: .evenOdd, strokes: true)
    case "sh": paintShading()
    case "BDC", "BMC": beginMark(isTagged: word == "BDC")
    case "EMC": endMark()
    case "rg", "cs", "sc", "scn": setColor(word, strokes: false)
    case "RG", "CS", "SC", "SCN": setColor(word, strokes: true)
    case "d1": setsColors = false
    default: performText(word)
    }
  }

  private func perform(letter: Unicode.Scalar) {
    switch letter {
    case "l": line()
    case "c": curve()
    case "m": move()
    case "h": drawing.paths.close()
    case "v", "y": shortCurve(String(letter))
    case "f", "F": paintPath(fill: .nonZero)
    case "S": paintPath(strokes: true)
    case "n": paintPath()
    case "q": save()
    case "Q": restore()
    case "W": pendingClip = .nonZero
    case "s":
      drawing.paths.close()
      paintPath(strokes: true)
    case "B": paintPath(fill: .nonZero, strokes: true)
    case "b":
      drawing.paths.close()
      paintPath(fill: .nonZero, strokes: true)
    case "g", "k": setColor(String(letter), strokes: false)
    case "G", "K": setColor(String(letter), strokes: true)
    default: performOther(letter)
    }
  }

  private func performOther(_ letter: Unicode.Scalar) {
    switch letter {
    case "w": state.line.width = abs(number(0))
    case "J":
      state.line.cap = Stroke.Cap(rawValue: UInt8(whole(number(0), from: 0, to: 2))) ?? .butt
    case "j":
      state.line.join = Stroke.Join(rawValue: UInt8(whole(number(0), from: 0, to: 2))) ?? .miter
    case "M": state.line.miterLimit = max(number(0), 1)
    case "d": setDashes(operands.first?.array ?? [], phase: number(1))
    default: performText(String(letter))
    }
  }

  private func save() {
    guard saved.count < 4096 else { return }
    saved.append(state)
  }

  private func restore() {
    guard saved.count > savedFloor, let last = saved.popLast() else { return }
    state = last
  }

  private func concatenate() {
    guard operands.count >= 6 else { return }
    let matrix = Transform(number(0), number(1), number(2), number(3), number(4), number(5))
    let next = matrix.then(state.transform)
    if next.isFinite { state.transform = next }
  }

  func setDashes(_ lengths: [PDFValue], phase: Double) {
    budget.spend(.dashes, min(lengths.count, 64))
    let values = lengths.prefix(64).map { max(file.number($0) ?? 0, 0) }
    // Dashes of length 0 alone would never end.
    let isSolid = values.allSatisfy { $0 == 0 }
    state.line.dashes = isSolid ? .none : drawing.addDashes(Array(values))
    state.line.dashPhase = phase
  }
}

// MARK: - The graphics state

// The graphics state, which `q` saves and `Q` restores.

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

// MARK: - Paths

// Paths: their construction, filling, stroking and clipping.

extension ContentReader {
  private func point(_ index: Int) -> Point { Point(number(index), number(index + 1)) }

  /// Whether the budget allows a further step, which is charged: the points of a path are added
  /// directly to the store and cost work.
  private var hasRoom: Bool { budget.spend(.pathPoints, 3) }

  func move() {
    if hasRoom { drawing.paths.move(to: point(0)) }
  }

  func line() {
    if hasRoom { drawing.paths.line(to: point(0)) }
  }

  func curve() {
    if hasRoom { drawing.paths.curve(point(0), point(2), to: point(4)) }
  }

  /// Adds a curve. In `v` the first control point is the current point; in `y` the second control
  /// point is the end.
  func shortCurve(_ word: String) {
    guard hasRoom else { return }
    if word == "v" {
      drawing.paths.curve(drawing.paths.current, point(0), to: point(2))
    } else {
      drawing.paths.curve(point(0), point(2), to: point(2))
    }
  }

  func rectangle() {
    guard budget.spend(.pathPoints, 6) else { return }
    drawing.paths.rect(Rect(x: number(0), y: number(1), width: number(2), height: number(3)))
  }

  /// Ends the path and paints it. If a `W` operator came before, the path then becomes a clip.
  func paintPath(fill: FillRule? = nil, strokes: Bool = false) {
    defer { pendingClip = nil }
    guard !drawing.paths.isEmpty, !budget.isExceeded else {
      // An empty path clips everything.
      if pendingClip != nil, fill == nil, !strokes { clip(to: drawing.paths.end(), .nonZero) }
      drawing.paths.begin()
      return
    }
    let path = drawing.paths.end()
    if let fill { self.fill(path, fill, transform: state.transform) }
    if strokes { stroke(path, transform: state.transform) }
    if let rule = pendingClip { clip(to: path, rule) }
  }

  func clip(to path: Path, _ rule: FillRule) {
    state.clip = drawing.addClip(
      ClipPath(path, rule, transform: state.transform), in: state.clip)
    budget.spend(.operators)
    countMemory()
  }

  func fill(_ path: Path, _ rule: FillRule, transform: Transform) {
    guard !isHidden, let paint = paint(strokes: false) else { return }
    add(Item(.fill(path, rule), paint, transform: transform), alpha: state.fillAlpha)
  }

  func stroke(_ path: Path, transform: Transform) {
    guard !isHidden, let paint = paint(strokes: true) else { return }
    add(Item(.stroke(path, state.line), paint, transform: transform), alpha: state.strokeAlpha)
  }

  /// Adds an item with the current clip, mask and blend mode.
  func add(_ item: Item, alpha: Double) {
    guard !isHidden, budget.spend(.operators, 3) else { return }
    countMemory()
    var item = item
    item.alpha = alpha
    item.blend = state.blend
    item.clip = state.clip
    item.mask = state.mask
    if item.blend != .normal { hasBlended = true }
    items.append(item)
  }
}

// MARK: - Colours

// Colours and paints of fills and strokes. Shadings.swift makes shadings.

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
