// Runs content streams: operators with their operands, of pages, forms, patterns and glyphs. What each kind
// of operator does is in files of its own; this one has the loop and the state.

import Bytes

final class ContentReader {
  let file: PDFFile
  var drawing: Drawing
  /// What has been painted of the scene that is being made.
  var items: [Item] = []
  var state: GraphicsState
  /// The states that `q` kept. Each stream may only take away its own.
  var saved: [GraphicsState] = []
  var savedFloor = 0
  var resources: PDFDictionary
  /// Where patterns of this stream count from.
  var base: Transform
  /// Like the clip below, of use to every operator: that no two accesses overlap is not checked each time.
  @exclusivity(unchecked) var operands: [PDFValue] = []
  /// A `W` waits for the end of its path.
  @exclusivity(unchecked) var pendingClip: FillRule?
  var text = TextPosition()
  var optionalContent: OptionalContent
  /// Marked content that is open, and whether each part is hidden.
  var marks: [Bool] = []
  var hiddenMarks = 0
  /// Objects whose streams are running.
  var running: Set<Int> = []
  var depth = 0
  /// Whether colours are given: not in cells and glyphs that take those of the place where they are used.
  var setsColors = true
  /// Whether this is the cell of a pattern, which has a space of its own.
  var isInCell = false
  /// Whether something was painted with another blend mode than the normal one.
  var hasBlended = false
  /// By the number of the object.
  var fonts: [Int: PDFFont] = [:]
  var pictures: [Int: PDFImageEntry] = [:]

  /// Stops for the gradients and triangles for the meshes of objects that were painted with.
  var shadings: [Int: Shading] = [:]
  /// Items of the scenes around the one that is being made.
  private var outerItems = 0

  /// No form, pattern or glyph is deeper in others.
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

  /// An operand, counted from the first.
  func number(_ index: Int) -> Double {
    index >= 0 && index < operands.count ? operands[index].number ?? 0 : 0
  }

  var numbers: [Double] { operands.compactMap { $0.number } }

  func name(_ index: Int) -> String? { index < operands.count ? operands[index].name : nil }

  /// The entry of a resource's category, with references followed once.
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
        // No operator has more operands than a colour has components.
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

  /// Runs a stream that is an object of its own: its states and its path end with it.
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

  /// What is painted inside goes to a scene of its own.
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

  /// Counts the memory of what was drawn until now.
  func countMemory() {
    let unfinished = items.count + outerItems + text.clips.count
    budget.hold(.pathPoints, bytes: drawing.storedBytes(items: unfinished))
  }

  // MARK: Operators

  /// Those that are unknown are passed over. Most have one letter: comparing words takes longer than what
  /// many of them do.
  private func perform(_ word: String) {
    if word.utf8.count == 1, let letter = word.unicodeScalars.first {
      return perform(letter: letter)
    }
    switch word {
    case "re": rectangle()
    case "f*": paintPath(fill: .evenOdd)
    case "cm": concatenate()
    case "W*": pendingClip = .evenOdd
    case "gs": applyGraphicsState(file.dictionary(resource("ExtGState", name(0))))
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
    // Lengths of nothing would never end.
    let isSolid = values.allSatisfy { $0 == 0 }
    state.line.dashes = isSolid ? .none : drawing.addDashes(Array(values))
    state.line.dashPhase = phase
  }
}
