// Where assets lie among the slots of an index. A hash names a bucket, the bucket has a pilot, hash
// and pilot together name a slot that no other name has: a lookup reads one slot and never searches.
// The pilots are found here, the largest bucket first, while there is much room.

/// An asset as the name table knows it.
struct HashedAsset {
  var hash: AssetNameHash
  /// Of its NameRecord in the pool.
  var name: UInt32
  var rank: UInt32
  var signature: UInt32
  /// Whether it is an asset, and no part of one.
  var isListed = true
}

struct NameTable {
  private(set) var pilots: [UInt8]
  private(set) var slots: [AssetSlot]
  /// By the assets that are listed, in their own order, the numbers of their slots.
  private(set) var order: [UInt32]
  /// How many slots at the end hold what found no place.
  private(set) var overflow = 0

  /// `assets` come in the order of their names.
  init(_ assets: [HashedAsset]) {
    pilots = Array(repeating: 0, count: assets.count / 3 + 1)
    slots = Array(repeating: .empty, count: assets.count + assets.count / 3 + 1)
    order = Array(repeating: 0, count: assets.count)
    let places = slots.count
    let members = NameTable.membersByBucket(assets, count: pilots.count)
    var found: [Int] = []
    for bucket in NameTable.bucketsBySize(members) {
      if let pilot = freePlaces(for: members[bucket], of: assets, among: places, &found) {
        pilots[Int(members[bucket.lowerBound] >> 32)] = pilot
        for (member, place) in zip(bucket, found) { put(assets, members[member], at: place) }
      } else {
        for member in bucket {
          slots.append(.empty)
          put(assets, members[member], at: slots.count - 1)
        }
      }
    }
    overflow = slots.count - places
    order = assets.indices.filter { assets[$0].isListed }.map { order[$0] }
  }

  private mutating func put(_ assets: [HashedAsset], _ member: UInt64, at place: Int) {
    let number = Int(member & 0xFFFF_FFFF)
    let asset = assets[number]
    order[number] = UInt32(place)
    slots[place] = AssetSlot(
      tag: asset.hash.tag, name: asset.name, rank: asset.rank, signature: asset.signature)
  }

  /// Buckets and the numbers of their assets, bucket after bucket. The assets of one bucket are in the
  /// order of their names.
  private static func membersByBucket(_ assets: [HashedAsset], count: Int) -> [UInt64] {
    var members: [UInt64] = []
    members.reserveCapacity(assets.count)
    for (number, asset) in assets.enumerated() {
      members.append(UInt64(asset.hash.place(among: count)) << 32 | UInt64(number))
    }
    members.sort(byBitsFrom: 32)
    return members
  }

  /// Where the members of each bucket stand: the largest first, and of equals the first.
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

  /// The first pilot under which the assets of a bucket have places of their own, which `found` then
  /// holds. There is none for equal hashes.
  private func freePlaces(
    for members: ArraySlice<UInt64>, of assets: [HashedAsset], among places: Int,
    _ found: inout [Int]
  ) -> UInt8? {
    for pilot in UInt8.min...UInt8.max {
      found.removeAll(keepingCapacity: true)
      for member in members {
        let hash = assets[Int(member & 0xFFFF_FFFF)].hash
        let place = hash.scattered(by: pilot).place(among: places)
        if slots[place].name != AssetSlot.noName || found.contains(place) { break }
        found.append(place)
      }
      if found.count == members.count { return pilot }
    }
    return nil
  }
}
