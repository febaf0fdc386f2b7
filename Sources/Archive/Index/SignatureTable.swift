// The signatures of an index. They are decoded once, when the archive is opened; every view is
// computed from them.

import Traits

/// All keys, signature after signature, and the number of the first key of each signature. They
/// take at most 8 bytes of memory for each byte of the index.
package struct SignatureTable: Sendable {
  package let keys: [VariantKey]
  /// The number of the first key of each signature, and at the end the number of all keys.
  package let starts: [UInt32]
  private let spans: [Span]

  /// The renditions of a signature.
  private struct Span {
    var firstRendition: Int
    var assets: Int
  }

  package var count: Int { starts.count - 1 }

  package func keys(of signature: Int) -> ArraySlice<VariantKey> {
    guard signature >= 0, signature < count else { return [] }
    return keys[Int(starts[signature])..<Int(starts[signature + 1])]
  }

  /// Returns the number of the rendition that the asset of number 0 has for a key of the signature.
  package func firstRendition(of signature: Int, key ordinal: Int) -> Int {
    // The product is at most the number of renditions: `init` has checked it.
    spans[signature].firstRendition + ordinal * spans[signature].assets
  }

  /// Returns the signature of a rendition, and the numbers of its key and its asset in the
  /// signature; nil if no signature has the rendition.
  package func position(of rendition: Int) -> (signature: Int, ordinal: Int, asset: Int)? {
    for signature in 0..<count {
      let span = spans[signature]
      let offset = rendition - span.firstRendition
      let keys = Int(starts[signature + 1] - starts[signature])
      guard offset >= 0, span.assets > 0, offset / span.assets < keys else { continue }
      return (signature, offset / span.assets, offset % span.assets)
    }
    return nil
  }

  /// Reads the signatures. Their keys must lie in the table of members and hold values of their
  /// axes, and their renditions must lie in the index.
  package init(_ index: IndexReader) throws(IndexError) {
    var starts: [UInt32] = [0]
    var spans: [Span] = []
    spans.reserveCapacity(index.signatures.count)
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
      spans.append(Span(firstRendition: next, assets: Int(record.assets)))
      next += keys * Int(record.assets)
      starts.append(UInt32(end))
    }
    self.starts = starts
    self.spans = spans
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
    for member in 0..<count {
      guard let number = index.members[member], number < distinct.count else { throw .sections }
      keys.append(distinct[number])
    }
    return keys
  }
}
