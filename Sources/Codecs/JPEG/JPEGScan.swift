// A scan of a JPEG picture: entropy-coded coefficients, which are complete or refined step by step.

import Bytes

struct JPEGScan {
  struct Member {
    var component: Int
    var direct: JPEGCode?
    var other: JPEGCode?
    var predicted = 0
  }

  var members: [Member]
  /// The first and the last coefficient of the scan and, in a progressive picture, the bit
  /// positions of the successive approximation.
  let first: Int
  let last: Int
  let high: Int
  let low: Int
  var reader: JPEGBits
  /// The number of following blocks that have no coefficients in this scan.
  private var emptyBlocks = 0

  init(members: [Member], first: Int, last: Int, high: Int, low: Int, reader: JPEGBits) {
    self.members = members
    self.first = min(first, 63)
    self.last = last
    self.high = high
    self.low = min(low, 13)
    self.reader = reader
  }

  static let zigzag = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52,
    45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
  ]

  mutating func run(_ decoder: inout JPEGDecoder) {
    let isSingle = members.count == 1
    let unitsWide: Int
    let unitsHigh: Int
    if isSingle {
      let number = members[0].component
      unitsWide = decoder.components[number].blocksWide
      unitsHigh = decoder.components[number].blocksHigh
    } else {
      unitsWide = (decoder.width + 8 * decoder.mostAcross - 1) / (8 * decoder.mostAcross)
      unitsHigh = (decoder.height + 8 * decoder.mostDown - 1) / (8 * decoder.mostDown)
    }
    let blocks = members.reduce(0) { sum, member in
      let component = decoder.components[member.component]
      return sum + (isSingle ? 1 : component.across * component.down)
    }
    for unit in 0..<unitsWide * unitsHigh {
      if decoder.restartInterval > 0, unit > 0, unit % decoder.restartInterval == 0 {
        reader.restart()
        emptyBlocks = 0
        for index in members.indices { members[index].predicted = 0 }
      }
      let (row, column) = (unit / unitsWide, unit % unitsWide)
      if reader.isAtEnd || (column == 0 && !decoder.pay(blocks: unitsWide * blocks)) { return }
      for index in members.indices {
        if isSingle {
          decodeBlock(index, row: row, column: column, decoder: &decoder)
        } else {
          // A variable for the component would share the coefficients, so that they would be copied
          // at every block.
          let number = members[index].component
          let across = decoder.components[number].across
          let down = decoder.components[number].down
          for y in 0..<down {
            for x in 0..<across {
              decodeBlock(
                index, row: row * down + y, column: column * across + x, decoder: &decoder)
            }
          }
        }
      }
    }
  }

  private mutating func decodeBlock(
    _ index: Int, row: Int, column: Int, decoder: inout JPEGDecoder
  ) {
    let component = members[index].component
    let start = (row * decoder.components[component].stride + column) * 64
    let isProgressive = decoder.isProgressive
    decoder.components[component].coefficients.withUnsafeMutableBufferPointer { all in
      guard start >= 0, start + 64 <= all.count else { return }
      let block = UnsafeMutableBufferPointer(rebasing: all[start..<start + 64])
      if !isProgressive {
        decodeDirect(index, block)
        decodeOthers(index, block, from: 1, to: 63)
      } else if first == 0 {
        if high == 0 { decodeDirect(index, block) } else { refineDirect(block) }
      } else if high == 0 {
        decodeOthers(index, block, from: first, to: last)
      } else {
        refineOthers(index, block)
      }
    }
  }

  private mutating func decodeDirect(_ index: Int, _ block: UnsafeMutableBufferPointer<Int16>) {
    guard let size = members[index].direct?.read(&reader) else { return }
    members[index].predicted &+= reader.signed(min(size, 15))
    block[0] = Int16(truncatingIfNeeded: members[index].predicted << low)
  }

  private mutating func refineDirect(_ block: UnsafeMutableBufferPointer<Int16>) {
    if reader.take(1) == 1 { block[0] |= 1 << Int16(low) }
  }

  private mutating func decodeOthers(
    _ index: Int, _ block: UnsafeMutableBufferPointer<Int16>, from start: Int, to end: Int
  ) {
    if emptyBlocks > 0 {
      emptyBlocks -= 1
      return
    }
    guard let code = members[index].other else { return }
    var position = start
    while position <= end {
      guard let value = code.read(&reader) else { return }
      let run = value >> 4
      let size = value & 15
      if size == 0 {
        if run < 15 {
          // In baseline pictures the run is 0, which ends this block only.
          emptyBlocks = (1 << run) - 1 + reader.take(run)
          return
        }
        position += 16
      } else {
        position += run
        guard position <= end else { return }
        block[Self.zigzag[position]] = Int16(truncatingIfNeeded: reader.signed(size) << low)
        position += 1
      }
    }
  }

  /// Reads one more bit of each coefficient that is not zero, and new coefficients of size 1.
  private mutating func refineOthers(_ index: Int, _ block: UnsafeMutableBufferPointer<Int16>) {
    var position = first
    let bit = Int16(1) << Int16(low)
    if emptyBlocks == 0, let code = members[index].other {
      while position <= last {
        guard let value = code.read(&reader) else { return }
        var run = value >> 4
        var new: Int16 = 0
        if value & 15 == 0 {
          if run < 15 {
            emptyBlocks = (1 << run) + reader.take(run)
            break
          }
        } else {
          new = reader.take(1) == 1 ? bit : -bit
        }
        while position <= last {
          let spot = Self.zigzag[position]
          if block[spot] != 0 {
            refine(&block[spot], bit)
          } else {
            if run == 0 {
              if new != 0 { block[spot] = new }
              position += 1
              break
            }
            run -= 1
          }
          position += 1
        }
      }
    }
    guard emptyBlocks > 0 else { return }
    while position <= last {
      let spot = Self.zigzag[position]
      if block[spot] != 0 { refine(&block[spot], bit) }
      position += 1
    }
    emptyBlocks -= 1
  }

  private mutating func refine(_ value: inout Int16, _ bit: Int16) {
    guard reader.take(1) == 1, value & bit == 0 else { return }
    value = value > 0 ? value &+ bit : value &- bit
  }
}

