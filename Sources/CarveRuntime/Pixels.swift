// A picture in an array of its own, for callers that manage no buffers; variants as text; the
// layouts of pixels, and the limits of decoding.

import Archive
import Codecs

/// Pixels from the top row down, without gaps between rows.
public struct Pixels: Sendable, Hashable {
  public let width: Int
  public let height: Int
  public let layout: PixelLayout
  public let bytes: [UInt8]

  public var bytesPerRow: Int { width * layout.bytesPerPixel }
}

extension Catalog {
  /// Returns the pixels of a picture; those of a vector at the size of its page.
  public func pixels(
    of variant: Variant, as layout: PixelLayout = .rgba8, space: PixelSpace = .sRGB,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) -> Pixels {
    let size =
      try variant.isVector
      ? vectorPage(of: variant, limits: limits).pixelSize : variant.pixelSize
    let count = try decodedSize(of: variant, as: layout, limits: limits)
    // The file may state any size, so the allocation is checked against the limits; the memory is
    // freed with the array.
    guard count <= limits.scratch(fileSize: fileSize, pixels: size.width * size.height) else {
      throw .overLimit(width: size.width, height: size.height)
    }
    var failure: CatalogError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let target = UnsafeMutableRawBufferPointer(buffer)
      do throws(CatalogError) {
        try decode(
          variant, as: layout, space: space, into: target,
          rowStride: size.width * layout.bytesPerPixel, limits: limits)
        filled = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return Pixels(width: size.width, height: size.height, layout: layout, bytes: bytes)
  }
}

extension Variant: CustomStringConvertible {
  /// `a bitmap, 60×60 pixels at 2x, template, mirrored`
  public var description: String {
    var parts = [content.name]
    if pixelSize.width > 0, pixelSize.height > 0 {
      let at = scale == 0 ? "" : " at \(scale)x"
      parts.append("\(pixelSize.width)×\(pixelSize.height) pixels\(at)")
    }
    if templateIntent == .template { parts.append("template") }
    if slicing != nil { parts.append("sliced") }
    if isMirrored { parts.append("mirrored") }
    return parts.joined(separator: ", ")
  }
}

extension ColorSpaceID {
  /// The name for people.
  public var name: String { "\(constantName)" }

  /// The name as a constant text.
  var constantName: StaticString {
    switch self {
    case .unspecified: "unspecified"
    case .sRGB: "sRGB"
    case .grayGamma22: "gray gamma 2.2"
    case .displayP3: "Display P3"
    case .extendedSRGB: "extended sRGB"
    case .extendedLinearSRGB: "extended linear sRGB"
    case .extendedGray: "extended gray"
    default: "unknown"
    }
  }
}

// MARK: - Layouts

// The layouts of decoded pixels in the caller's memory, the limits of decoding, and the layouts of
// stored pixels. PixelBlock.swift converts between layouts.

/// The layout of decoded pixels. Colour is premultiplied in all of them.
public enum PixelLayout: UInt8, Sendable, CaseIterable {
  case bgra8 = 0
  case rgba8
  /// The luma of the premultiplied colour: the look of the picture on black.
  case gray8
  case grayAlpha8
  /// Half floats; the only layout that keeps values that do not fit into 8 bits.
  case rgba16Float

  public var bytesPerPixel: Int {
    switch self {
    case .bgra8, .rgba8: 4
    case .gray8: 1
    case .grayAlpha8: 2
    case .rgba16Float: 8
    }
  }
}

/// The space of decoded colour.
public enum PixelSpace: UInt8, Sendable, CaseIterable {
  /// Colours outside of sRGB are clipped, except in `rgba16Float`, which keeps values below 0 and
  /// above 1.
  case sRGB = 0
  case displayP3
}

/// The limits that the caller sets for decoding. Files state sizes, and a small file can state
/// large ones.
public struct DecodeLimits: Sendable, Hashable {
  public var width: Int
  public var height: Int
  /// The limit for all memory that one call allocates. nil means 64 MiB, 16 bytes for each byte of
  /// the archive's file and 32 for each pixel of the result, together at most 512 MiB.
  public var scratchBytes: Int?

  public init(width: Int = 16_384, height: Int = 16_384, scratchBytes: Int? = nil) {
    self.width = width
    self.height = height
    self.scratchBytes = scratchBytes
  }

  /// Returns the bytes that one call may allocate for a file of this size and a result of this many
  /// pixels.
  func scratch(fileSize: Int, pixels: Int) -> Int {
    if let scratchBytes { return scratchBytes }
    let most = 1 << 29
    // Each term is small enough that the sum does not overflow.
    return min(most, 1 << 26 + 16 * min(fileSize, most) + 32 * min(pixels, most))
  }

  /// Returns the longest text of a vector that may be decompressed from a file of this size:
  /// reading takes time and memory in proportion to the text.
  func vectorText(fileSize: Int) -> Int { scratchBytes ?? 1 << 20 + fileSize }

  /// Returns the same limits, but no larger than `side` in each direction.
  func within(_ side: Int) -> DecodeLimits {
    DecodeLimits(
      width: min(width, side), height: min(height, side), scratchBytes: scratchBytes)
  }
}

/// The stored formats that can be decoded.
enum StoredPixels: Sendable {
  case argb, ga8, rgbw, ga16Half, ga16, rgb5

  init?(_ header: CSIHeader, compression: Compression) {
    switch header.pixelFormat {
    case .argb: self = .argb
    case .grayAlpha8: self = .ga8
    case .wide: self = .rgbw
    case .grayAlpha16: self = compression.holdsHalfGray ? .ga16Half : .ga16
    case .rgb5: self = .rgb5
    default: return nil
    }
  }

  var format: PixelFormat {
    switch self {
    case .argb: .argb
    case .ga8: .ga8
    case .rgbw: .rgbw
    case .ga16, .ga16Half: .ga16
    case .rgb5: .rgb5
    }
  }

  var bytesPerPixel: Int { format.bytesPerPixel }

  /// Returns whether pixels are decoded directly into the caller's memory.
  func isStored(as layout: PixelLayout, _ space: PixelSpace) -> Bool {
    guard space == .sRGB else { return false }
    switch (self, layout) {
    case (.argb, .bgra8), (.argb, .rgba8), (.ga8, .grayAlpha8), (.rgbw, .rgba16Float): return true
    default: return false
    }
  }
}
