// Compares a bitmap that Apple's tool made from a vector with Carve's, and prints a table of many
// comparisons.

import Vectors

struct Comparison {
  enum Kind: String, CaseIterable {
    case fill, stroke, thinStroke = "thin stroke", group = "group alpha", gradient, mask, blend
    case image, pattern, svg = "SVG", icon
  }

  var name: String
  var kind: Kind
  var scale: Int
  var width: Int
  var height: Int
  /// Premultiplied pixels, with blue in the lowest byte.
  var ours: [UInt32]
  var apples: [UInt32]
  /// The number of pixels for each difference, in the channel with the largest difference.
  private var counts = [Int](repeating: 0, count: 256)

  init(
    name: String, kind: Kind, scale: Int, width: Int, height: Int, ours: [UInt32],
    apples: [UInt32]
  ) {
    self.name = name
    self.kind = kind
    self.scale = scale
    self.width = width
    self.height = height
    self.ours = ours
    self.apples = apples
    for (a, b) in zip(ours, apples) { counts[Comparison.difference(a, b)] += 1 }
  }

  static func difference(_ a: UInt32, _ b: UInt32) -> Int {
    [0, 8, 16, 24].map { abs(Int(a >> UInt32($0) & 255) - Int(b >> UInt32($0) & 255)) }.max() ?? 0
  }

  func share(within most: Int) -> Double {
    Double(counts[...most].reduce(0, +)) / Double(max(1, width * height))
  }

  var worst: Int { counts.lastIndex { $0 > 0 } ?? 0 }

  /// The mean square of the differences.
  var error: Double {
    let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.offset * $1.element) }
    return sum / Double(max(1, width * height))
  }

  var line: String {
    let tenths = Int(share(within: 1) * 1_000)
    return "\(name) @\(scale)x \(width)×\(height) \(kind.rawValue): worst \(worst), "
      + "within 1: \(tenths / 10).\(tenths % 10)%, error \(Int(error * 100))"
  }
}

/// Returns the feature of a drawing that is the hardest to draw.
func kind(of drawing: Drawing, _ source: PagePlacement.Source, _ scale: Double) -> Comparison.Kind {
  if source == .svg { return .svg }
  if !drawing.images.isEmpty { return .image }
  if !drawing.masks.isEmpty { return .mask }
  if !drawing.patterns.isEmpty { return .pattern }
  if !drawing.shadings.isEmpty { return .gradient }
  var kind = Comparison.Kind.fill
  for item in drawing.page + drawing.scenes.joined() {
    if item.blend != .normal { return .blend }
    switch item.shape {
    case .group: kind = .group
    case .stroke(_, let stroke):
      let size = item.transform.determinant.magnitude.squareRoot() * scale * stroke.width
      if size <= 1 { return .thinStroke }
      if kind == .fill { kind = .stroke }
    default: if item.alpha < 1, kind == .fill { kind = .group }
    }
  }
  return kind
}

/// Prints a row for each kind of drawing, with the means over its bitmaps.
func printTable(_ comparisons: [Comparison]) {
  print(row(["", "bitmaps", "identical", "±1", "±2", "±8", "worst", "within 2"]))
  for kind in Comparison.Kind.allCases {
    let part = comparisons.filter { $0.kind == kind }
    if !part.isEmpty { print(row(kind.rawValue, part)) }
  }
  print(row("all", comparisons))
}

private func row(_ title: String, _ part: [Comparison]) -> String {
  func mean(_ most: Int) -> String {
    let sum = part.reduce(0.0) { $0 + $1.share(within: most) }
    return percent(sum / Double(max(1, part.count)))
  }
  let worst = part.map(\.worst).max() ?? 0
  let near = part.filter { $0.worst <= 2 }.count
  return row([
    title, "\(part.count)", mean(0), mean(1), mean(2), mean(8), "\(worst)",
    percent(Double(near) / Double(max(1, part.count))),
  ])
}

private func percent(_ share: Double) -> String {
  let hundredths = Int(share * 10_000 + 0.5)
  let rest = hundredths % 100
  return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}

private func row(_ cells: [String]) -> String {
  cells.enumerated().map { i, cell in
    let width = i == 0 ? 14 : 11
    let blanks = String(repeating: " ", count: max(1, width - cell.count))
    return i == 0 ? cell + blanks : blanks + cell
  }.joined()
}
