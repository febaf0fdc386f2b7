// Scales bitmaps: to any size, and down to the limit of the pictures that archives store smaller
// than their files.

import CRows
import Codecs

/// The limit for the size of a stored picture.
package enum Reduction: Sendable, Hashable {
  /// A limit for the width in pixels. The height is scaled by the same factor.
  case width(atMost: Int)
  case longerSide(atMost: Int)

  /// Returns the size that a picture of this size is stored in.
  package func size(width: Int, height: Int) -> (width: Int, height: Int) {
    let (side, most) =
      switch self {
      case .width(let most): (width, most)
      case .longerSide(let most): (max(width, height), most)
      }
    guard side > most else { return (width, height) }
    func reduced(_ length: Int) -> Int {
      max(1, Int((Double(length) * Double(most) / Double(side)).rounded()))
    }
    return (reduced(width), reduced(height))
  }
}

extension Bitmap {
  /// Returns the picture in another size. Each pixel is the mean of the area that it covers.
  package func scaled(width target: Int, height targetHeight: Int) -> Bitmap {
    if target == width, targetHeight == height { return self }
    return switch layout {
    case .bgra8, .ga8: scaled(ByteChannel.self, target, targetHeight)
    case .ga16: scaled(WordChannel.self, target, targetHeight)
    case .ga16Half, .rgbw: scaled(HalfChannel.self, target, targetHeight)
    }
  }

  private func scaled<Channel: ScaledChannel>(
    _: Channel.Type, _ target: Int, _ targetHeight: Int
  ) -> Bitmap {
    let size = layout.bytesPerPixel / Channel.size
    let columns = AreaWeights(from: width, to: target)
    let rows = AreaWeights(from: height, to: targetHeight)
    let stride = layout.bytesPerRow(width: target)
    var bytes = [UInt8](repeating: 0, count: stride * targetHeight)
    let count = target * size
    var sums = [Float](repeating: 0, count: count)
    // A row of the source, scaled horizontally. Neighbouring rows of the target may share it.
    var line = [Float](repeating: 0, count: count)
    var lineSource = -1
    pixels.withUnsafeBytes { pixels in
      bytes.withUnsafeMutableBytes { bytes in
        sums.withUnsafeMutableBufferPointer { sums in
          line.withUnsafeMutableBufferPointer { line in
            for y in 0..<targetHeight {
              for x in 0..<count { sums[x] = 0 }
              for (source, weight) in rows.parts(of: y) {
                if source != lineSource {
                  let start = source * bytesPerRow
                  let end = min(start + bytesPerRow, pixels.count)
                  let row = UnsafeRawBufferPointer(rebasing: pixels[start..<end])
                  columns.mix(row, Channel.self, size: size, into: line)
                  lineSource = source
                }
                carve_add_row(sums.baseAddress, line.baseAddress, weight, count)
              }
              Channel.store(sums, UnsafeMutableRawBufferPointer(rebasing: bytes[(y * stride)...]))
            }
          }
        }
      }
    }
    return Bitmap(
      width: target, height: targetHeight, layout: layout, isOpaque: isOpaque, isGray: isGray,
      hasWiderSource: hasWiderSource, pixels: bytes)
  }

  /// Returns the picture scaled down to the limit.
  package func reduced(_ reduction: Reduction) -> Bitmap {
    let size = reduction.size(width: width, height: height)
    return scaled(width: size.width, height: size.height)
  }
}

/// The form in which a pixel holds one of its channels.
private protocol ScaledChannel {
  /// The number of bytes.
  static var size: Int { get }
  static func load(_ pixels: UnsafeRawBufferPointer, _ offset: Int) -> Float
  /// Returns the channels of a pixel, which has two or four; the others are 0.
  static func load(_ pixels: UnsafeRawBufferPointer, _ offset: Int, count: Int) -> SIMD4<Float>
  /// Stores values in the channels of a row, rounded and limited to what a channel can hold.
  static func store(
    _ values: UnsafeMutableBufferPointer<Float>, _ row: UnsafeMutableRawBufferPointer)
}

extension ScaledChannel {
  @inline(__always) fileprivate static func load(
    _ pixels: UnsafeRawBufferPointer, _ offset: Int, count: Int
  ) -> SIMD4<Float> {
    let (first, second) = (load(pixels, offset), load(pixels, offset + size))
    if count == 2 { return SIMD4(first, second, 0, 0) }
    return SIMD4(
      first, second, load(pixels, offset + 2 * size), load(pixels, offset + 3 * size))
  }
}

