// Charges the bytes of an archive to its renditions. A picture in an atlas is charged its share of
// the atlas, by area; a block that several keys share is charged to the first of them. So the
// charges add up to the whole.

import Archive

/// The bytes that are charged to each entry of an archive.
package struct Charges: Sendable {
  /// The bytes by entry; 0 for an atlas whose bytes are charged to its pictures.
  package private(set) var bytes: [Int]
  /// The atlases whose bytes are charged to their pictures.
  private(set) var sharedAtlases: Set<Int> = []

  package var sum: Int { bytes.reduce(0, +) }

  /// Charges the entries that a plan keeps, with the bytes as they will be written.
  init(keptBy plan: ThinningPlan, of inventory: Inventory) {
    let selection = plan.selection
    self.init(inventory, replacements: plan.replacements, isKept: { selection.isKept[$0] })
    share(selection.links.filter { selection.isKept[$0.entry] })
  }

  /// Charges all entries of an archive.
  init(all opened: OpenedArchive) throws(FormatError) {
    let inventory = opened.inventory
    self.init(inventory, isKept: { _ in true })
    share(try inventory.links.get())
  }

  private init(
    _ inventory: Inventory, replacements: [Int: [UInt8]] = [:], isKept: (Int) -> Bool
  ) {
    bytes = [Int](repeating: 0, count: inventory.entries.count)
    var seen = BlockSet(limit: inventory.blockLimit)
    for entry in inventory.entries.indices where isKept(entry) {
      if let replacement = replacements[entry] {
        bytes[entry] = replacement.count
      } else if seen.insert(inventory.entries.block(at: entry)) {
        bytes[entry] = inventory.entries.range(at: entry).count
      }
    }
  }

  /// Moves the bytes of atlases to the pictures in them.
  private mutating func share(_ links: [AtlasLink]) {
    let own = bytes
    for (link, share) in Charges.shares(of: links, { own[$0] }) { bytes[link] += share }
    for link in links where sharedAtlases.insert(link.frame.atlas).inserted {
      bytes[link.frame.atlas] = 0
    }
  }

  /// Divides the bytes of each atlas (`size`) among the links into it, by area. If several links
  /// lead to one frame, it is charged to the first of them. The links are in the order of their
  /// entries.
  ///
  /// The shares of an atlas add up exactly to its bytes: the sums of the areas are rounded, and a
  /// share is the difference of two sums. An example: 100 bytes for the areas 1, 1, 1 have the sums
  /// 33, 66, 100 and the shares 33, 33, 34.
  static func shares(of links: [AtlasLink], _ size: (Int) -> Int) -> [(link: Int, bytes: Int)] {
    var members: [Int: [(link: Int, area: UInt)]] = [:]
    var seen: Set<AtlasFrame> = []
    for link in links {
      let area = seen.insert(link.frame).inserted ? UInt(link.frame.area) : 0
      members[link.frame.atlas, default: []].append((link.entry, area))
    }
    var shares: [(link: Int, bytes: Int)] = []
    for (atlas, links) in members.sorted(by: { $0.key < $1.key }) {
      // Only damaged archives have frames without an area. If all frames of an atlas are such,
      // their shares are equal.
      let isFlat = links.allSatisfy { $0.area == 0 }
      let whole = links.reduce(UInt(0)) { $0 + (isFlat ? 1 : $1.area) }
      let pool = UInt(max(0, size(atlas)))
      var sum: UInt = 0
      var charged: UInt = 0
      for (link, area) in links {
        sum += isFlat ? 1 : area
        let upTo = whole.dividingFullWidth(pool.multipliedFullWidth(by: sum)).quotient
        shares.append((link, Int(upTo - charged)))
        charged = upTo
      }
    }
    return shares
  }
}

extension OpenedArchive {
  /// Returns the charges of all renditions.
  package func charges() throws(FormatError) -> Charges { try Charges(all: self) }
}

/// The parts of an archive's bytes.
package struct FileParts: Sendable, Hashable {
  package var file: Int
  /// The blocks of renditions: pictures, colours, data.
  package var pictures: Int
  /// The lookup index.
  package var index: Int

  /// Names, keys and the rest of the container.
  package var tables: Int { file - pictures - index }

  package init(file: Int, pictures: Int, index: Int) {
    self.file = file
    self.pictures = pictures
    self.index = index
  }
}

extension OpenedArchive {
  /// Returns the parts of the archive. `pictures` is the sum of the charges of its renditions.
  package func parts(pictures: Int) throws(FormatError) -> FileParts {
    FileParts(
      file: archive.bytes.count, pictures: pictures,
      index: try archive.store.bytes(named: Archive.indexName)?.count ?? 0)
  }
}
