// Writes the thinned archive: kept blocks in the order in which they lie, straight from the map, and
// tables of what is left. The container's own rules are ArchiveWriter's business.

import Archive
import Host
import Traits

extension OpenedArchive {
  /// Writes what a plan keeps, and gives the number of bytes. Nothing is at its place before all of them
  /// are.
  @discardableResult
  package func write(
    _ plan: ThinningPlan, to destination: Destination
  ) throws(ThinningError) -> Int {
    let file: ArchiveFile
    do throws(OutputError) { file = try ArchiveFile(destination) } catch { throw .output(error) }
    _ = try write(plan, into: file)
    do throws(OutputError) { try file.commit() } catch { throw .output(error) }
    return file.byteCount
  }

  /// The archive as bytes.
  func bytes(of plan: ThinningPlan) throws(ThinningError) -> [UInt8] {
    try write(plan, into: MemorySink()).bytes
  }

  private func write<Sink: ArchiveSink>(
    _ plan: ThinningPlan, into sink: Sink
  ) throws(ThinningError) -> Sink {
    // In the order of the tree: the writer copies the blocks as they lie.
    let kept = inventory.entries.indices.filter { plan.selection.isKept[$0] }
    var replacing: [Int: [UInt8]] = [:]
    if !plan.replacements.isEmpty {
      for (place, entry) in kept.enumerated() { replacing[place] = plan.replacements[entry] }
    }
    let writesIndex = try writesIndex()
    var writer = ArchiveWriter(into: sink)
    do throws(ArchiveError) {
      return try writer.rewrite(
        archive, keeping: inventory.entries.selecting(kept), replacing: replacing,
        facets: inventory.facets, facts: inventory.facts?.selecting(kept),
        writesIndex: writesIndex)
    } catch {
      if case .format(let trouble) = error { throw ThinningError(trouble, in: archive) }
      throw .archive(error)
    }
  }

  /// An archive that Carve made without an index stays without one.
  private func writesIndex() throws(ThinningError) -> Bool {
    do throws(FormatError) {
      let hadIndex = try archive.store.bytes(named: Archive.indexName) != nil
      return hadIndex || !archive.header.toolVersion.hasPrefix("Carve")
    } catch {
      throw .format(error)
    }
  }
}
