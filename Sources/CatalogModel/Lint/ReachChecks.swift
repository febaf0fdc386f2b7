// Reports findings about the target devices: variants that no device ever shows, and requests of
// devices that a set cannot answer. Sets with the same keys share one decision.

import Documents
import Host
import Traits

func checkReach(of assets: [AssetSet], _ options: LintOptions) -> [Diagnostic] {
  let checked = assets.filter { !reachableSlots(of: $0).isEmpty }
  let signatures = Set(checked.map { Signature(reachableSlots(of: $0).map(\.key)) })
    .filter { TooManyCombinations($0.keys) == nil }
  let targets = ReachTargets(options)
  let results = parallelMap(Array(signatures), jobs: options.jobs) { ($0, targets.check($0)) }
  let resultBySignature = Dictionary(uniqueKeysWithValues: results)
  return checked.flatMap { asset -> [Diagnostic] in
    let slots = reachableSlots(of: asset)
    guard let result = resultBySignature[Signature(slots.map(\.key))] else { return [] }
    return result.findings(about: asset, slots: slots, target: targets.words)
  }
}

/// Returns the slots among which the rule chooses; empty for sets whose variants other rules
/// choose.
private func reachableSlots(of asset: AssetSet) -> [Slot] {
  switch asset.contents {
  case .images, .symbols, .data:
    return asset.contents.entries.filter { $0.file?.exists == true && !$0.isUnassigned }.map(\.slot)
  case .colors(let set): return set.compiledEntries.map(\.slot)
  case .appIcons, .icons, .iconBundle, .launchImages, .spriteAtlas, .textures, .mipmaps,
    .imageStack, .imageStackLayer, .brandAssets, .complications, .stickerPack, .sticker,
    .stickerSequence, .stickersIcons, .arGroup, .arImage, .arObject, .gameCenter:
    return []
  }
}

/// The result of checking a signature on the devices of the target.
private struct ReachResult: Sendable {
  var unreachable: Set<VariantKey> = []
  var hole: Hole?

  struct Hole: Sendable {
    var device: String
    var environment: Environment
    var axis: Axis?
    /// The number of further devices that have a hole.
    var others: Int
  }

  func findings(about asset: AssetSet, slots: [Slot], target: String) -> [Diagnostic] {
    var found = slots.filter { unreachable.contains($0.key) || $0.key.hasForeignDisplay }.map {
      slot in
      let isForeign = slot.key.hasForeignDisplay
      var finding = Diagnostic(
        .unreachableVariant,
        "no \(isForeign ? "device" : target) ever shows this variant of \(quoted(asset.name)): "
          + "\(slot.words)"
          + (isForeign ? "; only devices of another idiom have this display" : ""),
        file: asset.contentsFile, pointer: slot.pointer)
      // The traits contradict each other for every target.
      if isForeign { finding.severity = .warning }
      return finding
    }
    if let hole, !asset.leavesOutEntries {
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

/// The idioms of the devices with a display of each subtype.
private let displayIdioms: [UInt16: Set<Idiom>] = Device.all.reduce(into: [:]) { idioms, device in
  if let subtype = device.subtype { idioms[subtype, default: []].insert(device.idiom) }
}

extension VariantKey {
  /// Whether only devices of another idiom have the display. The displays of some devices are not
  /// known, so a display that no device has may still be one of this idiom.
  fileprivate var hasForeignDisplay: Bool {
    guard subtype != 0, let idioms = displayIdioms[subtype] else { return false }
    switch idiom {
    case .phone, .pad, .watch, .tv, .mac, .vision: return !idioms.contains(idiom)
    case .universal, .car, .marketing: return false
    }
  }
}

extension ReachResult.Hole {
  /// The value that the device requests and no variant has.
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
  /// The groups of devices with the same environments, newest first.
  private let groups: [(devices: [Device], reach: Reach)]
  private let isGiven: Bool
  /// The noun for a target device in messages.
  let words: String

  init(_ options: LintOptions) {
    isGiven = options.platform != nil || !options.idioms.isEmpty
    words =
      options.devices != nil
      ? "device that is named"
      : isGiven || options.minimum != nil ? "device of the target" : "device"
    var groups: [(devices: [Device], reach: Reach)] = []
    var indices: [ReachFactors: Int] = [:]
    for device in (options.devices ?? Device.all).reversed() {
      if let platform = options.platform, !platform.covers(device) { continue }
      if !options.idioms.isEmpty, !options.idioms.contains(device.idiom) { continue }
      // The minimum version belongs to the given platform. Without a platform it cannot be compared
      // with the versions of a device.
      let os = options.platform == nil ? nil : options.minimum
      guard let reach = try? Reach(of: device, os: os) else { continue }
      if let index = indices[reach.factors] {
        groups[index].devices.append(device)
      } else {
        indices[reach.factors] = groups.count
        groups.append(([device], reach))
      }
    }
    self.groups = groups
  }

  func check(_ signature: Signature) -> ReachResult {
    var result = ReachResult(unreachable: Set(signature.keys))
    let idioms = Set(signature.keys.map(\.idiom))
    let divided = DividedKeys(signature.keys)
    var holes = 0
    for (devices, reach) in groups {
      let mayAsk = isGiven || idioms.contains(.universal) || idioms.contains(devices[0].idiom)
      var hole: (environment: Environment, axis: Axis?)?
      for environment in reach.environments(distinguishedBy: signature.keys) {
        if let winner = divided.winner(in: environment) {
          result.unreachable.remove(signature.keys[winner])
        } else if hole == nil, mayAsk, environment.idiom == devices[0].idiom {
          let axis = environment.obstacle(among: signature.keys)
          // If the device's value on this axis is not published, the hole is not certain, so it is
          // not reported.
          if axis.map({ reach.unknown.contains($0) }) != true { hole = (environment, axis) }
        }
      }
      guard let hole else { continue }
      holes += devices.count
      if result.hole == nil {
        let name = "\(devices[0].name) (\(devices[0].identifier))"
        result.hole = ReachResult.Hole(
          device: name, environment: hole.environment, axis: hole.axis, others: 0)
      }
    }
    result.hole?.others = holes - 1
    if groups.isEmpty { result.unreachable = [] }
    return result
  }
}

extension Platform {
  /// Whether the device reads archives for this platform. A Mac reads two kinds: those of its own
  /// apps, and as a device of the idiom pad those of apps for phones and pads.
  fileprivate func covers(_ device: Device) -> Bool {
    switch self {
    case .macOS: device.platform == .macOS && device.idiom == .mac
    case .iOS: device.platform == .iOS || device.platform == .iPadOS
    default: device.platform == self
    }
  }
}
