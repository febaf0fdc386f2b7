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
    do throws(ArchiveError) {
      return try writer.rewrite(archive, keeping: kept.map { all[$0] }, replacing: replacing)
    } catch {
      throw .archive(error)
    }
  }
}
