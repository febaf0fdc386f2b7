// Checks the tables of an archive beside the renditions through the interface of apps: shared
// blocks, names of localizations, and columns of keys that represent others.

import Archive
import CarveRuntime
import Testing
import Traits

@Suite struct StoredTablesTests {
  @Test(arguments: [true, false]) func variantsOfOneBlockLookTheSame(indexed: Bool) throws {
    var builder = CatalogBuilder()
    let dark = key { $0.style = .dark }
    builder.addImage("Same", VariantKey(), TestPicture(seed: 1))
    builder.addTwin("Same", dark)
    builder.addImage("Other", VariantKey(), TestPicture(seed: 2))
    builder.addImage("Other", dark, TestPicture(seed: 2))
    let catalog = try builder.catalog(indexed: indexed)
    #expect(catalog.keys(of: AssetID("Same")) == catalog.keys(of: AssetID("Other")))
    let change = catalog.transition(from: Environment(), to: environment { $0.style = .dark })
    #expect(change.assets == [AssetID("Other")])
    #expect(change.affects(AssetID("Other")) && !change.affects(AssetID("Same")))
    #expect(!change.isEmpty)
    let shown = [Environment(), environment { $0.style = .dark }].map {
      catalog.view(for: $0).choice(for: AssetID("Same"))
    }
    #expect(shown[0] != shown[1])
  }

  @Test(arguments: [true, false]) func localizationsHaveTheirNames(indexed: Bool) throws {
    var builder = CatalogBuilder()
    let german = nameIdentifier("de".utf8)
    let names = [NamedNumber("de", german), NamedNumber("fr", 77)]
    builder.contents.localizations = names
    builder.addImage("A", key { $0.locale = german }, TestPicture(seed: 1))
    let catalog = try builder.catalog(indexed: indexed)
    #expect(catalog.localizations == names)
  }

  @Test func aColumnMayStandInForAnother() throws {
    var builder = CatalogBuilder()
    builder.contents.keyFormat = KeyFormat(
      [.element, .part, .identifier, .scale, .deploymentTarget], placeholders: 0b10000)
    let newer = key { $0.osGeneration = 7 }
    builder.addImage("A", VariantKey(), TestPicture(seed: 1))
    builder.addImage("A", newer, TestPicture(seed: 2))
    let catalog = try builder.catalog(indexed: false)
    #expect(Set(catalog.keys(of: AssetID("A"))) == [VariantKey(), newer])
  }
}
