// Tests the keys and traits of the C interface field by field: no field is mistaken for another.

import Archive
import CCarve
import Testing
import Traits

@Suite struct HeaderKeyTests {
  private let all: VariantKey = {
    var all = VariantKey()
    (all.idiom, all.scale, all.width, all.height) = (.pad, 2, .compact, .regular)
    (all.style, all.contrast, all.gamut, all.direction) = (.dark, .high, .p3, .rightToLeft)
    (all.memory, all.graphics, all.subtype) = (3, .apple2, 2436)
    (all.osGeneration, all.contentSize, all.locale) = (7, .ax2, carve_language("de"))
    return all
  }()

  private func catalog(_ extra: [VariantKey] = []) throws -> OpaquePointer {
    var builder = CatalogBuilder()
    for key in [all] + extra { builder.addImage("All", key, TestPicture(seed: Int(key.memory))) }
    return try opened(try builder.bytes())
  }

  @Test func aKeyHasItsFields() throws {
    let catalog = try catalog()
    var key = carve_key()
    key.size = UInt32(MemoryLayout<carve_key>.size)
    var rendition = emptyRendition()
    let id = carve_id_of_name("All", 3, Int32(CARVE_IMAGE))
    #expect(carve_variant_at(catalog, id, 0, &key, &rendition) == CARVE_OK)
    #expect(key.idiom == CARVE_IDIOM_PAD && key.scale == 2 && key.subtype == 2436)
    #expect(key.width_class == CARVE_CLASS_COMPACT && key.height_class == CARVE_CLASS_REGULAR)
    #expect(key.style == CARVE_STYLE_DARK && key.contrast == CARVE_CONTRAST_HIGH)
    #expect(key.gamut == CARVE_GAMUT_P3 && key.direction == CARVE_RIGHT_TO_LEFT)
    #expect(key.memory == 3 && key.os_generation == 7 && key.content_size == CARVE_TEXT_AX2)
    #expect(key.graphics == GraphicsClass.apple2.rawValue && key.language == carve_language("de"))
    carve_close(catalog)
  }

  /// A variant that is shown under all constraints is not shown if one of them is not met.
  @Test func everyTraitOfAWindowCounts() throws {
    let catalog = try catalog()
    let text =
      "idiom=pad,scale=2,width=compact,height=regular,style=dark,contrast=high,gamut=P3,"
      + "direction=rtl,content-size=AX2,language=fr:de,subtype=2436,memory=3,graphics=APPLE2"
    var traits = carve_traits()
    #expect(carve_traits_parse(text, &traits, MemoryLayout<carve_traits>.size, nil) == CARVE_OK)
    traits.os_generation = 7
    func isShown(_ change: (inout carve_traits) -> Void) -> Bool {
      var changed = traits
      change(&changed)
      var view: OpaquePointer?
      #expect(carve_view_for(catalog, &changed, &view, nil) == CARVE_OK)
      var rendition = emptyRendition()
      defer { carve_view_close(view) }
      return carve_find(view, "All", 3, 0, &rendition) == CARVE_OK
    }
    #expect(isShown { _ in })
    let changes: [(inout carve_traits) -> Void] = [
      { $0.idiom = UInt8(CARVE_IDIOM_PHONE) }, { $0.width_class = 0 }, { $0.height_class = 0 },
      { $0.style = UInt8(CARVE_STYLE_LIGHT) }, { $0.contrast = 0 }, { $0.gamut = 0 },
      { $0.content_size = UInt8(CARVE_TEXT_S) }, { $0.language_count = 1 }, { $0.subtype = 0 },
      { $0.memory = 2 }, { $0.graphics = 3 }, { $0.os_generation = 6 },
    ]
    for (number, change) in changes.enumerated() { #expect(!isShown(change), "trait \(number)") }
    carve_close(catalog)
  }

  @Test func theFirstLanguageIsWantedMost() throws {
    var builder = CatalogBuilder()
    for (number, tag) in ["de", "fr"].enumerated() {
      builder.addImage(
        "All", CarveRuntimeTests.key { $0.locale = carve_language(tag) },
        TestPicture(width: 4 + number, seed: number))
    }
    let catalog = try opened(try builder.bytes())
    for (text, width) in [("language=de:fr", 4), ("language=fr:de", 5)] {
      let view = try view(of: catalog, text)
      #expect(try find(view, "All", CARVE_IMAGE).pixel_width == width)
      carve_view_close(view)
    }
    carve_close(catalog)
  }
}
