// Tests the reasons of failed lookups in carve.h, for every trait, and colours with every
// component.

import CCarve
import CarveRuntime
import Testing
import Traits

@Suite struct HeaderObstacleTests {
  /// A word, the trait that a variant requires, a window without this trait, and the number of the
  /// trait.
  private static let rows:
    [(word: String, want: @Sendable (inout VariantKey) -> Void, traits: String, obstacle: Int)] = [
      ("idiom", { $0.idiom = .pad }, "idiom=phone", CARVE_OBSTACLE_IDIOM),
      ("subtype", { $0.subtype = 2436 }, "subtype=568", CARVE_OBSTACLE_SUBTYPE),
      ("width", { $0.width = .compact }, "width=regular", CARVE_OBSTACLE_WIDTH),
      ("height", { $0.height = .compact }, "height=regular", CARVE_OBSTACLE_HEIGHT),
      ("style", { $0.style = .dark }, "style=light", CARVE_OBSTACLE_STYLE),
      ("contrast", { $0.contrast = .high }, "contrast=normal", CARVE_OBSTACLE_CONTRAST),
      ("gamut", { $0.gamut = .p3 }, "gamut=\(Gamut.sRGB.name)", CARVE_OBSTACLE_GAMUT),
      ("memory", { $0.memory = 8 }, "memory=2", CARVE_OBSTACLE_MEMORY),
      (
        "graphics", { $0.graphics = .apple5 }, "graphics=\(GraphicsClass.apple2.name)",
        CARVE_OBSTACLE_GRAPHICS
      ),
    ]

  @Test(arguments: rows.map(\.word)) func theTraitThatIsNotThereIsTold(word: String) throws {
    let row = try #require(Self.rows.first { $0.word == word })
    var builder = CatalogBuilder()
    var wanted = VariantKey()
    row.want(&wanted)
    builder.addImage("Lone", wanted, TestPicture(seed: 1))
    let catalog = try opened(try builder.bytes())
    let window = try view(of: catalog, row.traits)
    let found = carve_obstacle(window, "Lone", 4, Int32(CARVE_IMAGE))
    #expect(Int(found) == row.obstacle)
    #expect(String(cString: carve_obstacle_text(found)) == word)
    carve_view_close(window)
    carve_close(catalog)
  }

  @Test func colorsSayEveryComponent() throws {
    var builder = CatalogBuilder()
    builder.addColor("Glass", VariantKey(), [0.125, 0.25, 0.5, 0.75])
    let catalog = try opened(try builder.bytes())
    let window = try view(of: catalog)
    var rendition = try find(window, "Glass", CARVE_COLOR)
    var color = carve_color()
    color.size = UInt32(MemoryLayout<carve_color>.size)
    #expect(carve_get_color(catalog, &rendition, &color, nil) == CARVE_OK)
    #expect([color.red, color.green, color.blue, color.alpha] == [0.125, 0.25, 0.5, 0.75])
    carve_view_close(window)
    carve_close(catalog)
  }
}
