// Path operators: construction, filling, stroking and clipping.

import Bytes

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
