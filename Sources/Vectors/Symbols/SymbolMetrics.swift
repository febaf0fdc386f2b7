// The position of a template's drawing beside text, computed from the template's guides.

/// Lengths in points, for text of a certain size.
package struct SymbolMetrics: Sendable, Equatable {
  /// The distance by which the drawing extends below the baseline.
  package var depth: Double
  package var capHeight: Double
  package var leftMargin: Double
  package var rightMargin: Double
  /// The free space beside letters, a share of the size of the text.
  package var inset: Double
}

extension SymbolTemplate {
  /// The size of text, in points, for which templates are drawn.
  package static let pointSize = 100.0

  /// Returns the metrics beside text of a size. If a guide is missing, the cap height is the usual
  /// one of templates, the baseline is the lower edge of the drawing, and the margins are 0.
  package func metrics(of drawing: TemplateDrawing, pointSize: Double) -> SymbolMetrics {
    let scale = pointSize / SymbolTemplate.pointSize
    let bottom = drawing.box.y + drawing.box.height
    let base = baselines[drawing.size - 1]?.middleY ?? bottom
    let cap = caplines[drawing.size - 1]?.middleY ?? base - SymbolTemplate.capHeight
    let margins = margins(of: drawing) ?? (left: 0, right: 0)
    let growth = isVariable ? SymbolAxis.growth(ofSize: drawing.size) : 1
    return SymbolMetrics(
      depth: (bottom - base) * scale, capHeight: (base - cap) * scale,
      leftMargin: margins.left * scale, rightMargin: margins.right * scale,
      inset: 0.068_359_375 * pointSize * growth)
  }
}

/// A fault of a template that gives another result than its author intended.
package enum TemplateFault: Sendable, Equatable {
  /// The ids of guides that drawings need and the template does not have.
  case missingGuides([String])
  /// The ids of two drawings that cannot be interpolated, each with the numbers of points of its
  /// outlines.
  case incompatible(String, [Int], String, [Int])
  /// The ids of guides that lie outside of the page.
  case guidesOutside([String])
  /// The ids of drawings whose elements contain no outline.
  case empty([String])
}

extension SymbolTemplate {
  /// Returns the name of a drawing, such as "Regular-M".
  package static func name(weight: Int, size: Int) -> String {
    let weights = [
      "Ultralight", "Thin", "Light", "Regular", "Medium", "Semibold", "Bold", "Heavy", "Black",
    ]
    return "\(weights[weight - 1])-\(letter(ofSize: size))"
  }

  private static func letter(ofSize size: Int) -> String { ["S", "M", "L"][size - 1] }

  package var faults: [TemplateFault] {
    var found: [TemplateFault] = []
    if !empty.isEmpty {
      found.append(
        .empty(empty.map { SymbolTemplate.name(weight: $0 % 9 + 1, size: $0 / 9 + 1) }))
    }
    let missing = missingGuides
    if !missing.isEmpty { found.append(.missingGuides(missing)) }
    if let pair = incompatibleMasters { found.append(pair) }
    let outside = guidesOutside
    if !outside.isEmpty { found.append(.guidesOutside(outside)) }
    return found
  }

  private var missingGuides: [String] {
    var names: [String] = []
    for size in 1...3 where drawings.contains(where: { $0.size == size }) {
      let letter = SymbolTemplate.letter(ofSize: size)
      if baselines[size - 1] == nil { names.append("Baseline-\(letter)") }
      if caplines[size - 1] == nil { names.append("Capline-\(letter)") }
    }
    if drawings.contains(where: { margins(of: $0) == nil }) {
      if leftMargin == nil, leftMargins.isEmpty { names.append("left-margin") }
      if rightMargin == nil, rightMargins.isEmpty { names.append("right-margin") }
    }
    return names
  }

  /// The first drawing of a variable template that cannot be interpolated with the regular drawing
  /// of its size.
  private var incompatibleMasters: TemplateFault? {
    guard isVariable else { return nil }
    for size in 1...3 {
      let masters = drawings.filter { $0.size == size }
      guard masters.count > 1, let regular = masters.first(where: { $0.weight == 4 }) else {
        continue
      }
      for master in masters where !master.drawing.isCompatible(with: regular.drawing) {
        return .incompatible(
          SymbolTemplate.name(weight: master.weight, size: size), master.drawing.pointCounts,
          SymbolTemplate.name(weight: 4, size: size), regular.drawing.pointCounts)
      }
    }
    return nil
  }

  private var guidesOutside: [String] {
    func isOutside(_ guide: Guide) -> Bool {
      guide.box.x < 0 || guide.box.x + guide.box.width > width
    }
    var names: [String] = []
    for (side, one, all) in [
      ("left-margin", leftMargin, leftMargins), ("right-margin", rightMargin, rightMargins),
    ] {
      if let one, isOutside(one) { names.append(side) }
      for (number, guide) in all.sorted(by: { $0.key < $1.key }) where isOutside(guide) {
        names.append(
          "\(side)-\(SymbolTemplate.name(weight: number % 9 + 1, size: number / 9 + 1))")
      }
    }
    return names
  }
}
