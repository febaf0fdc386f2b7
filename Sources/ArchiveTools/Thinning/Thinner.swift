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

  /// Returns the bytes of the thinned archive.
  package mutating func bytes(for target: ThinningTarget) throws(ThinningError) -> [UInt8] {
    try opened.bytes(of: plan(decide(for: target)))
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

// MARK: - Targets

// The devices for which an archive is thinned, as the environments that they can present together.

/// The reaches of the devices of a target.
package struct ThinningTarget: Sendable {
  /// The reaches, one for each device.
  package let reaches: [Reach]

  package init(_ reaches: [Reach]) { self.reaches = reaches }

  /// Computes the reach of every device for this app and system.
  package init(
    _ devices: [Device], app: AppTraits = AppTraits(), os: OSVersion? = nil
  ) throws(ReachError) {
    var reaches: [Reach] = []
    for device in devices { reaches.append(try Reach(of: device, app: app, os: os)) }
    self.reaches = reaches
  }

  /// Returns one environment for each order into which an environment of any device puts these
  /// keys.
  package func environments(distinguishedBy keys: [VariantKey]) -> [Environment] {
    if reaches.count == 1 { return reaches[0].environments(distinguishedBy: keys) }
    var seen: Set<Environment> = []
    return reaches.flatMap { $0.environments(distinguishedBy: keys) }
      .filter { seen.insert($0).inserted }
  }

  /// Returns, for each device, the axes that the signatures distinguish and on which the value of
  /// the device is not published.
  package func openAxes(
    in signatures: [Signature]
  ) -> [(device: String, axes: [Axis])] {
    let used = Axis.allCases.filter { axis in
      signatures.contains { $0.distinguishes(axis) }
    }
    return reaches.compactMap { reach in
      let open = reach.unknown.filter { used.contains($0) }
      return open.isEmpty ? nil : (reach.device, open)
    }
  }
}

extension Signature {
  /// Returns whether an axis influences the decision among the keys: they differ on it, or an
  /// environment can refuse one because of it.
  func distinguishes(_ axis: Axis) -> Bool {
    let plain = VariantKey()
    if axis == .scale { return keys.contains { $0.scale != keys[0].scale } }
    return keys.contains { $0.value(on: axis) != plain.value(on: axis) }
  }
}

// MARK: - Plans

// The plan of thinning an archive, made before anything is written: the renditions that are copied,
// and the few blocks that are replaced because they lost a part.

/// An error of thinning an archive.
package enum ThinningError: Error, Sendable {
  case format(FormatError)
  /// These renditions cannot be read, so thinning cannot decide about them.
  case damaged([DamagedRendition])
  case archive(ArchiveError)
  case output(OutputError)
}

extension ThinningError {
  /// Creates an error that names the damaged renditions of the archive, if it has any.
  init(_ error: FormatError, in archive: Archive) {
    let damaged = archive.damagedRenditions()
    self = damaged.isEmpty ? .format(error) : .damaged(damaged)
  }
}

extension ThinningError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damaged(let renditions):
      renditions.prefix(20).map { $0.description }.joined(separator: "; ")
        + (renditions.count > 20 ? "; and \(renditions.count - 20) more" : "")
    case .format(let error): "\(error)"
    case .archive(let error): "\(error)"
    case .output(let error): error.description
    }
  }
}

/// The renditions that are kept, and their new blocks.
package struct ThinningPlan: Sendable {
  package let decision: Decision
  package let selection: Selection
  /// The new blocks, by the entries that are not copied unchanged.
  package let replacements: [Int: [UInt8]]
  /// Atlases that keep pixels of dropped pictures, because packing them again would save little or
  /// is not possible.
  package let untouchedAtlases: [Int]

  /// Plans for a selection. Filters of items make one without a reach. Atlases stay as they are if
  /// there is no repacker.
  init(
    _ selection: Selection, _ decision: Decision, of opened: OpenedArchive,
    with repacker: AtlasRepacker?
  ) throws(FormatError) {
    let inventory = opened.inventory
    self.decision = decision
    self.selection = selection
    var replacements: [Int: [UInt8]] = [:]
    for (table, sizes) in selection.shrunkTables {
      let rendition = try opened.archive.rendition(inventory.entries[table])
      replacements[table] = try rendition.block(replacingPayload: sizes.bytes())
    }
    var untouched: [Int] = []
    if let repacker {
      let results = try repacker.repack(selection.shrunkAtlases)
      for (shrunk, blocks) in zip(selection.shrunkAtlases, results) {
        if let blocks {
          replacements.merge(blocks) { _, new in new }
        } else {
          untouched.append(shrunk.atlas)
        }
      }
    }
    self.replacements = replacements
    untouchedAtlases = untouched
  }

  /// Returns the length of an entry's block as it will be written.
  func byteCount(of entry: Int, in inventory: Inventory) -> Int {
    replacements[entry]?.count ?? inventory.entries[entry].range.count
  }
}

