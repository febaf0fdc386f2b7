// Gives any bytes to the interface of C as a file. The interface also takes sizes and numbers from
// the caller: here those that an app could take from the file itself.

import CCarve

extension FuzzTarget {
  /// Calls everything that a program in C can call, also with limits that allow everything. The
  /// target `calls` checks the costs with the default limits.
  public static let interface = FuzzTarget(
    "interface", seeds: "archive", bound: CostBound(memory: 1 << 34, calls: 1_000)
  ) { bytes in
    var catalog: OpaquePointer?
    var error = carve_error()
    // An empty file has no address.
    guard carve_open_bytes(bytes.baseAddress, bytes.count, 1, &catalog, &error) == CARVE_OK,
      let catalog
    else { return }
    defer { carve_close(catalog) }
    _ = carve_uses_index(catalog)
    let views = ["scale=1", "scale=2,style=dark,direction=rtl,language=de:en"].map { text in
      var traits = carve_traits()
      var view: OpaquePointer?
      _ = carve_traits_parse(text, &traits, MemoryLayout<carve_traits>.size, &error)
      _ = carve_view_for(catalog, &traits, &view, &error)
      return view
    }
    var decoder: OpaquePointer?
    _ = carve_decoder_create(catalog, &decoder, &error)
    var count = 0
    var touched = [UInt64](repeating: 0, count: 8)
    _ = carve_transition(views[0], views[1], &touched, touched.count, &count)
    var tag = [CChar](repeating: 0, count: 16)
    for place in 0..<min(carve_localization_count(catalog) + 1, 16) {
      _ = carve_localization_at(catalog, place, nil, &tag, tag.count, &count)
    }
    for place in 0..<min(carve_asset_count(catalog) + 1, 64) {
      var asset = carve_asset()
      asset.size = UInt32(MemoryLayout<carve_asset>.size)
      guard carve_asset_at(catalog, place, &asset) == CARVE_OK else { continue }
      look(at: asset, in: catalog, views, decoder)
    }
    carve_decoder_close(decoder)
    for view in views { carve_view_close(view) }
  }
}

private func look(
  at asset: carve_asset, in catalog: OpaquePointer, _ views: [OpaquePointer?],
  _ decoder: OpaquePointer?
) {
  var rendition = carve_rendition()
  rendition.size = UInt32(MemoryLayout<carve_rendition>.size)
  _ = carve_id(catalog, asset.name, asset.name_length, Int32(asset.kind))
  _ = carve_id_of_name(asset.name, asset.name_length, Int32(asset.kind))
  for view in views {
    _ = carve_choice(view, asset.id)
    _ = carve_obstacle(view, asset.name, asset.name_length, Int32(asset.kind))
    _ = carve_find_id(view, asset.id, &rendition)
    _ = carve_find_vector(view, asset.name, asset.name_length, Int32(asset.kind), &rendition)
    let found = carve_find(view, asset.name, asset.name_length, Int32(asset.kind), &rendition)
    if found == CARVE_OK { readAll(of: rendition, in: catalog, decoder) }
  }
  for place in 0..<min(asset.variant_count, 8) {
    var key = carve_key()
    key.size = UInt32(MemoryLayout<carve_key>.size)
    if carve_variant_at(catalog, asset.id, place, &key, &rendition) == CARVE_OK {
      readAll(of: rendition, in: catalog, decoder)
    }
  }
}

private func readAll(
  of rendition: carve_rendition, in catalog: OpaquePointer, _ decoder: OpaquePointer?
) {
  var rendition = rendition
  var error = carve_error()
  var color = carve_color()
  color.size = UInt32(MemoryLayout<carve_color>.size)
  _ = carve_get_color(catalog, &rendition, &color, &error)
  var length = 0
  tell(of: rendition, in: catalog)
  withUnsafeTemporaryAllocation(byteCount: 64 * 64 * 8, alignment: 16) { buffer in
    let (pixels, size) = (buffer.baseAddress, buffer.count)
    _ = carve_file_size(catalog, &rendition, &length, &error)
    _ = carve_read_file(catalog, &rendition, pixels, size, &error)
    for limits in allLimits {
      for layout in [CARVE_BGRA8, CARVE_GRAY8, CARVE_RGBA16F].map({ Int32($0) }) {
        var limits = limits
        let stride = carve_pixel_size(layout) * 64
        let space = Int32(layout == CARVE_GRAY8 ? CARVE_DISPLAY_P3 : CARVE_SRGB)
        _ = carve_decode(
          catalog, &rendition, layout, space, pixels, size, stride, &limits, &error)
        _ = carve_decoder_decode(
          decoder, &rendition, layout, space, pixels, size, stride, &limits, &error)
        _ = carve_draw_sliced(
          catalog, &rendition, layout, space, 50, 31, pixels, size, stride, &limits, &error)
        _ = carve_decoder_draw_sliced(
          decoder, &rendition, layout, space, 31, 50, pixels, size, stride, &limits, &error)
        drawVector(rendition, in: catalog, decoder, layout, space, buffer, limits, color)
        // Strides and sizes that the caller may have taken from the file.
        _ = carve_decode(
          catalog, &rendition, layout, space, pixels, size, .max, &limits, &error)
        _ = carve_draw_sliced(
          catalog, &rendition, layout, space, rendition.pixel_width, rendition.pixel_height, pixels,
          size, 4 &* Int(rendition.pixel_width), &limits, &error)
      }
    }
  }
}

/// Calls the functions that return facts about a rendition other than its contents.
private func tell(of rendition: carve_rendition, in catalog: OpaquePointer) {
  var rendition = rendition
  var error = carve_error()
  var orientation: UInt32 = 0
  _ = carve_orientation(catalog, &rendition, &orientation, &error)
  var text: UnsafePointer<CChar>?
  var length = 0
  _ = carve_type_identifier(catalog, &rendition, &text, &length, &error)
  var name = [CChar](repeating: 0, count: 8)
  _ = carve_stored_name(catalog, &rendition, &name, name.count, &length, &error)
  var side = 0.0
  var other = 0.0
  _ = carve_point_size(&rendition, &side, &other)
}

private func drawVector(
  _ rendition: carve_rendition, in catalog: OpaquePointer, _ decoder: OpaquePointer?,
  _ layout: Int32, _ space: Int32, _ buffer: UnsafeMutableRawBufferPointer,
  _ limits: carve_limits, _ color: carve_color
) {
  guard Int(rendition.content) >= CARVE_CONTENT_PDF else { return }
  var (rendition, limits, tint) = (rendition, limits, color)
  var error = carve_error()
  let (pixels, size, stride) = (
    buffer.baseAddress, buffer.count, carve_pixel_size(layout) * 64
  )
  var vector = carve_vector()
  vector.size = UInt32(MemoryLayout<carve_vector>.size)
  _ = carve_get_vector(catalog, &rendition, &vector, &limits, &error)
  _ = carve_draw_vector(
    catalog, &rendition, layout, space, 50, 31, nil, pixels, size, stride, &limits, &error)
  _ = carve_decoder_draw_vector(
    decoder, &rendition, layout, space, 31, 50, &tint, pixels, size, stride, &limits, &error)
}

private let allLimits: [carve_limits] = [64, 16_384, UInt32.max].map { side in
  carve_limits(
    size: UInt32(MemoryLayout<carve_limits>.size), width: side, height: side, reserved: 0,
    scratch_bytes: side == .max ? .max : UInt64(side) << 14)
}
