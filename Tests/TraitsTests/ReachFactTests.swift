// The variants that particular devices can and cannot show.

import Testing

@testable import Traits

@Suite struct ReachFactTests {
  /// Returns the indices of the keys that a device needs.
  private func needed(
    _ keys: [VariantKey], by model: String, app: AppTraits = AppTraits(), os: String? = nil
  ) throws -> [Int] {
    let device = try #require(Device(named: model))
    let reach = try Reach(of: device, app: app, os: os.flatMap { OSVersion($0) })
    let kept = thinned(keys, over: reach)
    return keys.indices.filter { kept.contains(keys[$0]) }
  }

  private let scales = [scale(1), scale(2), scale(3)]
  private let widths = [
    scale(2), scale(2) { $0.width = .compact }, scale(2) { $0.width = .regular },
  ]

  @Test(arguments: [
    ("iPhone12,1", [1]), ("iPhone15,2", [2]), ("iPad5,3", [1]), ("iPad2,1", [0]),
    ("iPad13,16", [0, 1]), ("Mac", [0, 1]), ("AppleTV5,3", [0]), ("AppleTV14,1", [0, 1]),
  ])
  func aDeviceNeedsTheScalesOfItsDisplays(_ model: String, _ expected: [Int]) throws {
    #expect(try needed(scales, by: model) == expected)
  }

  @Test func aSmallPhoneNeverNeedsTheRegularWidth() throws {
    #expect(try needed(widths, by: "iPhone12,8") == [1])
    #expect(try needed(widths, by: "iPhone12,1") == [1, 2])
    #expect(try needed(widths, by: "iPad5,3") == [1, 2])
    #expect(try needed(widths, by: "iPad3,1") == [2])
  }

  @Test func onlyAnUnfoldedPhoneReachesRegularByRegularAndNoPadACompactHeight() throws {
    let regular = WindowClass(width: .regular, height: .regular)
    let handheld = Device.all.filter { $0.idiom == .phone || $0.idiom == .pad }
    for device in handheld where device.points != nil {
      let reach = try Reach(of: device)
      if device.idiom == .phone {
        let reaches = reach.factors.parts.contains { $0.windows.contains(regular) }
        #expect(reaches == (device.identifier == "iPhone19,4"), "\(device.identifier)")
      } else {
        for window in reach.factors.parts[0].windows { #expect(window.height == .regular) }
      }
    }
  }

  /// The scene of the phone that unfolds moves between two displays. Each has its own windows and
  /// its own gamut.
  @Test func anUnfoldingPhoneNeedsTheVariantsOfBothDisplays() throws {
    let classes = [
      scale(3) {
        $0.width = .compact
        $0.height = .regular
      },
      scale(3) {
        $0.width = .compact
        $0.height = .compact
      },
      scale(3) {
        $0.width = .regular
        $0.height = .regular
      },
      scale(3) {
        $0.width = .regular
        $0.height = .compact
      },
      scale(3),
    ]
    #expect(try needed(classes, by: "iPhone19,4") == [0, 1, 2])
    #expect(try needed(classes, by: "iPhone19,2") == [0, 1])
    #expect(try needed(classes, by: "iPhone19,3") == [0, 3])
    #expect(try needed(classes, by: "iPhone18,2") == [0, 3])
    let gamuts = [scale(3), scale(3) { $0.gamut = .p3 }]
    #expect(try needed(gamuts, by: "iPhone19,4") == [0, 1], "P3 outside, sRGB inside")
    #expect(try needed(gamuts, by: "iPhone18,2") == [1])
    let pairs = [
      scale(3), scale(3) { $0.gamut = .p3 },
      scale(3) {
        $0.gamut = .p3
        $0.width = .regular
        $0.height = .regular
      },
    ]
    #expect(try needed(pairs, by: "iPhone19,4") == [0, 1], "no regular window has P3")
    #expect(try needed(pairs, by: "iPad13,16") == [0, 1, 2])
  }

  @Test func limitsOfTheAppHoldOnBothDisplays() throws {
    var app = AppTraits()
    app.requiresFullScreen = true
    app.phoneOrientations = [.portrait]
    let heights = [scale(3) { $0.height = .compact }, scale(3) { $0.width = .regular }, scale(3)]
    #expect(try needed(heights, by: "iPhone19,4") == [0, 1, 2])
    #expect(try needed(heights, by: "iPhone19,4", app: app) == [1, 2])
  }

  /// Thinning leaves nothing out because of a fact that is only supposed.
  @Test func aSupposedFactTakesAnyValue() throws {
    let memories = [key(), key { $0.memory = 4 }, key { $0.memory = 16 }]
    #expect(try needed(memories, by: "iPhone19,2") == [0, 1, 2])
    #expect(try needed(memories, by: "iPhone18,1") == [1])
    let cars = [scale(3), scale(3) { $0.idiom = .car }, scale(3) { $0.idiom = .phone }]
    #expect(try needed(cars, by: "iPhone19,2") == [1, 2])
    let device = try #require(Device(named: "iPhone19,2"))
    #expect(try Reach(of: device).unknown == [.memory, .subtype, .graphics, .gamut])
  }

  @Test func anAppForTheFullScreenStaysRegularOnAPad() throws {
    var app = AppTraits()
    app.requiresFullScreen = true
    #expect(try needed(widths, by: "iPad5,3", app: app) == [2])
  }

  @Test func anAppThatIsNotTurnedKeepsOneOrientation() throws {
    var app = AppTraits()
    app.phoneOrientations = [.portrait]
    #expect(try needed(widths, by: "iPhone12,1", app: app) == [1])
    app.phoneOrientations = [.landscape]
    #expect(try needed(widths, by: "iPhone12,1", app: app) == [2])
  }

  @Test func anAppForPhonesStaysACompactPhoneOnAPad() throws {
    var app = AppTraits()
    app.deviceFamilies = [1]
    let idioms = [scale(2), scale(2) { $0.idiom = .pad }, scale(2) { $0.idiom = .phone }]
    #expect(try needed(idioms, by: "iPad5,3", app: app) == [2])
    #expect(try needed(widths, by: "iPad5,3", app: app) == [1])
    #expect(try needed(idioms, by: "iPad5,3") == [1])
  }

  @Test func anAppForPadsDoesNotRunOnAPhone() throws {
    var app = AppTraits()
    app.deviceFamilies = [2]
    let device = try #require(Device(named: "iPhone12,1"))
    #expect(throws: ReachError.appDoesNotRun(device: "iPhone12,1", families: [2])) {
      try Reach(of: device, app: app)
    }
  }

