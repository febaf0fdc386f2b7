// The functions of carve.h for pixels, colours and files. The compiler compares each function with
// its declaration there, which fixes the names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CCarve

/// Calls `body` with the archive and the variant that the C arguments name, and turns its error
/// into a status.
func with(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?,
  _ error: UnsafeMutablePointer<carve_error>?,
  _ body: (Catalog, Variant) throws(CatalogError) -> Void
) -> Int32 {
  guard let catalog else { return reportArgument("no archive", to: error) }
  return with(CarveRuntime.catalog(catalog), rendition, error, body)
}

func with(
  _ opened: Catalog, _ rendition: UnsafePointer<carve_rendition>?,
  _ error: UnsafeMutablePointer<carve_error>?,
  _ body: (Catalog, Variant) throws(CatalogError) -> Void
) -> Int32 {
  guard let rendition, CallerStructure(rendition) != nil else {
    return reportArgument("no rendition", to: error)
  }
  let choice = Choice(
    rendition: rendition.pointee.number, isMirrored: rendition.pointee.mirrored != 0)
  do throws(CatalogError) {
    try opened.checkSize()
    guard let variant = opened.storage.index.variant(choice) else { throw .noSuchRendition }
    try body(opened, variant)
    return Int32(CARVE_OK)
  } catch let trouble {
    return report(trouble, to: error)
  }
}

extension DecodeLimits {
  init?(_ limits: UnsafePointer<carve_limits>?) {
    guard let limits else {
      self.init()
      return
    }
    guard let limits = CallerStructure(limits)?.read(over: carve_limits()) else { return nil }
    self.init(
      width: Int(limits.width), height: Int(limits.height),
      scratchBytes: Int(clamping: limits.scratch_bytes))
  }
}

@c @implementation
public func carve_pixel_size(_ layout: Int32) -> Int {
  UInt8(exactly: layout).flatMap(PixelLayout.init)?.bytesPerPixel ?? 0
}

/// The checked arguments that all functions that write pixels have in common.
struct ContentRequest {
  let layout: PixelLayout
  let space: PixelSpace
  let pixels: UnsafeMutableRawBufferPointer
  let stride: Int
  let limits: DecodeLimits

  init?(
    _ layout: Int32, _ space: Int32, _ pixels: UnsafeMutableRawPointer?, _ size: Int,
    _ stride: Int, _ limits: UnsafePointer<carve_limits>?
  ) {
    guard let layout = UInt8(exactly: layout).flatMap(PixelLayout.init),
      let space = UInt8(exactly: space).flatMap(PixelSpace.init),
      let limits = DecodeLimits(limits), let pixels, size >= 0
    else { return nil }
    self.layout = layout
    self.space = space
    self.pixels = UnsafeMutableRawBufferPointer(start: pixels, count: size)
    self.stride = stride
    self.limits = limits
  }

  func decode(
    _ variant: Variant, of catalog: Catalog, _ room: inout DecodingRoom
  ) throws(CatalogError) {
    try catalog.decode(
      variant, as: layout, space, into: pixels, rowStride: stride, limits, &room)
  }

  func draw(
    _ variant: Variant, of catalog: Catalog, _ width: UInt32, _ height: UInt32,
    _ room: inout DecodingRoom
  ) throws(CatalogError) {
    try catalog.drawSliced(
      variant, as: layout, space, width: Int(width), height: Int(height), into: pixels,
      rowStride: stride, limits, &room)
  }
}

let refusal: StaticString = "no pixels, or an unknown layout or space"

@c @implementation
public func carve_decode(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?, _ layout: Int32,
  _ space: Int32, _ pixels: UnsafeMutableRawPointer?, _ size: Int, _ stride: Int,
  _ limits: UnsafePointer<carve_limits>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let request = ContentRequest(layout, space, pixels, size, stride, limits) else {
    return reportArgument(refusal, to: error)
  }
  return with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    var room = DecodingRoom()
    try request.decode(variant, of: catalog, &room)
  }
}

