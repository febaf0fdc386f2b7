// What thinning does to an archive, before anything is written: what is copied as it is, and the
// few blocks that become others because they lost a part.

import Archive
import Host
import Traits

package enum ThinningError: Error, Sendable {
  case format(FormatError)
  /// What these renditions are cannot be read, so that nothing can be decided about them.
  case damaged([DamagedRendition])
  case archive(ArchiveError)
  case output(OutputError)
}

extension ThinningError {
  /// Says which renditions are damaged, where that is what is wrong.
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

package struct ThinningPlan: Sendable {
  package let decision: Decision
  package let selection: Selection
  /// The new blocks of entries that do not stay as they are.
  package let replacements: [Int: [UInt8]]
  /// Atlases that ship pixels which nobody needs, because packing them anew would not be smaller or
  /// they cannot be decoded.
  package let untouchedAtlases: [Int]

  init(
    _ decision: Decision, of opened: OpenedArchive, repacksAtlases: Bool = true
  ) throws(FormatError) {
    let selection = try Selection(decision, of: opened.inventory, in: opened.archive)
    try self.init(selection, decision, of: opened, repacksAtlases: repacksAtlases)
  }

  /// The plan for a selection that something else than reach has made.
  init(
    _ selection: Selection, _ decision: Decision, of opened: OpenedArchive,
    repacksAtlases: Bool = true
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
    let repacker = AtlasRepacker(opened: opened)
    for (atlas, links) in repacksAtlases ? selection.shrunkAtlases : [] {
      if let blocks = try repacker.repack(atlas, keeping: links) {
        replacements.merge(blocks) { _, new in new }
      } else {
        untouched.append(atlas)
      }
    }
    self.replacements = replacements
    untouchedAtlases = untouched
  }

  /// The bytes of an entry's block as it will be written.
  func byteCount(of entry: Int, in inventory: Inventory) -> Int {
    replacements[entry]?.count ?? inventory.entries[entry].range.count
  }
}

extension Rendition {
  /// The block with another payload, everything in front of it unchanged.
  func block(replacingPayload payload: [UInt8]) throws(FormatError) -> [UInt8] {
    RenditionHead(header, try allProperties()).block(payload: payload)
  }
}
