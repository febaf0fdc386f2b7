// Reach: the environments of devices. A decision over the environments between which keys
// distinguish equals the decision over the whole reach.

import Support
import Testing

@testable import Traits

extension SeededGenerator {
  /// Returns a random environment of a reach: one value of each factor.
  mutating func environment(in reach: Reach) -> Environment {
    let part = one(of: reach.factors.parts)
    let hardware = one(of: part.hardware)
    let window = one(of: part.windows)
    let system = one(of: reach.factors.systems)
    let userLanguages =
      reach.factors.userLanguages.map { one(of: $0) }
      ?? UserLanguages(
        chain: [[], [nameIdentifier(one(of: languageTags).utf8)]][pick(0...1)],
        direction: one(of: [.leftToRight, .rightToLeft]))
    var environment = Environment()
    environment.idiom = hardware.idiom
    environment.subtype = hardware.subtype ?? one(of: [0, 320, 390, 568, 2436, 3840])
    environment.scale = hardware.scale ?? one(of: [1, 2, 3])
    environment.gamut = hardware.gamut ?? one(of: Gamut.allCases)
    environment.memory = hardware.memory ?? one(of: [0, 1, 2, 3, 4, 8, 16])
    environment.graphics =
      hardware.graphics
      ?? GraphicsSupport(GraphicsClass.allCases.filter { _ in pick(0...1) == 0 })
    environment.width = window.width ?? one(of: SizeClass.allCases)
    environment.height = window.height ?? one(of: SizeClass.allCases)
    environment.osGeneration = system.generation
    environment.style = system.style
    environment.contrast = one(of: reach.factors.contrasts)
    environment.languages = userLanguages.chain
    environment.direction = userLanguages.direction
    environment.contentSize = one(of: reach.factors.contentSizes)
    return environment
  }

  mutating func app() -> AppTraits {
    var app = AppTraits()
    app.requiresFullScreen = pick(0...2) == 0
    if pick(0...2) == 0 { app.padOrientations = [one(of: [.portrait, .landscape])] }
    if pick(0...2) == 0 { app.phoneOrientations = [one(of: [.portrait, .landscape])] }
    if pick(0...1) == 0 { app.languages = (0..<pick(0...3)).map { _ in one(of: languageTags) } }
    if pick(0...3) == 0 { app.deviceFamilies = [1] }
    return app
  }
}

/// Returns the keys that thinning over a reach keeps.
func thinned(_ keys: [VariantKey], over reach: Reach) -> [VariantKey] {
  let signature = Signature(keys)
  let wins = signature.winners(over: reach.environments(distinguishedBy: signature.keys))
  return signature.keys.indices.filter { wins[$0] }.map { signature.keys[$0] }
}

@Suite struct ReachTests {
  private let devices = Device.all

  private func eachRound(
    _ seed: UInt64, _ rounds: Int, _ body: (inout SeededGenerator, Reach, Device) throws -> Void
  ) rethrows {
    var random = SeededGenerator.forTest(seed)
    var count = 0
    for _ in 0..<rounds {
      let device = random.one(of: devices)
      guard let reach = try? Reach(of: device, app: random.app()) else { continue }
      try body(&random, reach, device)
      count += 1
    }
    #expect(count > rounds / 2, "\(random)")
  }

  @Test func keptVariantsAnswerEveryReachableRequestAsBefore() {
    eachRound(20, 80) { random, reach, device in
      let keys = random.keys(1...10)
      let kept = thinned(keys, over: reach)
      for _ in 0..<60 {
        let environment = random.environment(in: reach)
        let before = environment.winner(among: keys).map { keys[$0] }
        let after = environment.winner(among: kept).map { kept[$0] }
        #expect(before == after, "\(random) \(device.identifier)")
        #expect(before == oracleWinner(among: kept, in: environment).map { kept[$0] }, "\(random)")
      }
    }
  }

  @Test func everythingThatIsKeptIsNeeded() {
    eachRound(21, 80) { random, reach, device in
      let kept = thinned(random.keys(1...10), over: reach)
      let environments = reach.environments(distinguishedBy: kept)
      for environment in environments {
        #expect(contains(environment, reach), "\(random) \(device.identifier)")
      }
      for key in kept {
        let isNeeded = environments.contains { environment in
          environment.winner(among: kept).map { kept[$0] } == key
        }
        #expect(isNeeded, "\(random) \(device.identifier)")
      }
    }
  }

  /// Returns whether the product contains an environment. Checks factor by factor.
  private func contains(_ environment: Environment, _ reach: Reach) -> Bool {
    let isShown = reach.factors.parts.contains { part in
      part.hardware.contains { own in
        own.idiom == environment.idiom && own.scale.map { $0 == environment.scale } ?? true
          && own.gamut.map { $0 == environment.gamut } ?? true
          && own.subtype.map { $0 == environment.subtype } ?? true
          && own.memory.map { $0 == environment.memory } ?? true
          && own.graphics.map { $0 == environment.graphics } ?? true
      }
        && part.windows.contains { window in
          window.width.map { $0 == environment.width } ?? true
            && window.height.map { $0 == environment.height } ?? true
        }
    }
    let userLanguages = UserLanguages(
      chain: environment.languages, direction: environment.direction)
    return isShown && reach.factors.userLanguages.map { $0.contains(userLanguages) } ?? true
      && reach.factors.systems.contains(
        SystemStyle(generation: environment.osGeneration, style: environment.style))
      && reach.factors.contentSizes.contains(environment.contentSize)
  }