private enum ByteChannel: ScaledChannel {
  static let size = 1

  static func load(_ pixels: UnsafeRawBufferPointer, _ offset: Int) -> Float {
    Float(pixels[offset])
  }

  static func store(
    _ values: UnsafeMutableBufferPointer<Float>, _ row: UnsafeMutableRawBufferPointer
  ) {
    carve_round_to_bytes(
      values.baseAddress, values.count, row.baseAddress?.assumingMemoryBound(to: UInt8.self))
  }
}

private enum WordChannel: ScaledChannel {
  static let size = 2

  static func load(_ pixels: UnsafeRawBufferPointer, _ offset: Int) -> Float {
    Float(UInt16(littleEndian: pixels.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  static func store(
    _ values: UnsafeMutableBufferPointer<Float>, _ row: UnsafeMutableRawBufferPointer
  ) {
    for (index, value) in values.enumerated() {
      let word = UInt16(max(0, min(65535, value.rounded())))
      row.storeBytes(of: word.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
    }
  }
}

private enum HalfChannel: ScaledChannel {
  static let size = 2

  /// Returns the value of a half float; 0 for infinities and for bits that are not a number.
  static func load(_ pixels: UnsafeRawBufferPointer, _ offset: Int) -> Float {
    let bits = UInt32(
      UInt16(littleEndian: pixels.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    if bits & 0x7C00 == 0x7C00 { return 0 }
    // A single float has 112 more in its exponent and 13 more bits in its fraction.
    return Float(bitPattern: (bits & 0x8000) << 16 | (bits & 0x7FFF) << 13) * 0x1p112
  }

  static func store(
    _ values: UnsafeMutableBufferPointer<Float>, _ row: UnsafeMutableRawBufferPointer
  ) {
    for (index, value) in values.enumerated() {
      row.storeBytes(
        of: HalfFloat.bits(Double(value)).littleEndian, toByteOffset: 2 * index, as: UInt16.self)
    }
  }
}

/// The source pixels that each target pixel covers, with their weights. The weights of a target
/// pixel add up to 1.
private struct AreaWeights {
  /// The first source pixel of each target pixel; its other source pixels follow that one.
  private var firsts: [Int] = []
  /// The index in `weights` of the first weight of each target pixel, and the end of all weights.
  private var starts = [0]
  private var weights: [Float] = []

  init(from count: Int, to target: Int) {
    let step = Double(count) / Double(target)
    for pixel in 0..<target {
      let start = Double(pixel) * step
      let end = start + step
      var first: Int?
      var source = Int(start)
      while source < count, Double(source) < end {
        let covered = min(end, Double(source + 1)) - max(start, Double(source))
        if covered > 0 {
          first = first ?? source
          weights.append(Float(covered / step))
        }
        source += 1
      }
      firsts.append(first ?? 0)
      starts.append(weights.count)
    }
  }

  /// Returns the source pixels of a target pixel.
  func parts(of pixel: Int) -> [(source: Int, weight: Float)] {
    (starts[pixel]..<starts[pixel + 1]).map {
      (firsts[pixel] + $0 - starts[pixel], weights[$0])
    }
  }

  /// Scales a row of pixels of `size` channels each.
  func mix<Channel: ScaledChannel>(
    _ row: UnsafeRawBufferPointer, _: Channel.Type, size: Int,
    into line: UnsafeMutableBufferPointer<Float>
  ) {
    let step = size * Channel.size
    firsts.withUnsafeBufferPointer { firsts in
      starts.withUnsafeBufferPointer { starts in
        weights.withUnsafeBufferPointer { weights in
          // Swift converts the bytes of a pixel one by one.
          if Channel.self == ByteChannel.self, size == 4,
            let first = row.baseAddress?.assumingMemoryBound(to: UInt8.self)
          {
            var areas = carve_area_weights(
              firsts: firsts.baseAddress, starts: starts.baseAddress, weights: weights.baseAddress)
            carve_mix_pixels(first, &areas, firsts.count, line.baseAddress)
            return
          }
          for x in 0..<firsts.count {
            var offset = firsts[x] &* step
            // The channels of a pixel are added up side by side.
            var sum = SIMD4<Float>()
            for index in starts[x]..<starts[x &+ 1] {
              sum += weights[index] * Channel.load(row, offset, count: size)
              offset &+= step
            }
            for channel in 0..<size { line[x &* size &+ channel] = sum[channel] }
          }
        }
      }
    }
  }
}
