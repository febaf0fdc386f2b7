// Makes PNG files smaller at the cost of some time: a palette for pictures with at most 256
// colours, and the filter that fits each row for the others. Both lose nothing.

import Codecs

/// The work that is done to make a PNG file small.
package enum PNGPacking: Sendable {
  /// One filter for all rows, for files that are written to be looked at. Compared with `plain`,
  /// the files of real archives are a twelfth larger, and extracting an archive takes 0.6 of the
  /// time.
  case fast
  /// One filter for all rows, for files that stay in an app or a catalogue.
  case plain
  /// A palette if the colours are few; else a filter for each row.
  case small

  /// The level of libdeflate. After good filters, more work saves little: level 6 makes the
  /// pictures of a page only two hundredths smaller.
  var level: Int32 {
    switch self {
    case .fast: 1
    case .plain: 6
    case .small: 4
    }
  }
}

/// The colours of a picture, and its pixels as indices in their list.
struct PNGPalette {
  /// Premultiplied blue, green, red and alpha, blue in the lowest byte. Those that are not opaque
  /// come first.
  private(set) var colors: [UInt32] = []
  private var pixelNumbers: [UInt8] = []
  private let width: Int
  private let isOpaque: Bool

  private static let mostColors = 256
  /// With more colours, a byte of grey for each pixel is smaller than the list and the indices.
  private static let mostGrays = 16

