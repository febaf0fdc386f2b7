// Symbols of compiled templates, found and drawn at run time: exact drawings, weights between them,
// missing sizes, and layers in colour.

import CCarve
import CarveRuntime
import Support
import Testing
import Traits

@testable import CatalogCompiler

@Suite struct SymbolDrawingTests {
  private func view(_ sample: SymbolSample, style: Style = .any) throws -> CatalogView {
    var sources = SampleSources()
    sources.symbol("Sign", sample.text)
    var environment = Environment()
    environment.style = style
    return try Catalog(bytes: try sources.compiled().bytes).view(for: environment)
  }

  private func page(_ view: CatalogView, _ weight: Double, _ size: SymbolSize) throws -> SymbolPage
  {
    let symbol = try #require(view.symbol("Sign", SymbolStyle(weight: weight, size: size)))
    return try view.catalog.page(of: symbol, pointSize: 100)
  }

  private func pixels(
    _ view: CatalogView, _ rendering: SymbolRendering, weight: Double = 4, width: Int, height: Int,
    tint: Tint = Tint(red: 0, green: 0, blue: 1)
  ) throws -> [UInt32] {
    let symbol = try #require(view.symbol("Sign", SymbolStyle(weight: weight, size: .small)))
    var pixels = [UInt32](repeating: 0, count: width * height)
    try pixels.withUnsafeMutableBytes {
      try view.catalog.drawSymbol(
        symbol, rendering, tint: tint, as: .bgra8, width: width, height: height, into: $0,
        rowStride: width * 4)
    }
    return pixels
  }

  @Test func drawingsAreFoundByWeightAndSize() throws {
    let view = try view(.variable())
    for weight in SymbolWeight.allCases {
      for size in SymbolSize.allCases {
        let isThere = size == .small && [.ultralight, .regular, .black].contains(weight)
        #expect((view.findSymbol("Sign", Glyph(weight, size)) != nil) == isThere)
      }
    }
    #expect(view.findSymbol("Other", Glyph(.regular, .small)) == nil)
    #expect(view.symbol("Other") == nil)
    // A request with only the name gets the regular drawing.
    let plain = try #require(view.find("Sign", .symbol))
    let regular = try #require(view.findSymbol("Sign", Glyph(.regular, .small)))
    #expect(try view.catalog.file(of: plain) == view.catalog.file(of: regular))
  }