// MARK: - Samples

// Converts the coefficients of a JPEG picture to samples: the inverse cosine transform, the
// enlargement of components with fewer samples, and the conversion of YCbCr to colours.

extension JPEGDecoder {
  func picture(_ transform: Int?) throws(CodecError) -> JPEGPicture {
    // Samples are made, enlarged, interleaved and converted to colours.
    let samples = width * height * components.count
    guard budget.spend(.samples, 3 * samples), budget.borrow(.samples, bytes: 2 * samples) else {
      throw .truncated(at: data.count)
    }
    var planes: [[UInt8]] = []
    for component in components {
      let table = quantizations[component.quantization]
      guard table.count == 64 else { throw .corrupt(at: data.count) }
      let small = self.samples(of: component, table)
      planes.append(enlarged(small, component))
    }
    var result = [UInt8](repeating: 0, count: width * height * planes.count)
    let count = planes.count
    for (offset, plane) in planes.enumerated() {
      for index in 0..<width * height { result[index * count + offset] = plane[index] }
    }
    if count == 3, transform ?? (hasColorsByName ? 0 : 1) != 0 {
      Self.toColors(&result, step: 3, inverts: false)
    }
    if count == 4, transform ?? 0 != 0 { Self.toColors(&result, step: 4, inverts: true) }
    return JPEGPicture(
      width: width, height: height, components: count, samples: result, profile: profile)
  }

  /// Whether the components are named by the letters R, G and B, as in files whose colours are not
  /// transformed.
  private var hasColorsByName: Bool {
    components.map { $0.identifier }.elementsEqual("RGB".utf8.map(Int.init))
  }

  /// Returns the samples of a component as they are stored, eight rows for each row of blocks.
  private func samples(of component: Component, _ table: [Int32]) -> [UInt8] {
    let wide = component.stride * 8
    let rows = component.coefficients.count / 64 / max(component.stride, 1)
    var plane = [UInt8](repeating: 0, count: wide * rows * 8)
    var block = [Float](repeating: 0, count: 64)
    for row in 0..<component.blocksHigh {
      for column in 0..<component.blocksWide {
        let start = (row * component.stride + column) * 64
        for index in 0..<64 {
          block[index] = Float(Int32(component.coefficients[start + index]) &* table[index])
        }
        CosineTransform.invert(&block)
        for y in 0..<8 {
          let offset = (row * 8 + y) * wide + column * 8
          for x in 0..<8 {
            let value = (block[y * 8 + x] + 128).rounded()
            plane[offset + x] = UInt8(min(max(value, 0), 255))
          }
        }
      }
    }
    return plane
  }

