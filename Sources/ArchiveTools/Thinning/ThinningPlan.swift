// The plan of thinning an archive, made before anything is written: the renditions that are copied,
// and the few blocks that are replaced because they lost a part.

import Archive
import Bytes
import Host

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