  @Test func darkIsNeededFromTheSystemThatKnowsIt() throws {
    let styles = [key(), key { $0.style = .dark }, key { $0.style = .tinted }]
    #expect(try needed(styles, by: "iPhone6,1") == [0], "it ends with iOS 12")
    #expect(try needed(styles, by: "iPhone10,3") == [0, 1], "it ends with iOS 16")
    #expect(try needed(styles, by: "iPhone12,1", os: "12") == [0, 1, 2], "the system can rise")
  }

  @Test func systemsOnlyRise() throws {
    let systems = [key(), key { $0.osGeneration = 3 }, key { $0.osGeneration = 5 }]
    #expect(try needed(systems, by: "iPhone10,1") == [0, 1, 2])
    #expect(try needed(systems, by: "iPhone10,1", os: "12.1") == [1, 2])
    #expect(try needed(systems, by: "iPhone6,1", os: "12.1") == [1])
    let device = try #require(Device(named: "iPhone6,1"))
    let asked = OSVersion(13)
    #expect(throws: ReachError.systemTooNew(device: "iPhone6,1", latest: 12, asked: asked)) {
      try Reach(of: device, os: asked)
    }
  }

  @Test func eachMemoryConfigurationIsServed() throws {
    let memories = [key(), key { $0.memory = 4 }, key { $0.memory = 12 }]
    #expect(try needed(memories, by: "iPad16,3") == [1, 2], "sold with 8 and with 16 GB")
    #expect(try needed(memories, by: "iPad8,2") == [1], "6 GB take the variant for 4")
    #expect(try needed(memories, by: "iPad2,1") == [0])
  }

  @Test func aCarIsServedByThePhone() throws {
    let cars = [scale(3), scale(3) { $0.idiom = .car }, scale(3) { $0.idiom = .phone }]
    #expect(try needed(cars, by: "iPhone15,2") == [1, 2])
    #expect(try needed(cars, by: "iPad5,3") == [0])
  }

  @Test func aTelevisionAlsoDrivesAStandardScreen() throws {
    let pairs = [
      scale(1), scale(2), scale(1) { $0.gamut = .p3 }, scale(2) { $0.gamut = .p3 },
    ]
    #expect(try needed(pairs, by: "AppleTV14,1") == [0, 3], "scale and gamut come in pairs")
  }

  @Test func theLanguagesOfTheAppDecideTheDirection() throws {
    let directions = [key { $0.direction = .leftToRight }, key { $0.direction = .rightToLeft }]
    var app = AppTraits()
    #expect(try needed(directions, by: "iPhone12,1", app: app) == [0, 1])
    app.languages = ["en", "de"]
    #expect(try needed(directions, by: "iPhone12,1", app: app) == [0])
    app.languages = ["en", "he"]
    #expect(try needed(directions, by: "iPhone12,1", app: app) == [0, 1])
  }

  @Test func onlyLanguagesOfTheAppAreAskedFor() throws {
    let locales =
      [key()]
      + ["es", "fr", "es-MX"].map { tag in
        key { $0.locale = nameIdentifier(tag.utf8) }
      }
    #expect(try needed(locales, by: "iPhone12,1") == [0, 1, 2, 3])
    var app = AppTraits()
    app.languages = ["es-MX"]
    #expect(try needed(locales, by: "iPhone12,1", app: app) == [0, 1, 3])
  }

  @Test func anUnpublishedTraitTakesAnyValue() throws {
    let gamuts = [key(), key { $0.gamut = .p3 }]
    let graphics = [key(), key { $0.graphics = .apple9 }]
    #expect(try needed(gamuts, by: "iPhone18,5") == [0, 1])
    #expect(try needed(graphics, by: "iPhone18,5") == [0, 1])
    #expect(try needed(gamuts, by: "iPhone17,5") == [1])
    let device = try #require(Device(named: "iPhone18,5"))
    #expect(try Reach(of: device).unknown == [.subtype, .graphics, .gamut, .width])
  }
}
