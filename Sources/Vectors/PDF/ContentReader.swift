// Runs the content streams of pages, forms, patterns and glyphs: operators with their operands.
// This file has the loop; the files whose names end with "Operators" have the operators, by kind.

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
    default: if !performText(word) { performRest(word) }
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
    case "i": break
    default: if !performText(String(letter)) { performRest(String(letter)) }
    }
  }

  /// Notes an operator that PDF does not define, unless the file allows it between `BX` and `EX`.
  private func performRest(_ word: String) {
    switch word {
    case "BX": unknownOperatorDepth += 1
    case "EX": unknownOperatorDepth -= 1
    // These operators change nothing in a drawing.
    case "MP", "DP", "d0", "ri": break
    default: if unknownOperatorDepth <= 0 { file.note(.unknownOperator) }
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
