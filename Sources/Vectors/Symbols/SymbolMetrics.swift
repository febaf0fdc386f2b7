// How a drawing of a template stands beside text, from the template's guides.

/// Lengths in points of text of some size.
package struct SymbolMetrics: Sendable, Equatable {
  /// How far the drawing reaches below the base line.
  package var depth: Double
  package var capHeight: Double
  package var leftMargin: Double
  package var rightMargin: Double
  /// What is left free beside letters: a share of the size of the text.
  package var inset: Double
}

extension SymbolTemplate {
  /// Templates are drawn for text of this size.
  package static let pointSize = 100.0

  /// The metrics beside text of a size. What no guide says is the height of capitals of templates, a base
  /// line under the drawing, and no margins.
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

/// What of a template will not come out as its author means it.
package enum TemplateFault: Sendable, Equatable {
  /// Guides that drawings need and the template lacks, by their ids.
  case missingGuides([String])
  /// Drawings between which none can be made, by their ids, and the numbers of points of their outlines.
  case incompatible(String, [Int], String, [Int])
  /// Guides beside the page, by their ids.
  case guidesOutside([String])
  /// Elements with the id of a drawing that hold no outline.
  case empty([String])
}

extension SymbolTemplate {
  /// "Regular-M"
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

  /// Of a variable template, the first drawing that cannot be mixed with the regular one of its size.
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
