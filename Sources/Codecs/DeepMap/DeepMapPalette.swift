// The palettes of the second generation: the colours of a picture, in the order of Apple's tool.

/// The distinct colours of a picture, at most 256, with an index for each pixel.
struct DeepMapColors {
  /// The colours as little-endian words of blue, green, red, alpha.
  private(set) var colors: [UInt32] = []

  static let most = 256

  /// The bits of a colour that are not alpha.
  static let withoutAlpha: UInt32 = 0x00FF_FFFF

  /// Fills `indices` with a byte for each pixel; it may have room for more. Returns nil if there
  /// are more colours than bytes can number, and sets `exceedsWithoutAlpha` to whether there are
  /// without alpha, too. `mask` removes the bits that are not part of the colour.
  init?(
    _ rows: SourceRows, mask: UInt32, indices: inout [UInt8], exceedsWithoutAlpha: inout Bool
  ) {
    let area = rows.width * rows.height
    indices.provide(area)
    var table = ColorNumbers()
    defer { table.deallocate() }
    let stepOfSurplus = indices.withUnsafeMutableBufferPointer { indices -> Int? in
      guard let base = indices.baseAddress else { return nil }
      for step in 0..<rows.height {
        let y = Self.row(step, of: rows.height)
        let row = rows.row(y)
        var address = base + y &* rows.width
        var last: UInt32 = 0
        var number: UInt8 = 0
        var x = 0
        while x < rows.width {
          let pixel = row.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
          let color = UInt32(littleEndian: pixel) & mask
          if x == 0 || color != last {
            guard let found = table.number(of: color) else { return step }
            number = found
            last = color
          } else if x &+ 8 <= rows.width, Self.isRun(of: color, row + 4 &* x, mask) {
            UnsafeMutableRawPointer(address).storeBytes(
              of: SIMD8(repeating: number), as: SIMD8<UInt8>.self)
            address += 8
            x &+= 8
            continue
          }
          address.pointee = number
          address += 1
          x &+= 1
        }
      }
      return nil
    }
    if let stepOfSurplus {
      exceedsWithoutAlpha = Self.exceedsWithoutAlpha(table.colors, rows, from: stepOfSurplus)
      return nil
    }
    let ascending = table.colors.sorted()
    colors = sortedByFold(ascending)
    var newNumbers = [UInt8](repeating: 0, count: Self.most)
    for (index, color) in colors.enumerated() {
      if let first = table.number(of: color) { newNumbers[Int(first)] = UInt8(index) }
    }
    indices.withUnsafeMutableBytes { indices in
      let used = UnsafeMutableRawBufferPointer(rebasing: indices[..<area])
      newNumbers.withUnsafeBufferPointer { Self.replace(used, by: $0) }
    }
  }

  /// Returns the row that is visited in a step. The middle is visited first: there most pictures
  /// have most of their colours, and too many are found sooner.
  @inline(__always)
  private static func row(_ step: Int, of height: Int) -> Int {
    let y = height / 2 &+ step
    return y < height ? y : y &- height
  }

  /// Returns whether there are too many colours without alpha, among those of earlier steps and in
  /// the rows that follow.
  private static func exceedsWithoutAlpha(
    _ earlier: [UInt32], _ rows: SourceRows, from first: Int
  ) -> Bool {
    var table = ColorNumbers()
    defer { table.deallocate() }
    for color in earlier where table.number(of: color & withoutAlpha) == nil { return true }
    for step in first..<rows.height {
      let row = rows.row(row(step, of: rows.height))
      var last: UInt32?
      for x in 0..<rows.width {
        let pixel = row.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
        let color = UInt32(littleEndian: pixel) & withoutAlpha
        if color != last, table.number(of: color) == nil { return true }
        last = color
      }
    }
    return false
  }

  /// Returns whether eight pixels have the same colour.
  @inline(__always)
  private static func isRun(of color: UInt32, _ pixels: UnsafeRawPointer, _ mask: UInt32) -> Bool {
    func pair(_ value: UInt32) -> UInt64 { UInt64(value) &<< 32 | UInt64(value) }
    let expected = pair(color.littleEndian)
    @inline(__always) func difference(_ index: Int) -> UInt64 {
      pixels.loadUnaligned(fromByteOffset: 8 &* index, as: UInt64.self) ^ expected
    }
    let all = difference(0) | difference(1) | difference(2) | difference(3)
    return all & pair(mask.littleEndian) == 0
  }

  /// Replaces each number by its entry in `newNumbers`. Most numbers come in runs.
  private static func replace(
    _ numbers: UnsafeMutableRawBufferPointer, by newNumbers: UnsafeBufferPointer<UInt8>
  ) {
    guard let base = numbers.baseAddress else { return }
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = 0
    while index &+ 8 <= numbers.count {
      let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let first = word & 255
      if word == first &* ones {
        base.storeBytes(
          of: UInt64(newNumbers[Int(first)]) &* ones, toByteOffset: index, as: UInt64.self)
      } else {
        for item in index..<index &+ 8 { numbers[item] = newNumbers[Int(numbers[item])] }
      }
      index &+= 8
    }
    for item in index..<numbers.count { numbers[item] = newNumbers[Int(numbers[item])] }
  }
}

