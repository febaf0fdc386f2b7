// Scales bitmaps: to any size, and down to the limit of the pictures that archives store smaller
// than their files.

import Codecs

/// The limit for the size of a stored picture.
package enum Reduction: Sendable, Hashable {
  /// A limit for the width in pixels. The height is scaled by the same factor.
  case width(atMost: Int)
  case longerSide(atMost: Int)
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
    // The rows are scaled first, then the columns of the result.
    var narrow = [Float](repeating: 0, count: target * height * size)
    pixels.withUnsafeBytes { pixels in
      narrow.withUnsafeMutableBufferPointer { narrow in
        for y in 0..<height {
          for x in 0..<target {
            let place = (y * target + x) * size
            for (source, weight) in columns.parts[x] {
              let start = y * bytesPerRow + source * size * Channel.size
              for channel in 0..<size {
                narrow[place + channel] +=
                  weight * Channel.load(pixels, start + channel * Channel.size)
              }
            }
          }
        }
      }
    }
    let stride = layout.bytesPerRow(width: target)
    var bytes = [UInt8](repeating: 0, count: stride * targetHeight)
    var sums = [Float](repeating: 0, count: target * size)
    bytes.withUnsafeMutableBytes { bytes in
      for y in 0..<targetHeight {
        for x in sums.indices { sums[x] = 0 }
        for (source, weight) in rows.parts[y] {
          let start = source * sums.count
          for x in sums.indices { sums[x] += weight * narrow[start + x] }
        }
        for x in sums.indices { Channel.store(sums[x], bytes, y * stride + x * Channel.size) }
      }
    }
    return Bitmap(
      width: target, height: targetHeight, layout: layout, isOpaque: isOpaque, isGray: isGray,
      pixels: bytes)
  }

  /// Returns the picture scaled down to the limit. Wide-gamut pictures in half floats are not
  /// changed.
  package func reduced(_ reduction: Reduction) -> Bitmap {
    guard layout == .bgra8 || layout == .ga8 else { return self }
    let (side, most) =
      switch reduction {
      case .width(let most): (width, most)
      case .longerSide(let most): (max(width, height), most)
      }
    guard side > most else { return self }
    func reduced(_ length: Int) -> Int {
      max(1, Int((Double(length) * Double(most) / Double(side)).rounded()))
    }
    return scaled(width: reduced(width), height: reduced(height))
  }
}

/// The form in which a pixel holds one of its channels.
private protocol ScaledChannel {
  /// The number of bytes.
  static var size: Int { get }
  static func load(_ pixels: UnsafeRawBufferPointer, _ offset: Int) -> Float
  static func store(_ value: Float, _ pixels: UnsafeMutableRawBufferPointer, _ offset: Int)
}

private enum ByteChannel: ScaledChannel {
  static let size = 1

  static func load(_ pixels: UnsafeRawBufferPointer, _ offset: Int) -> Float {
    Float(pixels[offset])
  }

  static func store(_ value: Float, _ pixels: UnsafeMutableRawBufferPointer, _ offset: Int) {
    pixels[offset] = UInt8(max(0, min(255, value.rounded())))
  }
}

private enum WordChannel: ScaledChannel {
  static let size = 2

  static func load(_ pixels: UnsafeRawBufferPointer, _ offset: Int) -> Float {
    Float(UInt16(littleEndian: pixels.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  static func store(_ value: Float, _ pixels: UnsafeMutableRawBufferPointer, _ offset: Int) {
    let word = UInt16(max(0, min(65535, value.rounded())))
    pixels.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt16.self)
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

  static func store(_ value: Float, _ pixels: UnsafeMutableRawBufferPointer, _ offset: Int) {
    pixels.storeBytes(
      of: HalfFloat.bits(Double(value)).littleEndian, toByteOffset: offset, as: UInt16.self)
  }
}

/// The source pixels that each target pixel covers, with their weights. The weights of a target
/// pixel add up to 1.
private struct AreaWeights {
  private(set) var parts: [[(source: Int, weight: Float)]] = []

  init(from count: Int, to target: Int) {
    let step = Double(count) / Double(target)
    for pixel in 0..<target {
      let start = Double(pixel) * step
      let end = start + step
      var own: [(Int, Float)] = []
      var source = Int(start)
      while source < count, Double(source) < end {
        let covered = min(end, Double(source + 1)) - max(start, Double(source))
        if covered > 0 { own.append((source, Float(covered / step))) }
        source += 1
      }
      parts.append(own)
    }
  }
}
