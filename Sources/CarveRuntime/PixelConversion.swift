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
        block.load(from + x &* source.bytesPerPixel, source, count)
        if space == .displayP3 { block.convertToDisplayP3() }
        block.store(to + x &* layout.bytesPerPixel, layout, count)
        x &+= count
      }
    }
  }
}
