// Finds the colour space of a PNG, and converts straight RGBA of this space to bytes of sRGB, or to
// half floats of extended sRGB. Pictures without a profile, and pictures that state only a gamma or
// chromaticities, are treated as sRGB. Products and sums are never fused, so that every machine
// gives the same bits.

import CDeflate
import CRows
import Colors

/// A conversion into sRGB, ready for the loops over pixels.
package struct SourceColors: Sendable {
  /// The amount of light for each stored value of red, green and blue: 256 or 65,536 entries each.
  private(set) var curves: [[Float]]
  /// The matrix from the stored primaries to those of sRGB, row by row.
  private(set) var matrix: [Float]
  /// Whether the primaries contain many more colours than sRGB.
  package private(set) var isWide: Bool

  /// Creates the conversion of a profile; nil if the profile is sRGB, or so close to it that the
  /// difference does not matter.
  init?(_ profile: ColorProfile, depth: Int) {
    guard let light = LightFromProfile(profile) else { return nil }
    curves = light.tables(depth == 16 ? 65_536 : 256)
    matrix = light.matrix
    isWide = light.isWide
  }

  /// Creates the conversion for sRGB itself, for pictures that become half floats.
  init(sRGBOfDepth depth: Int) {
    let last = depth == 16 ? 65_535 : 255
    let curve = (0...last).map { Float(ToneCurve.sRGB(Double($0) / Double(last))) }
    curves = [curve, curve, curve]
    matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    isWide = false
  }
}

extension SourceColors {
  /// Returns the amounts of light of a stored colour, in the primaries of sRGB.
  private func light(_ pixel: SIMD4<UInt16>) -> SIMD3<Float> {
    let red = curves[0][Int(pixel.x)]
    let green = curves[1][Int(pixel.y)]
    let blue = curves[2][Int(pixel.z)]
    return SIMD3(
      matrix[0] * red + matrix[1] * green + matrix[2] * blue,
      matrix[3] * red + matrix[4] * green + matrix[5] * blue,
      matrix[6] * red + matrix[7] * green + matrix[8] * blue)
  }

  /// Returns the pixel at `index` of straight RGBA, which has 16 bits for each channel if `wide`,
  /// otherwise 8.
  private func pixel(
    _ pixels: UnsafeRawPointer, _ index: Int, wide: Bool
  ) -> SIMD4<UInt16> {
    if wide { return pixels.loadUnaligned(fromByteOffset: 8 * index, as: SIMD4<UInt16>.self) }
    let bytes = pixels.loadUnaligned(fromByteOffset: 4 * index, as: SIMD4<UInt8>.self)
    return SIMD4(truncatingIfNeeded: bytes)
  }

  /// Converts straight RGBA, with 16 bits for each channel if `wide`, to straight RGBA in bytes of
  /// sRGB, in place. Returns whether a visible pixel had a colour outside of sRGB.
  func convertToSRGB(_ pixels: UnsafeMutableRawPointer, count: Int, wide: Bool) -> Bool {
    let table = ByteTable.shared
    var leavesSRGB = false
    // Neighbouring pixels are often equal, so the last result is kept.
    var last: SIMD4<UInt16>?
    var result: UInt32 = 0
    for index in 0..<count {
      let stored = pixel(pixels, index, wide: wide)
      if stored != last {
        let light = light(stored)
        let alpha = wide ? (UInt32(stored.w) * 255 + 32895) >> 16 : UInt32(stored.w)
        if alpha > 0, !ByteTable.isInside(light) { leavesSRGB = true }
        result =
          table.byte(of: light.x) | table.byte(of: light.y) << 8 | table.byte(of: light.z) << 16
          | alpha << 24
        last = stored
      }
      pixels.storeBytes(of: result.littleEndian, toByteOffset: 4 * index, as: UInt32.self)
    }
    return leavesSRGB
  }

