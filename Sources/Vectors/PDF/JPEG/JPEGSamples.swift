// Converts the coefficients of a JPEG picture to samples: the inverse cosine transform, the
// enlargement of components with fewer samples, and the conversion of YCbCr to colours.

import Bytes

extension JPEGDecoder {
  func picture(_ transform: Int?) -> JPEGPicture? {
    // Samples are made, enlarged, interleaved and converted to colours.
    let samples = width * height * components.count
    guard budget.spend(.samples, 3 * samples), budget.borrow(.samples, bytes: 2 * samples) else {
      return nil
    }
    var planes: [[UInt8]] = []
    for component in components {
      let table = quantizations[component.quantization]
      guard table.count == 64 else { return nil }
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
    return JPEGPicture(width: width, height: height, components: count, samples: result)
  }

  /// Whether the components are named by the letters R, G and B, as in files whose colours are not
  /// transformed.
  private var hasColorsByName: Bool {
    components.map(\.identifier).elementsEqual("RGB".utf8.map(Int.init))
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
          let place = (row * 8 + y) * wide + column * 8
          for x in 0..<8 {
            let value = (block[y * 8 + x] + 128).rounded()
            plane[place + x] = UInt8(min(max(value, 0), 255))
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
    let columns = places(width, component.across, mostAcross)
    let rows = places(height, component.down, mostDown)
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
  private func places(_ count: Int, _ own: Int, _ most: Int) -> [(Int, Int, Int)] {
    let stored = (count * own + most - 1) / most
    return (0..<count).map { pixel in
      // The place is counted in sixteenths of a sample, from the middle of the first sample.
      let place = ((2 * pixel + 1) * own * 8) / most - 8
      let low = min(max(place >> 4, 0), stored - 1)
      let part = place < 0 ? 0 : place & 15
      return (low, min(low + 1, stored - 1), part)
    }
  }

  private static func toColors(_ samples: inout [UInt8], step: Int, inverts: Bool) {
    samples.withUnsafeMutableBufferPointer { all in
      for place in stride(from: 0, to: all.count - step + 1, by: step) {
        let y = Int32(all[place]) << 16 + 0x8000
        let blue = Int32(all[place + 1]) - 128
        let red = Int32(all[place + 2]) - 128
        let colors = (
          (y + 91881 * red) >> 16, (y - 22554 * blue - 46802 * red) >> 16, (y + 116130 * blue) >> 16
        )
        func byte(_ value: Int32) -> UInt8 {
          let clipped = UInt8(min(max(value, 0), 255))
          return inverts ? 255 - clipped : clipped
        }
        (all[place], all[place + 1], all[place + 2]) = (
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
