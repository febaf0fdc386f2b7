// The properties that the rule promises, each checked against the naive walk or against itself.

import Support
import Testing
import Traits

@Suite struct PropertyTests {
  private let rounds = 1000

  @Test func theRuleAgreesWithTheNestedWalk() {
    var random = SeededGenerator.forTest(1)
    for _ in 0..<rounds {
      let keys = random.keys(axes: 5)
      let environment = random.environment()
      #expect(
        environment.winner(among: keys) == oracleWinner(among: keys, in: environment), "\(random)")
    }
  }

  @Test func everyPairOfKeysIsDecidedAsTheNestedWalkDoes() {
    // All pairs and all requests of a small world with two values on four axes.
    var keys: [VariantKey] = []
    for bits in 0..<16 {
      keys.append(
        scale(bits & 1 == 0 ? 1 : 2) {
          $0.style = bits & 2 == 0 ? .any : .dark
          $0.memory = bits & 4 == 0 ? 0 : 2
          $0.idiom = bits & 8 == 0 ? .universal : .pad
        })
    }
    for request in 0..<16 {
      var environment = Environment()
      environment.scale = request & 1 == 0 ? 1 : 2
      environment.style = request & 2 == 0 ? .light : .dark
      environment.memory = request & 4 == 0 ? 1 : 3
      environment.idiom = request & 8 == 0 ? .phone : .pad
      for first in keys {
        for second in keys {
          let pair = [first, second]
          let winner = environment.winner(among: pair)
          if winner != oracleWinner(among: pair, in: environment) {
            Issue.record("\(pair) in \(environment)")
          }
        }
      }
    }
  }

  @Test func aPlainUniversalVariantLeavesNothingUnanswered() {
    var random = SeededGenerator.forTest(2)
    for _ in 0..<rounds {
      let keys = random.keys() + [scale(random.one(of: [0, 1, 2, 3]))]
      #expect(random.environment().winner(among: keys) != nil, "\(random)")
    }
  }

  @Test func theOrderOfTheKeysDoesNotMatter() {
    var random = SeededGenerator.forTest(3)
    for _ in 0..<rounds {
      let keys = Array(Set(random.keys()))
      let environment = random.environment()
      let shuffled = keys.shuffled(using: &random)
      let winner = environment.winner(among: keys).map { keys[$0] }
      #expect(winner == environment.winner(among: shuffled).map { shuffled[$0] }, "\(random)")
    }
  }

  @Test func anExactMatchWins() {
    var random = SeededGenerator.forTest(4)
    for _ in 0..<rounds {
      let environment = random.environment()
      var exact = scale(environment.scale) {
        ($0.style, $0.contrast) = (environment.style, environment.contrast)
        ($0.memory, $0.subtype) = (environment.memory, environment.subtype)
        ($0.graphics, $0.osGeneration) = (environment.graphics.newest, environment.osGeneration)
        ($0.direction, $0.gamut) = (environment.direction, environment.gamut)
        ($0.idiom, $0.width, $0.height) = (environment.idiom, environment.width, environment.height)
      }
      exact.locale = environment.languages.first ?? 0
      exact.contentSize = environment.contentSize
      let keys = random.keys().filter { $0 != exact } + [exact]
      #expect(environment.winner(among: keys) == keys.count - 1, "\(random)")
    }
  }

  @Test func nothingAboveTheDeviceIsShown() {
    var random = SeededGenerator.forTest(5)
    for _ in 0..<rounds {
      let keys = random.keys()
      let environment = random.environment()
      guard let winner = environment.winner(among: keys).map({ keys[$0] }) else { continue }
      #expect(winner.memory <= environment.memory, "\(random)")
      #expect(winner.osGeneration <= environment.osGeneration, "\(random)")
      #expect(
        environment.graphics.classes >> UInt32(winner.graphics.rawValue) & 1 == 1, "\(random)")
    }
  }

  @Test func removingALoserChangesNothing() {
    var random = SeededGenerator.forTest(6)
    for _ in 0..<rounds {
      let keys = random.keys(2...8)
      let environment = random.environment()
      guard let winner = environment.winner(among: keys) else { continue }
      let loser = random.pick(0...keys.count - 1)
      if keys[loser] == keys[winner] { continue }
      var rest = keys
      rest.remove(at: loser)
      #expect(environment.winner(among: rest).map { rest[$0] } == keys[winner], "\(random)")
    }
  }

  @Test func anAxisThatNoVariantUsesCannotMatter() {
    var random = SeededGenerator.forTest(7)
    for _ in 0..<rounds {
      let axis = random.one(of: Axis.allCases)
      let plain = VariantKey()
      let keys = random.keys().filter { $0.value(on: axis) == plain.value(on: axis) }
      // A bitmap always has a scale, so a set that does not use the scale can be empty.
      if keys.isEmpty { continue }
      var environment = random.environment()
      let before = environment.winner(among: keys)
      environment.adopt(axis, from: random.environment())
      #expect(environment.winner(among: keys) == before, "\(random) \(axis)")
    }
  }

  @Test func aWinnerIsWhatTheRuleAnswers() {
    var random = SeededGenerator.forTest(8)
    for _ in 0..<2000 {
      // Larger sets of keys are divided before they are searched.
      let signature = Signature(random.keys(1...40))
      let environment = random.environment()
      let request = Request(environment)
      let found = signature.keys.withUnsafeBufferPointer { Winner(of: request, among: $0) }
      let winner = environment.winner(among: signature.keys)
      #expect(found.ordinal == winner, "\(random)")
      #expect(DividedKeys(signature.keys).winner(in: environment) == winner, "\(random)")
      if let winner {
        #expect(found.isMirrored == environment.mirrors(signature.keys[winner]), "\(random)")
      }
    }
  }

  @Test func packedKeysKeepTheirValues() {
    var random = SeededGenerator.forTest(10)
    for _ in 0..<rounds {
      let key = random.key(axes: 8)
      #expect(VariantKey(high: key.packed.high, low: key.packed.low) == key, "\(random)")
    }
    #expect(VariantKey(high: 9 << 56, low: 0) == nil)
  }
}
