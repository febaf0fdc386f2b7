// The properties of an element, and the reading of their values.

/// The paint of fills or strokes, as a property gives it.
struct StylePaint {
  enum Kind {
    case none
    case color
    /// The value of the property `color`.
    case current
    /// An element; if it does not exist, `fallback` is used.
    case reference
  }

  var kind: Kind
  var color = PaintColor.black
  var reference = ByteRange.none
  var fallback = Kind.none

  static let none = StylePaint(kind: .none)
  static let black = StylePaint(kind: .color)
}

/// The elements that are drawn at the points of paths.
struct Markers {
  var start = ByteRange.none
  var middle = ByteRange.none
  var end = ByteRange.none
}

struct SVGStyle {
  // Inherited properties.
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
  /// The text of the lengths; empty if there are no dashes.
  var dashes = ByteRange.none
  var dashOffset = Length(0)
  var clipRule = FillRule.nonZero
  var isVisible = true
  var fontSize = 16.0
  var strokesFirst = false
  var markers = Markers()
  /// Whether edges are not smoothed.
  var isCrisp = false
  /// Whether enlarged pictures show their pixels.
  var keepsPixels = false

  // Properties that are not inherited.
  var opacity = 1.0
  var isDisplayed = true
  var clipPath = ByteRange.none
  var mask = ByteRange.none
  var stopColor = StylePaint.black
  var stopOpacity = 1.0
  var blend = BlendMode.normal
  var isIsolated = false
  var hasFilter = false
  /// The text of the origin; if it is empty, the origin is (0, 0).
  var transformOrigin = ByteRange.none
  var originIsOfBox = false
  var showsOverflow = false
  /// Whether the width of the stroke is measured on the page, without the transforms of the
  /// element.
  var keepsStrokeWidth = false

  /// The style with which a child begins, before its own properties are applied.
  var inherited: SVGStyle {
    var style = self
    let own = SVGStyle()
    style.opacity = own.opacity
    style.isDisplayed = own.isDisplayed
    style.clipPath = own.clipPath
    style.mask = own.mask
    style.stopColor = own.stopColor
    style.stopOpacity = own.stopOpacity
    style.blend = own.blend
    style.isIsolated = own.isIsolated
    style.hasFilter = own.hasFilter
    style.transformOrigin = own.transformOrigin
    style.originIsOfBox = own.originIsOfBox
    style.showsOverflow = own.showsOverflow
    style.keepsStrokeWidth = own.keepsStrokeWidth
    return style
  }

  /// Sets a property. If the value is not understood, the property keeps its value, and the
  /// unsupported feature is returned.
  mutating func set(
    _ name: AttributeName, _ value: Scanner, parent: SVGStyle
  ) -> UnsupportedFeature? {
    var value = value
    value.skipSpaceAndComments()
    if value.isAtEnd { return nil }
    if value.readWord("inherit") {
      inherit(name, parent)
      return nil
    }
    if value.readWord("initial") {
      inherit(name, SVGStyle())
      return nil
    }
    if value.readWord("unset") || value.readWord("revert") {
      inherit(name, parent.inherited)
      return nil
    }
    let before = self
    let start = value
    var feature: UnsupportedFeature?
    if !setPaint(name, &value), !setStroke(name, &value) {
      feature = setOther(name, &value)
    }
    if let feature { return feature }
    value.skipSpaceAndComments()
    if value.isAtEnd { return nil }
    self = before
    return start.misunderstood
  }

  private mutating func setPaint(_ name: AttributeName, _ value: inout Scanner) -> Bool {
    switch name {
    case .fill: fill = value.readPaint() ?? fill
    case .stroke: stroke = value.readPaint() ?? stroke
    case .color: if !value.readWord("currentcolor") { color = value.readColor() ?? color }
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
      if value.readWord("miter") { join = .miter }
      if value.readWord("round") { join = .round }
      if value.readWord("bevel") { join = .bevel }
    case .strokeMiterlimit:
      if let limit = value.readNumber(), limit >= 1 { miterLimit = limit }
    case .strokeDasharray: dashes = value.readWord("none") ? .none : value.readAll()
    case .strokeDashoffset: dashOffset = value.readLength(fontSize: fontSize) ?? dashOffset
    case .paintOrder: readPaintOrder(&value)
    default: return false
    }
    return true
  }

  /// Reads the order of painting. Parts that are not named follow in the usual order: fill, stroke,
  /// markers.
  private mutating func readPaintOrder(_ value: inout Scanner) {
    strokesFirst = false
    if value.readWord("normal") { return }
    var hasFill = false
    for _ in 0..<3 {
      if value.readWord("fill") {
        hasFill = true
      } else if value.readWord("stroke") {
        strokesFirst = strokesFirst || !hasFill
      } else if !value.readWord("markers") {
        return
      }
      value.skipSpace()
    }
  }

