// Tests the words of a slot and their values one by one, with a table that is independent of the
// reader's.

import CatalogModel
import Support
import Testing
import Traits

@Suite struct SlotWordTests {
  private func key(_ entry: String) throws -> VariantKey {
    let contents = TreeBuilder().folder("S.imageset", images("{\(entry)}")).read()
    return try #require(contents.images("S")?.entries.first).slot.key
  }

  @Test(
    arguments: [
      ("universal", .universal), ("iphone", .phone), ("ipad", .pad), ("mac", .mac), ("tv", .tv),
      ("watch", .watch), ("car", .car), ("vision", .vision), ("reality", .vision),
      ("ios-marketing", .marketing), ("watch-marketing", .marketing), ("tv-marketing", .marketing),
    ] as [(String, Idiom)])
  func anIdiomIsReadAsWhatItIs(word: String, idiom: Idiom) throws {
    #expect(try key(#""idiom":"\#(word)""#).idiom == idiom)
  }

  /// The heights of the displays of phones and pads in pixels, and the case sizes of watches.
  @Test(
    arguments: [
      ("retina4", 568), ("667h", 569), ("736h", 570), ("38mm", 320), ("40mm", 340), ("41mm", 430),
      ("42mm", 384), ("44mm", 390), ("45mm", 484), ("46mm", 496), ("49mm", 502), ("1112h", 1112),
      ("1366h", 1366), ("1792h", 1792), ("2224h", 2224), ("2388h", 2388), ("2436h", 2436),
      ("2556h", 2556), ("2688h", 2688), ("2796h", 2796), ("2868h", 2868),
    ] as [(String, UInt16)])
  func aSubtypeIsADisplay(word: String, number: UInt16) throws {
    #expect(try key(#""subtype":"\#(word)""#).subtype == number)
  }

  @Test(
    arguments: [
      ("<=145", 320), (">145", 384), (">161", 340), (">183", 390), ("{130,145}", 320),
      ("{146,165}", 384),
    ] as [(String, UInt16)])
  func aScreenWidthIsAWatch(word: String, number: UInt16) throws {
    #expect(try key(#""screen-width":"\#(word)""#).subtype == number)
  }

  @Test(
    arguments: [
      ("metal1v2", .apple1), ("metal1v3", .apple1), ("metal2v2", .apple2), ("metal2v3", .apple2),
      ("metal3v1", .apple3v1), ("metal3v2", .apple3), ("metal4v1", .apple4),
      ("apple3v1", .apple3v1),
      ("apple1", .apple1), ("apple2", .apple2), ("apple3", .apple3), ("apple4", .apple4),
      ("apple5", .apple5), ("apple6", .apple6), ("apple7", .apple7), ("apple8", .apple8),
      ("apple9", .apple9), ("apple10", .apple10),
    ] as [(String, GraphicsClass)])
  func aFeatureSetIsAClass(word: String, graphics: GraphicsClass) throws {
    #expect(try key(#""graphics-feature-set":"\#(word)""#).graphics == graphics)
  }

  @Test(arguments: [1, 2, 3, 4, 6, 8, 12, 16] as [UInt8])
  func memoryIsInGigabytes(gigabytes: UInt8) throws {
    #expect(try key(#""memory":"\#(gigabytes)GB""#).memory == gigabytes)
  }

  @Test func theOtherWordsAreReadAsWhatTheyAre() throws {
    for (word, value) in [("compact", SizeClass.compact), ("regular", .regular), ("any", .any)] {
      #expect(try key(#""width-class":"\#(word)""#).width == value)
      #expect(try key(#""width-class":"\#(word)""#).height == .any)
      #expect(try key(#""height-class":"\#(word)""#).height == value)
    }
    for (word, value) in [
      ("left-to-right", Direction.leftToRight), ("right-to-left", .rightToLeft),
    ] {
      #expect(try key(#""language-direction":"\#(word)""#).direction == value)
    }
    for (word, value) in [("sRGB", Gamut.sRGB), ("display-P3", .p3)] {
      #expect(try key(#""display-gamut":"\#(word)""#).gamut == value)
    }
    for (word, value) in [("1x", 1), ("2x", 2), ("3x", 3)] as [(String, UInt8)] {
      #expect(try key(#""scale":"\#(word)""#).scale == value)
    }
    for (word, value) in [("light", Style.light), ("dark", .dark), ("tinted", .tinted)] {
      let look = #""appearances":[{"appearance":"luminosity","value":"\#(word)"}]"#
      #expect(try key(look).style == value)
    }
    for (word, value) in [("high", Contrast.high), ("normal", .normal)] {
      let look = #""appearances":[{"appearance":"contrast","value":"\#(word)"}]"#
      #expect(try key(look).contrast == value)
    }
  }

  @Test func missingComponentsAreZeroAndAlphaIsFull() throws {
    let contents = TreeBuilder().colorSet("C", [#"{"color":{"components":{"green":"0.5"}}}"#])
      .read()
    let color = Color(space: .srgb, components: [0, 0.5, 0, 1])
    #expect(contents.colors("C")?.entries.first?.value == .color(color))
  }

  @Test func iconSetsAreReadByTheNamesOfTheirFiles() throws {
    var builder = TreeBuilder()
    for size in [16, 32, 128, 256, 512] {
      builder = builder.picture("I.iconset/icon_\(size)x\(size).png")
        .picture("I.iconset/icon_\(size)x\(size)@2x.png")
    }
    builder = builder.picture("I.iconset/icon_64x64.png").picture("I.iconset/icon_16x16@3x.png")
    guard case .icons(let set)? = builder.read().asset("I")?.contents else {
      Issue.record("no icon set")
      return
    }
    #expect(set.entries.map(\.size) == [16, 16, 32, 32, 128, 128, 256, 256, 512, 512])
    #expect(set.entries.map { Int($0.scale) } == [1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
    #expect(set.entries.allSatisfy { $0.file.name.hasSuffix("@2x.png") == ($0.scale == 2) })
  }
}
