// The binary search of this module and of the modules that import it.

extension RandomAccessCollection {
  /// Returns the first index whose element satisfies the predicate. The predicate has to stay true
  /// for all elements after the first that satisfies it.
  @inlinable package func partitioningIndex(where predicate: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = distance(from: startIndex, to: endIndex)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if predicate(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