extension Rendition {
  /// Returns the block with another payload. Everything in front of the payload stays unchanged.
  func block(replacingPayload payload: [UInt8]) throws(FormatError) -> [UInt8] {
    RenditionHead(header, try allProperties()).block(payload: payload)
  }
}

// MARK: - Writing

// Writes the thinned archive: the kept blocks directly from the mapped file, in the order in which
// they lie, and new tables. ArchiveWriter writes the container.

extension OpenedArchive {
  /// Writes the archive of a plan, and returns its size. The file gets to its place only when it is
  /// complete. If `writesIndex` is nil, the new archive has a lookup index if the old one has one.
  @discardableResult
  package func write(
    _ plan: ThinningPlan, to destination: Destination, writesIndex: Bool? = nil
  ) throws(ThinningError) -> WrittenArchive {
    let file: FileSink
    do throws(OutputError) { file = try FileSink(destination) } catch { throw .output(error) }
    let (_, indexByteCount) = try write(plan, into: file, writesIndex: writesIndex)
    do throws(OutputError) { try file.commit() } catch { throw .output(error) }
    return WrittenArchive(byteCount: file.byteCount, indexByteCount: indexByteCount)
  }

  /// Returns the bytes of the archive of a plan.
  func bytes(of plan: ThinningPlan) throws(ThinningError) -> [UInt8] {
    try write(plan, into: MemorySink(), writesIndex: nil).sink.bytes
  }

  /// Returns the number of bytes in the archive of a plan.
  package func byteCount(of plan: ThinningPlan) throws(ThinningError) -> Int {
    try write(plan, into: CountingSink(), writesIndex: nil).sink.count
  }

  private func write<Sink: ByteSink>(
    _ plan: ThinningPlan, into sink: Sink, writesIndex: Bool?
  ) throws(ThinningError) -> (sink: Sink, indexByteCount: Int) {
    // The entries are in the order of the tree; the writer copies the blocks in the order in which
    // they lie.
    let kept = inventory.entries.indices.filter { plan.selection.isKept[$0] }
    var replacing: [Int: [UInt8]] = [:]
    if !plan.replacements.isEmpty {
      for (place, entry) in kept.enumerated() { replacing[place] = plan.replacements[entry] }
    }
    let writesIndex = if let writesIndex { writesIndex } else { try hasIndex() }
    var writer = ArchiveWriter(into: sink)
    do throws(ArchiveError) {
      let sink = try writer.rewrite(
        archive, keeping: inventory.entries.selecting(kept), replacing: replacing,
        facets: inventory.facets, facts: inventory.facts?.selecting(kept),
        writesIndex: writesIndex)
      return (sink, writer.indexByteCount)
    } catch {
      if case .format(let trouble) = error { throw ThinningError(trouble, in: archive) }
      throw .archive(error)
    }
  }

  /// Returns whether the archive has a lookup index.
  private func hasIndex() throws(ThinningError) -> Bool {
    do throws(FormatError) {
      return try archive.store.bytes(named: Archive.indexName) != nil
    } catch {
      throw .format(error)
    }
  }
}

/// The size of an archive that was written.
package struct WrittenArchive: Sendable, Hashable {
  package var byteCount: Int
  package var indexByteCount: Int

  package init(byteCount: Int, indexByteCount: Int) {
    self.byteCount = byteCount
    self.indexByteCount = indexByteCount
  }
}
