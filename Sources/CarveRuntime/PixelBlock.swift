// Converts rows of pixels from one layout or space to another. A block has a few pixels as floats,
// channel by channel, and is small enough for the nearest cache.

import Colors

/// Planes of premultiplied channels, 1 for full.
package struct PixelBlock {
  package static let capacity = 32
  package let red: UnsafeMutablePointer<Float>
  package var green: UnsafeMutablePointer<Float> { red + PixelBlock.capacity }
  package var blue: UnsafeMutablePointer<Float> { red + 2 * PixelBlock.capacity }
  package var alpha: UnsafeMutablePointer<Float> { red + 3 * PixelBlock.capacity }

  /// Calls `body` with a block whose values are all 0.
  package static func with(_ body: (PixelBlock) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * capacity) { memory in
      memory.initialize(repeating: 0)
      if let base = memory.baseAddress { body(PixelBlock(red: base)) }
    }
  }

  /// Reads `count` pixels of `row`, at most the capacity.
  func load(_ row: UnsafeRawPointer, source: StoredPixels, count: Int) {
    switch source {
    case .argb:
      for x in 0..<count {
        let pixel = row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
        red[x] = Float(pixel >> 16 & 255) / 255
        green[x] = Float(pixel >> 8 & 255) / 255
        blue[x] = Float(pixel & 255) / 255
        alpha[x] = Float(pixel >> 24) / 255
      }
    case .ga8:
      for x in 0..<count {
        let pixel = UInt32(row.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self))
        loadGray(x, Float(pixel & 255) / 255, Float(pixel >> 8) / 255)
      }
    case .rgbw:
      for x in 0..<count {
        let pixel = row.loadUnaligned(fromByteOffset: x &* 8, as: UInt64.self)
        red[x] = float(half: UInt16(truncatingIfNeeded: pixel))
        green[x] = float(half: UInt16(truncatingIfNeeded: pixel >> 16))
        blue[x] = float(half: UInt16(truncatingIfNeeded: pixel >> 32))
        alpha[x] = float(half: UInt16(truncatingIfNeeded: pixel >> 48))
      }
    case .ga16Half:
      for x in 0..<count {
        let pixel = row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
        loadGray(
          x, float(half: UInt16(truncatingIfNeeded: pixel)),
          float(half: UInt16(truncatingIfNeeded: pixel >> 16)))
      }
    case .ga16:
      for x in 0..<count {
        let pixel = row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
        loadGray(x, Float(pixel & 65535) / 65535, Float(pixel >> 16) / 65535)
      }
    case .rgb5:
      for x in 0..<count {
        let pixel = UInt32(row.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self))
        red[x] = Float(pixel >> 10 & 31) / 31
        green[x] = Float(pixel >> 5 & 31) / 31
        blue[x] = Float(pixel & 31) / 31
        alpha[x] = 1
      }
    }
  }

  @inline(__always) private func loadGray(_ x: Int, _ value: Float, _ opacity: Float) {
    red[x] = value
    green[x] = value
    blue[x] = value
    alpha[x] = opacity
  }

  /// Converts from sRGB, also from values below 0 and above 1, to Display P3. The two spaces have
  /// one transfer curve; the matrix combines the matrices of their primaries. A pixel without alpha
  /// becomes colourless.
  package func convertToDisplayP3() {
    for x in 0..<PixelBlock.capacity {
      let opacity = alpha[x] > 0 ? alpha[x] : 0
      let divisor = opacity > 0 ? opacity : 1
      let red = linear(red[x] / divisor)
      let green = linear(green[x] / divisor)
      let blue = linear(blue[x] / divisor)
      self.red[x] = encoded(0.822_461_97 * red + 0.177_538_03 * green) * opacity
      self.green[x] = encoded(0.033_194_2 * red + 0.966_805_8 * green) * opacity
      self.blue[x] =
        encoded(0.017_082_63 * red + 0.072_397_44 * green + 0.910_519_93 * blue) * opacity
      alpha[x] = opacity
    }
  }

  /// Writes `count` pixels, at most the capacity, to `row`. The values of the block are
  /// overwritten.
  func store(_ row: UnsafeMutableRawPointer, layout: PixelLayout, count: Int) {
    switch layout {
    case .bgra8: packColor(blue, green, red, into: row, count: count)
    case .rgba8: packColor(red, green, blue, into: row, count: count)
    case .gray8:
      packLuma()
      for x in 0..<count {
        let gray = UInt8(truncatingIfNeeded: red[x].bitPattern)
        row.storeBytes(of: gray, toByteOffset: x, as: UInt8.self)
      }
    case .grayAlpha8:
      packLuma()
      for x in 0..<count {
        let pixel = UInt16(truncatingIfNeeded: red[x].bitPattern)
        row.storeBytes(of: pixel, toByteOffset: x &* 2, as: UInt16.self)
      }
    case .rgba16Float:
      packHalves()
      for x in 0..<count {
        let pixel = UInt64(red[x].bitPattern) | UInt64(green[x].bitPattern) << 32
        row.storeBytes(of: pixel, toByteOffset: x &* 8, as: UInt64.self)
      }
    }
  }

  // Packed pixels are written over floats that were read before, so that the loops access only
  // planes. The compiler knows that planes do not overlap; it does not know that of rows.

  private func packLuma() {
    for x in 0..<PixelBlock.capacity {
      // The weights are those of sRGB's primaries.
      let luma = red[x] * 0.2126 + green[x] * 0.7152 + blue[x] * 0.0722
      let opacity = UInt32(byte(alpha[x], atMost: 1))
      red[x] = Float(bitPattern: UInt32(byte(luma, atMost: alpha[x])) | opacity << 8)
    }
  }

  private func packHalves() {
    for x in 0..<PixelBlock.capacity {
      let low = UInt32(half(red[x])) | UInt32(half(green[x])) << 16
      let high = UInt32(half(blue[x])) | UInt32(half(alpha[x])) << 16
      red[x] = Float(bitPattern: low)
      green[x] = Float(bitPattern: high)
    }
  }

  /// Packs three channels from the lowest byte up, then alpha.
  @inline(__always) private func packColor(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>,
    _ third: UnsafeMutablePointer<Float>, into row: UnsafeMutableRawPointer, count: Int
  ) {
    packBytes(first)
    packBytes(second)
    packBytes(third)
    for x in 0..<PixelBlock.capacity {
      let low = first[x].bitPattern | second[x].bitPattern << 8
      let high = third[x].bitPattern | UInt32(byte(alpha[x], atMost: 1)) << 8
      alpha[x] = Float(bitPattern: low | high << 16)
    }
    row.copyMemory(from: alpha, byteCount: 4 &* count)
  }

  @inline(__always) private func packBytes(_ plane: UnsafeMutablePointer<Float>) {
    for x in 0..<PixelBlock.capacity {
      plane[x] = Float(bitPattern: UInt32(byte(plane[x], atMost: alpha[x])))
    }
  }
}

