// The signatures of an index. They are decoded once, when the archive is opened; every view is
// computed from them.

import Traits

/// All keys, signature after signature, and the number of the first key of each signature. They
/// take at most 8 bytes of memory for each byte of the index.
package struct SignatureTable: Sendable {
  package let keys: [VariantKey]
  /// The number of the first key of each signature, and at the end the number of all keys.
  package let starts: [UInt32]
  private let places: [Place]

  /// The place of a signature's renditions.
  private struct Place {
    var firstRendition: Int
    var assets: Int
  }

  package var count: Int { starts.count - 1 }

  package func keys(of signature: Int) -> ArraySlice<VariantKey> {
    guard signature >= 0, signature < count else { return [] }
    return keys[Int(starts[signature])..<Int(starts[signature + 1])]
  }

  /// Returns the number of the rendition that the asset of rank 0 has for a key of the signature.
  package func firstRendition(of signature: Int, key ordinal: Int) -> Int {
    // The product is at most the number of renditions: `init` has checked it.
    places[signature].firstRendition + ordinal * places[signature].assets
  }

  /// Returns the signature of a rendition, the number of its key in the signature, and the rank of
  /// its asset; nil if no signature has the rendition.
  package func place(of rendition: Int) -> (signature: Int, ordinal: Int, rank: Int)? {
    for signature in 0..<count {
      let place = places[signature]
      let offset = rendition - place.firstRendition
      let keys = Int(starts[signature + 1] - starts[signature])
      guard offset >= 0, place.assets > 0, offset / place.assets < keys else { continue }
      return (signature, offset / place.assets, offset % place.assets)
    }
    return nil
  }

  /// Reads the signatures. Their keys must lie in the table of members and hold values of their
  /// axes, and their renditions must lie in the index.
  package init(_ index: IndexReader) throws(IndexError) {
    var starts: [UInt32] = [0]
    var places: [Place] = []
    places.reserveCapacity(index.signatures.count)
    starts.reserveCapacity(index.signatures.count + 1)
    var end = 0
    var next = 0
    for number in 0..<index.signatures.count {
      guard let record = index.signatures[number] else { throw .sections }
      let keys = Int(record.keys)
      end += keys
      // With both limits, no product overflows.
      guard end <= index.members.count, Int(record.assets) <= index.renditionCount,
        keys == 0 || Int(record.assets) <= (index.renditionCount - next) / keys
      else { throw .sections }
      places.append(Place(firstRendition: next, assets: Int(record.assets)))
      next += keys * Int(record.assets)
      starts.append(UInt32(end))
    }
    self.starts = starts
    self.places = places
    keys = try SignatureTable.keys(of: index, count: end)
  }

  private static func keys(
    of index: IndexReader, count: Int
  ) throws(IndexError) -> [VariantKey] {
    var distinct: [VariantKey] = []
    distinct.reserveCapacity(index.keys.count)
    for number in 0..<index.keys.count {
      guard let packed = index.keys[number],
        let key = VariantKey(high: packed.high, low: packed.low)
      else { throw .sections }
      distinct.append(key)
    }
    var keys: [VariantKey] = []
    keys.reserveCapacity(count)
    for place in 0..<count {
      guard let number = index.members[place], number < distinct.count else { throw .sections }
      keys.append(distinct[number])
    }
    return keys
  }
}