  /// A device about which nothing is known can support any subset of the classes. The number of
  /// environments does not grow like that of the subsets, and two lists of keys have different
  /// winners in one of them exactly if they have different winners in any subset.
  @Test func pairsOfGraphicsClassesStandForAllSubsets() throws {
    let device = try #require(Device(named: "iPhone18,5"))
    let reach = try Reach(of: device)
    let all = GraphicsClass.allCases.map { graphics in
      var key = VariantKey()
      key.graphics = graphics
      return key
    }
    #expect(reach.environments(distinguishedBy: all).count == 1 + 11 + 55)
    var random = SeededGenerator.forTest(27)
    func keys() -> [VariantKey] {
      (0..<random.pick(1...6)).map { _ in
        var key = VariantKey()
        key.graphics = random.one(of: [.gles2, .apple2, .apple4, .apple5, .apple9])
        key.memory = random.one(of: [0, 4, 8])
        key.style = random.one(of: [.any, .dark])
        return key
      }
    }
    var differing = 0
    for _ in 0..<200 {
      let (mine, theirs) = (keys(), keys())
      func differ(_ environment: Environment) -> Bool {
        environment.winner(among: mine).map { mine[$0] }
          != environment.winner(among: theirs).map { theirs[$0] }
      }
      let environments = reach.environments(distinguishedBy: mine + theirs)
      let anySubset = environments.contains { environment in
        (0..<1 << 12).contains { mask in
          var changed = environment
          changed.graphics = GraphicsSupport(mask: UInt32(mask))
          return differ(changed)
        }
      }
      #expect(environments.contains(where: differ) == anySubset, "\(random)")
      if anySubset { differing += 1 }
    }
    #expect(differing > 20)
  }

  /// Assets of apps with many languages, devices and looks are decided; assets that combine every
  /// value of every axis are refused.
  @Test func onlyAbsurdAssetsHaveTooManyCombinations() {
    var real: [VariantKey] = []
    for locale in 0..<40 as Range<UInt16> {
      for scale in [1, 2, 3] as [UInt8] {
        for idiom in [Idiom.phone, .pad] {
          for style in [Style.any, .dark] {
            var key = VariantKey()
            (key.locale, key.scale, key.idiom, key.style) = (locale, scale, idiom, style)
            real.append(key)
          }
        }
      }
    }
    #expect(TooManyCombinations(real) == nil)
    let absurd = (1...8 as ClosedRange<UInt8>).map { number in
      var key = VariantKey()
      (key.memory, key.subtype, key.locale) = (number, 300 + UInt16(number), UInt16(number))
      key.graphics = GraphicsClass.allCases[Int(number)]
      (key.scale, key.osGeneration) = (1 + number % 3, number)
      key.gamut = number % 2 == 0 ? .p3 : .sRGB
      return key
    }
    #expect(TooManyCombinations(absurd) != nil)
  }

  @Test func keepingTwiceIsKeepingOnce() {
    eachRound(22, 80) { random, reach, _ in
      let kept = thinned(random.keys(1...10), over: reach)
      #expect(thinned(kept, over: reach) == kept, "\(random)")
    }
  }

  @Test func twoDevicesNeedWhatEitherNeeds() {
    eachRound(23, 50) { random, reach, _ in
      guard let other = try? Reach(of: random.one(of: devices)) else { return }
      let keys = random.keys(1...10)
      let union = Set(thinned(keys, over: reach)).union(thinned(keys, over: other))
      // Thinning the union for one of the two devices gives the same as thinning the whole for it.
      #expect(thinned(Array(union), over: reach) == thinned(keys, over: reach), "\(random)")
    }
  }

  @Test func fewerWindowsNeverNeedMore() throws {
    var random = SeededGenerator.forTest(24)
    var fullScreen = AppTraits()
    fullScreen.requiresFullScreen = true
    for device in devices.shuffled(using: &random).prefix(40) {
      let all = try Reach(of: device)
      let few = try Reach(of: device, app: fullScreen)
      let keys = random.keys(4...10)
      #expect(
        Set(thinned(keys, over: few)).isSubset(of: thinned(keys, over: all)),
        "\(random) \(device.identifier)")
    }
  }

  @Test func everyDeviceHasAReach() throws {
    for device in devices {
      let reach = try Reach(of: device)
      #expect(reach.count > 0)
      #expect(!reach.environments(distinguishedBy: [VariantKey()]).isEmpty)
    }
  }
}
