// What properties say of an element, and how their values are read.

/// What fills or strokes are painted with, as properties say it.
struct StylePaint {
  enum Kind {
    case none
    case color
    /// The property `color`.
    case current
    /// An element; where there is none, the rest.
    case reference
  }

  var kind: Kind
  var color = PaintColor.black
  var reference = ByteRange.none
  var fallback = Kind.none

  static let none = StylePaint(kind: .none)
  static let black = StylePaint(kind: .color)
}

struct Style {
  // Inherited.
  var color = PaintColor.black
  var fill = StylePaint.black
  var fillOpacity = 1.0
  var fillRule = FillRule.nonZero
  var stroke = StylePaint.none
  var strokeOpacity = 1.0
  var strokeWidth = Length(1)
  var cap = Stroke.Cap.butt
  var join = Stroke.Join.miter
  var miterLimit = 4.0
  /// Empty: no dashes.
  var dashes = ByteRange.none
  var dashOffset = Length(0)
  var clipRule = FillRule.nonZero
  var isVisible = true
  var fontSize = 16.0
  var strokesFirst = false

  // Of one element.
  var opacity = 1.0
  var isDisplayed = true
  var clipPath = ByteRange.none
  var mask = ByteRange.none
  var stopColor = StylePaint.black
  var stopOpacity = 1.0
  var blend = BlendMode.normal
  var isIsolated = false
  var hasFilter = false
  var hasMarker = false
  var showsOverflow = false
  /// The width of the stroke is one of the page.
  var keepsStrokeWidth = false

  /// What a child has before anything is said of it.
  var inherited: Style {
    var style = self
    let own = Style()
    style.opacity = own.opacity
    style.isDisplayed = own.isDisplayed
    style.clipPath = own.clipPath
    style.mask = own.mask
    style.stopColor = own.stopColor
    style.stopOpacity = own.stopOpacity
    style.blend = own.blend
    style.isIsolated = own.isIsolated
    style.hasFilter = own.hasFilter
    style.hasMarker = own.hasMarker
    style.showsOverflow = own.showsOverflow
    style.keepsStrokeWidth = own.keepsStrokeWidth
    return style
  }

  /// Sets a property; values that are none leave it as it was.
  mutating func set(_ name: AttributeName, _ value: Scanner, parent: Style) {
    var value = value
    value.skipSpace()
    if value.readWord("inherit") {
      inherit(name, parent)
    } else if !setPaint(name, &value), !setStroke(name, &value) {
      setOther(name, &value)
    }
  }

  private mutating func setPaint(_ name: AttributeName, _ value: inout Scanner) -> Bool {
    switch name {
    case .fill: fill = value.readPaint() ?? fill
    case .stroke: stroke = value.readPaint() ?? stroke
    case .color: color = value.readColor() ?? color
    case .stopColor: stopColor = value.readPaint() ?? stopColor
    case .fillOpacity: fillOpacity = value.readShare() ?? fillOpacity
    case .strokeOpacity: strokeOpacity = value.readShare() ?? strokeOpacity
    case .stopOpacity: stopOpacity = value.readShare() ?? stopOpacity
    case .opacity: opacity = value.readShare() ?? opacity
    case .fillRule: fillRule = value.readRule() ?? fillRule
    case .clipRule: clipRule = value.readRule() ?? clipRule
    default: return false
    }
    return true
  }

  private mutating func setStroke(_ name: AttributeName, _ value: inout Scanner) -> Bool {
    switch name {
    case .strokeWidth:
      if let width = value.readLength(fontSize: fontSize), width.value >= 0 { strokeWidth = width }
    case .strokeLinecap:
      if value.readWord("butt") { cap = .butt }
      if value.readWord("round") { cap = .round }
      if value.readWord("square") { cap = .square }
    case .strokeLinejoin:
      if value.readWord("miter") || value.readWord("miter-clip") { join = .miter }
      if value.readWord("round") { join = .round }
      if value.readWord("bevel") { join = .bevel }
    case .strokeMiterlimit:
      if let limit = value.readNumber(), limit >= 1 { miterLimit = limit }
    case .strokeDasharray: dashes = value.readWord("none") ? .none : value.rest
    case .strokeDashoffset: dashOffset = value.readLength(fontSize: fontSize) ?? dashOffset
    case .paintOrder: strokesFirst = value.readWord("stroke") || value.readWord("markers")
    default: return false
    }
    return true
  }

