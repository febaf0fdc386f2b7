// Writes bitmaps as PNG files that every program can read: not premultiplied, and without alpha if
// the bitmap is opaque. Half floats become 16 bits, in Display P3 if they do not fit into sRGB.

import CDeflate
import Colors

extension Bitmap {
  /// Returns the whole file.
  package func pngFile(_ packing: PNGPacking = .plain) -> [UInt8] {
    let picture = PNGRows(self, packing)
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let size = [width, height].flatMap { bigEndianBytes(UInt32(clamping: $0)) }
    file.append(chunk: "IHDR", size + [picture.depth, picture.color.rawValue, 0, 0, 0])
    if picture.isDisplayP3 {
      // The code points of Display P3: its primaries, the curve of sRGB, RGB, full range.
      file.append(chunk: "cICP", [12, 13, 0, 1])
    } else {
      file.append(chunk: "sRGB", [0])
    }
    if !picture.palette.isEmpty { file.append(chunk: "PLTE", picture.palette) }
    if !picture.alphas.isEmpty { file.append(chunk: "tRNS", picture.alphas) }
    file.append(chunk: "IDAT", deflated(picture.rows, packing.level))
    file.append(chunk: "IEND", [])
    return file
  }

  private func deflated(_ rows: [UInt8], _ level: Int32) -> [UInt8] {
    let bound = carve_deflate_bound(rows.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { target, count in
      count = carve_deflate(rows, rows.count, level, target.baseAddress, bound)
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
  var palette: [UInt8] = []
  var alphas: [UInt8] = []
  private let packing: PNGPacking

  init(_ bitmap: Bitmap, _ packing: PNGPacking) {
    self.packing = packing
    if packing == .small, let palette = PNGPalette(bitmap) {
      (depth, color) = (palette.depth, .palette)
      (self.palette, alphas, rows) = (palette.list, palette.alphas, palette.rows)
      return
    }
    let isOpaque = bitmap.isOpaque
    switch bitmap.layout {
    case .bgra8:
      color = isOpaque ? .rgb : .rgba
      if isOpaque {
        addRows(of: bitmap, to: 3) { PNGRows.putStraight($0, $1) }
      } else {
        addRows(of: bitmap, to: 4) { pixel, target in
          PNGRows.putStraight(pixel, target)
          target[3] = pixel[3]
        }
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
        let (gray, alpha) = (Bitmap.half(pixel, 0), Bitmap.half(pixel, 1))
        PNGRows.put(alpha > 0 ? gray / alpha : 0, target)
        PNGRows.put(alpha, target + 2)
      }
    case .rgbw:
      (depth, color) = (16, .rgba)
      isDisplayP3 = bitmap.holdsWideColors
      let toP3 = isDisplayP3 ? ColorProfile.displayP3Colorants.inverse : nil
      let wide = toP3.map { WideColors(fromSRGB: $0 * ColorProfile.sRGBColorants) }
      var known = KnownPixels()
      addRows(of: bitmap, to: 8) { pixel, target in
        known.convert(pixel, target) {
          let alpha = Bitmap.half(pixel, 3)
          var color = SIMD3<Double>()
          for channel in 0..<3 {
            color[channel] = alpha > 0 ? Bitmap.half(pixel, channel) / alpha : 0
          }
          let words = wide?.words(color) ?? PNGRows.words(color)
          for channel in 0..<3 { PNGRows.put(word: words[channel], target + 2 * channel) }
          PNGRows.put(alpha, target + 6)
        }
      }
    }
  }

  /// Adds filtered rows. `convert` writes a pixel as `count` bytes.
  private mutating func addRows(
    of bitmap: Bitmap, to count: Int,
    _ convert: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
  ) {
    let size = bitmap.layout.bytesPerPixel
    let length = bitmap.width * count
    var filters = PNGFilterWriter(packing, length: length, size: count)
    let filtered = (length + 1) * bitmap.height
    rows = [UInt8](unsafeUninitializedCapacity: filtered) { rows, written in
      for y in 0..<bitmap.height {
        bitmap.pixels.withUnsafeBufferPointer { pixels in
          filters.row.withUnsafeMutableBufferPointer { row in
            guard let pixels = pixels.baseAddress, let row = row.baseAddress else { return }
            for x in 0..<bitmap.width {
              convert(pixels + y * bitmap.bytesPerRow + x * size, row + (x + 1) * count)
            }
          }
        }
        let start = y * (length + 1)
        filters.write(to: UnsafeMutableBufferPointer(rebasing: rows[start...(start + length)]))
      }
      written = filtered
    }
  }

  /// Writes the colours of a pixel that is premultiplied: blue, green, red, alpha.
  @inline(__always)
  private static func putStraight(
    _ pixel: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>
  ) {
    let alpha = pixel[3]
    if alpha == 255 {
      (target[0], target[1], target[2]) = (pixel[2], pixel[1], pixel[0])
    } else {
      for channel in 0..<3 {
        target[channel] = straightChannel(pixel[2 - channel], alpha: alpha)
      }
    }
  }

  /// Writes a number from 0 to 1 as a 16-bit word.
  private static func put(_ value: Double, _ target: UnsafeMutablePointer<UInt8>) {
    put(word: UInt16(min(1, max(0, value)) * 65535 + 0.5), target)
  }

  /// Writes a word, the upper byte first.
  private static func put(word: UInt16, _ target: UnsafeMutablePointer<UInt8>) {
    target[0] = UInt8(word >> 8)
    target[1] = UInt8(word & 255)
  }

  fileprivate static func words(_ color: SIMD3<Double>) -> SIMD3<UInt16> {
    let limited = pointwiseMin(SIMD3(repeating: 1), pointwiseMax(SIMD3(), color))
    let scaled: SIMD3<Double> = limited * 65535 + 0.5
    return SIMD3(UInt16(scaled.x), UInt16(scaled.y), UInt16(scaled.z))
  }
}

/// The pixels of eight bytes that were converted last, each with its result: most pixels of a
/// picture repeat one that came shortly before, and the powers of a conversion are slow.
private struct KnownPixels {
  private static let bits = 10
  private var results: [(pixel: UInt64, converted: UInt64)?]

  init() { results = Array(repeating: nil, count: 1 << Self.bits) }

  /// Writes the result for a pixel to `target`. `compute` writes it if it is not known.
  @inline(__always)
  mutating func convert(
    _ pixel: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ compute: () -> Void
  ) {
    let bits = UnsafeRawPointer(pixel).loadUnaligned(as: UInt64.self)
    let hash = bits &* 0x9E37_79B9_7F4A_7C15
    let cell = Int(truncatingIfNeeded: hash >> UInt64(64 - Self.bits))
    let result = UnsafeMutableRawPointer(target)
    if let known = results[cell], known.pixel == bits {
      result.storeBytes(of: known.converted, as: UInt64.self)
      return
    }
    compute()
    results[cell] = (bits, UnsafeRawPointer(target).loadUnaligned(as: UInt64.self))
  }
}

/// Converts colours from sRGB to Display P3: to linear light, by a matrix, and back.
///
/// Powers that are correct to the last digit are slow. So they are computed to ten digits, which
/// decide the result unless it lies close to the boundary between two words.
struct WideColors {
  private let matrix: Matrix

  /// The largest channel that is converted fast.
  private static let largest = 2.0
  /// The distance of a scaled channel from the boundary between two words, from which on errors of
  /// the fast powers cannot change the word.
  private static let boundary = 0.001
  /// The distance in light from the point at which the two parts of the curve meet.
  private static let joint = 1e-6

  init(fromSRGB matrix: Matrix) { self.matrix = matrix }

  /// Returns the channels of a colour as 16-bit words.
  func words(_ color: SIMD3<Double>) -> SIMD3<UInt16> {
    let sizes = pointwiseMax(color, 0 - color)
    guard sizes.max() <= Self.largest else { return exactWords(color) }
    let light = SIMD3(
      Self.light(color.x), Self.light(color.y), Self.light(color.z))
    var words = SIMD3<UInt16>()
    for channel in 0..<3 {
      guard let word = Self.word((matrix[channel] * light).sum()) else { return exactWords(color) }
      words[channel] = word
    }
    return words
  }

  /// Does the same with powers that are correct to the last digit.
  func exactWords(_ color: SIMD3<Double>) -> SIMD3<UInt16> {
    let light = SIMD3(lightOfSRGB(color.x), lightOfSRGB(color.y), lightOfSRGB(color.z))
    let result = matrix.map { sRGBOfLight(($0 * light).sum()) }
    return PNGRows.words(SIMD3(result[0], result[1], result[2]))
  }

  /// Returns about `lightOfSRGB(value)`. A step of Newton's method for the fifth root doubles the
  /// digits of the fast power.
  @inline(__always)
  private static func light(_ value: Double) -> Double {
    let size = abs(value)
    if size <= 0.04045 { return value / 12.92 }
    let base = (size + 0.055) / 1.055
    let square = base * base
    let root = Double(power(Float(base), 0.4))
    let fourth = root * root * (root * root)
    let light = square * (root * 0.8 + square / fourth * 0.2)
    return value < 0 ? -light : light
  }

  /// Returns the word for an amount of light; nil if the fast powers do not decide it.
  @inline(__always)
  private static func word(_ light: Double) -> UInt16? {
    if light <= 0 { return 0 }
    guard abs(light - 0.0031308) > joint else { return nil }
    var value = light * 12.92
    if light > 0.0031308 {
      let root = Double(power(Float(light), 5 / 12))
      let cube = root * root * root
      let twelfth = cube * cube * (cube * cube)
      let fifth = light * light * (light * light) * light
      // A step of Newton's method for the twelfth root of the fifth power.
      value = 1.055 * (root * (1 + (fifth / twelfth - 1) / 12)) - 0.055
    }
    let scaled = min(1, value) * 65535 + 0.5
    let word = UInt16(scaled)
    let rest = scaled - Double(word)
    return rest > boundary && rest < 1 - boundary ? word : nil
  }
}

extension Bitmap {
  /// Whether a pixel of half floats lies outside sRGB.
  fileprivate var holdsWideColors: Bool {
    pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return false }
      for y in 0..<height {
        for x in 0..<width {
          let pixel = base + (y * bytesPerRow + x * 8)
          let most = Bitmap.half(pixel, 3) + 0.002
          for channel in 0..<3 {
            let value = Bitmap.half(pixel, channel)
            if value < -0.002 || value > most { return true }
          }
        }
      }
      return false
    }
  }

  /// Returns a half float of a pixel; 0 if it is not a finite number.
  @inline(__always)
  fileprivate static func half(_ pixel: UnsafePointer<UInt8>, _ channel: Int) -> Double {
    let bits = UInt16(pixel[2 * channel]) | UInt16(pixel[2 * channel + 1]) << 8
    return bits & 0x7C00 == 0x7C00 ? 0 : Double(float(half: bits))
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
    let sum = self[start...].withUnsafeBytes { carve_crc32(0, $0.baseAddress, $0.count) }
    self += bigEndianBytes(sum)
  }
}
