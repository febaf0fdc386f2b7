// The names of SVG and CSS that the reader knows.

enum ElementName: UInt8 {
  case svg, g, path, rect, circle, ellipse, line, polyline, polygon, use, symbol, defs, style
  case clipPath, mask, linearGradient, radialGradient, stop, pattern, `switch`, a
  case text, image, filter, foreignObject, marker, script, animation, unknown

  private static let table: [(StaticString, ElementName)] = [
    ("path", .path), ("g", .g), ("circle", .circle), ("rect", .rect), ("stop", .stop),
    ("linearGradient", .linearGradient), ("clipPath", .clipPath), ("defs", .defs), ("svg", .svg),
    ("ellipse", .ellipse), ("line", .line), ("polyline", .polyline), ("polygon", .polygon),
    ("use", .use), ("symbol", .symbol), ("style", .style), ("mask", .mask),
    ("radialGradient", .radialGradient), ("pattern", .pattern), ("switch", .switch), ("a", .a),
    ("text", .text), ("image", .image), ("filter", .filter), ("foreignObject", .foreignObject),
    ("marker", .marker), ("script", .script), ("animate", .animation), ("set", .animation),
    ("animateTransform", .animation), ("animateMotion", .animation), ("animateColor", .animation),
  ]

  init(_ text: [UInt8], _ name: ByteRange) {
    self = find(text, name, in: ElementName.table) ?? .unknown
  }
}

/// The names of attributes and properties.
enum AttributeName: UInt8 {
  // Attributes.
  case id, `class`, style, href, transform, d, x, y, width, height, rx, ry, cx, cy, r, x1, y1, x2
  case y2, fx, fy, fr, points, viewBox, preserveAspectRatio, gradientUnits, gradientTransform
  case spreadMethod, offset, patternUnits, patternContentUnits, patternTransform, clipPathUnits
  case maskUnits, maskContentUnits, requiredFeatures, requiredExtensions, systemLanguage
  case xlinkHref, type, pathLength
  // Properties.
  case fill, fillOpacity, fillRule, stroke, strokeOpacity, strokeWidth, strokeLinecap
  case strokeLinejoin, strokeMiterlimit, strokeDasharray, strokeDashoffset, opacity, color
  case clipPath, clipRule, mask, display, visibility, stopColor, stopOpacity, mixBlendMode
  case isolation, filter, fontSize, overflow, paintOrder, marker, vectorEffect, markerStart
  case markerMid, markerEnd, shapeRendering, maskType, transformOrigin, transformBox, background
  case imageRendering
  case unknown

  var isProperty: Bool { rawValue >= AttributeName.fill.rawValue && self != .unknown }

  /// Whether a style can give the attribute too, and then overrides it.
  var isSettled: Bool {
    switch self {
    case .transform, .d, .x, .y, .width, .height, .rx, .ry, .cx, .cy, .r: true
    default: false
    }
  }

  /// Whether the value of the attribute is one length.
  var isLength: Bool {
    switch self {
    case .x, .y, .width, .height, .rx, .ry, .cx, .cy, .r, .x1, .y1, .x2, .y2, .fx, .fy, .fr: true
    default: false
    }
  }

  private static let table: [(StaticString, AttributeName)] = [
    ("d", .d), ("fill", .fill), ("id", .id), ("class", .class), ("style", .style),
    ("stroke", .stroke), ("x", .x), ("y", .y), ("width", .width), ("height", .height),
    ("transform", .transform), ("fill-rule", .fillRule), ("clip-rule", .clipRule),
    ("stroke-width", .strokeWidth), ("opacity", .opacity), ("fill-opacity", .fillOpacity),
    ("clip-path", .clipPath), ("viewBox", .viewBox), ("href", .href), ("rx", .rx), ("ry", .ry),
    ("cx", .cx), ("cy", .cy), ("r", .r), ("x1", .x1), ("y1", .y1), ("x2", .x2), ("y2", .y2),
    ("fx", .fx), ("fy", .fy), ("fr", .fr), ("points", .points), ("offset", .offset),
    ("preserveAspectRatio", .preserveAspectRatio), ("gradientUnits", .gradientUnits),
    ("gradientTransform", .gradientTransform), ("spreadMethod", .spreadMethod),
    ("patternUnits", .patternUnits), ("patternContentUnits", .patternContentUnits),
    ("patternTransform", .patternTransform), ("clipPathUnits", .clipPathUnits),
    ("maskUnits", .maskUnits), ("maskContentUnits", .maskContentUnits),
    ("requiredFeatures", .requiredFeatures), ("requiredExtensions", .requiredExtensions),
    ("systemLanguage", .systemLanguage), ("stroke-opacity", .strokeOpacity),
    ("stroke-linecap", .strokeLinecap), ("stroke-linejoin", .strokeLinejoin),
    ("stroke-miterlimit", .strokeMiterlimit), ("stroke-dasharray", .strokeDasharray),
    ("stroke-dashoffset", .strokeDashoffset), ("color", .color), ("mask", .mask),
    ("display", .display), ("visibility", .visibility), ("stop-color", .stopColor),
    ("stop-opacity", .stopOpacity), ("mix-blend-mode", .mixBlendMode),
    ("isolation", .isolation), ("filter", .filter), ("font-size", .fontSize),
    ("overflow", .overflow), ("paint-order", .paintOrder), ("marker", .marker),
    ("marker-start", .markerStart), ("marker-mid", .markerMid), ("marker-end", .markerEnd),
    ("vector-effect", .vectorEffect), ("type", .type), ("shape-rendering", .shapeRendering),
    ("mask-type", .maskType), ("transform-origin", .transformOrigin),
    ("transform-box", .transformBox), ("background", .background),
    ("image-rendering", .imageRendering), ("background-color", .background),
    ("background-image", .background), ("pathLength", .pathLength),
  ]

  init(_ text: [UInt8], _ name: ByteRange) {
    self = find(text, name, in: AttributeName.table) ?? .unknown
  }
}

private func find<Value>(
  _ text: [UInt8], _ name: ByteRange, in table: [(StaticString, Value)]
) -> Value? {
  let count = name.range.count
  return text.withUnsafeBufferPointer { bytes -> Value? in
    for (known, value) in table where known.utf8CodeUnitCount == count {
      var i = 0
      while i < count, bytes[Int(name.start) + i] == known.utf8Start[i] { i += 1 }
      if i == count { return value }
    }
    return nil
  }
}
