// Text: its position, and its glyphs, which are shown as outlines, as content streams, or as clips.

import Bytes

/// The text state between `BT` and `ET`.
struct TextPosition {
  var matrix = Transform.identity
  var lineMatrix = Transform.identity
  /// The outlines of glyphs that will clip.
  var clips: [ClipPath] = []
  /// Whether a text rendering mode that clips was used, even if no glyph had an outline.
  var isClipping = false
}

extension ContentReader {
  /// Performs an operator of text. Returns false if there is no such operator.
  func performText(_ word: String) -> Bool {
    switch word {
    case "BT": text = TextPosition()
    case "ET": endText()
    case "Tf":
      state.text.font = font(resource("Font", name(0)))
      state.text.size = number(1)
    case "Tc": state.text.characterSpacing = number(0)
    case "Tw": state.text.wordSpacing = number(0)
    case "Tz": state.text.stretch = number(0) / 100
    case "TL": state.text.leading = number(0)
    case "Ts": state.text.rise = number(0)
    case "Tr": state.text.mode = whole(number(0), from: 0, to: 7)
    case "Td": nextLine(number(0), number(1))
    case "TD":
      state.text.leading = -number(1)
      nextLine(number(0), number(1))
    case "Tm":
      guard operands.count >= 6 else { return true }
      text.matrix = Transform(number(0), number(1), number(2), number(3), number(4), number(5))
      text.lineMatrix = text.matrix
    case "T*": nextLine(0, -state.text.leading)
    default: return showText(word)
    }
    return true
  }

  /// Performs an operator that shows text. Returns false if there is no such operator.
  private func showText(_ word: String) -> Bool {
    switch word {
    case "Tj": show(operands.first?.string ?? [])
    case "'":
      nextLine(0, -state.text.leading)
      show(operands.first?.string ?? [])
    case "\"":
      state.text.wordSpacing = number(0)
      state.text.characterSpacing = number(1)
      nextLine(0, -state.text.leading)
      show(operands.last?.string ?? [])
    case "TJ":
      for part in operands.first?.array ?? [] {
        if let string = part.string {
          show(string)
        } else if let shift = part.number {
          let distance = -shift / 1000 * state.text.size
          advance(distance * (state.text.font?.isVertical == true ? 1 : state.text.stretch))
        }
      }
    default: return false
    }
    return true
  }

  private func nextLine(_ x: Double, _ y: Double) {
    text.lineMatrix = Transform.translation(x, y).then(text.lineMatrix)
    text.matrix = text.lineMatrix
  }

  private func advance(_ distance: Double) {
    let isVertical = state.text.font?.isVertical ?? false
    let step = Transform.translation(isVertical ? 0 : distance, isVertical ? distance : 0)
    text.matrix = step.then(text.matrix)
  }

  private func show(_ string: [UInt8]) {
    let settings = state.text
    guard let font = settings.font else {
      if !isHidden, settings.mode != 3, !string.isEmpty { file.note(.missingObject) }
      return
    }
    if case .missing = font.program, !isHidden, settings.mode != 3, !string.isEmpty {
      drawing.note(.font)
    }
    var offset = 0
    // Each code is searched in all ranges of a CMap.
    let search = font.characterMap.map { $0.searchCost / 4 } ?? 0
    while offset < string.count, budget.spend(.operators, 3), budget.spend(.tableEntries, search) {
      var (code, bytes) = (Int(string[offset]), 1)
      if let map = font.characterMap { (code, bytes) = map.code(string, at: offset) }
      offset += bytes
      let size = Transform(
        settings.size * settings.stretch, 0, 0, settings.size, 0, settings.rise)
      var position = size.then(text.matrix).then(state.transform)
      let width = font.width(code)
      if font.isVertical {
        let origin = Transform.translation(-width / 2, -font.verticalOrigin / 1000)
        position = origin.then(position)
      }
      if position.isFinite { showGlyph(code, font: font, position: position) }
      var distance = (font.isVertical ? font.verticalAdvance / 1000 : width) * settings.size
      distance += settings.characterSpacing
      if bytes == 1, code == 32 { distance += settings.wordSpacing }
      advance(font.isVertical ? distance : distance * settings.stretch)
    }
  }

  /// Draws a glyph. `position` leads from text space, for text of size 1, to the page.
  private func showGlyph(_ code: Int, font: PDFFont, position: Transform) {
    if case .streams(let glyphs, let resources) = font.program {
      if let stream = glyphs[code], state.text.mode != 3 {
        showStream(stream, resources: resources, transform: font.matrix.then(position))
      }
      return
    }
    let outline = font.outline(code, in: &drawing.paths, budget: budget)
    if font.lacks(code), state.text.mode != 3, !isHidden { drawing.note(.glyph) }
    guard let path = outline else { return }
    let transform = font.matrix.then(position)
    let mode = state.text.mode
    if mode == 0 || mode == 2 || mode == 4 || mode == 6 {
      fill(path, .nonZero, transform: transform)
    }
    if mode == 1 || mode == 2 || mode == 5 || mode == 6 { strokeGlyph(path, transform) }
    if mode >= 4 {
      text.isClipping = true
      countMemory()
      text.clips.append(ClipPath(path, .nonZero, transform: transform))
    }
  }

  /// Strokes an outline. The width of the line is in user space but the outline is in the space of
  /// the glyph, so the width and the dashes are scaled.
  private func strokeGlyph(_ path: Path, _ transform: Transform) {
    let outer = state.transform.determinant
    let inner = transform.determinant
    guard outer != 0, inner != 0, budget.spend(.dashes, 2 + Int(state.line.dashes.count)) else {
      return
    }
    let ratio = abs(outer / inner).squareRoot()
    let line = state.line
    state.line.width *= ratio
    if line.dashes.count > 0 {
      state.line.dashes = drawing.addDashes(line.dashes.range.map { drawing.dashes[$0] * ratio })
      state.line.dashPhase *= ratio
    }
    stroke(path, transform: transform)
    state.line = line
  }

  private func showStream(
    _ stream: PDFStream, resources glyphResources: PDFDictionary?, transform: Transform
  ) {
    guard transform.isFinite else { return }
    let (outer, outerBase, outerText, setColors) = (state, base, text, setsColors)
    state.transform = transform
    state.line = Stroke(width: 1)
    state.stroke = state.fill
    base = transform
    run(stream: stream, resources: glyphResources)
    (state, base, text, setsColors) = (outer, outerBase, outerText, setColors)
  }

  /// Ends a text object. The glyphs that were shown in a mode that clips become a clip.
  private func endText() {
    guard text.isClipping || !text.clips.isEmpty else { return }
    state.clip = drawing.addClip(text.clips, in: state.clip)
    text = TextPosition()
  }
}