  /// Converts straight RGBA to premultiplied half floats in extended sRGB. The rows have no
  /// padding.
  func convertToHalves(
    _ pixels: UnsafeRawPointer, count: Int, wide: Bool, into target: UnsafeMutableRawPointer,
    _ survey: inout carve_survey
  ) {
    let whole: Float = wide ? 65535 : 255
    // Neighbouring pixels are often equal, so the last result is kept.
    var last: SIMD4<UInt16>?
    var result = SIMD4<UInt16>.zero
    for index in 0..<count {
      let stored = pixel(pixels, index, wide: wide)
      if stored != last {
        let light = light(stored)
        let alpha = Float(stored.w) / whole
        result = SIMD4(
          half(encoded(light.x) * alpha), half(encoded(light.y) * alpha),
          half(encoded(light.z) * alpha), half(alpha))
        if alpha < 1 { survey.opaque = false }
        if result.x != result.y || result.y != result.z { survey.gray = false }
        last = stored
      }
      target.storeBytes(of: result, toByteOffset: 8 * index, as: SIMD4<UInt16>.self)
    }
  }
}

/// The amounts of light at which rounding goes from one byte of sRGB to the next. A coarse table
/// gives a first byte, which is never too high and at most a few steps too low.
private struct ByteTable {
  private static let coarseCount = 4096
  private var steps: [Float]
  private var coarse: [UInt8] = []

  init() {
    steps = (0..<255).map { Float(lightOfSRGB((Double($0) + 0.5) / 255)) } + [2]
    var value = 0
    for step in 0...ByteTable.coarseCount {
      while Float(step) / Float(ByteTable.coarseCount) >= steps[value] { value += 1 }
      coarse.append(UInt8(value))
    }
  }

  static let shared = ByteTable()

  /// The least and the largest amount of light that differ from a colour of sRGB by at most half a
  /// step of a byte.
  private static let least = Float(-0.5 / 255 / 12.92)
  private static let most = Float(lightOfSRGB(255.5 / 255))

  /// Returns whether bytes of sRGB can hold a colour.
  static func isInside(_ light: SIMD3<Float>) -> Bool {
    light.min() >= least && light.max() <= most
  }

  func byte(of light: Float) -> UInt32 {
    if !(light > 0) { return 0 }
    if light >= 1 { return 255 }
    var value = Int(coarse[Int(light * Float(ByteTable.coarseCount))])
    while light >= steps[value] { value += 1 }
    return UInt32(value)
  }
}

extension PNGFile {
  /// Returns the conversion of this file's colours; nil if the stored values are sRGB.
  package func colors(_ file: UnsafeRawBufferPointer) -> SourceColors? {
    // Apple's kind of PNG was converted when it was made.
    if isApple { return nil }
    let profile = codePoints.flatMap { ColorProfile(codePoints: Array(file[$0])) }
    guard let profile = profile ?? embeddedProfile(file) else { return nil }
    switch (profile, color) {
    case (.gray, .gray), (.gray, .grayAlpha): break
    case (.rgb, .rgb), (.rgb, .rgba), (.rgb, .palette): break
    default: return nil
    }
    return SourceColors(profile, depth: Int(depth))
  }

  private func embeddedProfile(_ file: UnsafeRawBufferPointer) -> ColorProfile? {
    guard let profile else { return nil }
    let body = UnsafeRawBufferPointer(rebasing: file[profile])
    // A name of at most 79 bytes, its NUL, the compression method 0, and a zlib stream.
    guard let end = body.prefix(80).firstIndex(of: 0), end + 2 < body.count, body[end + 1] == 0
    else { return nil }
    let stream = UnsafeRawBufferPointer(rebasing: body[(end + 2)...])
    // The first four bytes of a profile are its size. A simple profile is always smaller than a
    // megabyte.
    let limit = min(1 << 20, stream.count * 1032)
    var size = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { target, count in
      size = carve_inflate_some(stream.baseAddress, stream.count, target.baseAddress, limit)
      count = size
    }
    return bytes.withUnsafeBytes { ColorProfile($0) }
  }
}
