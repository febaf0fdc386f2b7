// Tests templates of symbols: measures from their guides, numbers of weights and sizes, layers, and
// the faults of templates with missing parts.

import Support
import Testing

@testable import Vectors

@Suite struct SymbolTemplateTests {
  private func template(_ sample: SymbolSample) throws -> SymbolTemplate {
    try SymbolTemplate.read(Array(sample.text.utf8))
  }

  private static let weights = [
    "Ultralight", "Thin", "Light", "Regular", "Medium", "Semibold", "Bold", "Heavy", "Black",
  ]

  @Test func drawingsAreNumberedBySizeAndWeight() throws {
    var sample = SymbolSample()
    for (size, letter) in ["L", "M", "S"].enumerated() {
      for weight in Self.weights.reversed() {
        sample.drawings.append(
          ("\(weight)-\(letter)", SymbolSample.box(3 - size, x: 100, width: 50)))
      }
    }
    let drawings = try template(sample).drawings
    #expect(drawings.map(\.size) == (1...3).flatMap { [Int](repeating: $0, count: 9) })
    #expect(drawings.map(\.weight) == (1...3).flatMap { _ in Array(1...9) })
    for drawing in drawings {
      let name = SymbolTemplate.name(weight: drawing.weight, size: drawing.size)
      #expect(name == "\(Self.weights[drawing.weight - 1])-\(["S", "M", "L"][drawing.size - 1])")
    }
  }

  /// At 100 points: 10 below the baseline, a cap height of 70.5, and margins of 8 on the left and 6
  /// on the right.
  @Test(arguments: [1, 2, 3], [100.0, 17, 13]) func measuresAreThoseOfTheGuides(
    size: Int, points: Double
  ) throws {
    var sample = SymbolSample()
    let id = "Regular-\(["S", "M", "L"][size - 1])"
    sample.drawings = [(id, SymbolSample.box(size, x: 300, width: 60))]
    sample.addMargin("left", id, x: 292)
    sample.addMargin("right", id, x: 366)
    let found = try template(sample)
    let metrics = found.metrics(of: try #require(found.drawings.first), pointSize: points)
    let scale = points / 100
    func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-6 }
    #expect(isNear(metrics.depth, 10 * scale) && isNear(metrics.capHeight, 70.5 * scale))
    #expect(isNear(metrics.leftMargin, 8 * scale) && isNear(metrics.rightMargin, 6 * scale))
  }

  /// Guides for all drawings are placed beside the regular drawing of the medium size.
  @Test func marginsWithoutAWeightAreThoseOfTheRegularDrawing() throws {
    var sample = SymbolSample()
    sample.drawings = [
      ("Regular-M", SymbolSample.box(2, x: 300, width: 60)),
      ("Black-L", SymbolSample.box(3, x: 500, width: 90)),
    ]
    sample.addMargin("left", x: 290)
    sample.addMargin("right", x: 364)
    let found = try template(sample)
    #expect(found.drawings.count == 2)
    for drawing in found.drawings {
      let margins = try #require(found.margins(of: drawing))
      #expect(margins.left == 10 && margins.right == 4)
    }
  }

  /// From version 3 on, drawings that a template does not contain are interpolated from those that
  /// it contains.
  @Test(arguments: [("2.0", false), ("2.9", false), ("3.0", true), ("5.0", true), (nil, false)])
  func templatesAreVariableFromVersionThree(version: String?, isVariable: Bool) throws {
    var sample = SymbolSample.variable()
    sample.version = version
    #expect(try template(sample).isVariable == isVariable)
  }

  @Test func missingGuidesAndOutlyingDrawingsAreReported() throws {
    var sample = SymbolSample(guides: "S")
    sample.drawings = [
      ("Regular-S", SymbolSample.box(1, x: 300, width: 60)),
      ("Bold-L", SymbolSample.box(3, x: 300, width: 60)), ("Thin-S", ""),
    ]
    #expect(
      try template(sample).faults == [
        .empty(["Thin-S"]),
        .missingGuides(["Baseline-L", "Capline-L", "left-margin", "right-margin"]),
      ])
    sample = SymbolSample()
    sample.drawings = [("Regular-M", SymbolSample.box(2, x: 300, width: 60))]
    for (left, right, outside) in [
      (290.0, 364.0, []), (-1, 364, ["left-margin"]), (290, 1001, ["right-margin"]), (0, 1000, []),
    ] {
      var guided = sample
      guided.addMargin("left", x: left)
      guided.addMargin("right", x: right)
      let faults = try template(guided).faults
      #expect(faults == (outside.isEmpty ? [] : [.guidesOutside(outside)]), "\(left) \(right)")
    }
  }

  /// The positions of the weights between the lightest and the boldest one, as measured on symbols
  /// with all nine weights.
  @Test func weightsHaveTheirMeasuredPositions() {
    let places = [0, 0.226, 0.667, 1, 1.18, 1.318, 1.5, 1.764, 2]
    #expect((1...9).map { SymbolAxis.place(ofWeight: $0) } == places)
    #expect(places == places.sorted())
    #expect((1...3).map { SymbolAxis.growth(ofSize: $0) } == [1, 1.27604, 1.62828])
  }

  // MARK: Layers

  private func layers(_ classes: String, style: String = "") throws -> [SymbolLayer] {
    let text = """
      <svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><style>\(style)</style>
      <path class='\(classes)' fill='red' d='M0 0h9v9z'/></svg>
      """
    return try #require(SVG.readSymbol(Array(text.utf8)).shapes.first).layers
  }

  /// The levels show all of the tint, half of it or a quarter of it.
  @Test(arguments: [("primary", 1.0), ("secondary", 0.5), ("tertiary", 0.25), ("other", 1)])
  func levelsShowAShareOfTheTint(role: String, share: Double) throws {
    let found = try layers("hierarchical-0:\(role)")
    #expect(found.map(\.mode) == [.hierarchical] && found.map(\.ink) == [.tint(share)])
  }

  @Test func classesNameInksAndRulesAddToThem() throws {
    #expect(try layers("multicolor-0:tintColor").map(\.ink) == [.tint(1)])
    #expect(try layers("multicolor-0:custom").map(\.ink) == [.color(Color(1, 0, 0))])
    #expect(
      try layers("monochrome-0 hierarchical-1:secondary").map(\.mode) == [
        .monochrome, .hierarchical,
      ])
    let ruled = try layers(
      "multicolor-0:x",
      style: ".multicolor-0:x {opacity:.25;-sfsymbols-clear-behind:true;fill:#00f}")
    #expect(ruled.map(\.opacity) == [0.25] && ruled.map(\.clearsBehind) == [true])
    #expect(ruled.map(\.ink) == [.color(Color(0, 0, 1))])
  }
}
