// The functions of carve.h for vectors. The compiler compares each function with its declaration
// there, which fixes the names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Archive
import CCarve

@c @implementation
public func carve_get_vector(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?,
  _ vector: UnsafeMutablePointer<carve_vector>?, _ limits: UnsafePointer<carve_limits>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let vector = vector.flatMap({ CallerStructure($0) }), let limits = DecodeLimits(limits)
  else {
    return reportArgument(
      "no place for the vector, or limits of an unknown size", to: error)
  }
  return with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    let page = try catalog.vectorPage(of: variant, limits: limits)
    // No bitmap of a vector has a side of more than 16,384 pixels.
    vector.store(
      carve_vector(
        size: 0, is_complete: page.isComplete ? 1 : 0, width: page.width, height: page.height,
        pixel_width: UInt32(page.pixelSize.width), pixel_height: UInt32(page.pixelSize.height)))
  }
}

/// A tint of the C caller; NULL is no tint.
struct OptionalTint {
  let tint: Tint?

  /// nil if the colour cannot be a tint.
  init?(_ color: UnsafePointer<carve_color>?) {
    guard let color else {
      tint = nil
      return
    }
    guard let color = CallerStructure(color)?.read(over: carve_color()),
      let tint = Tint(
        ColorValue(
          space: ColorSpaceID(rawValue: color.space), red: color.red, green: color.green,
          blue: color.blue, alpha: color.alpha, systemName: nil))
    else { return nil }
    self.tint = tint
  }
}

/// The checked arguments for drawing a vector.
private struct VectorRequest {
  private let content: ContentRequest
  private let tint: Tint?
  private let size: PixelSize

  /// nil if an argument has no meaning.
  init?(
    _ content: ContentRequest?, _ tint: UnsafePointer<carve_color>?, _ width: UInt32,
    _ height: UInt32
  ) {
    guard let content else { return nil }
    self.content = content
    size = PixelSize(width: Int(width), height: Int(height))
    guard let tint = OptionalTint(tint) else { return nil }
    self.tint = tint.tint
  }

  func draw(
    _ variant: Variant, of catalog: Catalog, _ room: inout DecodingRoom
  ) throws(CatalogError) {
    let target = VectorTarget(
      layout: content.layout, space: content.space, tint: tint, isMirrored: variant.isMirrored,
      pixels: content.pixels, rowStride: content.stride)
    try catalog.drawVector(variant, size, target, content.limits, &room)
  }
}

private let vectorRefusal: StaticString = "no pixels, or an unknown layout, space or tint"

@c @implementation
public func carve_draw_vector(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?, _ layout: Int32,
  _ space: Int32, _ width: UInt32, _ height: UInt32, _ tint: UnsafePointer<carve_color>?,
  _ pixels: UnsafeMutableRawPointer?, _ size: Int, _ stride: Int,
  _ limits: UnsafePointer<carve_limits>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  let content = ContentRequest(layout, space, pixels, size, stride, limits)
  guard let request = VectorRequest(content, tint, width, height) else {
    return reportArgument(vectorRefusal, to: error)
  }
  return with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    var room = DecodingRoom()
    try request.draw(variant, of: catalog, &room)
  }
}

@c @implementation
public func carve_decoder_draw_vector(
  _ handle: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?, _ layout: Int32,
  _ space: Int32, _ width: UInt32, _ height: UInt32, _ tint: UnsafePointer<carve_color>?,
  _ pixels: UnsafeMutableRawPointer?, _ size: Int, _ stride: Int,
  _ limits: UnsafePointer<carve_limits>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  let content = ContentRequest(layout, space, pixels, size, stride, limits)
  guard let handle, let request = VectorRequest(content, tint, width, height) else {
    return reportArgument(handle == nil ? "no decoder" : vectorRefusal, to: error)
  }
  let decoder = decoder(handle).takeUnretainedValue()
  return with(decoder.catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    try request.draw(variant, of: catalog, &decoder.room)
  }
}
