// Forms, transparency groups, soft masks, and the settings of `gs`.

import Bytes

extension ContentReader {
  /// Performs `Do`.
  func drawObject() {
    let value = resource("XObject", name(0))
    guard !isHidden, budget.spend(.objects, 2) else { return }
    guard let stream = file.stream(value) else { return file.note(.missingObject) }
    guard optionalContent.shows(stream.dictionary["OC"], in: file) else { return }
    switch file.name(stream.dictionary["Subtype"]) {
    case "Image": drawImage(stream)
    case "Form": drawForm(stream)
    default: break
    }
  }

  private func drawForm(_ stream: PDFStream) {
    guard budget.spend(.objects, 4) else { return }
    let dictionary = stream.dictionary
    let group = file.dictionary(dictionary["Group"])
    let outer = state
    let outerBase = base
    defer {
      state = outer
      base = outerBase
    }
    let matrix = file.transform(dictionary["Matrix"]) ?? .identity
    state.transform = matrix.then(state.transform)
    guard state.transform.isFinite else { return }
    base = state.transform
    guard let group, file.name(group["S"]) == "Transparency" else {
      runForm(stream)
      return
    }
    drawGroup(group, stream: stream, outer: outer)
  }

  private func runForm(_ stream: PDFStream) {
    if let box = file.rect(stream.dictionary["BBox"]) {
      drawing.paths.begin()
      drawing.paths.rect(box)
      clip(to: drawing.paths.end(), .nonZero)
    }
    run(stream: stream, resources: file.dictionary(stream.dictionary["Resources"]))
  }

  /// Draws a transparency group. If the group is composed without a change (opaque, with normal
  /// blending and no mask), it needs no scene of its own, unless it is isolated and contains blend
  /// modes.
  private func drawGroup(_ group: PDFDictionary, stream: PDFStream, outer: GraphicsState) {
    let isPlain = outer.fillAlpha == 1 && outer.blend == .normal && outer.mask == SoftMask.none
    let isIsolated = file.bool(group["I"]) ?? false
    if file.bool(group["K"]) == true { drawing.note(.knockoutGroup) }
    state.fillAlpha = 1
    state.strokeAlpha = 1
    state.blend = .normal
    state.mask = SoftMask.none
    // Clips must apply once: the outer clip applies to the group as a whole or to each item in it.
    if !isPlain { state.clip = Clip.none }
    let hadBlended = hasBlended
    hasBlended = false
    let inner = scene { runForm(stream) }
    let needsGroup = !isPlain || (hasBlended && isIsolated)
    hasBlended = needsGroup ? hadBlended : hadBlended || hasBlended
    guard needsGroup, !inner.isEmpty else {
      items += inner
      return
    }
    let reach = isPlain ? Clip.none : outer.clip
    state = outer
    state.clip = reach
    let shape = Group(scene: drawing.addScene(inner), isIsolated: isIsolated)
    add(Item(.group(shape)), alpha: outer.fillAlpha)
  }

  // MARK: gs

  func applyGraphicsState(_ settings: PDFDictionary?) {
    for entry in settings?.entries ?? [] where budget.spend(.values) {
      let value = file.resolve(entry.value)
      switch entry.key {
      case "ca": state.fillAlpha = min(max(value.number ?? 1, 0), 1)
      case "CA": state.strokeAlpha = min(max(value.number ?? 1, 0), 1)
      case "BM": state.blend = blendMode(value)
      case "SMask": setMask(value)
      case "LW": state.line.width = abs(value.number ?? 1)
      case "LC":
        state.line.cap =
          Stroke.Cap(rawValue: UInt8(whole(value.number ?? 0, from: 0, to: 2))) ?? .butt
      case "LJ":
        state.line.join =
          Stroke.Join(rawValue: UInt8(whole(value.number ?? 0, from: 0, to: 2))) ?? .miter
      case "ML": state.line.miterLimit = max(value.number ?? 10, 1)
      case "D":
        guard let parts = value.array, parts.count == 2 else { continue }
        setDashes(file.array(parts[0]) ?? [], phase: file.number(parts[1]) ?? 0)
      case "Font":
        guard let parts = value.array, parts.count == 2 else { continue }
        state.text.font = font(parts[0])
        state.text.size = file.number(parts[1]) ?? 0
      default: continue
      }
    }
  }

  /// Returns the blend mode of a name, or of the first known name of several.
  private func blendMode(_ value: PDFValue) -> BlendMode {
    budget.spend(.values, value.array?.count ?? 1)
    let names = value.array?.compactMap { file.name($0) } ?? [value.name ?? "Normal"]
    for name in names {
      if let mode = Self.blendModes.first(where: { $0.0 == name }) { return mode.1 }
    }
    drawing.note(.blendMode)
    return .normal
  }

  private static let blendModes: [(String, BlendMode)] = [
    ("Normal", .normal), ("Compatible", .normal), ("Multiply", .multiply), ("Screen", .screen),
    ("Overlay", .overlay), ("Darken", .darken), ("Lighten", .lighten),
    ("ColorDodge", .colorDodge), ("ColorBurn", .colorBurn), ("HardLight", .hardLight),
    ("SoftLight", .softLight), ("Difference", .difference), ("Exclusion", .exclusion),
    ("Hue", .hue), ("Saturation", .saturation), ("Color", .color), ("Luminosity", .luminosity),
  ]

  // MARK: Soft masks

  /// Sets the soft mask. The form of the mask is placed in the user space at the time of `gs`, not
  /// in the user space at the time of painting.
  private func setMask(_ value: PDFValue) {
    guard let settings = value.dictionary, let stream = file.stream(settings["G"]) else {
      state.mask = SoftMask.none
      return
    }
    guard budget.spend(.objects, 4) else { return }
    let isLuminosity = file.name(settings["S"]) != "Alpha"
    let group = file.dictionary(stream.dictionary["Group"])
    let space = group.flatMap { file.colorSpace($0["CS"], resources: resources) }
    let outer = (state, base, hasBlended, setsColors, hiddenMarks)
    let matrix = file.transform(stream.dictionary["Matrix"]) ?? .identity
    state = GraphicsState(transform: matrix.then(state.transform))
    base = state.transform
    setsColors = true
    hiddenMarks = 0
    let inner = state.transform.isFinite ? scene { runForm(stream) } : []
    (state, base, hasBlended, setsColors, hiddenMarks) = outer
    var mask = SoftMask(isLuminosity ? .luminosity : .alpha, scene: drawing.addScene(inner))
    if let values = file.numbers(settings["BC"]), let space {
      mask.backdrop = space.color(values)
    }
    let transfer = settings["TR"]
    if file.name(transfer) != "Identity", let function = file.function(transfer) {
      budget.spend(.functionSteps, 256 * 8)
      mask.transfer = (0...255).map { byte in
        let value = function.evaluate([Double(byte) / 255]).first ?? 0
        return UInt8(whole(value * 255 + 0.5, from: 0, to: 255))
      }
    }
    state.mask = drawing.addMask(mask)
  }
}
