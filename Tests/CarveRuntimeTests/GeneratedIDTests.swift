// Compares the constants that `carve symbols` wrote for sample catalogues (SampleIDs.swift) with
// the ids of names.

import CarveRuntime
import Testing

@Suite struct GeneratedIDTests {
  @Test func constantsAreTheIDsOfTheirNames() {
    #expect(AssetID.Image.carrot == AssetID("Carrot"))
    #expect(AssetID.Image.Fruit.apple == AssetID("Fruit/Apple", .image))
    #expect(AssetID.Color.Fruit.apple == AssetID("Fruit/Apple", .color))
    #expect(AssetID.Color.accent == AssetID("Accent", .color))
    #expect(AssetID.Data.poem == AssetID("Poem", .data))
    #expect(AssetID.Icon.appIcon == AssetID("AppIcon", .icon))
  }

  /// A lookup as programs write it.
  @Test func aLookupTakesThemByTheirShortNames() throws {
    func id(_ id: AssetID) -> AssetID { id }
    #expect(id(.Image.carrot) == AssetID("Carrot"))
  }
}