  /// Returns the samples of a component in the size of the picture. A stored sample lies in the
  /// middle of the pixels that it covers; other pixels are interpolated.
  private func enlarged(_ plane: [UInt8], _ component: Component) -> [UInt8] {
    let wide = component.stride * 8
    let columns = samplePositions(count: width, own: component.across, most: mostAcross)
    let rows = samplePositions(count: height, own: component.down, most: mostDown)
    var result = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height {
      let (top, bottom, part) = rows[y]
      let (upper, lower) = (top * wide, bottom * wide)
      for x in 0..<width {
        let (left, right, across) = columns[x]
        let first = Int(plane[upper + left]) * (16 - across) + Int(plane[upper + right]) * across
        let second = Int(plane[lower + left]) * (16 - across) + Int(plane[lower + right]) * across
        result[y * width + x] = UInt8((first * (16 - part) + second * part + 128) >> 8)
      }
    }
    return result
  }

  /// Returns for each pixel the two nearest samples and the weight of the second one, in
  /// sixteenths.
  private func samplePositions(count: Int, own: Int, most: Int) -> [(Int, Int, Int)] {
    let stored = (count * own + most - 1) / most
    return (0..<count).map { pixel in
      // The position is counted in sixteenths of a sample, from the middle of the first sample.
      let position = ((2 * pixel + 1) * own * 8) / most - 8
      let low = min(max(position >> 4, 0), stored - 1)
      let part = position < 0 ? 0 : position & 15
      return (low, min(low + 1, stored - 1), part)
    }
  }

  private static func toColors(_ samples: inout [UInt8], step: Int, inverts: Bool) {
    samples.withUnsafeMutableBufferPointer { all in
      for index in stride(from: 0, to: all.count - step + 1, by: step) {
        let y = Int32(all[index]) << 16 + 0x8000
        let blue = Int32(all[index + 1]) - 128
        let red = Int32(all[index + 2]) - 128
        let colors = (
          (y + 91881 * red) >> 16, (y - 22554 * blue - 46802 * red) >> 16, (y + 116130 * blue) >> 16
        )
        func byte(_ value: Int32) -> UInt8 {
          let clipped = UInt8(min(max(value, 0), 255))
          return inverts ? 255 - clipped : clipped
        }
        (all[index], all[index + 1], all[index + 2]) = (
          byte(colors.0), byte(colors.1), byte(colors.2)
        )
      }
    }
  }
}

private enum CosineTransform {
  /// The element k is cos(kπ/16)/2, for k from 1 to 7.
  private static let c: [Float] = [
    0.353_553_39, 0.490_392_64, 0.461_939_77, 0.415_734_81, 0.353_553_39, 0.277_785_12,
    0.191_341_72, 0.097_545_16,
  ]

  /// Transforms a block of 64 values in place, first its columns and then its rows.
  static func invert(_ block: inout [Float]) {
    block.withUnsafeMutableBufferPointer { values in
      for column in 0..<8 { line(values, column, 8) }
      for row in 0..<8 { line(values, row * 8, 1) }
    }
  }

  /// Transforms one column or row. Coefficients with an even index contribute equally to the values
  /// i and 7 − i; coefficients with an odd index contribute with opposite signs.
  @inline(__always)
  private static func line(_ v: UnsafeMutableBufferPointer<Float>, _ start: Int, _ step: Int) {
    let (a0, a1, a2, a3) = (v[start], v[start + step], v[start + 2 * step], v[start + 3 * step])
    let (a4, a5) = (v[start + 4 * step], v[start + 5 * step])
    let (a6, a7) = (v[start + 6 * step], v[start + 7 * step])
    let (c1, c2, c3, c4) = (c[1], c[2], c[3], c[4])
    let (c5, c6, c7) = (c[5], c[6], c[7])
    let sum = (a0 + a4) * c4
    let difference = (a0 - a4) * c4
    let wide = a2 * c2 + a6 * c6
    let narrow = a2 * c6 - a6 * c2
    let even = (sum + wide, difference + narrow, difference - narrow, sum - wide)
    let odd0 = a1 * c1 + a3 * c3 + a5 * c5 + a7 * c7
    let odd1 = a1 * c3 - a3 * c7 - a5 * c1 - a7 * c5
    let odd2 = a1 * c5 - a3 * c1 + a5 * c7 + a7 * c3
    let odd3 = a1 * c7 - a3 * c5 + a5 * c3 - a7 * c1
    v[start] = even.0 + odd0
    v[start + step] = even.1 + odd1
    v[start + 2 * step] = even.2 + odd2
    v[start + 3 * step] = even.3 + odd3
    v[start + 4 * step] = even.3 - odd3
    v[start + 5 * step] = even.2 - odd2
    v[start + 6 * step] = even.1 - odd1
    v[start + 7 * step] = even.0 - odd0
  }
}
