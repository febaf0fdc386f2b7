// The worked examples of the rule, one row each, in the order of the axes.

import Support
import Testing
import Traits

/// Returns a variant key with the constraints that differ from the default.
func key(_ constrain: (inout VariantKey) -> Void = { _ in }) -> VariantKey {
  var key = VariantKey()
  constrain(&key)
  return key
}

func scale(_ scale: UInt8, _ constrain: (inout VariantKey) -> Void = { _ in }) -> VariantKey {
  var key = VariantKey()
  key.scale = scale
  constrain(&key)
  return key
}

struct Example: Sendable, CustomTestStringConvertible {
  let why: String
  let request: String
  let keys: [VariantKey]
  /// The index of the winner in `keys`; nil if no key can be shown.
  let answer: Int?
  var obstacle: Axis?
  var mirrored = false

  var testDescription: String { why }
}

private let examples: [Example] = [
  Example(why: "lower first", request: "scale=2", keys: [scale(1), scale(3)], answer: 0),
  Example(why: "nearest lower", request: "scale=3", keys: [scale(1), scale(2)], answer: 1),
  Example(why: "then higher ones", request: "scale=1", keys: [scale(2), scale(3)], answer: 0),
  Example(
    why: "scale before idiom", request: "idiom=pad,scale=2",
    keys: [scale(1) { $0.idiom = .pad }, scale(2)], answer: 1),
  Example(
    why: "a vector where the scale is missing", request: "scale=2",
    keys: [scale(0), scale(1), scale(3)], answer: 0),
  Example(why: "the exact scale first", request: "scale=2", keys: [scale(0), scale(2)], answer: 1),
  Example(
    why: "style before contrast", request: "style=dark,contrast=high",
    keys: [key(), key { $0.contrast = .high }, key { $0.style = .dark }], answer: 2),
  Example(
    why: "appearance first", request: "style=dark,scale=2",
    keys: [scale(1) { $0.style = .dark }, scale(2)], answer: 0),
  Example(
    why: "a gamut never upwards", request: "gamut=sRGB", keys: [key { $0.gamut = .p3 }],
    answer: nil, obstacle: .gamut),
  Example(
    why: "gamut before idiom", request: "idiom=pad,gamut=P3",
    keys: [key { $0.gamut = .p3 }, key { $0.idiom = .pad }], answer: 0),
  Example(
    why: "idiom before size class", request: "idiom=pad,width=regular",
    keys: [key { $0.idiom = .pad }, key { $0.width = .regular }], answer: 0),
  Example(
    why: "width before height", request: "width=regular,height=regular",
    keys: [key { $0.height = .regular }, key { $0.width = .regular }], answer: 1),
  Example(
    why: "memory before graphics", request: "memory=4,graphics=APPLE5",
    keys: [key { $0.memory = 4 }, key { $0.graphics = .apple5 }], answer: 0),
  Example(
    why: "the highest memory below a ceiling", request: "memory=3",
    keys: [key { $0.memory = 4 }, key { $0.memory = 1 }, key()], answer: 1),
  Example(
    why: "graphics before scale", request: "graphics=APPLE7,scale=2",
    keys: [scale(1) { $0.graphics = .apple2 }, scale(2)], answer: 0),
  Example(
    why: "the opposite direction, mirrored, before fixed", request: "direction=rtl",
    keys: [key { $0.direction = .leftToRight }, key()], answer: 0, mirrored: true),
  Example(
    why: "the asked direction is not mirrored", request: "direction=ltr",
    keys: [key { $0.direction = .leftToRight }, key()], answer: 0),
  Example(
    why: "language before scale", request: "language=es-MX,scale=2",
    keys: [scale(1) { $0.locale = nameIdentifier("es".utf8) }, scale(2)], answer: 0),
  Example(
    why: "a smaller watch before none", request: "idiom=watch,subtype=390,scale=2",
    keys: [
      scale(2) { ($0.idiom, $0.subtype) = (.watch, 320) }, scale(2) { $0.idiom = .watch },
    ], answer: 0),
  Example(
    why: "compact never takes regular", request: "width=compact",
    keys: [key { $0.width = .regular }], answer: nil, obstacle: .width),
  Example(
    why: "tinted falls to any", request: "style=tinted",
    keys: [key { $0.style = .dark }, key(), key { $0.style = .light }], answer: 1),
  Example(
    why: "a car falls to universal", request: "idiom=car",
    keys: [key { $0.idiom = .phone }, key()], answer: 1),
  Example(
    why: "a smaller content size before any", request: "content-size=XL",
    keys: [key(), key { $0.contentSize = .m }, key { $0.contentSize = .xxl }], answer: 1),
  Example(
    why: "no memory takes only what any device has", request: "memory=0",
    keys: [key { $0.memory = 1 }], answer: nil, obstacle: .memory),
  Example(
    why: "memory left out is unlimited", request: "scale=1",
    keys: [key(), key { $0.memory = 8 }], answer: 1),
  Example(
    why: "an older system takes older variants", request: "os=12.1",
    keys: [key(), key { $0.osGeneration = 3 }, key { $0.osGeneration = 5 }], answer: 1),
  Example(
    why: "preferences in order", request: "language=fr-CA:es",
    keys: [
      key { $0.locale = nameIdentifier("es".utf8) }, key { $0.locale = nameIdentifier("fr".utf8) },
    ],
    answer: 1),
]

@Suite struct RuleTests {
  @Test func nameNumbersAreTheKnownOnes() {
    #expect(nameIdentifier("AppIcon".utf8) == 6849)
    #expect(nameIdentifier("LaunchImage".utf8) == 36251)
  }

  @Test(arguments: examples)
  func workedExampleGivesItsAnswer(_ example: Example) throws {
    let environment = try Environment(traits: example.request)
    let winner = environment.winner(among: example.keys)
    #expect(winner == example.answer)
    #expect(oracleWinner(among: example.keys, in: environment) == example.answer)
    if let winner {
      #expect(environment.mirrors(example.keys[winner]) == example.mirrored)
    } else {
      #expect(environment.obstacle(among: example.keys) == example.obstacle)
    }
  }

  /// The chain of every watch face, as recorded from Apple's run time.
  @Test(
    arguments: [
      514: [502, 484, 390, 340, 384, 320], 502: [484, 390, 340, 384, 320],
      496: [484, 390, 340, 384, 320], 484: [390, 340, 384, 320], 446: [430, 340, 384, 320],
      430: [340, 384, 320], 390: [340, 384, 320], 340: [384, 320], 384: [320],
    ] as [UInt16: [UInt16]])
  func watchFaceFallsBackAsRecorded(_ face: UInt16, _ chain: [UInt16]) {
    let positions = chain.map { Subtype.position(of: $0, asked: face) }
    #expect(positions == (1...chain.count).map { UInt64($0) })
    #expect(Subtype.position(of: 0, asked: face) == 15)
    #expect(Subtype.position(of: 2436, asked: face) == nil)
  }

  @Test func theLastCandidateIsRemovedByTheLatestAxis() throws {
    let keys = [key { $0.style = .dark }, key { $0.gamut = .p3 }, key { $0.idiom = .tv }]
    let environment = try Environment(traits: "idiom=phone")
    #expect(environment.obstacle(among: keys) == .idiom)
    #expect(environment.obstacle(among: []) == nil)
  }
}