  /// Creates the palette; nil if the picture has too many colours, or channels of more than a byte.
  init?(_ bitmap: Bitmap) {
    width = bitmap.width
    isOpaque = bitmap.isOpaque
    switch bitmap.layout {
    case .bgra8:
      addPixels(of: bitmap, most: PNGPalette.mostColors) { pixels, offset in
        UInt32(littleEndian: pixels.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
    case .ga8:
      addPixels(of: bitmap, most: isOpaque ? PNGPalette.mostGrays : PNGPalette.mostColors) {
        UInt32($0[$1]) &* 0x1_0101 | UInt32($0[$1 + 1]) << 24
      }
    case .rgbw, .ga16, .ga16Half: return nil
    }
    if colors.isEmpty { return nil }
    sort()
  }

  /// Collects the colours in the order in which the pixels show them; none if there are more than
  /// `most`.
  @inline(__always)
  private mutating func addPixels(
    of bitmap: Bitmap, most: Int, _ read: (UnsafeRawBufferPointer, Int) -> UInt32
  ) {
    // Each cell has the number of a colour, counted from 1. At most a quarter of them is used.
    var cells = [UInt16](repeating: 0, count: 4 * PNGPalette.mostColors)
    var found: [UInt32] = []
    let size = bitmap.layout.bytesPerPixel
    let isComplete = bitmap.pixels.withUnsafeBytes { pixels in
      pixelNumbers = [UInt8](unsafeUninitializedCapacity: width * bitmap.height) {
        pixelNumbers, count in
        var (last, number) = (UInt32(0), UInt16(0))
        for y in 0..<bitmap.height {
          for x in 0..<width {
            let color = read(pixels, y * bitmap.bytesPerRow + x * size)
            if color != last || number == 0 {
              var cell = Int((color &* 0x9E37_79B1) >> 22)
              while cells[cell] != 0, found[Int(cells[cell]) - 1] != color {
                cell = (cell + 1) % cells.count
              }
              if cells[cell] == 0 {
                if found.count == most { return }
                found.append(color)
                cells[cell] = UInt16(found.count)
              }
              (last, number) = (color, cells[cell])
            }
            pixelNumbers[count] = UInt8(truncatingIfNeeded: number &- 1)
            count += 1
          }
        }
      }
      return pixelNumbers.count == width * bitmap.height
    }
    if isComplete { colors = found }
  }

  /// Sorts the colours by alpha, so that the list of alphas can end before those that are opaque.
  private mutating func sort() {
    let order = colors.indices.sorted { (colors[$0] >> 24, $0) < (colors[$1] >> 24, $1) }
    var numbers = [UInt8](repeating: 0, count: colors.count)
    for (number, old) in order.enumerated() { numbers[old] = UInt8(truncatingIfNeeded: number) }
    colors = order.map { colors[$0] }
    for index in pixelNumbers.indices { pixelNumbers[index] = numbers[Int(pixelNumbers[index])] }
  }

  /// The bits of a pixel.
  var depth: UInt8 {
    switch colors.count {
    case ...2: 1
    case ...4: 2
    case ...16: 4
    default: 8
    }
  }

  /// Red, green and blue of each colour.
  var list: [UInt8] {
    colors.flatMap { color in
      [16, 8, 0].map { shift in
        straightChannel(
          UInt8(truncatingIfNeeded: color >> shift), alpha: UInt8(truncatingIfNeeded: color >> 24))
      }
    }
  }

  /// The alphas of the colours before those that are opaque.
  var alphas: [UInt8] {
    if isOpaque { return [] }
    return colors.map { UInt8(truncatingIfNeeded: $0 >> 24) }.filter { $0 != 255 }
  }

  /// The rows, unfiltered, each with its filter byte.
  var rows: [UInt8] {
    let bits = Int(depth)
    let length = (width * bits + 7) / 8
    let height = width > 0 ? pixelNumbers.count / width : 0
    var rows = [UInt8](repeating: 0, count: (length + 1) * height)
    for y in 0..<height {
      let start = y * (length + 1) + 1
      for x in 0..<width {
        rows[start + x * bits / 8] |= pixelNumbers[y * width + x] << (8 - bits - x * bits % 8)
      }
    }
    return rows
  }
}

/// Filters rows. `fast` and `plain` use the filter "up" (the difference from the row above), which
/// compresses pictures well and costs little time. `small` uses for each row the filter with the
/// smallest sum of differences, which usually deflates best.
struct PNGFilterWriter {
  /// The row to filter, after as many zeros as a pixel has bytes. The zeros are the left neighbour
  /// of the first pixel.
  var row: [UInt8]
  private let packing: PNGPacking
  private let length: Int
  private let size: Int
  private var above: [UInt8]
  private var left: [UInt8]
  private var up: [UInt8]
  private var paeth: [UInt8]

  init(_ packing: PNGPacking, length: Int, size: Int) {
    (self.packing, self.length, self.size) = (packing, length, size)
    row = [UInt8](repeating: 0, count: size + length)
    above = row
    left = [UInt8](repeating: 0, count: packing == .small ? length : 0)
    (up, paeth) = (left, left)
  }

  /// Writes the filter byte and the filtered row. Afterwards `above` contains this row.
  mutating func write(to target: UnsafeMutableBufferPointer<UInt8>) {
    switch packing {
    case .fast, .plain:
      target[0] = 2
      row.withUnsafeBufferPointer { row in
        above.withUnsafeBufferPointer { above in
          for index in 0..<length {
            target[index &+ 1] = row[index &+ size] &- above[index &+ size]
          }
        }
      }
    case .small: writeBest(to: target)
    }
    swap(&above, &row)
  }

  private mutating func writeBest(to target: UnsafeMutableBufferPointer<UInt8>) {
    row.withUnsafeBufferPointer { row in
      above.withUnsafeBufferPointer { above in
        left.withUnsafeMutableBufferPointer { left in
          for index in 0..<length { left[index] = row[index &+ size] &- row[index] }
        }
        up.withUnsafeMutableBufferPointer { up in
          for index in 0..<length { up[index] = row[index &+ size] &- above[index &+ size] }
        }
        paeth.withUnsafeMutableBufferPointer { paeth in
          for index in 0..<length {
            paeth[index] =
              row[index &+ size]
              &- paethNeighbour(row[index], above[index &+ size], above[index])
          }
        }
      }
    }
    let sums = [PNGFilterWriter.sum(left), PNGFilterWriter.sum(up), PNGFilterWriter.sum(paeth)]
    switch sums.indices.min(by: { sums[$0] < sums[$1] }) {
    case 0: PNGFilterWriter.write(1, left, to: target)
    case 1: PNGFilterWriter.write(2, up, to: target)
    default: PNGFilterWriter.write(4, paeth, to: target)
    }
  }

  private static func write(
    _ filter: UInt8, _ differences: [UInt8], to target: UnsafeMutableBufferPointer<UInt8>
  ) {
    target[0] = filter
    _ = target[1...].update(fromContentsOf: differences)
  }

  private static func sum(_ differences: [UInt8]) -> Int {
    differences.withUnsafeBufferPointer { differences in
      var sum: UInt32 = 0
      for value in differences { sum &+= UInt32(min(value, 0 &- value)) }
      return Int(sum)
    }
  }
}
