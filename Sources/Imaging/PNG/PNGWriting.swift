// Writes bitmaps as PNG files that every program can read: not premultiplied, and without alpha if
// the bitmap is opaque. Half floats become 16 bits, in Display P3 if they do not fit into sRGB.

import CDeflate
import Codecs
import Colors

extension Bitmap {
  /// Returns the whole file.
  package func pngFile() -> [UInt8] {
    let picture = PNGRows(self)
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let size = [width, height].flatMap { bigEndianBytes(UInt32(clamping: $0)) }
    file.append(chunk: "IHDR", size + [picture.depth, picture.color.rawValue, 0, 0, 0])
    if picture.isDisplayP3 {
      // The code points of Display P3: its primaries, the curve of sRGB, RGB, full range.
      file.append(chunk: "cICP", [12, 13, 0, 1])
    } else {
      file.append(chunk: "sRGB", [0])
    }
    file.append(chunk: "IDAT", deflated(picture.rows))
    file.append(chunk: "IEND", [])
    return file
  }

  private func deflated(_ rows: [UInt8]) -> [UInt8] {
    let bound = carve_deflate_bound(rows.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { target, count in
      count = carve_deflate(rows, rows.count, 6, target.baseAddress, bound)
    }
  }
}

/// The channels of a PNG file, by the number in its header.
package enum PNGColorType: UInt8 {
  case gray = 0
  case rgb = 2
  case palette = 3
  case grayAlpha = 4
  case rgba = 6
}

/// The rows of a PNG file before compression, each with its filter byte.
private struct PNGRows {
  var depth: UInt8 = 8
  var color: PNGColorType
  var isDisplayP3 = false
  var rows: [UInt8] = []

  init(_ bitmap: Bitmap) {
    let isOpaque = bitmap.isOpaque
    switch bitmap.layout {
    case .bgra8:
      color = isOpaque ? .rgb : .rgba
      addRows(of: bitmap, to: isOpaque ? 3 : 4) { pixel, target in
        for channel in 0..<3 {
          target[channel] = straightChannel(pixel[2 - channel], alpha: pixel[3])
        }
        if !isOpaque { target[3] = pixel[3] }
      }
    case .ga8:
      color = isOpaque ? .gray : .grayAlpha
      addRows(of: bitmap, to: isOpaque ? 1 : 2) { pixel, target in
        target[0] = straightChannel(pixel[0], alpha: pixel[1])
        if !isOpaque { target[1] = pixel[1] }
      }
    case .ga16:
      (depth, color) = (16, .grayAlpha)
      addRows(of: bitmap, to: 4) { pixel, target in
        let gray = Double(pixel[0]) + Double(pixel[1]) * 256
        let alpha = Double(pixel[2]) + Double(pixel[3]) * 256
        PNGRows.put(alpha > 0 ? min(1, gray / alpha) : 0, target)
        PNGRows.put(alpha / 65535, target + 2)
      }
    case .ga16Half:
      (depth, color) = (16, .grayAlpha)
      addRows(of: bitmap, to: 4) { pixel, target in
        let values = Bitmap.halves(UnsafeBufferPointer(start: pixel, count: 4))
        PNGRows.put(values[1] > 0 ? values[0] / values[1] : 0, target)
        PNGRows.put(values[1], target + 2)
      }
    case .rgbw:
      (depth, color) = (16, .rgba)
      isDisplayP3 = bitmap.holdsWideColors
      let toP3 = isDisplayP3 ? ColorProfile.displayP3Colorants.inverse : nil
      let matrix = toP3.map { $0 * ColorProfile.sRGBColorants }
      addRows(of: bitmap, to: 8) { pixel, target in
        let values = PNGRows.straightHalves(UnsafeBufferPointer(start: pixel, count: 8), matrix)
        for place in values.indices { PNGRows.put(values[place], target + 2 * place) }
      }
    }
  }

  /// Adds rows with the filter "up" (the difference to the row above), which compresses pictures
  /// well and costs little time. `convert` writes a pixel as `count` bytes.
  private mutating func addRows(
    of bitmap: Bitmap, to count: Int,
    _ convert: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
  ) {
    let size = bitmap.layout.bytesPerPixel
    let length = bitmap.width * count
    var above = [UInt8](repeating: 0, count: length)
    var row = above
    rows = [UInt8](repeating: 0, count: (length + 1) * bitmap.height)
    for y in 0..<bitmap.height {
      bitmap.pixels.withUnsafeBufferPointer { pixels in
        row.withUnsafeMutableBufferPointer { row in
          guard let pixels = pixels.baseAddress, let row = row.baseAddress else { return }
          for x in 0..<bitmap.width {
            convert(pixels + y * bitmap.bytesPerRow + x * size, row + x * count)
          }
        }
      }
      let start = y * (length + 1)
      rows[start] = 2
      for index in 0..<length { rows[start + 1 + index] = row[index] &- above[index] }
      swap(&above, &row)
    }
  }

  /// Writes a number from 0 to 1 as a 16-bit word, the upper byte first.
  private static func put(_ value: Double, _ target: UnsafeMutablePointer<UInt8>) {
    let word = UInt16(min(1, max(0, value)) * 65535 + 0.5)
    target[0] = UInt8(word >> 8)
    target[1] = UInt8(word & 255)
  }

  /// Returns red, green, blue and alpha of half floats, not premultiplied. With a matrix, the
  /// colours are converted to linear light, multiplied and converted back.
  private static func straightHalves(
    _ pixel: UnsafeBufferPointer<UInt8>, _ matrix: Matrix?
  ) -> [Double] {
    var values = Bitmap.halves(pixel)
    let alpha = values[3]
    for channel in 0..<3 { values[channel] = alpha > 0 ? values[channel] / alpha : 0 }
    guard let matrix else { return values }
    let light = SIMD3(
      lightOfSRGB(values[0]), lightOfSRGB(values[1]),
      lightOfSRGB(values[2]))
    return matrix.map { sRGBOfLight(($0 * light).sum()) } + [alpha]
  }
}

extension Bitmap {
  /// Whether a pixel of half floats lies outside sRGB.
  fileprivate var holdsWideColors: Bool {
    pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        for x in 0..<width {
          let start = y * bytesPerRow + x * 8
          let values = Bitmap.halves(UnsafeBufferPointer(rebasing: pixels[start..<start + 8]))
          if values[..<3].contains(where: { $0 < -0.002 || $0 > values[3] + 0.002 }) { return true }
        }
      }
      return false
    }
  }

  fileprivate static func halves(_ pixel: UnsafeBufferPointer<UInt8>) -> [Double] {
    (0..<pixel.count / 2).map { channel in
      let bits = UInt16(pixel[2 * channel]) | UInt16(pixel[2 * channel + 1]) << 8
      return HalfFloat.value(bits) ?? 0
    }
  }
}

private func bigEndianBytes(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

extension [UInt8] {
  fileprivate mutating func append(chunk name: StaticString, _ body: [UInt8]) {
    self += bigEndianBytes(UInt32(clamping: body.count))
    let start = count
    name.withUTF8Buffer { self += $0 }
    self += body
    let sum = self[start...].withUnsafeBytes { Checksum.crc32($0) }
    self += bigEndianBytes(sum)
  }
}