// MARK: - Conversion

// Converts rows of stored pixels to rows of the requested layout. The layouts that every screen
// needs are converted directly from row to row; the others through blocks of floats that stay in
// the nearest cache.

/// A conversion of rows, made once for a picture.
struct PixelConversion {
  private enum Step { case copy, swapRedAndBlue, grayToColor, blocks }

  private let step: Step
  private let source: StoredPixels
  private let layout: PixelLayout
  private let space: PixelSpace

  init(source: StoredPixels, layout: PixelLayout, space: PixelSpace) {
    self.source = source
    self.layout = layout
    self.space = space
    if source.isStored(as: layout, space) {
      step = source == .argb && layout == .rgba8 ? .swapRedAndBlue : .copy
    } else if space == .sRGB, source == .ga8, layout == .bgra8 || layout == .rgba8 {
      step = .grayToColor
    } else {
      step = .blocks
    }
  }

  var isCopy: Bool { step == .copy }

  /// Converts `width` pixels. Both pointers have room for them.
  func convert(_ from: UnsafeRawPointer, to: UnsafeMutableRawPointer, width: Int) {
    switch step {
    case .copy: to.copyMemory(from: from, byteCount: width &* layout.bytesPerPixel)
    case .swapRedAndBlue: PixelConversion.swapRedAndBlue(from, to: to, width: width)
    case .grayToColor:
      for x in 0..<width {
        let pixel = UInt32(from.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self))
        let gray = pixel & 0xFF
        to.storeBytes(
          of: gray &* 0x01_0101 | (pixel >> 8) << 24, toByteOffset: x &* 4, as: UInt32.self)
      }
    case .blocks: convertBlocks(from, to: to, width: width)
    }
  }

  /// Swaps red and blue; both rows may be the same.
  static func swapRedAndBlue(
    _ from: UnsafeRawPointer, to: UnsafeMutableRawPointer, width: Int
  ) {
    for x in 0..<width {
      let pixel = from.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
      let swapped = pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16
      to.storeBytes(of: swapped, toByteOffset: x &* 4, as: UInt32.self)
    }
  }

  private func convertBlocks(
    _ from: UnsafeRawPointer, to: UnsafeMutableRawPointer, width: Int
  ) {
    PixelBlock.with { block in
      var x = 0
      while x < width {
        // The count exceeds neither the capacity of the block nor the rest of the row.
        let count = min(PixelBlock.capacity, width &- x)
        block.load(from + x &* source.bytesPerPixel, source: source, count: count)
        if space == .displayP3 { block.convertToDisplayP3() }
        block.store(to + x &* layout.bytesPerPixel, layout: layout, count: count)
        x &+= count
      }
    }
  }
}
