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
}

struct NameTable {
  private(set) var pilots: [UInt8]
  private(set) var slots: [AssetSlot]
  /// By the assets in their own order, the numbers of their slots.
  private(set) var order: [UInt32]
  /// How many slots at the end hold what found no place.
  private(set) var overflow = 0

  /// `assets` come in the order of their names.
  init(_ assets: [HashedAsset]) {
    pilots = Array(repeating: 0, count: assets.count / 3 + 1)
    slots = Array(repeating: .empty, count: assets.count + assets.count / 3 + 1)
    order = Array(repeating: 0, count: assets.count)
    let places = slots.count
    for (bucket, members) in NameTable.buckets(assets, count: pilots.count) {
      if let (pilot, found) = freePlaces(for: members, of: assets, among: places) {
        pilots[bucket] = pilot
        for (member, place) in zip(members, found) { put(assets[member], member, at: place) }
      } else {
        for member in members {
          slots.append(.empty)
          put(assets[member], member, at: slots.count - 1)
        }
      }
    }
    overflow = slots.count - places
  }

  private mutating func put(_ asset: HashedAsset, _ number: Int, at place: Int) {
    order[number] = UInt32(place)
    slots[place] = AssetSlot(
      tag: asset.hash.tag, name: asset.name, rank: asset.rank, signature: asset.signature)
  }

  /// The buckets that are not empty with the numbers of their assets: the largest first, and of
  /// equals the first. The assets of one bucket are in the order of their names.
  private static func buckets(
    _ assets: [HashedAsset], count: Int
  ) -> [(bucket: Int, members: ArraySlice<Int>)] {
    let sorted = assets.indices.map { (assets[$0].hash.place(among: count), $0) }.sorted(by: <)
    let members = sorted.map { $0.1 }
    var buckets: [(bucket: Int, members: ArraySlice<Int>)] = []
    var first = 0
    while first < sorted.count {
      let bucket = sorted[first].0
      var end = first + 1
      while end < sorted.count, sorted[end].0 == bucket { end += 1 }
      buckets.append((bucket, members[first..<end]))
      first = end
    }
    return buckets.sorted {
      $0.members.count == $1.members.count
        ? $0.bucket < $1.bucket : $0.members.count > $1.members.count
    }
  }

  /// The first pilot under which the assets of a bucket have places of their own. There is none for
  /// equal hashes.
  private func freePlaces(
    for members: ArraySlice<Int>, of assets: [HashedAsset], among places: Int
  ) -> (pilot: UInt8, places: [Int])? {
    var found: [Int] = []
    for pilot in UInt8.min...UInt8.max {
      found.removeAll(keepingCapacity: true)
      for member in members {
        let place = assets[member].hash.scattered(by: pilot).place(among: places)
        if slots[place].name != AssetSlot.noName || found.contains(place) { break }
        found.append(place)
      }
      if found.count == members.count { return (pilot, found) }
    }
    return nil
  }
}
