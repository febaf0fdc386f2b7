// Writes the thinned archive: kept blocks in the order in which they lie, straight from the map, and
// tables of what is left. The container's own rules are ArchiveWriter's business.

import Archive
import Traits

extension OpenedArchive {
  /// Writes what a plan keeps. Nothing is at `path` before all of it is; false where the place held
  /// the same bytes.
  @discardableResult
  public func write(_ plan: ThinningPlan, to path: String) throws(ThinningError) -> Bool {
    let file: ArchiveFile
    do throws(OutputError) { file = try ArchiveFile(path: path) } catch { throw .output(error) }
    _ = try write(plan, into: file)
    do throws(OutputError) { return try file.commit() } catch { throw .output(error) }
  }

  /// The archive as bytes.
  func bytes(of plan: ThinningPlan) throws(ThinningError) -> [UInt8] {
    try write(plan, into: MemorySink()).bytes
  }

  private func write<Sink: ArchiveSink>(
    _ plan: ThinningPlan, into sink: Sink
  ) throws(ThinningError) -> Sink {
    let all = inventory.entries
    // In the order in which they lie, so that the old file is read from front to back.
    let kept = all.indices.filter { plan.selection.isKept[$0] }
      .sorted { (all[$0].range.lowerBound, $0) < (all[$1].range.lowerBound, $1) }
    var replacing: [Int: [UInt8]] = [:]
    if !plan.replacements.isEmpty {
      for (place, entry) in kept.enumerated() { replacing[place] = plan.replacements[entry] }
    }
    var writer = ArchiveWriter(into: sink)
    let index = try index(of: kept, plan)
    do throws(ArchiveError) {
      return try writer.rewrite(
        archive, keeping: kept.map { all[$0] }, replacing: replacing,
        facets: inventory.facets, index: index)
    } catch {
      throw .archive(error)
    }
  }

  /// What writes the index of the kept entries; nil for an archive that Carve made without one.
  private func index(
    of kept: [Int], _ plan: ThinningPlan
  ) throws(ThinningError) -> (([Range<Int>]) -> [UInt8]?)? {
    do throws(FormatError) {
      let hadIndex = try archive.store.bytes(named: Archive.indexName) != nil
      guard hadIndex || !archive.header.toolVersion.hasPrefix("Carve") else { return nil }
      let numbers = try VariantNumbers(of: archive)
      let localizations = try archive.localizations()
      var facts: [RenditionFacts] = []
      facts.reserveCapacity(kept.count)
      for entry in kept {
        if let block = plan.replacements[entry] {
          facts.append(block.withUnsafeBytes { RenditionFacts(block: Bytes($0)) })
        } else {
          facts.append(RenditionFacts(block: Bytes(try bytes(of: entry))))
        }
      }
      return { ranges in
        // In the order of the trees, as an index that is built from them.
        let order = kept.indices.sorted { kept[$0] < kept[$1] }
        let renditions = order.map { place in
          TreeRendition(
            key: inventory.entries[kept[place]].key, range: ranges[place], facts: facts[place])
        }
        return try? IndexWriter.bytes(
          facets: inventory.facets, renditions: renditions, numbers: numbers,
          localizations: localizations)
      }
    } catch {
      throw .format(error)
    }
  }
}
