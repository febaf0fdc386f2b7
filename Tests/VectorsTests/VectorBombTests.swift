// Tests small files that require much work or memory: each ends with the expected outcome, within
// its budget.

import Bytes
import FuzzTargets
import Testing

@testable import Vectors

@Suite struct VectorBombTests {
  @Test(arguments: VectorBomb.vectors.map(\.name))
  func endsWithinItsBudget(_ name: String) throws {
    let bomb = try #require(VectorBomb.vectors.first { $0.name == name })
    let budget = Budget(input: bomb.bytes.count)
    var rasterizer = Rasterizer()
    #expect(outcome(of: bomb, budget, &rasterizer) == bomb.outcome)
    #expect(budget.peakMemory <= budget.mostMemory)
    #expect(rasterizer.statement.peakMemory <= rasterizer.statement.mostMemory)
    // The last expense may exceed the remaining budget, but not by much.
    #expect(budget.workSpent <= budget.mostWork + budget.mostWork / 8)
    #expect(rasterizer.statement.work <= rasterizer.statement.mostWork * 9 / 8)
  }

  private func outcome(
    of bomb: VectorBomb, _ budget: Budget, _ rasterizer: inout Rasterizer
  ) -> VectorBomb.Outcome {
    do {
      let drawing = try bomb.bytes.withUnsafeBytes {
        bomb.kind == .pdf ? try PDFDocument.read($0, budget) : try SVG.read(bomb.bytes, budget)
      }
      _ = try Picture(drawing, bomb.kind == .pdf ? .pdf : .svg, &rasterizer)
      return .drawn
    } catch VectorError.overBudget(let error) {
      return error.account == .work ? .overWork : .overMemory
    } catch {
      return .malformed
    }
  }

  @Test func finestDashesAreAnEvenShade() throws {
    func alpha(_ dashes: String) throws -> UInt8 {
      let text =
        "<svg width='9' height='9'><path d='M0 4h9' stroke='red' stroke-width='4' "
        + "stroke-dasharray='\(dashes)'/></svg>"
      return try #require(try Picture(SVG.read(Array(text.utf8))).alphas[4].dropFirst(4).first)
    }
    #expect(try alpha(".01 .03") == 64)
    #expect(try alpha(".01") == 128)
    #expect(try alpha(".01 0") == 255)
  }

  /// With many stops in one pixel, the colour is found by bisection and must be the same as in
  /// single steps.
  @Test func rampsOfManyStopsAreRight() throws {
    let stops = (0...1_000).map { index in
      "<stop offset='\(Double(index) / 1_000)' stop-color='\(index % 2 == 0 ? "red" : "blue")'/>"
    }.joined()
    func row(_ spread: String, _ end: String) throws -> [UInt32] {
      let text =
        "<svg width='90' height='1'><linearGradient id='a' gradientUnits='userSpaceOnUse' "
        + "x2='\(end)' spreadMethod='\(spread)'>\(stops)</linearGradient>"
        + "<rect width='90' height='1' fill='url(#a)'/></svg>"
      return try Picture(SVG.read(Array(text.utf8))).pixels
    }
    // One period takes 45 pixels, so the second half repeats the first.
    let repeated = try row("repeat", "45")
    #expect(Array(repeated.prefix(45)) == Array(repeated.suffix(45)))
    #expect(try Array(row("pad", "45").prefix(45)) == Array(repeated.prefix(45)))
  }
}
