// The filters of rows in a PNG, which PDFs use too: each byte is stored as its difference from a
// value that is computed of its neighbours.

/// Returns the neighbour of a byte that is nearest to left + above - corner, for the filter Paeth.
/// The corner is the neighbour between the other two. Loops with this function use vectors.
@inlinable @inline(__always)
package func paethNeighbour(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
  let (left, above, corner) = (Int16(left), Int16(above), Int16(corner))
  let first = abs(above &- corner)
  let second = abs(left &- corner)
  let third = abs(left &+ above &- corner &- corner)
  let other = second <= third ? above : corner
  return UInt8(truncatingIfNeeded: first <= second && first <= third ? left : other)
}

package enum PNGFilters {
  /// Undoes the filters of rows in place, and removes the byte before each row, which says its
  /// filter. Returns the number of bytes that remain. The last row may be incomplete. A filter that
  /// does not exist changes nothing.
  package static func undo(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, rowBytes: Int, pixelBytes: Int
  ) -> Int {
    guard let base = bytes.baseAddress, rowBytes > 0, pixelBytes > 0 else { return 0 }
    var from = 0
    var to = 0
    while from < bytes.count {
      let kind = base[from]
      from += 1
      let count = min(rowBytes, bytes.count - from)
      let row = Row(
        source: base + from, target: base + to, above: to == 0 ? nil : base + to - rowBytes,
        count: count, pixelBytes: min(pixelBytes, count))
      row.undo(kind)
      from += count
      to += count
    }
    return to
  }

  /// One row, which moves towards the start of the memory by at least one byte. All loops go
  /// forward, so that no byte is written before it is read.
  private struct Row {
    let source: UnsafeMutablePointer<UInt8>
    let target: UnsafeMutablePointer<UInt8>
    /// The finished row above; nil above the first row, where everything counts as 0.
    let above: UnsafeMutablePointer<UInt8>?
    let count: Int
    let pixelBytes: Int

    func undo(_ kind: UInt8) {
      switch (kind, above) {
      case (1, _), (4, nil): undoLeft()
      case (2, let above?): for i in 0..<count { target[i] = source[i] &+ above[i] }
      case (3, _): undoMean()
      case (4, let above?): undoPaeth(above)
      default: for i in 0..<count { target[i] = source[i] }
      }
    }

    private func undoLeft() {
      for i in 0..<pixelBytes { target[i] = source[i] }
      for i in pixelBytes..<count { target[i] = source[i] &+ target[i - pixelBytes] }
    }

    private func undoMean() {
      for i in 0..<count {
        let left = i < pixelBytes ? 0 : Int(target[i - pixelBytes])
        let sum = left + Int(above?[i] ?? 0)
        target[i] = source[i] &+ UInt8(truncatingIfNeeded: sum / 2)
      }
    }

    private func undoPaeth(_ above: UnsafeMutablePointer<UInt8>) {
      for i in 0..<pixelBytes { target[i] = source[i] &+ above[i] }
      for i in pixelBytes..<count {
        let left = Int(target[i - pixelBytes])
        let up = Int(above[i])
        let corner = Int(above[i - pixelBytes])
        let (a, b, c) = (abs(up - corner), abs(left - corner), abs(left + up - 2 * corner))
        let nearest = a <= b && a <= c ? left : b <= c ? up : corner
        target[i] = source[i] &+ UInt8(truncatingIfNeeded: nearest)
      }
    }
  }
}
