// What each rendition of an archive costs. A picture in an atlas bears its share of the atlas, by area;
// a block that several keys share is borne by the first. So the parts add up to the whole.

import Archive

/// Where in which atlas a picture lies.
struct AtlasPlace: Sendable, Hashable {
  /// The entry of the atlas.
  var atlas: Int
  var x: UInt32
  var y: UInt32
  var width: UInt32
  var height: UInt32

  init(_ link: InternalLink, in atlas: Int) {
    self.atlas = atlas
    (x, y, width, height) = (link.x, link.y, link.width, link.height)
  }

  /// In pixels; no atlas is wider than what is counted.
  fileprivate var area: UInt { UInt(min(width, 1 << 20)) * UInt(min(height, 1 << 20)) }
}

/// The bytes that each entry of an archive is charged with.
package struct Charges: Sendable {
  /// By entry; an atlas that pictures bear has 0.
  package private(set) var bytes: [Int]
  /// The atlases that are borne by pictures.
  private(set) var sharedAtlases: Set<Int> = []

  package var sum: Int { bytes.reduce(0, +) }

  /// What a plan keeps, as it will be written.
  init(keptBy plan: ThinningPlan, of inventory: Inventory) {
    let selection = plan.selection
    self.init(inventory, replacements: plan.replacements, isKept: { selection.isKept[$0] })
    share(selection.placeOfLink.filter { selection.isKept[$0.key] })
  }

  /// All of an archive.
  init(all opened: OpenedArchive) throws(FormatError) {
    let inventory = opened.inventory
    let all = [Bool](repeating: true, count: inventory.entries.count)
    let selection = try Selection(keeping: all, of: inventory, in: opened.archive)
    self.init(inventory, isKept: { _ in true })
    share(selection.placeOfLink)
  }

  private init(
    _ inventory: Inventory, replacements: [Int: [UInt8]] = [:], isKept: (Int) -> Bool
  ) {
    bytes = [Int](repeating: 0, count: inventory.entries.count)
    var seen = Set<BlockID>()
    for entry in inventory.entries.indices where isKept(entry) {
      if let replacement = replacements[entry] {
        bytes[entry] = replacement.count
      } else if seen.insert(inventory.entries[entry].block).inserted {
        bytes[entry] = inventory.entries[entry].range.count
      }
    }
  }

  /// Charges the bytes of atlases to the pictures in them.
  private mutating func share(_ links: [Int: AtlasPlace]) {
    let own = bytes
    for (link, share) in Charges.shares(of: links, { own[$0] }) { bytes[link] += share }
    for place in links.values where sharedAtlases.insert(place.atlas).inserted {
      bytes[place.atlas] = 0
    }
  }

  /// The share that each link has in `size` bytes of its atlas. A frame to which several lead is borne by
  /// the first.
  static func shares(of links: [Int: AtlasPlace], _ size: (Int) -> Int) -> [(link: Int, bytes: Int)]
  {
    var members: [Int: [(link: Int, area: UInt)]] = [:]
    var seen: Set<AtlasPlace> = []
    for (link, place) in links.sorted(by: { $0.key < $1.key }) {
      let area = seen.insert(place).inserted ? place.area : 0
      members[place.atlas, default: []].append((link, area))
    }
    var shares: [(link: Int, bytes: Int)] = []
    for (atlas, links) in members.sorted(by: { $0.key < $1.key }) {
      // Frames without an area, as only damaged archives have them, share alike.
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
  /// What each of its renditions costs.
  package func charges() throws(FormatError) -> Charges { try Charges(all: self) }
}

/// What the bytes of an archive are.
package struct FileParts: Sendable, Hashable {
  package var file: Int
  /// The blocks of renditions: pictures, colours, data.
  package var pictures: Int
  /// Carve's lookup index.
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
  /// The parts of an archive whose renditions cost so much.
  package func parts(pictures: Int) throws(FormatError) -> FileParts {
    FileParts(
      file: archive.bytes.count, pictures: pictures,
      index: try archive.store.bytes(named: Archive.indexName)?.count ?? 0)
  }
}
