// Writes the thinned archive: the kept blocks directly from the mapped file, in the order in which
// they lie, and new tables. ArchiveWriter writes the container.

import Archive
import Bytes
import Host

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

  /// Returns the number of bytes in the archive of a plan.
  package func byteCount(of plan: ThinningPlan) throws(ThinningError) -> Int {
    try write(plan, into: CountingSink()).sink.count
  }

  /// Writes the archive of a plan into a sink, and returns the sink.
  package func write<Sink: ByteSink>(
    _ plan: ThinningPlan, into sink: Sink, writesIndex: Bool? = nil
  ) throws(ThinningError) -> (sink: Sink, indexByteCount: Int) {
    // The entries are in the order of the tree; the writer copies the blocks in the order in which
    // they lie.
    let kept = inventory.entries.indices.filter { plan.selection.isKept[$0] }
    var replacing: [Int: [UInt8]] = [:]
    if !plan.replacements.isEmpty {
      for (index, entry) in kept.enumerated() { replacing[index] = plan.replacements[entry] }
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