  /// The outlines of a symbol count against the limit as its text does.
  @Test func readingASymbolCountsAgainstTheLimit() throws {
    let view = try view(.variable())
    let symbol = try #require(view.symbol("Sign", SymbolStyle(Glyph(.regular, .small))))
    let drawing = try #require(view.findSymbol("Sign", Glyph(.regular, .small)))
    let text = try view.catalog.file(of: drawing).count
    let few = DecodeLimits(scratchBytes: text + 16)
    #expect {
      try view.catalog.page(of: symbol, limits: few)
    } throws: { error in
      if case .vectorOverLimit? = error as? CatalogError { true } else { false }
    }
    _ = try view.catalog.page(of: symbol, limits: DecodeLimits(scratchBytes: 1 << 18))
  }

  @Test(arguments: [
    (1.0, 10.0), (2, 16.78), (3, 30.01), (4, 40), (5, 47.2), (7, 60), (9, 80), (8.5, 75.28),
  ])
  func weightsBetweenDrawingsAreMadeOfThem(weight: Double, width: Double) throws {
    let view = try view(.variable())
    let page = try page(view, weight, .small)
    #expect(abs(page.width - width) < 0.01, "\(page.width)")
    #expect(abs(page.height - 80) < 0.001 && abs(page.depth - 10) < 0.001)
    #expect(abs(page.leftMargin - 8) < 0.01 && abs(page.rightMargin - 6) < 0.01)
    #expect(page.isInterpolated == ![1, 4, 9].contains(weight))
    #expect(page.templateVersion == 5 && abs(page.capHeight - 70.5) < 0.001)
  }

  @Test func sizesThatATemplateLacksAreMadeAroundTheMiddleOfCapitals() throws {
    let view = try view(.variable())
    let page = try page(view, 4, .medium)
    #expect(abs(page.width - 40 * 1.27604) < 0.01 && abs(page.height - 80 * 1.27604) < 0.01)
    #expect(abs(page.depth - (45.25 * 1.27604 - 35.25)) < 0.01)
    #expect(abs(page.capHeight - 70.5) < 0.01)
    #expect(view.symbol("Sign", SymbolStyle(Glyph(.regular, .medium)))?.isExact == false)
    #expect(view.symbol("Sign", SymbolStyle(Glyph(.regular, .small)))?.isExact == true)
  }

  @Test func drawingsWithOtherStepsShowTheNearest() throws {
    var sample = SymbolSample.variable()
    sample.drawings[2].body = "<path d=\"M600 30H640V60L680 80V110H600Z\"/>"
    let view = try view(sample)
    #expect(abs(try page(view, 5, .small).width - 40) < 0.01)
    #expect(abs(try page(view, 8, .small).width - 80) < 0.01)
    #expect(try !page(view, 8, .small).isInterpolated)
  }

  private func layered(_ classes: [String], style: String = "") -> SymbolSample {
    var sample = SymbolSample(guides: "S")
    sample.style = style
    sample.addMargin("left", x: 90)
    sample.addMargin("right", x: 190)
    // The drawing has a square, and its left half as a second layer.
    let boxes = zip([80.0, 40], classes).map { width, name in
      SymbolSample.box(1, x: 100, width: width, attributes: "class=\"\(name)\"")
    }
    sample.drawings = [("Regular-S", boxes.joined())]
    return sample
  }

  @Test func oneColourIsTheTint() throws {
    let view = try view(layered(["multicolor-0:systemRedColor", "multicolor-1:tintColor"]))
    #expect(try pixels(view, .monochrome, width: 2, height: 1) == [0xFF00_00FF, 0xFF00_00FF])
    let clear = Tint(red: 1, green: 0, blue: 0, alpha: 0.5)
    #expect(
      try pixels(view, .monochrome, width: 2, height: 1, tint: clear)[1] == 0x8080_0000)
  }

  @Test func coloursAreThoseOfTheFile() throws {
    let sample = layered(["multicolor-0:systemRedColor", "multicolor-1:tintColor"])
    #expect(
      try pixels(try view(sample), .multicolor, width: 2, height: 1) == [0xFF00_00FF, 0xFFFF_3B30])
    // System colours have another value in dark appearance.
    #expect(
      try pixels(try view(sample, style: .dark), .multicolor, width: 2, height: 1)[1]
        == 0xFFFF_453A)
  }

  @Test func shadesAreSharesOfTheTint() throws {
    let view = try view(layered(["hierarchical-0:secondary", "hierarchical-1:primary"]))
    #expect(try pixels(view, .hierarchical, width: 2, height: 1) == [0xFF00_00FF, 0x8000_0080])
    // If a file has no layers for multicolour, the drawing has one colour.
    #expect(try pixels(view, .multicolor, width: 2, height: 1) == [0xFF00_00FF, 0xFF00_00FF])
    let page = try page(view, 4, .small)
    #expect(page.hasHierarchy && !page.hasColors)
  }

  @Test func clearingLayersAreHoles() throws {
    let view = try view(
      layered(
        ["monochrome-0", "monochrome-1"], style: ".monochrome-1 {-sfsymbols-clear-behind:true}"))
    #expect(try pixels(view, .monochrome, width: 2, height: 1) == [0, 0xFF00_00FF])
  }

  @Test func thinningKeepsTheDrawingsThatAreMixed() throws {
    let view = try view(.variable())
    #expect(
      try pixels(view, .monochrome, weight: 7, width: 3, height: 2).allSatisfy { $0 == 0xFF00_00FF }
    )
  }
}

// MARK: - C interface

