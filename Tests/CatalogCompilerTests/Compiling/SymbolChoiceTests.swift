// The drawing of a symbol that is shown if the requested one does not exist, the numbers by which
// drawings are found, and the order of drawings in archives.

import Archive
import CCarve
import CarveRuntime
import Support
import Testing
import Traits

@testable import CatalogCompiler

@Suite struct SymbolChoiceTests {
  private func bytes(_ ids: [(id: String, width: Double)]) throws -> [UInt8] {
    var sample = SymbolSample()
    for (id, width) in ids {
      let size = id.hasSuffix("S") ? 1 : id.hasSuffix("M") ? 2 : 3
      sample.drawings.append((id, SymbolSample.box(size, x: 100, width: width)))
    }
    var sources = SampleSources()
    sources.symbol("Sign", sample.text)
    return try sources.compiled().bytes
  }

  private func glyph(
    _ ids: [(id: String, width: Double)], _ weight: Double, _ size: SymbolSize
  ) throws -> Glyph? {
    let view = try Catalog(bytes: try bytes(ids)).view(for: Environment())
    return view.symbol("Sign", SymbolStyle(weight: weight, size: size))?.glyph
  }

  /// If the requested size has no drawing, the smaller one of the other sizes is shown.
  @Test func aSizeWithoutDrawingsTakesTheSmaller() throws {
    let both: [(String, Double)] = [("Regular-S", 40), ("Regular-L", 90)]
    #expect(try glyph(both, 4, .medium) == Glyph(.regular, .small))
    #expect(try glyph([("Regular-L", 90)], 4, .medium) == Glyph(.regular, .large))
    #expect(
      try glyph([("Regular-S", 40), ("Regular-M", 60)], 4, .large) == Glyph(.regular, .small))
    #expect(try glyph(both, 4, .large) == Glyph(.regular, .large))
  }

  /// Another size with drawings on both sides of the weight is preferred to the requested size with
  /// drawings on one side.
  @Test func anotherSizeServesIfItIsOnBothSidesOfTheWeight() throws {
    let ids: [(String, Double)] = [("Regular-M", 60), ("Regular-S", 40), ("Black-S", 80)]
    #expect(try glyph(ids, 9, .medium) == Glyph(.black, .small))
    #expect(try glyph(ids, 4, .medium) == Glyph(.regular, .medium))
    #expect(try glyph(ids, 2, .medium) == Glyph(.regular, .medium))
  }

  /// The C interface states for which kinds of layers a drawing is made.
  @Test(arguments: [
    ("hierarchical-0:primary", true, false), ("multicolor-0:tintColor", false, true),
    ("monochrome-0", false, false),
  ])
  func layersAreToldToC(name: String, hasHierarchy: Bool, hasColors: Bool) throws {
    var sample = SymbolSample()
    sample.drawings = [
      ("Regular-M", SymbolSample.box(2, x: 300, width: 60, attributes: "class=\"\(name)\""))
    ]
    var sources = SampleSources()
    sources.symbol("Sign", sample.text)
    let bytes = try sources.compiled().bytes
    var catalog: OpaquePointer?
    var view: OpaquePointer?
    var traits = carve_traits()
    carve_traits_init(&traits, MemoryLayout<carve_traits>.size)
    #expect(carve_open_bytes(bytes, bytes.count, 0, &catalog, nil) == CARVE_OK)
    #expect(carve_view_for(catalog, &traits, &view, nil) == CARVE_OK)
    var symbol = carve_symbol()
    symbol.size = UInt32(MemoryLayout<carve_symbol>.size)
    #expect(carve_get_symbol(view, "Sign", 4, nil, &symbol, nil, nil) == CARVE_OK)
    #expect((symbol.has_hierarchy != 0) == hasHierarchy && (symbol.has_colors != 0) == hasColors)
    #expect(symbol.is_exact == 1 && symbol.is_interpolated == 0)
    carve_view_close(view)
    carve_close(catalog)
  }

  /// Blocks are sorted by size and then by weight, in any order of the template's drawings.
  @Test func drawingsLieBySizeAndThenByWeight() throws {
    let ids = ["Black-L", "Thin-M", "Regular-S", "Thin-L", "Regular-M", "Black-S", "Thin-S"]
    let all = try bytes(ids.enumerated().map { ($1, 40 + 5 * Double($0)) })
    let glyphs = try all.withUnsafeBytes { file in
      let archive = try Archive(file)
      return try archive.renditions()
        .sorted { $0.range.lowerBound < $1.range.lowerBound }.map { $0.key.details.glyph }
    }
    #expect(
      glyphs == [
        Glyph(.thin, .small), Glyph(.regular, .small), Glyph(.black, .small), Glyph(.thin, .medium),
        Glyph(.regular, .medium), Glyph(.thin, .large), Glyph(.black, .large),
      ])
  }
}