@c @implementation
public func carve_draw_sliced(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?, _ layout: Int32,
  _ space: Int32, _ width: UInt32, _ height: UInt32, _ pixels: UnsafeMutableRawPointer?,
  _ size: Int, _ stride: Int, _ limits: UnsafePointer<carve_limits>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let request = ContentRequest(layout, space, pixels, size, stride, limits) else {
    return reportArgument(refusal, to: error)
  }
  return with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    var room = DecodingRoom()
    try request.draw(variant, of: catalog, width, height, &room)
  }
}

/// Returns the decoder of a handle, which is a retained object.
func decoder(_ handle: OpaquePointer) -> Unmanaged<AtlasDecoder> {
  Unmanaged.fromOpaque(UnsafeRawPointer(handle))
}

@c @implementation
public func carve_decoder_create(
  _ catalog: OpaquePointer?, _ decoder: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  decoder?.pointee = nil
  guard let catalog, let decoder else {
    return reportArgument("no archive, or no place for the decoder", to: error)
  }
  let made = AtlasDecoder(CarveRuntime.catalog(catalog))
  decoder.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
  return Int32(CARVE_OK)
}

@c @implementation
public func carve_decoder_close(_ handle: OpaquePointer?) {
  if let handle { decoder(handle).release() }
}

@c @implementation
public func carve_decoder_decode(
  _ handle: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?, _ layout: Int32,
  _ space: Int32, _ pixels: UnsafeMutableRawPointer?, _ size: Int, _ stride: Int,
  _ limits: UnsafePointer<carve_limits>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let handle, let request = ContentRequest(layout, space, pixels, size, stride, limits) else {
    return reportArgument(handle == nil ? "no decoder" : refusal, to: error)
  }
  let decoder = decoder(handle).takeUnretainedValue()
  return with(decoder.catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    try request.decode(variant, of: catalog, &decoder.room)
  }
}

@c @implementation
public func carve_decoder_draw_sliced(
  _ handle: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?, _ layout: Int32,
  _ space: Int32, _ width: UInt32, _ height: UInt32, _ pixels: UnsafeMutableRawPointer?,
  _ size: Int, _ stride: Int, _ limits: UnsafePointer<carve_limits>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let handle, let request = ContentRequest(layout, space, pixels, size, stride, limits) else {
    return reportArgument(handle == nil ? "no decoder" : refusal, to: error)
  }
  let decoder = decoder(handle).takeUnretainedValue()
  return with(decoder.catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    try request.draw(variant, of: catalog, width, height, &decoder.room)
  }
}

@c @implementation
public func carve_get_color(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?,
  _ color: UnsafeMutablePointer<carve_color>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let color = color.flatMap({ CallerStructure($0) }) else {
    return reportArgument("no place for the colour", to: error)
  }
  // A failure leaves no address of an earlier call.
  color.store(carve_color())
  return with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    let (value, systemName) = try catalog.storedColor(of: variant)
    color.store(
      carve_color(
        size: 0, space: value.space.rawValue, red: value.red, green: value.green, blue: value.blue,
        alpha: value.alpha,
        system_name: systemName?.buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        system_name_length: systemName?.count ?? 0))
  }
}

@c @implementation
public func carve_orientation(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?,
  _ orientation: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let orientation else { return reportArgument("no place for the orientation", to: error) }
  return with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    orientation.pointee = UInt32(try catalog.orientation(of: variant))
  }
}

@c @implementation
public func carve_type_identifier(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?,
  _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ length: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  text?.pointee = nil
  length?.pointee = 0
  guard let text, let length else { return reportArgument("no place for the text", to: error) }
  return with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    let bytes = try catalog.storedTypeIdentifier(of: variant)
    text.pointee = bytes?.buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
    length.pointee = bytes?.count ?? 0
  }
}

@c @implementation
public func carve_file_size(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?,
  _ size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let size else { return reportArgument("no place for the size", to: error) }
  return with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    size.pointee = try catalog.fileSize(of: variant)
  }
}

@c @implementation
public func carve_read_file(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?,
  _ buffer: UnsafeMutableRawPointer?, _ size: Int,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard buffer != nil || size == 0, size >= 0 else {
    return reportArgument("no buffer", to: error)
  }
  let target = UnsafeMutableRawBufferPointer(start: buffer, count: size)
  return with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    try catalog.readFile(of: variant, into: target)
  }
}
