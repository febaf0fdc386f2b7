// A picture in an array of its own, for callers that manage no buffers; and variants as text.

import Archive

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
