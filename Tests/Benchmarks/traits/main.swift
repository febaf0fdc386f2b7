// A program whose instructions are the cost of the rule and of reach: `traits WHAT TIMES`. It is
// compiled together with the module Traits (see traits.bench).

/// Returns a hundred signatures of the sizes that real catalogues have.
func hundredSignatures() -> [Signature] {
  (0..<100).map { number in
    var keys: [VariantKey] = []
    for scale in (number % 5 == 4 ? 2 : 1)...UInt8(3) {
      for style in number % 2 == 0 ? [Style.any] : [.any, .dark] {
        for idiom in number % 3 == 0 ? [Idiom.universal, .pad] : [.universal] {
          var key = VariantKey()
          key.scale = scale
          key.style = style
          key.idiom = idiom
          key.width = number % 7 == 6 && scale == 2 ? .compact : .any
          key.memory = number % 11 == 10 ? 2 : 0
          key.subtype = number % 13 == 12 ? 2436 : 0
          keys.append(key)
        }
      }
    }
    return Signature(keys)
  }
}

func request(_ width: SizeClass) -> Environment {
  var environment = Environment()
  environment.idiom = .pad
  environment.scale = 2
  environment.width = width
  environment.height = .regular
  environment.style = .dark
  environment.gamut = .p3
  environment.memory = 4
  environment.osGeneration = 11
  return environment
}

/// Returns a sum over the results, so that nothing is computed in vain. In a function, because the
/// variables of the main program belong to the main actor, and each access checks that.
func run(_ words: [String]) -> Int {
  let times = words.count > 2 ? Int(words[2]) ?? 1 : 1
  var sum = 0
  switch words.count > 1 ? words[1] : "" {
  case "view":
    let signatures = hundredSignatures()
    for round in 0..<times {
      let request = Request(request(round % 2 == 0 ? .compact : .regular))
      for signature in signatures {
        let winner = signature.keys.withUnsafeBufferPointer { Winner(of: request, among: $0) }
        sum &+= winner.ordinal ?? 0
      }
    }
  case "winner":
    let signature = hundredSignatures()[3]
    for round in 0..<times {
      let environment = request(round % 2 == 0 ? .compact : .regular)
      sum &+= environment.winner(among: signature.keys) ?? 0
    }
  case "reach":
    for _ in 0..<times {
      guard let device = Device(named: words.count > 3 ? words[3] : "iPad16,5"),
        let reach = try? Reach(of: device)
      else { break }
      sum &+= reach.count
    }
  case "decide":
    guard let device = Device(named: "iPad16,5"), let reach = try? Reach(of: device) else { break }
    let signatures = hundredSignatures()
    for round in 0..<times {
      let signature = signatures[round % 100]
      let environments = reach.environments(distinguishedBy: signature.keys)
      sum &+= signature.winners(over: environments).count
    }
  default: print("traits view|winner|reach|decide TIMES [MODEL]")
  }
  return sum
}

print(run(CommandLine.arguments))
