// Planes of numbers, one for each pixel: blurring and magnifying. All sums have a fixed order and
// no product is fused with a sum, so that every machine gives the same bits.

import Colors

struct Plane {
  let width: Int
  let height: Int
  var values: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    values = [Float](repeating: 0, count: width * height)
  }

  /// Creates a plane whose values `fill` writes, all of them.
  init(width: Int, height: Int, fill: (UnsafeMutableBufferPointer<Float>) -> Void) {
    self.width = width
    self.height = height
    values = [Float](unsafeUninitializedCapacity: width * height) { target, made in
      fill(UnsafeMutableBufferPointer(rebasing: target[..<(width * height)]))
      made = width * height
    }
  }

  /// Blurs the plane by a Gaussian of a standard deviation in pixels. Outside, the plane is zero.
  mutating func blur(_ deviation: Float) {
    guard deviation > 0.05, width > 0, height > 0 else { return }
    let weights = gaussian(deviation)
    let reach = weights.count - 1
    let (width, height) = (width, height)
    // Zeros around each row, and after it up to a whole number of vectors.
    let room = (width + 7) & ~7
    var padded = [Float](repeating: 0, count: room + 2 * reach)
    var rows = [Float](repeating: 0, count: room * height)
    var isUsed = [Bool](repeating: false, count: height)
    weights.withUnsafeBufferPointer { weights in
      padded.withUnsafeMutableBufferPointer { padded in
        rows.withUnsafeMutableBufferPointer { rows in
          values.withUnsafeMutableBufferPointer { values in
            for y in 0..<height {
              let row = UnsafeMutableBufferPointer(rebasing: values[y * width..<(y + 1) * width])
              isUsed[y] = row.contains { $0 != 0 }
              if !isUsed[y] { continue }
              for x in 0..<width { padded[reach + x] = row[x] }
              for x in stride(from: 0, to: room, by: 8) {
                var sum = padded.eight(reach + x) * weights[0]
                for step in 1...reach {
                  let sides = padded.eight(reach + x - step) + padded.eight(reach + x + step)
                  sum += sides * weights[step]
                }
                rows.store(sum, y * room + x)
              }
            }
            for y in 0..<height {
              for x in stride(from: 0, to: room, by: 8) {
                var sum = rows.eight(y * room + x) * weights[0]
                for step in 1...reach {
                  for other in [y - step, y + step]
                  where other >= 0 && other < height && isUsed[other] {
                    sum += rows.eight(other * room + x) * weights[step]
                  }
                }
                if x + 8 <= width {
                  values.store(sum, y * width + x)
                } else {
                  for column in x..<width { values[y * width + column] = sum[column - x] }
                }
              }
            }
          }
        }
      }
    }
  }

  /// Reads a row between the centres of pixels, magnified. Returns false if nothing is in it.
  func magnify(
    row: Float, _ columns: MagnifiedColumns, into target: inout [Float]
  ) -> Bool {
    let top = row.rounded(.down)
    guard top >= -1, top < Float(height) else { return false }
    let (first, down) = (Int(top), row - top)
    // One column of free space on each side.
    var line = [Float](repeating: 0, count: width + 2)
    var bits: UInt32 = 0
    line.withUnsafeMutableBufferPointer { line in
      values.withUnsafeBufferPointer { values in
        guard let line = line.baseAddress, let values = values.baseAddress else { return }
        for (y, weight) in [(first, 1 - down), (first + 1, down)]
        where y >= 0 && y < height {
          let row = values + y * width
          for x in 0..<width {
            let value = row[x] * weight
            line[x &+ 1] += value
            bits |= value.bitPattern
          }
        }
      }
    }
    if bits == 0 { return false }
    line.withUnsafeBufferPointer { line in
      columns.leftColumns.withUnsafeBufferPointer { leftColumns in
        columns.shares.withUnsafeBufferPointer { shares in
          target.withUnsafeMutableBufferPointer { target in
            var x = 0
            while x < leftColumns.count {
              let column = Int(leftColumns[x])
              let (left, right) = (line[column], line[column + 1])
              if x + 4 <= leftColumns.count, Int(leftColumns[x + 3]) == column {
                let share = UnsafeRawBufferPointer(shares).loadUnaligned(
                  fromByteOffset: 4 * x, as: SIMD4<Float>.self)
                UnsafeMutableRawBufferPointer(target).storeBytes(
                  of: left * (1 - share) + right * share, toByteOffset: 4 * x,
                  as: SIMD4<Float>.self)
                x += 4
              } else {
                target[x] = left * (1 - shares[x]) + right * shares[x]
                x += 1
              }
            }
          }
        }
      }
    }
    return true
  }
}

extension UnsafeMutableBufferPointer<Float> {
  /// Returns eight values from an index on.
  @inline(__always)
  fileprivate func eight(_ index: Int) -> SIMD8<Float> {
    UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
  }

  /// Stores eight values from an index on.
  @inline(__always)
  fileprivate func store(_ values: SIMD8<Float>, _ index: Int) {
    UnsafeMutableRawBufferPointer(self).storeBytes(
      of: values, toByteOffset: 4 * index, as: SIMD8<Float>.self)
  }
}

/// Where the columns of a picture lie between those of a smaller one.
struct MagnifiedColumns {
  /// The columns to the left, one column of free space included.
  fileprivate var leftColumns: [Int32] = []
  fileprivate var shares: [Float] = []

  init(count: Int, of width: Int, by factor: Int, moved: Float) {
    for x in 0..<count {
      let column = max(-1, min((Float(x) + 0.5 - moved) / Float(factor) - 0.5, Float(width) - 0.01))
      let left = column.rounded(.down)
      leftColumns.append(Int32(left) + 1)
      shares.append(column - left)
    }
  }
}

/// Returns the weights of a Gaussian, from its middle on one side outwards.
func gaussian(_ deviation: Float) -> [Float] {
  let reach = max(1, Int((deviation * 3).rounded(.up)))
  let scale = -0.5 / Double(deviation * deviation) * 1.4426950408889634
  let raw = (0...reach).map { power2(max(-900, Double($0 * $0) * scale)) }
  let sum = raw[0] + 2 * raw[1...].reduce(0, +)
  return raw.map { Float($0 / sum) }
}

/// A table of exp(-x / width) for whole and half x.
struct Decay {
  private let table: [Float]
  private static let steps: Float = 2

  init(width: Float, reach: Float) {
    let scale = -1.4426950408889634 / Double(width * Decay.steps)
    table = (0...Int(reach * Decay.steps) + 1).map { power2(max(-900, Double($0) * scale)) }
      .map { Float($0) }
  }

  @inline(__always)
  subscript(_ x: Float) -> Float {
    let position = max(0, x) * Decay.steps
    guard position < Float(table.count - 1) else { return 0 }
    let low = Int(position)
    let part = position - Float(low)
    return table[low] * (1 - part) + table[low + 1] * part
  }
}
