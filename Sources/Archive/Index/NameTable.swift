// Gives each asset a cell of the index (a perfect hash table). The hash of a name selects a bucket,
// the bucket has a pilot, and hash and pilot together give a cell that no other name has. So a
// lookup reads one cell, and searches only the overflow, which is nearly always empty.
//
// There are about two assets for each bucket, and nine cells for eight assets. The pilots are
// chosen here, for the largest bucket first, while most cells are free. An example with two buckets
// and five cells:
//
//     bucket 1: Home, Edit, Trash    pilot 0 → cells 4, 2, 4    two names in cell 4
//                                    pilot 1 → cells 0, 1, 3    free, so bucket 1 gets pilot 1
//     bucket 0: Back                 pilot 0 → cell 3           taken by Trash
//                                    pilot 1 → cell 2           free, so bucket 0 gets pilot 1
//
// If none of the 256 pilots fits, which happens only for names that were chosen to collide, the
// assets of the bucket get cells after the others: the overflow, which a lookup searches.

/// The numbers of an asset that the name table needs.
struct HashedAsset {
  var hash: AssetNameHash
  /// The kind, the length of the name and the place of the name, as a cell holds them.
  var kindAndLength: UInt32
  var name: UInt32
  var number: UInt32
  var signature: UInt32
  var identifier: UInt16
  /// Whether it is an asset; false for the drawing of a symbol.
  var isListed: Bool
}

struct NameTable {
  private(set) var pilots: [UInt8]
  private(set) var cells: [AssetCell]
  /// The cell numbers of the assets that are listed, in the order of the assets.
  private(set) var order: [UInt32]
  /// The identifiers of the same assets.
  let identifiers: [UInt16]
  let assetBits: Int
  /// The number of cells at the end whose assets found no cell through their hash.
  private(set) var overflow = 0

  /// Lays out the table. `assets` are in the order of their names.
  init(_ assets: [HashedAsset], assetBits: Int) {
    self.assetBits = assetBits
    pilots = Array(repeating: 0, count: assets.count / 2 + 1)
    cells = Array(repeating: .empty, count: assets.count + assets.count / 8 + 1)
    order = Array(repeating: 0, count: assets.count)
    let listed = assets.indices.filter { assets[$0].isListed }
    identifiers = listed.map { assets[$0].identifier }
    let hashedCells = cells.count
    let members = NameTable.membersByBucket(assets, count: pilots.count)
    var found: [Int] = []
    for bucket in NameTable.bucketsBySize(members) {
      if let pilot = freeCells(for: members[bucket], of: assets, among: hashedCells, &found) {
        pilots[Int(members[bucket.lowerBound] >> 32)] = pilot
        for (member, cell) in zip(bucket, found) { put(assets, members[member], at: cell) }
      } else {
        for member in bucket {
          cells.append(.empty)
          put(assets, members[member], at: cells.count - 1)
        }
      }
    }
    overflow = cells.count - hashedCells
    order = listed.map { order[$0] }
  }

  private mutating func put(_ assets: [HashedAsset], _ member: UInt64, at cell: Int) {
    let number = Int(member & 0xFFFF_FFFF)
    let asset = assets[number]
    order[number] = UInt32(cell)
    cells[cell] = AssetCell(
      tag: asset.hash.tag, kindAndLength: asset.kindAndLength, name: asset.name,
      signatureAndAsset: asset.signature << assetBits | asset.number)
  }

  /// Returns one number for each asset: its bucket in the upper half, its index in `assets` in
  /// the lower half. The numbers are sorted by bucket; the assets of one bucket stay in the order
  /// of their names.
  private static func membersByBucket(_ assets: [HashedAsset], count: Int) -> [UInt64] {
    var members: [UInt64] = []
    members.reserveCapacity(assets.count)
    for (number, asset) in assets.enumerated() {
      members.append(UInt64(asset.hash.number(below: count)) << 32 | UInt64(number))
    }
    members.sort(byBitsFrom: 32)
    return members
  }

  /// Returns the range of each bucket in `members`: the largest bucket first, and of equally large
  /// buckets the one that comes first.
  private static func bucketsBySize(_ members: [UInt64]) -> [Range<Int>] {
    var starts: [UInt64] = []
    starts.reserveCapacity(members.count)
    var first = 0
    while first < members.count {
      var end = first + 1
      while end < members.count, members[end] >> 32 == members[first] >> 32 { end += 1 }
      starts.append(UInt64(UInt32.max - UInt32(end - first)) << 32 | UInt64(first))
      first = end
    }
    starts.sort(byBitsFrom: 32)
    return starts.map { start in
      let first = Int(start & 0xFFFF_FFFF)
      return first..<first + Int(UInt32.max - UInt32(start >> 32))
    }
  }

  /// Returns the first pilot that gives each asset of a bucket a free cell of its own, and sets
  /// `found` to these cells. Returns nil if no pilot does, for example if two hashes are equal.
  private func freeCells(
    for members: ArraySlice<UInt64>, of assets: [HashedAsset], among hashedCells: Int,
    _ found: inout [Int]
  ) -> UInt8? {
    for pilot in UInt8.min...UInt8.max {
      found.removeAll(keepingCapacity: true)
      for member in members {
        let hash = assets[Int(member & 0xFFFF_FFFF)].hash
        let cell = hash.scattered(by: pilot).number(below: hashedCells)
        if !cells[cell].isEmpty || found.contains(cell) { break }
        found.append(cell)
      }
      if found.count == members.count { return pilot }
    }
    return nil
  }
}
