// Draws a picture at a size that the caller chooses: the caps in their places, the middle repeated
// or stretched, mirrored if the view requires it. Stretch.swift decides which pixel of the source
// belongs where, SlicedDrawing.swift writes the pixels.

import Archive
import Codecs

extension Catalog {
  /// Fills `width` times `height` pixels with a variant according to its slicing; a variant without
  /// slicing is stretched. The pixels are those of the variant's scale: caps are copied one to one.
  /// A mirrored variant is drawn mirrored. The layout must have 8 bits for each channel, and each
  /// side may have at most 2^27 pixels. If the picture lies in an atlas, the rows around it are
  /// decoded on every call: see `AtlasDecoder.drawSliced`.
  public func drawSliced(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    try checkSize()
    var room = DecodingRoom()
    try drawSliced(
      variant, as: layout, space, width: width, height: height, into: destination,
      rowStride: rowStride, limits, &room)
  }

  /// Draws with memory that may serve the next picture too. The caller has called `checkSize`.
  func drawSliced(
    _ variant: Variant, as layout: PixelLayout, _ space: PixelSpace, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int, _ limits: DecodeLimits,
    _ room: inout DecodingRoom
  ) throws(CatalogError) {
    guard layout != .rgba16Float else { throw .unsupported("stretching half floats") }
    let limits = limits.within(Stretch.longest)
    guard width > 0, height > 0, width <= limits.width, height <= limits.height else {
      throw .overLimit(width: width, height: height)
    }
    try Catalog.checkRoom(destination, rowStride, width: width, height: height, layout)
    let picture = try picture(of: variant, limits)
    guard let target = destination.baseAddress else { throw .bufferTooSmall(needed: width) }
    room.begin(limits, self, pixels: width * height)
    try room.take(
      SlicedDrawing.memory(width: width, height: height, sourceHeight: picture.height), picture)
    let slices: [Slice]
    let rendition = try rendition(variant.choice.rendition)
    do throws(FormatError) { slices = try rendition.slices() } catch { throw .format(error) }
    let plan = StretchPlan(
      variant.slicing, slices, width: picture.width, height: picture.height)
    let source = try Catalog.source(picture, layout, space, &room)
    var drawing = SlicedDrawing(
      source.first, stride: source.stride, bytesPerPixel: layout.bytesPerPixel, plan: plan,
      width: width, height: height, isMirrored: variant.isMirrored)
    drawing.draw(into: target, rowStride: rowStride)
  }

  /// Returns the pixels of a picture in a layout, either in the memory into which they were decoded
  /// or in the memory for converted pixels.
  private static func source(
    _ picture: StoredPicture, _ layout: PixelLayout, _ space: PixelSpace,
    _ room: inout DecodingRoom
  ) throws(CatalogError) -> (first: UnsafeRawPointer, stride: Int) {
    let stored = try room.pixels(of: picture)
    let conversion = PixelConversion(source: picture.stored, layout: layout, space: space)
    if conversion.isCopy { return stored }
    let stride = picture.width * layout.bytesPerPixel
    let base = try room.target(for: picture, stride: stride)
    for y in 0..<picture.height {
      conversion.convert(
        stored.first + y * stored.stride, to: base + y * stride, width: picture.width)
    }
    return (UnsafeRawPointer(base), stride)
  }
}
