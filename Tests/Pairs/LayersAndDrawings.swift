// The compared values of symbols and layered icons: the metrics of drawings, and every field of
// stacks, groups and gradients.

import Archive

extension GlyphMetrics {
  /// Returns whether both drawings have the same place beside text. Tools of 2020 included half of
  /// the line width of a guide, and stated the sizes of bitmaps that later tools do not make.
  func agrees(with theirs: GlyphMetrics) -> Bool {
    func isNear(_ a: Float, _ b: Float) -> Bool { abs(a - b) < 2e-4 }
    let half = 0.25 * Float(pointSize) / 100
    return pointSize == theirs.pointSize
      && (isNear(depth, theirs.depth) || isNear(depth + half, theirs.depth))
      && isNear(capHeight, theirs.capHeight) && isNear(leftMargin, theirs.leftMargin)
      && isNear(rightMargin, theirs.rightMargin) && isNear(leftInset, theirs.leftInset)
      && isNear(rightInset, theirs.rightInset) && version == theirs.version
  }
}

extension Rendition {
  /// Returns the rows of a stack or group, or the stops of a gradient, as text; nil for every other
  /// rendition. `names` contains the facets by their numbers.
  func layerText(_ names: [UInt16: String]) throws -> [String]? {
    if let gradient = try GradientPayload(payload) {
      return [
        "\(gradient.style) \(gradient.startX) \(gradient.startY) \(gradient.endX) \(gradient.endY)"
      ]
        + gradient.stops.map { "\($0.position) \(releasedName($0.color.text))" }
    }
    guard [.iconStack, .iconGroup, .layerStack].contains(header.layout) else { return nil }
    var text = ["\(header.layout.rawValue) \(header.width) \(header.height) \(header.name)"]
    for property in try allProperties() {
      switch property {
      case .layers(let rows):
        text += rows.map { row in
          let key = row.key.map { pair in
            pair.attribute == .identifier ? names[pair.value] ?? "?" : "\(pair.value)"
          }
          return
            "\(row.x) \(row.y) \(row.width) \(row.height) \(row.blendMode) \(row.opacity) \(key)"
        }
      case .layerAttributes(let rows):
        text += rows.map { "\($0.bits) \($0.blur) \(releasedName($0.fill.text))" }
      case .layerEffects(let rows):
        text += rows.map {
          "\($0.isSpecular) \($0.translucency) \($0.shadow) \($0.shadowOpacity) \($0.placement)"
        }
      case .layerRefraction(let rows):
        text += rows.map { "\($0.strength) \($0.depth)" }
      default: text.append("\(property)")
      }
    }
    return text
  }
}

/// Returns the name in released versions. Beta versions used another name for the parts of an icon.
func releasedName(_ name: String) -> String { name.replacing("_Assets/", with: "/") }