/// Numbers colours in the order of their first use.
private struct ColorNumbers {
  private(set) var count = 0
  /// A hash table with open addressing, four times as many cells as colours: a colour, and its
  /// number plus one in the upper half; 0 is a free cell.
  private let cells: UnsafeMutablePointer<UInt64>
  private static let size = 4 * DeepMapColors.most

  init() {
    cells = .allocate(capacity: Self.size)
    cells.initialize(repeating: 0, count: Self.size)
  }

  func deallocate() { cells.deallocate() }

  /// The colours in the order of their numbers.
  var colors: [UInt32] {
    var colors = [UInt32](repeating: 0, count: count)
    for cell in 0..<Self.size where cells[cell] > 0 {
      colors[Int(cells[cell] >> 32) - 1] = UInt32(truncatingIfNeeded: cells[cell])
    }
    return colors
  }

  @inline(__always)
  mutating func number(of color: UInt32) -> UInt8? {
    var cell = Int(truncatingIfNeeded: (color &* 0x9E37_79B1) &>> 22)
    while cells[cell] != 0 {
      if UInt32(truncatingIfNeeded: cells[cell]) == color {
        return UInt8(truncatingIfNeeded: cells[cell] &>> 32 &- 1)
      }
      cell = (cell &+ 1) & (Self.size &- 1)
    }
    guard count < DeepMapColors.most else { return nil }
    count &+= 1
    cells[cell] = UInt64(truncatingIfNeeded: count) &<< 32 | UInt64(color)
    return UInt8(truncatingIfNeeded: count &- 1)
  }
}

/// Sorts by the exclusive or of the four bytes. Equal keys end in the order in which the quicksort
/// of Bentley and McIlroy leaves them, in the form of Apple's C library. A palette has the same
/// bytes as that of Apple's tool only if this order is the same.
func sortedByFold(_ colors: [UInt32]) -> [UInt32] {
  var sort = FoldSort(
    items: colors.map { color in
      let half = color ^ color >> 16
      return (UInt8(truncatingIfNeeded: half ^ half >> 8), color)
    })
  sort.sort(0, colors.count)
  return sort.items.map { $0.color }
}

private struct FoldSort {
  var items: [(key: UInt8, color: UInt32)]

  mutating func sort(_ first: Int, _ many: Int) {
    var start = first
    var count = many
    while count > 7 {
      items.swapAt(start, pivot(start, count))
      let (below, above, wasSorted) = partition(start, count)
      // Items that were in order already may need few moves, so insertion is tried first.
      if wasSorted, insert(start, count, most: 1 + count / 4) { return }
      sort(start, below)
      start += count - above
      count = above
    }
    _ = insert(start, count, most: .max)
  }

  private func pivot(_ start: Int, _ count: Int) -> Int {
    var low = start
    var middle = start + count / 2
    var high = start + count - 1
    if count > 40 {
      let step = count / 8
      low = median(low, low + step, low + 2 * step)
      middle = median(middle - step, middle, middle + step)
      high = median(high - 2 * step, high - step, high)
    }
    return median(low, middle, high)
  }

  private func median(_ a: Int, _ b: Int, _ c: Int) -> Int {
    let (x, y, z) = (items[a].key, items[b].key, items[c].key)
    if x < y { return y < z ? b : x < z ? c : a }
    return y > z ? b : x < z ? a : c
  }

  /// Moves items that are less than the first item before it and those that are more after it.
  /// Equal items gather at both ends first, then in the middle. Returns the numbers of items that
  /// are less and more, and whether no item had to be moved.
  private mutating func partition(
    _ start: Int, _ count: Int
  ) -> (below: Int, above: Int, wasSorted: Bool) {
    let end = start + count
    let key = items[start].key
    var (equalLow, low) = (start + 1, start + 1)
    var (equalHigh, high) = (end - 1, end - 1)
    var wasSorted = true
    while true {
      while low <= high, items[low].key <= key {
        if items[low].key == key {
          wasSorted = false
          items.swapAt(equalLow, low)
          equalLow += 1
        }
        low += 1
      }
      while low <= high, items[high].key >= key {
        if items[high].key == key {
          wasSorted = false
          items.swapAt(high, equalHigh)
          equalHigh -= 1
        }
        high -= 1
      }
      if low > high { break }
      items.swapAt(low, high)
      wasSorted = false
      low += 1
      high -= 1
    }
    exchange(start: start, end: low, count: min(equalLow - start, low - equalLow))
    exchange(start: low, end: end, count: min(equalHigh - high, end - 1 - equalHigh))
    return (low - equalLow, equalHigh - high, wasSorted)
  }

  /// Exchanges `count` items from `start` on with the `count` items before `end`.
  private mutating func exchange(start: Int, end: Int, count: Int) {
    for offset in 0..<count { items.swapAt(start + offset, end - count + offset) }
  }

  /// Sorts by insertion. Returns false if that takes more moves than `most`; the items then keep
  /// the order reached so far.
  private mutating func insert(_ start: Int, _ count: Int, most: Int) -> Bool {
    var moves = 0
    for item in start..<max(start, start + count) {
      var index = item
      while index > start, items[index - 1].key > items[index].key {
        items.swapAt(index - 1, index)
        index -= 1
        moves += 1
        if moves > most { return false }
      }
    }
    return true
  }
}