  private mutating func setOther(_ name: AttributeName, _ value: inout Scanner) {
    switch name {
    case .display: isDisplayed = !value.readWord("none")
    case .visibility: isVisible = value.readWord("visible")
    case .clipPath: clipPath = value.readReference() ?? .none
    case .mask: mask = value.readReference() ?? .none
    case .mixBlendMode: blend = value.readBlendMode() ?? blend
    case .isolation: isIsolated = value.readWord("isolate")
    case .filter: hasFilter = !value.readWord("none") && !value.isAtEnd
    case .marker: hasMarker = !value.readWord("none") && !value.isAtEnd
    case .overflow: showsOverflow = value.readWord("visible") || value.readWord("auto")
    case .vectorEffect: keepsStrokeWidth = value.readWord("non-scaling-stroke")
    case .fontSize:
      if let size = value.readLength(fontSize: fontSize), size.value >= 0 {
        fontSize = size.resolved(fontSize)
      }
    default: break
    }
  }

  private mutating func inherit(_ name: AttributeName, _ parent: Style) {
    switch name {
    case .fill: fill = parent.fill
    case .fillOpacity: fillOpacity = parent.fillOpacity
    case .fillRule: fillRule = parent.fillRule
    case .stroke: stroke = parent.stroke
    case .strokeOpacity: strokeOpacity = parent.strokeOpacity
    case .strokeWidth: strokeWidth = parent.strokeWidth
    case .color: color = parent.color
    case .opacity: opacity = parent.opacity
    case .stopColor: stopColor = parent.stopColor
    case .stopOpacity: stopOpacity = parent.stopOpacity
    case .visibility: isVisible = parent.isVisible
    case .display: isDisplayed = parent.isDisplayed
    case .clipPath: clipPath = parent.clipPath
    case .mask: mask = parent.mask
    case .mixBlendMode: blend = parent.blend
    default: break
    }
  }
}

extension Scanner {
  mutating func readPaint() -> StylePaint? {
    skipSpace()
    if readWord("none") { return StylePaint.none }
    if readWord("currentcolor") { return StylePaint(kind: .current) }
    if let reference = readReference() {
      var paint = StylePaint(kind: .reference, reference: reference)
      let rest = readPaint() ?? .none
      paint.fallback = rest.kind == .reference ? .none : rest.kind
      paint.color = rest.color
      return paint
    }
    return readColor().map { StylePaint(kind: .color, color: $0) }
  }

  /// The name in `url(#name)`, with or without quotes.
  mutating func readReference() -> ByteRange? {
    let start = self
    skipSpace()
    guard readWord("url"), read("(") else {
      self = start
      return nil
    }
    skipSpace()
    _ = read("\"") || read("'")
    guard read("#") else {
      self = start
      return nil
    }
    let name = readUntil {
      $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "\"") || $0 == 0x27 || $0 <= 32
    }
    _ = readUntil { $0 == UInt8(ascii: ")") }
    _ = read(")")
    return name
  }

  /// From 0 to 1.
  fileprivate mutating func readShare() -> Double? {
    guard let number = readNumber() else { return nil }
    return unitValue(read("%") ? number / 100 : number)
  }

  fileprivate mutating func readRule() -> FillRule? {
    if readWord("nonzero") { return .nonZero }
    return readWord("evenodd") ? .evenOdd : nil
  }

  fileprivate mutating func readBlendMode() -> BlendMode? {
    let names: [(StaticString, BlendMode)] = [
      ("normal", .normal), ("multiply", .multiply), ("screen", .screen), ("overlay", .overlay),
      ("darken", .darken), ("lighten", .lighten), ("color-dodge", .colorDodge),
      ("color-burn", .colorBurn), ("hard-light", .hardLight), ("soft-light", .softLight),
      ("difference", .difference), ("exclusion", .exclusion), ("hue", .hue),
      ("saturation", .saturation), ("color", .color), ("luminosity", .luminosity),
      ("plus-lighter", .plusLighter),
    ]
    for (name, mode) in names where readWord(name) { return mode }
    return nil
  }
}
