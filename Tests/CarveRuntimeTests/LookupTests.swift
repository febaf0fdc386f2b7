// Tests names, ids, views and lookups; each with the index of the file and with an index that was
// built at open.

import Archive
import Testing
import Traits

@testable import CarveRuntime

@Suite struct LookupTests {
  private func pixels(_ variant: Variant, _ catalog: Catalog) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: try catalog.decodedSize(of: variant, as: .bgra8))
    let stride = variant.pixelSize.width * 4
    try bytes.withUnsafeMutableBytes {
      try catalog.decode(variant, as: .bgra8, into: $0, rowStride: stride)
    }
    return bytes
  }

  @Test(arguments: [true, false])
  func theWinnerOfEachEnvironmentIsFoundByNameAndById(indexed: Bool) throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog(indexed: indexed)
    #expect(catalog.usesIndexInPlace == indexed)
    for scale in UInt8(1)...3 {
      for style in [Style.any, .light, .dark] {
        let view = catalog.view(
          for: environment {
            $0.scale = scale
            $0.style = style
          })
        let star = try #require(view.find("Group/Star"))
        let seed = Int(scale) + (style == .dark ? 10 : 0)
        let expected = TestPicture(width: 4 * Int(scale), seed: seed)
        #expect(try pixels(star, catalog) == expected.pixels)
        #expect(star.scale == Int(scale))
        #expect(star.pixelSize == PixelSize(width: 4 * Int(scale), height: 3))
        let id = try #require(catalog.id(of: "Group/Star"))
        #expect(view.find(id)?.choice == star.choice)
        #expect(view.choice(for: id) == star.choice)
      }
    }
  }

  @Test(arguments: [true, false])
  func unknownNamesAreNotFound(indexed: Bool) throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog(indexed: indexed)
    let view = catalog.view(for: Environment())
    for name in ["", "Star", "Group/Sta", "Group/Star ", "group/star", "Accent"] {
      #expect(view.find(name, .image) == nil)
      #expect(catalog.id(of: name) == nil)
    }
    #expect(view.find("Accent", .color) != nil)
    #expect(view.find(AssetID(rawValue: 0)) == nil)
    #expect(view.find(AssetID(rawValue: 1)) == nil)
    #expect(view.find(AssetID(rawValue: .max)) == nil)
  }

  /// Swift's String considers the two forms of "é" equal; they are two names.
  @Test(arguments: [true, false])
  func namesAreComparedByTheirBytes(indexed: Bool) throws {
    var builder = sampleBuilder()
    let names = ["\u{E9}", "e\u{301}"]
    for (place, name) in names.enumerated() {
      builder.addImage(name, VariantKey(), TestPicture(width: 5 + place, seed: place))
    }
    let catalog = try builder.catalog(indexed: indexed)
    let view = catalog.view(for: Environment())
    #expect(catalog.id(of: names[0]) != catalog.id(of: names[1]))
    for (place, name) in names.enumerated() {
      #expect(try #require(view.find(name)).pixelSize.width == 5 + place)
      let id = try #require(catalog.id(of: name))
      #expect(try #require(view.find(id)).pixelSize.width == 5 + place)
    }
  }

  @Test func anIdHoldsInEveryBuildThatHasTheName() throws {
    var builder = sampleBuilder()
    let id = try #require(try builder.catalog().id(of: "Plain"))
    #expect(id == AssetID("Plain"))
    #expect(id != AssetID("Plain", .color))
    var newer = CatalogBuilder()
    for name in ["Added", "B", "C", "D", "Plain", "Q"] {
      newer.addImage(name, VariantKey(), TestPicture(seed: 1))
    }
    let view = try newer.catalog().view(for: Environment())
    #expect(view.find(id)?.choice == view.find("Plain")?.choice)
    #expect(view.find(id) != nil)
    #expect(view.find(AssetID("Star")) == nil)
    // Generated code may contain this number: a change of the hash would break such code.
    #expect(id.rawValue == 11_524_644_305_415_036_437)
  }

  @Test func aPictureOfTheOtherDirectionIsMirrored() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    let left = catalog.view(for: Environment())
    let right = catalog.view(for: environment { $0.direction = .rightToLeft })
    #expect(left.find("Arrow")?.isMirrored == false)
    #expect(right.find("Arrow")?.isMirrored == true)
    let transition = catalog.transition(from: left, to: right)
    #expect(transition.assets == [try #require(catalog.id(of: "Arrow"))])
  }

  @Test(arguments: [true, false])
  func colorsAndDataAreHandedOut(indexed: Bool) throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog(indexed: indexed)
    let light = catalog.view(for: Environment())
    let dark = catalog.view(for: environment { $0.style = .dark })
    let accent = try catalog.color(of: try #require(light.find("Accent", .color)))
    #expect([accent.red, accent.green, accent.blue, accent.alpha] == [0.25, 0.5, 0.75, 1])
    let gray = try catalog.color(of: try #require(dark.find("Accent", .color)))
    #expect([gray.red, gray.green, gray.blue, gray.alpha] == [0.1, 0.1, 0.1, 0.2])
    let level = try #require(light.find("Level", .data))
    #expect(try catalog.file(of: level) == Array("level data".utf8))
    #expect(throws: CatalogError.self) { try catalog.color(of: level) }
    #expect(throws: CatalogError.self) {
      try catalog.file(of: try #require(light.find("Plain")))
    }
  }

  @Test(arguments: [true, false])
  func everythingIsListedInOrder(indexed: Bool) throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog(indexed: indexed)
    let names = catalog.assets.map(\.name)
    #expect(
      names == ["Accent", "Arrow", "Group/Star", "Level", "Plain", "SpriteA", "SpriteB"])
    for asset in catalog.assets {
      #expect(catalog.id(of: asset.name, asset.kind) == asset.id)
      for (place, key) in catalog.keys(of: asset.id).enumerated() {
        let variant = try #require(catalog.variant(place, of: asset.id))
        if asset.kind == .image { #expect(variant.scale == Int(key.scale)) }
      }
      #expect(catalog.variant(catalog.keys(of: asset.id).count, of: asset.id) == nil)
    }
    let star = try #require(catalog.id(of: "Group/Star"))
    #expect(catalog.keys(of: star).count == 6)
  }

  @Test func bothIndexesSayTheSame() throws {
    var one = sampleBuilder()
    var two = sampleBuilder()
    let indexed = try one.catalog(indexed: true)
    let built = try two.catalog(indexed: false)
    #expect(Array(indexed.assets) == Array(built.assets))
    for scale in UInt8(0)...4 {
      let traits = environment { $0.scale = scale }
      for asset in indexed.assets {
        let a = indexed.view(for: traits).find(asset.id)
        let b = built.view(for: traits).find(asset.id)
        #expect(a?.choice == b?.choice)
        #expect(a?.pixelSize == b?.pixelSize)
      }
    }
  }

  @Test func aTransitionNamesWhatChangesAndNothingElse() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    let light = environment { $0.scale = 2 }
    let dark = environment {
      $0.scale = 2
      $0.style = .dark
    }
    let transition = catalog.transition(from: light, to: dark)
    let names = catalog.assets.filter { transition.affects($0.id) }.map(\.name)
    #expect(names == ["Accent", "Group/Star"])
    #expect(transition.assets.count == 2)
    #expect(!transition.isEmpty)
    #expect(catalog.transition(from: light, to: light).isEmpty)
    let compact = environment {
      $0.scale = 2
      $0.width = .compact
    }
    #expect(catalog.transition(from: light, to: compact).isEmpty)
  }

  @Test func knownEnvironmentsAreRememberedAndTooManyAreNot() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    func view(_ subtype: Int) -> CatalogView {
      catalog.view(for: environment { $0.subtype = UInt16(subtype) })
    }
    let first = view(0)
    let others = (1..<ViewCache.capacity).map(view)
    #expect(view(0).decisions === first.decisions)
    #expect(view(1).decisions === others[0].decisions)
    // The view that was not used for the longest time makes room for a new one.
    let new = view(ViewCache.capacity)
    #expect(view(ViewCache.capacity).decisions === new.decisions)
    #expect(view(0).decisions === first.decisions)
    #expect(view(2).decisions !== others[1].decisions)
  }

  @Test func manyEnvironmentsHaveTheirOwnViews() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    for round in 0..<3 {
      for subtype in UInt16(0)..<300 {
        let traits = environment {
          $0.subtype = subtype
          $0.languages = [subtype % 5]
          $0.style = subtype % 2 == 0 ? .dark : .any
        }
        let view = catalog.view(for: traits)
        #expect(view.environment == traits, "round \(round)")
        let expected = subtype % 2 == 0 ? 11 : 1
        let star = try #require(view.find("Group/Star"))
        #expect(try pixels(star, catalog) == TestPicture(width: 4, seed: expected).pixels)
      }
    }
  }

  @Test func aViewOutlivesTheCatalogValue() throws {
    var view: CatalogView?
    do {
      var builder = sampleBuilder()
      view = try builder.catalog().view(for: Environment())
    }
    #expect(view?.find("Plain")?.pixelSize.width == 8)
  }

  @Test func theObstacleNamesTheAxis() throws {
    var builder = CatalogBuilder()
    builder.addImage("Wide", key { $0.gamut = .p3 }, TestPicture(seed: 1))
    let catalog = try builder.catalog()
    let view = catalog.view(for: Environment())
    let id = try #require(catalog.id(of: "Wide"))
    #expect(view.find("Wide") == nil)
    #expect(view.obstacle(for: id) == .gamut)
    #expect(catalog.view(for: environment { $0.gamut = .p3 }).obstacle(for: id) == nil)
  }
}