@Suite struct SymbolHeaderTests {
  /// Opens a view of the variable sample through the C interface. The caller closes both.
  private func opened() throws -> (catalog: OpaquePointer, view: OpaquePointer) {
    var sources = SampleSources()
    sources.symbol("Sign", SymbolSample.variable().text)
    let bytes = try sources.compiled().bytes
    var catalog: OpaquePointer?
    var view: OpaquePointer?
    var traits = carve_traits()
    carve_traits_init(&traits, MemoryLayout<carve_traits>.size)
    #expect(carve_open_bytes(bytes, bytes.count, 0, &catalog, nil) == CARVE_OK)
    #expect(carve_view_for(catalog, &traits, &view, nil) == CARVE_OK)
    return (try #require(catalog), try #require(view))
  }

  private func style(weight: Double, size: Int) -> carve_symbol_style {
    carve_symbol_style(
      size: 24, symbol_size: UInt8(size), rendering: 0, reserved: 0, weight: weight,
      point_size: 100)
  }

  @Test func drawingsAreFoundAndMeasured() throws {
    let (catalog, view) = try opened()
    var rendition = carve_rendition()
    rendition.size = UInt32(MemoryLayout<carve_rendition>.size)
    let small = Int32(CARVE_SYMBOL_SMALL)
    #expect(carve_find_symbol(view, "Sign", 4, 9, small, &rendition) == CARVE_OK)
    #expect(Int(rendition.content) == Int(CARVE_CONTENT_SVG))
    #expect(carve_find_symbol(view, "Sign", 4, 8, small, &rendition) == CARVE_NONE)
    #expect(carve_find_symbol(view, "Sign", 4, 10, small, &rendition) == CARVE_BAD_ARGUMENT)
    #expect(carve_find_symbol(view, "Sign", 4, 9, 4, &rendition) == CARVE_BAD_ARGUMENT)
    var symbol = carve_symbol()
    symbol.size = UInt32(MemoryLayout<carve_symbol>.size)
    var bold = style(weight: 7, size: 1)
    #expect(carve_get_symbol(view, "Sign", 4, &bold, &symbol, nil, nil) == CARVE_OK)
    #expect(abs(symbol.width - 60) < 0.01 && symbol.is_exact == 0 && symbol.is_interpolated == 1)
    #expect(symbol.template_version == 5 && abs(symbol.left_margin - 8) < 0.01)
    // Without a style, the drawing is regular, of medium size, for the archive's size of text.
    #expect(carve_get_symbol(view, "Sign", 4, nil, &symbol, nil, nil) == CARVE_OK)
    #expect(abs(symbol.width - 0.17 * 40 * 1.27604) < 0.01)
    #expect(carve_get_symbol(view, "Sing", 4, nil, &symbol, nil, nil) == CARVE_NONE)
    for weight in [0.5, 9.5, .nan, -1] {
      var wrong = style(weight: weight, size: 1)
      #expect(
        carve_get_symbol(view, "Sign", 4, &wrong, &symbol, nil, nil) == CARVE_BAD_ARGUMENT)
    }
    carve_view_close(view)
    carve_close(catalog)
  }

  @Test func drawingsFillThePixels() throws {
    let (catalog, view) = try opened()
    var pixels = [UInt32](repeating: 7, count: 6)
    var bold = style(weight: 7, size: 1)
    var green = carve_color()
    green.size = UInt32(MemoryLayout<carve_color>.size)
    (green.space, green.green, green.alpha) = (1, 1, 1)
    func draw(_ tint: UnsafePointer<carve_color>?, width: UInt32 = 3) -> Int32 {
      carve_draw_symbol(
        view, "Sign", 4, &bold, Int32(CARVE_BGRA8), Int32(CARVE_SRGB), width, 2, tint, &pixels, 24,
        12, nil, nil)
    }
    #expect(draw(&green) == CARVE_OK && pixels == Array(repeating: 0xFF00_FF00, count: 6))
    #expect(draw(nil) == CARVE_OK && pixels == Array(repeating: 0xFF00_0000, count: 6))
    #expect(draw(nil, width: 4) == CARVE_BUFFER_TOO_SMALL)
    #expect(draw(nil, width: 0) == CARVE_OVER_LIMIT)
    bold.symbol_size = 9
    #expect(draw(nil) == CARVE_BAD_ARGUMENT)
    carve_view_close(view)
    carve_close(catalog)
  }
}
