// Rows of stored pixels to rows of the layout that was asked for. The two conversions that every
// screen needs are loops of their own; the others go pixel by pixel through floating point.

/// Turns rows; made once for a picture.
struct PixelConversion {
  let source: StoredPixels
  let layout: PixelLayout
  let space: PixelSpace

  /// Both pointers hold `width` pixels.
  func convert(_ from: UnsafeRawPointer, to: UnsafeMutableRawPointer, width: Int) {
    if space == .sRGB, source == .ga8, layout == .bgra8 || layout == .rgba8 {
      for x in 0..<width {
        let pixel = UInt32(from.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self))
        let gray = pixel & 0xFF
        to.storeBytes(
          of: gray &* 0x01_0101 | (pixel >> 8) << 24, toByteOffset: x &* 4, as: UInt32.self)
      }
      return
    }
    for x in 0..<width {
      var pixel = load(from, x)
      if space == .displayP3 { pixel = ColorMatrix.displayP3(fromSRGB: pixel) }
      store(pixel, to, x)
    }
  }

  /// Red and blue change places.
  static func swapRedAndBlue(_ row: UnsafeMutableRawPointer, width: Int) {
    for x in 0..<width {
      let pixel = row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
      let swapped = pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16
      row.storeBytes(of: swapped, toByteOffset: x &* 4, as: UInt32.self)
    }
  }

  /// Red, green, blue, alpha; premultiplied, 1 for full.
  private func load(_ row: UnsafeRawPointer, _ x: Int) -> SIMD4<Float> {
    func byte(_ index: Int) -> Float {
      Float(row.load(fromByteOffset: x &* source.bytesPerPixel &+ index, as: UInt8.self)) / 255
    }
    func word(_ index: Int) -> UInt16 {
      row.loadUnaligned(fromByteOffset: x &* source.bytesPerPixel &+ index &* 2, as: UInt16.self)
    }
    switch source {
    case .argb: return SIMD4(byte(2), byte(1), byte(0), byte(3))
    case .ga8: return SIMD4(byte(0), byte(0), byte(0), byte(1))
    case .rgbw: return SIMD4(half(word(0)), half(word(1)), half(word(2)), half(word(3)))
    case .ga16Half:
      let gray = half(word(0))
      return SIMD4(gray, gray, gray, half(word(1)))
    case .ga16:
      let gray = Float(word(0)) / 65535
      return SIMD4(gray, gray, gray, Float(word(1)) / 65535)
    case .rgb5:
      let bits = word(0)
      func five(_ shift: UInt16) -> Float { Float(bits >> shift & 31) / 31 }
      return SIMD4(five(10), five(5), five(0), 1)
    }
  }

  private func store(_ pixel: SIMD4<Float>, _ row: UnsafeMutableRawPointer, _ x: Int) {
    let base = row + x &* layout.bytesPerPixel
    if layout == .rgba16Float {
      for index in 0..<4 {
        base.storeBytes(of: halfBits(pixel[index]), toByteOffset: index &* 2, as: UInt16.self)
      }
      return
    }
    let alpha = min(max(pixel.w, 0), 1)
    func byte(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), alpha) * 255 + 0.5) }
    // Luma with the weights of sRGB's primaries.
    let luma = byte(pixel.x * 0.2126 + pixel.y * 0.7152 + pixel.z * 0.0722)
    let bytes: SIMD4<UInt8> =
      switch layout {
      case .bgra8: SIMD4(byte(pixel.z), byte(pixel.y), byte(pixel.x), byte(alpha))
      case .rgba8: SIMD4(byte(pixel.x), byte(pixel.y), byte(pixel.z), byte(alpha))
      default: SIMD4(luma, byte(alpha), 0, 0)
      }
    for index in 0..<layout.bytesPerPixel {
      base.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self)
    }
  }
}

/// The value of an IEEE half float. What is no number counts as nothing.
func half(_ bits: UInt16) -> Float {
  if bits & 0x7C00 == 0x7C00 { return bits & 0x03FF != 0 ? 0 : bits & 0x8000 == 0 ? 65504 : -65504 }
  // Shifted into the place of a float's, the exponent is 112 too low; this is exact for all halves.
  let size = Float(bitPattern: UInt32(bits & 0x7FFF) << 13) * 0x1p112
  return bits & 0x8000 == 0 ? size : -size
}

/// The half float nearest to a value.
func halfBits(_ value: Float) -> UInt16 {
  let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
  let size = min(value.magnitude, 65504)
  // Adding a power of two that leaves ten bits rounds to nearest, ties to even.
  if !(size >= 0x1p-14) { return sign | UInt16((size.isNaN ? 0 : size) * 0x1p24 + 0x1p23 - 0x1p23) }
  let bits = size.bitPattern
  let rounded = bits &+ 0x0FFF &+ (bits >> 13 & 1)
  return sign | UInt16(truncatingIfNeeded: (rounded &- 112 << 23) >> 13)
}
