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

  /// Blurs the plane by a Gaussian of a standard deviation in pixels. Outside, the plane is zero.
  mutating func blur(_ deviation: Float) {
    guard deviation > 0.05 else { return }
    let weights = gaussian(deviation)
    let reach = weights.count - 1
    let (width, height) = (width, height)
    var padded = [Float](repeating: 0, count: width + 2 * reach)
    var rows = values
    padded.withUnsafeMutableBufferPointer { padded in
      rows.withUnsafeMutableBufferPointer { rows in
        for y in 0..<height {
          let row = UnsafeMutableBufferPointer(rebasing: rows[y * width..<(y + 1) * width])
          if !row.contains(where: { $0 != 0 }) { continue }
          for x in 0..<width { padded[reach + x] = row[x] }
          for x in 0..<width { row[x] = padded[reach + x] * weights[0] }
          for step in 1...reach {
            let weight = weights[step]
            for x in 0..<width {
              row[x] += (padded[reach + x - step] + padded[reach + x + step]) * weight
            }
          }
        }
        let isUsed = (0..<height).map { y in
          rows[y * width..<(y + 1) * width].contains { $0 != 0 }
        }
        values.withUnsafeMutableBufferPointer { target in
          for y in 0..<height {
            let row = UnsafeMutableBufferPointer(rebasing: target[y * width..<(y + 1) * width])
            for x in 0..<width { row[x] = rows[y * width + x] * weights[0] }
            for step in 1...reach {
              let weight = weights[step]
              for other in [y - step, y + step]
              where (0..<height).contains(other) && isUsed[other] {
                for x in 0..<width { row[x] += rows[other * width + x] * weight }
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
    var line = [Float](repeating: 0, count: width + 2)
    var isEmpty = true
    for (place, weight) in [(first, 1 - down), (first + 1, down)]
    where (0..<height).contains(place) {
      for x in 0..<width {
        let value = values[place * width + x] * weight
        line[x + 1] += value
        if value != 0 { isEmpty = false }
      }
    }
    if isEmpty { return false }
    line.withUnsafeBufferPointer { line in
      columns.places.withUnsafeBufferPointer { places in
        columns.shares.withUnsafeBufferPointer { shares in
          target.withUnsafeMutableBufferPointer { target in
            for x in places.indices {
              let (place, share) = (Int(places[x]), shares[x])
              target[x] = line[place] * (1 - share) + line[place + 1] * share
            }
          }
        }
      }
    }
    return true
  }
}

/// Where the columns of a picture lie between those of a smaller one.
struct MagnifiedColumns {
  /// The columns to the left, one column of free space included.
  fileprivate var places: [Int32] = []
  fileprivate var shares: [Float] = []

  init(count: Int, of width: Int, by factor: Int, moved: Float) {
    for x in 0..<count {
      let column = max(-1, min((Float(x) + 0.5 - moved) / Float(factor) - 0.5, Float(width) - 0.01))
      let left = column.rounded(.down)
      places.append(Int32(left) + 1)
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
    let place = max(0, x) * Decay.steps
    guard place < Float(table.count - 1) else { return 0 }
    let low = Int(place)
    let part = place - Float(low)
    return table[low] * (1 - part) + table[low + 1] * part
  }
}