  /// Sets one of the other properties. Returns a feature that is understood but not drawn.
  private mutating func setOther(
    _ name: AttributeName, _ value: inout Scanner
  ) -> UnsupportedFeature? {
    switch name {
    case .display: isDisplayed = value.readWord("none") ? false : !value.readWord().isEmpty
    case .visibility:
      isVisible = value.readWord("visible")
      if !isVisible, !value.readWord("hidden") { _ = value.readWord("collapse") }
    case .clipPath:
      if let reference = value.readReferenceOrNone() {
        clipPath = reference
      } else {
        return value.isShape ? .clipShape : nil
      }
    case .mask: mask = value.readReferenceOrNone() ?? mask
    case .maskType:
      if value.readWord("alpha") { return .maskType } else { _ = value.readWord("luminance") }
    case .mixBlendMode: blend = value.readBlendMode() ?? blend
    case .isolation:
      isIsolated = value.readWord("isolate")
      if !isIsolated { _ = value.readWord("auto") }
    case .filter:
      hasFilter = !value.readWord("none")
      if hasFilter { _ = value.readAll() }
    case .marker, .markerStart, .markerMid, .markerEnd: setMarker(name, &value)
    case .overflow:
      showsOverflow = value.readWord("visible") || value.readWord("auto")
      if !showsOverflow { _ = value.readWord("hidden") || value.readWord("scroll") }
    case .vectorEffect:
      keepsStrokeWidth = value.readWord("non-scaling-stroke")
      if !keepsStrokeWidth { _ = value.readWord("none") }
    case .shapeRendering:
      isCrisp = value.readWord("crispedges") || value.readWord("optimizespeed")
      if !isCrisp { _ = value.readWord("auto") || value.readWord("geometricprecision") }
    case .imageRendering:
      keepsPixels =
        value.readWord("pixelated") || value.readWord("crisp-edges")
        || value.readWord("optimizespeed")
      if !keepsPixels { _ = value.readWord() }
    case .transformOrigin: transformOrigin = value.readAll()
    case .transformBox:
      originIsOfBox = !value.readWord("view-box")
      if originIsOfBox { _ = value.readWord() }
    case .background:
      let isEmpty = value.readWord("none") || value.readWord("transparent")
      return isEmpty ? nil : .background
    case .fontSize: readFontSize(&value)
    default: _ = value.readAll()
    }
    return nil
  }

  private mutating func setMarker(_ name: AttributeName, _ value: inout Scanner) {
    guard let reference = value.readReferenceOrNone() else { return }
    if name == .marker || name == .markerStart { markers.start = reference }
    if name == .marker || name == .markerMid { markers.middle = reference }
    if name == .marker || name == .markerEnd { markers.end = reference }
  }

  private mutating func readFontSize(_ value: inout Scanner) {
    if let size = value.readLength(fontSize: fontSize) {
      if size.value >= 0 { fontSize = size.resolved(fontSize) }
      return
    }
    let words: [(StaticString, Double)] = [
      ("medium", 16), ("small", 13), ("x-small", 10), ("xx-small", 9), ("large", 18),
      ("x-large", 24), ("xx-large", 32), ("larger", fontSize * 1.2), ("smaller", fontSize / 1.2),
    ]
    for (word, size) in words where value.readWord(word) { fontSize = size }
  }

  private mutating func inherit(_ name: AttributeName, _ parent: SVGStyle) {
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
    case .strokeLinecap: cap = parent.cap
    case .strokeLinejoin: join = parent.join
    case .strokeMiterlimit: miterLimit = parent.miterLimit
    case .strokeDasharray: dashes = parent.dashes
    case .strokeDashoffset: dashOffset = parent.dashOffset
    case .paintOrder: strokesFirst = parent.strokesFirst
    case .clipRule: clipRule = parent.clipRule
    case .isolation: isIsolated = parent.isIsolated
    case .filter: hasFilter = parent.hasFilter
    case .marker: markers = parent.markers
    case .markerStart: markers.start = parent.markers.start
    case .markerMid: markers.middle = parent.markers.middle
    case .markerEnd: markers.end = parent.markers.end
    case .overflow: showsOverflow = parent.showsOverflow
    case .vectorEffect: keepsStrokeWidth = parent.keepsStrokeWidth
    case .shapeRendering: isCrisp = parent.isCrisp
    case .imageRendering: keepsPixels = parent.keepsPixels
    case .transformOrigin: transformOrigin = parent.transformOrigin
    case .transformBox: originIsOfBox = parent.originIsOfBox
    case .fontSize: fontSize = parent.fontSize
    default: break
    }
  }
}

extension Scanner {
  /// Reads the rest of the text.
  mutating func readAll() -> ByteRange { readUntil { _ in false } }

  /// Reads the name in `url(#name)`, or an empty name for `none`.
  fileprivate mutating func readReferenceOrNone() -> ByteRange? {
    readWord("none") ? ByteRange.none : readReference()
  }

  /// Whether a shape function of CSS is next.
  fileprivate var isShape: Bool {
    let names: [StaticString] = ["circle", "ellipse", "inset", "polygon", "path", "rect", "xywh"]
    return names.contains { name in
      var probe = self
      return probe.readWord(name) && probe.read("(")
    }
  }

  /// The unsupported feature that a value that is not understood uses.
  var misunderstood: UnsupportedFeature {
    let spaces: [StaticString] = [
      "color", "oklch", "oklab", "lch", "lab", "hwb", "color-mix", "icc-color", "device-cmyk",
    ]
    var probe = self
    while !probe.isAtEnd {
      if probe.readWord("var"), probe.next == UInt8(ascii: "(") { return .variable }
      if probe.readWord("context-fill") || probe.readWord("context-stroke") { return .contextPaint }
      for name in spaces where probe.readWord(name) {
        if probe.next == UInt8(ascii: "(") { return .colorFunction }
      }
      if probe.readWord().isEmpty { probe.advance() }
    }
    return .propertyValue
  }

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

  /// Reads the name in `url(#name)`, with or without quotes.
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

  /// Reads a number or a percentage, limited to the range from 0 to 1.
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
