// The signatures of an index. They are decoded once, at open; every view is computed from them.

import Traits

/// All keys, signature after signature, and the number of the first key of each signature.
package struct SignatureTable: Sendable {
  package let keys: [VariantKey]
  /// The number of the first key of each signature, and at the end the number of all keys.
  package let starts: [UInt32]
  private let records: [SignatureRecord]

  package var count: Int { starts.count - 1 }

  package func keys(of signature: Int) -> ArraySlice<VariantKey> {
    guard signature >= 0, signature < count else { return [] }
    return keys[Int(starts[signature])..<Int(starts[signature + 1])]
  }

  /// Returns the number of the rendition that the asset of rank 0 has for a key. The number may lie
  /// outside of the index, but it is below 2^61: the numbers in a record are below 2^32, and a
  /// signature has fewer than 2^28 keys, because the keys of 16 bytes lie in the index, which is
  /// shorter than 2^32 bytes.
  package func firstRendition(of signature: Int, key ordinal: Int) -> Int {
    let record = records[signature]
    return Int(record.firstRendition) + ordinal * Int(record.assets)
  }

  /// Reads the signatures. They must follow one another without gaps and overlaps, otherwise a
  /// small index could demand an immense number of decisions. The keys must hold values of their
  /// axes.
  package init(_ index: IndexReader) throws(IndexError) {
    var starts: [UInt32] = [0]
    var records: [SignatureRecord] = []
    records.reserveCapacity(index.signatures.count)
    starts.reserveCapacity(index.signatures.count + 1)
    var end = 0
    for number in 0..<index.signatures.count {
      guard let record = index.signatures[number], Int(record.firstKey) == end else {
        throw .section(1)
      }
      end += Int(record.count)
      guard end <= index.keys.count else { throw .section(1) }
      starts.append(UInt32(end))
      records.append(record)
    }
    var keys: [VariantKey] = []
    keys.reserveCapacity(end)
    for number in 0..<end {
      guard let packed = index.keys[number],
        let key = VariantKey(high: packed.high, low: packed.low)
      else { throw .section(0) }
      keys.append(key)
    }
    self.keys = keys
    self.starts = starts
    self.records = records
  }
}
