// The signatures of an index, decoded once at open: every view is computed from them.

import Traits

/// All keys, signature after signature, and where each signature starts.
package struct SignatureTable: Sendable {
  package let keys: [VariantKey]
  /// One more than there are signatures.
  package let starts: [UInt32]
  private let records: [SignatureRecord]

  package var count: Int { starts.count - 1 }

  package func keys(of signature: Int) -> ArraySlice<VariantKey> {
    guard signature >= 0, signature < count else { return [] }
    return keys[Int(starts[signature])..<Int(starts[signature + 1])]
  }

  /// The number of the rendition that the asset of rank 0 has for a key. It may lie outside of the
  /// index, but below 2^61: a signature has fewer than 2^28 keys, since they lie in it.
  package func firstRendition(of signature: Int, key ordinal: Int) -> Int {
    let record = records[signature]
    return Int(record.firstRendition) + ordinal * Int(record.assets)
  }

  /// Signatures must follow one another without gap or overlap, or a small index could stand for an
  /// immense number of decisions; keys must hold values of their axes.
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
