// The spelling of requests, and the messages about requests that cannot be read.

import Testing
import Traits

@Suite struct TraitNameTests {
  @Test func everyNamedValueIsReadBack() {
    func check<Trait: NamedTrait>(_: Trait.Type) {
      for value in Trait.allCases { #expect(Trait(named: value.name) == value) }
      #expect(Set(Trait.names).count == Trait.names.count)
    }
    check(Idiom.self)
    check(SizeClass.self)
    check(Style.self)
    check(Contrast.self)
    check(Gamut.self)
    check(Direction.self)
    check(GraphicsClass.self)
    check(ContentSize.self)
    check(AssetKind.self)
    for axis in Axis.allCases { #expect(Axis(named: axis.name) == axis) }
  }

  @Test func aRequestSetsEveryTrait() throws {
    let environment = try Environment(
      traits: """
        idiom=pad,subtype=2388,scale=2,width=compact,height=regular,style=dark,contrast=high,\
        gamut=P3,direction=rtl,memory=6,graphics=APPLE5,language=zh-Hant-TW:en,os=17.4,\
        content-size=AX2
        """)
    var expected = Environment()
    expected.idiom = .pad
    expected.subtype = 2388
    expected.scale = 2
    expected.width = .compact
    expected.height = .regular
    expected.style = .dark
    expected.contrast = .high
    expected.gamut = .p3
    expected.direction = .rightToLeft
    expected.memory = 6
    expected.graphics = GraphicsSupport(upTo: .apple5)
    expected.languages = ["zh-Hant-TW", "zh-Hant", "zh", "en"].map { nameIdentifier($0.utf8) }
    expected.osGeneration = 10
    expected.contentSize = .ax2
    #expect(environment == expected)
  }

  @Test func omittedTraitsStayUnspecified() throws {
    #expect(try Environment(traits: "") == Environment())
    #expect(try Environment(traits: "memory=0").memory == 0)
  }

  @Test(arguments: [
    ("shape=round", TraitError.unknownTrait("shape")),
    ("idiom=fridge", .unknownValue("fridge", of: .idiom)),
    ("scale=4", .unknownValue("4", of: .scale)), ("scale=+2", .unknownValue("+2", of: .scale)),
    ("memory=255", .unknownValue("255", of: .memory)),
    ("subtype=70000", .unknownValue("70000", of: .subtype)),
    ("os=17.x", .unknownValue("17.x", of: .os)), ("os=", .unknownValue("", of: .os)),
    ("language=en::fr", .unknownValue("en::fr", of: .language)),
    ("scale=1,scale=2", .repeated(.scale)), ("dark", .notAPair("dark")),
  ])
  func aRequestThatCannotBeReadSaysWhy(_ request: String, _ error: TraitError) {
    #expect(throws: error) { try Environment(traits: request) }
    #expect(!error.description.isEmpty)
  }

  @Test func errorsListTheChoices() {
    #expect(
      TraitError.unknownValue("dim", of: .style).description
        == "'dim' is not a value of 'style'; choose from any, light, dark, tinted")
    #expect(TraitError.unknownTrait("shape").choices.contains("content-size"))
  }

  @Test(
    arguments: [
      ("9.3", 0), ("10", 1), ("11.4", 2), ("12.1", 3), ("12.2", 4), ("13", 5), ("14.8", 6),
      ("15.0", 7), ("16.6", 8), ("17", 9), ("17.4.1", 10), ("18.2", 11), ("26", 12), ("27", 12),
    ] as [(String, UInt8)])
  func aVersionOfIOSHasItsGeneration(_ version: String, _ generation: UInt8) throws {
    let version = try #require(OSVersion(version))
    #expect(Platform.iOS.generation(of: version) == generation)
    #expect(try Environment(traits: "os=\(version)").osGeneration == generation)
  }

  @Test func versionsOfOtherPlatformsFollowTheIdiom() throws {
    #expect(try Environment(traits: "os=10.15,idiom=mac").osGeneration == 5)
    #expect(try Environment(traits: "idiom=watch,os=6").osGeneration == 5)
    #expect(try Environment(traits: "idiom=vision,os=1").osGeneration == 9)
    for platform in Platform.allCases {
      for generation in 1...Platform.newestGeneration {
        guard let start = platform.start(of: generation) else { continue }
        #expect(platform.generation(of: start) == generation)
      }
    }
  }

  @Test(
    arguments: [
      ("zh-Hant-TW", ["zh-Hant-TW", "zh-Hant", "zh"]), ("en", ["en"]), ("", []),
      ("pt_BR", ["pt_BR", "pt"]), ("de-u-co-phonebk", ["de-u-co-phonebk", "de-u-co", "de"]),
    ] as [(String, [String])])
  func aTagIsShortenedSubtagBySubtag(_ tag: String, _ chain: [String]) {
    #expect(shortened(languageTag: tag) == chain)
  }

  @Test(arguments: [
    ("ZH_hant_tw", "zh-Hant-TW"), ("EN", "en"), ("es-419", "es-419"), ("sr-latn", "sr-Latn"),
    ("de-DE-u-CO-PHONEBK", "de-DE-u-co-phonebk"), ("sl-ROZAJ", "sl-rozaj"), ("", ""),
  ])
  func aTagHasOneUsualSpelling(_ tag: String, _ usual: String) {
    #expect(usualSpelling(ofLanguageTag: tag) == usual)
    #expect(localeChain(of: [tag]).contains(nameIdentifier(usual.utf8)) || tag.isEmpty)
  }

  @Test(arguments: [
    ("ar", Direction.rightToLeft), ("he-IL", .rightToLeft), ("en", .leftToRight),
    ("az-Arab", .rightToLeft), ("ur-Latn-PK", .leftToRight), ("fa_IR", .rightToLeft),
  ])
  func aLanguageHasItsDirection(_ tag: String, _ direction: Direction) {
    #expect(writingDirection(ofLanguage: tag) == direction)
  }
}
