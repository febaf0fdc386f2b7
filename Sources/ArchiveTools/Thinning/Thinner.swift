// Thinning from end to end for one archive: every device is planned with the same decisions, each
// made once. `carve thin` and `carve compile --device` both come here.

import Archive
import Bytes
import Traits

package struct Thinner {
  package let opened: OpenedArchive
  private var decider: Decider

  /// The caller keeps the bytes alive and unchanged.
  package init(_ bytes: UnsafeRawBufferPointer) throws(ThinningError) {
    let archive: Archive
    do throws(FormatError) { archive = try Archive(bytes) } catch { throw .format(error) }
    do throws(FormatError) {
      opened = try OpenedArchive(archive, asksIndex: true)
    } catch {
      throw ThinningError(error, in: archive)
    }
    decider = Decider(opened.inventory.signatures)
  }

  /// What the archive says about its platform.
  package func metadata() throws(ThinningError) -> CatalogMetadata? {
    do throws(FormatError) { return try opened.archive.metadata() } catch { throw .format(error) }
  }

  /// How many times the rule was asked about a signature and a list of environments.
  package var decisionCount: Int { decider.decisionCount }

  /// What a device can ever ask of this archive. Where no system is given, the one that the archive
  /// was compiled for is the oldest that matters: on older ones the app is not installed.
  package func reach(
    of device: Device, app: AppTraits = AppTraits(), os: OSVersion? = nil
  ) throws(ReachError) -> Reach {
    let stated = (try? opened.archive.metadata())?.flatMap { OSVersion($0.platformVersion) }
    return try Reach(of: device, app: app, os: os ?? stated)
  }

  /// What all devices of a target together can show.
  package mutating func decide(for target: ThinningTarget) -> Decision {
    let reaches = target.reaches
    var decision = Decision(signatures: decider.signatures)
    for reach in reaches {
      decision.formUnion(decider.decide { reach.environments(distinguishedBy: $0.keys) })
    }
    return decision
  }

  /// What becomes of the archive. Packing atlases anew takes long, and changes no decision.
  package func plan(
    _ decision: Decision, repacksAtlases: Bool = true
  ) throws(ThinningError) -> ThinningPlan {
    do throws(FormatError) {
      return try ThinningPlan(decision, of: opened, repacksAtlases: repacksAtlases)
    } catch {
      throw ThinningError(error, in: opened.archive)
    }
  }

  /// The thinned archive, in memory.
  package mutating func bytes(for target: ThinningTarget) throws(ThinningError) -> [UInt8] {
    try opened.bytes(of: plan(decide(for: target)))
  }

  /// What the plan for a target saves, and what each of its devices alone would save.
  package mutating func report(
    _ plan: ThinningPlan, for target: ThinningTarget
  ) throws(ThinningError) -> ThinningReport {
    var report = ThinningReport()
    let inventory = opened.inventory
    for reach in target.reaches {
      guard let device = Device(named: reach.device) else { continue }
      let alone = ThinningTarget([reach])
      let own = target.reaches.count == 1 ? plan : try self.plan(decide(for: alone))
      report.devices.append(
        ThinningReport.savings(of: device, plan: own, in: inventory) {
          alone.environments(distinguishedBy: $0.keys)
        })
    }
    report.openAxes = target.openAxes(in: inventory.signatures)
    report.untouchedAtlasCount = plan.untouchedAtlases.count
    report.emptyAssets = inventory.emptyAssets(under: plan.selection)
    report.whole = WholeReason.allCases.compactMap { reason in
      let entries =
        inventory.whole.filter { $0.reason == reason }.map(\.entry)
        + (reason == .optedOut ? plan.selection.optedOut : [])
      if entries.isEmpty { return nil }
      let bytes = entries.reduce(0) { $0 + inventory.entries[$1].range.count }
      return (reason, Amount(entries.count, bytes: bytes))
    }
    report.pictures = Charges(keptBy: plan, of: inventory).sum
    do throws(FormatError) {
      report.full = try opened.parts(pictures: try opened.charges().sum)
      for entry in try opened.archive.localizations() {
        report.languages[nameIdentifier(entry.name.utf8)] = entry.name
      }
    } catch {
      throw .format(error)
    }
    return report
  }
}

extension Inventory {
  /// The names that had variants and have none left.
  fileprivate func emptyAssets(under selection: Selection) -> [ByteString] {
    var isLeft = [Bool](repeating: false, count: facets.count)
    var hadSome = isLeft
    for (index, entry) in entries.enumerated() {
      guard let facet = facet(element: entry.key.element, identifier: entry.key.identifier) else {
        continue
      }
      hadSome[facet] = true
      if selection.isKept[index] { isLeft[facet] = true }
    }
    return (0..<facets.count).filter { hadSome[$0] && !isLeft[$0] }.map { facets.name(at: $0) }
  }
}
