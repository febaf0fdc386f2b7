// Tests pixels in arrays of their own, and variants as text.

import CarveRuntime
import Testing
import Traits

@Suite struct PixelsTests {
  @Test func aPictureIsAnArrayOfItsOwn() throws {
    var builder = sampleBuilder()
    builder.addFile("Flag", VariantKey(), Array(flagSVG.utf8), format: .svg, layout: .vector)
    let catalog = try builder.catalog()
    let view = catalog.view(for: environment { $0.scale = 2 })
    let star = try #require(view.find("Group/Star"))
    let pixels = try catalog.pixels(of: star, as: .bgra8)
    #expect(pixels.width == 8 && pixels.height == 3 && pixels.bytesPerRow == 32)
    #expect(pixels.bytes == TestPicture(width: 8, seed: 2).pixels)
    let turned = try catalog.pixels(of: star)
    #expect(turned.layout == .rgba8 && turned.bytes[0] == pixels.bytes[2])
    let flag = try catalog.pixels(of: try #require(view.find("Flag")))
    #expect(flag.width == 4 && flag.height == 2 && flag.bytes.count == 32)
    var limits = DecodeLimits()
    limits.scratchBytes = 10
    #expect(throws: CatalogError.self) { try catalog.pixels(of: star, limits: limits) }
    let accent = try #require(view.find("Accent", .color))
    #expect(throws: CatalogError.self) { try catalog.pixels(of: accent) }
  }

  @Test func aVariantSaysWhatItIs() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    let view = catalog.view(
      for: environment {
        $0.scale = 2
        $0.direction = .rightToLeft
      })
    #expect(view.find("Group/Star").map { "\($0)" } == "a bitmap, 8×3 pixels at 2x")
    #expect(view.find("Arrow").map { "\($0)" }?.hasSuffix("mirrored") == true)
    #expect(view.find("Accent", .color).map { "\($0)" } == "a colour")
    #expect(view.find("SpriteA").map { "\($0)" } == "a picture in an atlas, 5×4 pixels at 1x")
  }
}
