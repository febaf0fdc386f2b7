// Findings about what target devices can ask for: variants that no device ever shows, and requests to
// which a set has no answer. Sets with the same keys share one decision.
import Traits

func checkReach(of assets: [AssetSet], _ options: LintOptions) -> [Diagnostic] {
  let looked = assets.filter { !reachableSlots(of: $0).isEmpty }
  let signatures = Set(looked.map { Signature(reachableSlots(of: $0).map(\.key)) })
  let targets = ReachTargets(options)
  let judged = parallelMap(Array(signatures), jobs: options.jobs) { ($0, targets.judge($0)) }
  let verdicts = Dictionary(uniqueKeysWithValues: judged)
  return looked.flatMap { asset -> [Diagnostic] in
    let slots = reachableSlots(of: asset)
    guard let verdict = verdicts[Signature(slots.map(\.key))] else { return [] }
    return verdict.findings(asset, slots, targets.words)
  }
}

/// The slots by which programs are answered; empty for sets that are chosen from by other rules.
private func reachableSlots(of asset: AssetSet) -> [Slot] {
  switch asset.contents {
  case .images, .symbols, .data:
    return asset.contents.entries.filter { $0.file?.exists == true && !$0.isUnassigned }.map(\.slot)
  case .colors(let set): return set.entries.filter { $0.value != nil }.map(\.slot)
  default: return []
  }
}

/// What a signature means on the devices of the target.
private struct Verdict: Sendable {
  var unreachable: Set<VariantKey> = []
  var hole: Hole?

  struct Hole: Sendable {
    var device: String
    var environment: Environment
    var axis: Axis?
    /// How many more devices have a hole.
    var others: Int
  }

  func findings(_ asset: AssetSet, _ slots: [Slot], _ target: String) -> [Diagnostic] {
    var found = slots.filter { unreachable.contains($0.key) }.map { slot in
      Diagnostic(
        .unreachableVariant,
        "no \(target) ever shows this variant of \(quoted(asset.name)): \(slot.words)",
        file: asset.contentsFile, pointer: slot.pointer)
    }
    if let hole {
      let others = hole.others == 0 ? "" : " and \(counted(hole.others, "other device"))"
      found.append(
        Diagnostic(
          .reachableHole,
          "\(quoted(asset.name)) has nothing for \(hole.device)\(others): \(hole.reason)",
          file: asset.contentsFile))
    }
    return found
  }
}

extension Verdict.Hole {
  /// What is asked for and not there.
  fileprivate var reason: String {
    switch axis {
    case .idiom: "no variant for idiom \(environment.idiom.name)"
    case .style: "no variant for \(environment.style.name) style"
    case .contrast: "no variant for normal contrast"
    case .gamut: "no variant for sRGB"
    case .width: "no variant for \(environment.width.name) width"
    case .height: "no variant for \(environment.height.name) height"
    case .memory: "no variant for \(environment.memory) GB of memory"
    case .graphics: "no variant for its graphics processor"
    case .subtype: "no variant for its display"
    case .language: "no variant without a language"
    case .direction: "no variant for its writing direction"
    case .scale, .os, .contentSize, nil: "no variant can be shown"
    }
  }
}

private struct ReachTargets: Sendable {
  private let reaches: [(device: Device, reach: Reach)]
  private let isGiven: Bool
  /// "device", or what the target's devices are called.
  let words: String

  init(_ options: LintOptions) {
    isGiven = options.platform != nil || !options.idioms.isEmpty
    words = isGiven || options.minimum != nil ? "device of the target" : "device"
    reaches = Device.all.compactMap { device in
      if let platform = options.platform, !platform.covers(device.platform) { return nil }
      if !options.idioms.isEmpty, !options.idioms.contains(device.idiom) { return nil }
      // A version is one of the platform given; without it, it says nothing about other devices.
      let os = options.platform == nil ? nil : options.minimum
      return (try? Reach(of: device, os: os)).map { (device, $0) }
    }
  }

  func judge(_ signature: Signature) -> Verdict {
    var verdict = Verdict(unreachable: Set(signature.keys))
    let idioms = Set(signature.keys.map(\.idiom))
    var holes: [(Device, Environment, Axis?)] = []
    for (device, reach) in reaches {
      let mayAsk = isGiven || idioms.contains(.universal) || idioms.contains(device.idiom)
      var hole: (Device, Environment, Axis?)?
      for environment in reach.environments(distinguishedBy: signature.keys) {
        if let winner = environment.winner(among: signature.keys) {
          verdict.unreachable.remove(signature.keys[winner])
        } else if hole == nil, mayAsk, environment.idiom == device.idiom {
          let axis = environment.obstacle(among: signature.keys)
          // What the device asks for is not known there, so nothing is said.
          if axis.map({ reach.unknown.contains($0) }) != true { hole = (device, environment, axis) }
        }
      }
      if let hole { holes.append(hole) }
    }
    // Marketing icons and unknown targets: nobody asks, so nothing can be said.
    if reaches.isEmpty { verdict.unreachable = [] }
    if let (device, environment, axis) = holes.last {
      verdict.hole = Verdict.Hole(
        device: "\(device.name) (\(device.identifier))", environment: environment, axis: axis,
        others: holes.count - 1)
    }
    return verdict
  }
}

extension Platform {
  fileprivate func covers(_ other: Platform) -> Bool {
    self == other || (self == .iOS && other == .iPadOS)
  }
}
