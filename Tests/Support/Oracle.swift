// The oracle: a second way to find the winner, which is deliberately naive. Its nested loops are
// those with which the run time of the platform looks for a rendition. It writes every chain as a
// list and shares no code with the rule.

import Traits

/// Returns the number of the key that the nested loops find first.
public func oracleWinner(among keys: [VariantKey], in environment: Environment) -> Int? {
  var best: Int?
  walk(Axis.allCases[...], keys.indices.map { $0 }, keys, environment, &best)
  return best
}

private func walk(
  _ axes: ArraySlice<Axis>, _ candidates: [Int], _ keys: [VariantKey],
  _ environment: Environment, _ hit: inout Int?
) {
  guard let axis = axes.first else {
    hit = candidates.first
    return
  }
  for value in chain(on: axis, of: environment) {
    let those = candidates.filter { keys[$0].value(on: axis) == value }
    if !those.isEmpty { walk(axes.dropFirst(), those, keys, environment, &hit) }
    if hit != nil { return }
  }
}

/// Returns the values in the order in which the loop of one axis tries them.
public func chain(on axis: Axis, of environment: Environment) -> [UInt16] {
  switch axis {
  case .style: [UInt16(environment.style.rawValue), 0]
  case .contrast: [UInt16(environment.contrast.rawValue), 0]
  case .language: environment.languages + [0]
  case .memory: (0...UInt16(environment.memory)).reversed()
  case .subtype: [environment.subtype] + watchChain(environment.subtype) + [0]
  case .graphics:
    GraphicsClass.allCases.reversed().map { UInt16($0.rawValue) }
      .filter { environment.graphics.classes >> UInt32($0) & 1 == 1 }
  case .scale: scaleChain(UInt16(environment.scale))
  case .os: (0...UInt16(environment.osGeneration)).reversed()
  case .direction:
    switch environment.direction {
    case .none: [0]
    case .leftToRight: [5, 4, 0]
    case .rightToLeft: [4, 5, 0]
    }
  case .gamut: [UInt16(environment.gamut.rawValue), 0]
  case .idiom: [UInt16(environment.idiom.rawValue), 0]
  case .width: [UInt16(environment.width.rawValue), 0]
  case .height: [UInt16(environment.height.rawValue), 0]
  case .contentSize: (0...UInt16(environment.contentSize.rawValue)).reversed()
  }
}

private func scaleChain(_ asked: UInt16) -> [UInt16] {
  var chain: [UInt16] = [asked, 0]
  for lower in stride(from: Int(asked) - 1, to: 0, by: -1) { chain.append(UInt16(lower)) }
  for higher in asked + 1...7 { chain.append(higher) }
  return chain
}

private func watchChain(_ face: UInt16) -> [UInt16] {
  switch face {
  case 514: [502, 484, 390, 340, 384, 320]
  case 502, 496: [484, 390, 340, 384, 320]
  case 484: [390, 340, 384, 320]
  case 446: [430, 340, 384, 320]
  case 430, 390: [340, 384, 320]
  case 340: [384, 320]
  case 384: [320]
  default: []
  }
}
