// Thins one archive, from its bytes to a plan and a report. All devices use the same decisions,
// each of which is computed once. `carve thin` and `carve compile --device` both use this type.

import Archive
import Bytes
import Host
import Traits

/// An archive that can be thinned for any number of targets.
package struct Thinner {
  package let opened: OpenedArchive
  private var decider: Decider
  let repacker: AtlasRepacker

  /// Opens an archive. The caller keeps the bytes alive and unchanged.
  package init(_ bytes: UnsafeRawBufferPointer) throws(ThinningError) {
    let archive: Archive
    do throws(FormatError) { archive = try Archive(bytes) } catch { throw .format(error) }
    do throws(FormatError) {
      opened = try OpenedArchive(archive, asksIndex: true)
    } catch {
      throw ThinningError(error, in: archive)
    }
    decider = Decider(opened.inventory.signatures)
    repacker = AtlasRepacker(opened)
  }

  /// Reads the metadata of the archive, which name its platform.
  package func metadata() throws(ThinningError) -> CatalogMetadata? {
    do throws(FormatError) { return try opened.archive.metadata() } catch { throw .format(error) }
  }

  /// Returns the languages for which the archive has variants.
  package func languages() throws(ThinningError) -> [String] {
    do throws(FormatError) { return try opened.archive.localizations().map(\.name) } catch {
      throw .format(error)
    }
  }

  /// The number of pairs of a signature and a list of environments for which a decision was
  /// computed.
  package var decisionCount: Int { decider.decisionCount }

  /// Returns the environments that a device can present to this archive. If no system is given, the
  /// oldest system that counts is the one for which the archive was compiled: on older systems the
  /// app is not installed.
  package func reach(
    of device: Device, app: AppTraits = AppTraits(), os: OSVersion? = nil
  ) throws(ReachError) -> Reach {
    let stated = (try? opened.archive.metadata())?.flatMap { OSVersion($0.platformVersion) }
    do throws(ReachError) {
      return try Reach(of: device, app: app, os: os ?? stated)
    } catch {
      if os == nil, case .systemTooNew(let name, let latest, let oldest) = error {
        throw .archiveTooNew(device: name, latest: latest, oldest: oldest)
      }
      throw error
    }
  }

  /// Decides which variants the devices of a target can show.
  package mutating func decide(for target: ThinningTarget) -> Decision {
    let reaches = target.reaches
    var decision = Decision(signatures: decider.signatures)
    for reach in reaches {
      decision.formUnion(decider.decide { reach.environments(distinguishedBy: $0.keys) })
    }
    return decision
  }

  /// Plans the thinned archive. Packing atlases again takes time, and changes no decision.
  package func plan(
    _ decision: Decision, repacksAtlases: Bool = true
  ) throws(ThinningError) -> ThinningPlan {
    do throws(FormatError) {
      let selection = try Selection(decision, of: opened.inventory, in: opened.archive)
      return try ThinningPlan(
        selection, decision, of: opened, with: repacksAtlases ? repacker : nil)
    } catch {
      throw ThinningError(error, in: opened.archive)
    }
  }

  /// Reports the savings of a plan for a target, and the savings for each of its devices alone.
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
    report.alwaysKept = AlwaysKeptReason.allCases.compactMap { reason in
      let entries =
        inventory.alwaysKept.filter { $0.reason == reason }.map(\.entry)
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
  /// Returns the names that had renditions and have lost all of them.
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
