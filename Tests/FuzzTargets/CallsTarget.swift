// The bound that carve.h states. Each function is called on the file with its default limits. A
// function that costs more than the header states stops the program.

import CCarve

extension FuzzTarget {
  /// Calls every function of carve.h that reads a file, for the first assets of a catalogue.
  static let calls = FuzzTarget(
    "calls", seeds: "archive", bound: CostBound(calls: 400, pixels: 1 << 16)
  ) { bytes in
    let caller = BoundedCaller(fileSize: bytes.count)
    var catalog: OpaquePointer?
    var error = carve_error()
    guard
      caller.call(
        "carve_open_bytes",
        {
          carve_open_bytes(bytes.baseAddress, bytes.count, 1, &catalog, &error)
        }) == CARVE_OK, let catalog
    else { return }
    defer { carve_close(catalog) }
    let views = caller.views(of: catalog)
    defer { for view in views { carve_view_close(view) } }
    caller.list(catalog, views)
  }
}

private let okStatus = Int32(CARVE_OK)

/// Calls functions of the library, and compares the cost of each with the bound in the header.
private struct BoundedCaller {
  let fileSize: Int

  func call(_ name: String, pixels: Int = 0, _ body: () -> Int32) -> Int32 {
    var status: Int32 = 0
    let cost = Cost.of { status = body() }
    if let excess = CostBound(pixels: pixels).excess(of: cost, input: fileSize) {
      fatalError("\(name): a file of \(fileSize) bytes costs \(excess)")
    }
    return status
  }

  func views(of catalog: OpaquePointer) -> [OpaquePointer] {
    ["scale=1", "scale=2,style=dark,direction=rtl,language=de:en"].compactMap { text in
      var traits = carve_traits()
      var view: OpaquePointer?
      var error = carve_error()
      _ = carve_traits_parse(text, &traits, MemoryLayout<carve_traits>.size, &error)
      _ = call("carve_view_for") { carve_view_for(catalog, &traits, &view, &error) }
      return view
    }
  }

  func list(_ catalog: OpaquePointer, _ views: [OpaquePointer]) {
    var count = 0
    var touched = [UInt64](repeating: 0, count: 8)
    if views.count == 2 {
      _ = call("carve_transition") {
        carve_transition(views[0], views[1], &touched, touched.count, &count)
      }
    }
    var decoder: OpaquePointer?
    _ = call("carve_decoder_create") { carve_decoder_create(catalog, &decoder, nil) }
    defer { carve_decoder_close(decoder) }
    for place in 0..<min(carve_localization_count(catalog), 4) {
      _ = call("carve_localization_at") {
        carve_localization_at(catalog, place, nil, nil, 0, &count)
      }
    }
    for place in 0..<min(carve_asset_count(catalog), 4) {
      var asset = carve_asset()
      asset.size = UInt32(MemoryLayout<carve_asset>.size)
      guard call("carve_asset_at", { carve_asset_at(catalog, place, &asset) }) == CARVE_OK else {
        continue
      }
      look(at: asset, in: catalog, views, decoder)
    }
  }

  private func look(
    at asset: carve_asset, in catalog: OpaquePointer, _ views: [OpaquePointer],
    _ decoder: OpaquePointer?
  ) {
    var rendition = carve_rendition()
    rendition.size = UInt32(MemoryLayout<carve_rendition>.size)
    for view in views {
      _ = call("carve_obstacle") {
        carve_obstacle(view, asset.name, asset.name_length, Int32(asset.kind))
      }
      _ = call("carve_find_vector") {
        carve_find_vector(view, asset.name, asset.name_length, Int32(asset.kind), &rendition)
      }
      let found = call("carve_find") {
        carve_find(view, asset.name, asset.name_length, Int32(asset.kind), &rendition)
      }
      if found == CARVE_OK { read(rendition, in: catalog, decoder) }
      measure(asset, in: view)
    }
    var key = carve_key()
    key.size = UInt32(MemoryLayout<carve_key>.size)
    // All calls together may cost no more than one call. Otherwise a list of n variants would cost
    // n² steps.
    _ = call("carve_variant_at, for all variants") {
      for place in 0..<asset.variant_count {
        _ = carve_variant_at(catalog, asset.id, place, &key, &rendition)
      }
      return okStatus
    }
  }

  private func measure(_ asset: carve_asset, in view: OpaquePointer) {
    var symbol = carve_symbol()
    symbol.size = UInt32(MemoryLayout<carve_symbol>.size)
    _ = call("carve_get_symbol") {
      carve_get_symbol(view, asset.name, asset.name_length, nil, &symbol, nil, nil)
    }
    withUnsafeTemporaryAllocation(byteCount: 32 * 32 * 4, alignment: 16) { buffer in
      _ = call("carve_draw_symbol", pixels: 32 * 32) {
        carve_draw_symbol(
          view, asset.name, asset.name_length, nil, Int32(CARVE_BGRA8), Int32(CARVE_SRGB), 32, 32,
          nil, buffer.baseAddress, buffer.count, 32 * 4, nil, nil)
      }
    }
  }

  private func read(
    _ rendition: carve_rendition, in catalog: OpaquePointer, _ decoder: OpaquePointer?
  ) {
    var rendition = rendition
    var length = 0
    var vector = carve_vector()
    vector.size = UInt32(MemoryLayout<carve_vector>.size)
    _ = call("carve_stored_name") {
      carve_stored_name(catalog, &rendition, nil, 0, &length, nil)
    }
    _ = call("carve_file_size") { carve_file_size(catalog, &rendition, &length, nil) }
    _ = call("carve_get_vector") { carve_get_vector(catalog, &rendition, &vector, nil, nil) }
    let side = 256
    let layout = Int32(CARVE_GRAY_ALPHA8)
    let space = Int32(CARVE_SRGB)
    withUnsafeTemporaryAllocation(byteCount: side * side * 4, alignment: 16) { buffer in
      let (pixels, size) = (buffer.baseAddress, buffer.count)
      _ = call("carve_read_file") { carve_read_file(catalog, &rendition, pixels, size, nil) }
      let area = side * side
      let stride = max(side, min(Int(rendition.pixel_width), 1 << 20)) * 4
      _ = call("carve_decode", pixels: area) {
        carve_decode(catalog, &rendition, layout, space, pixels, size, stride, nil, nil)
      }
      _ = call("carve_decoder_decode", pixels: area) {
        carve_decoder_decode(decoder, &rendition, layout, space, pixels, size, stride, nil, nil)
      }
      _ = call("carve_draw_sliced", pixels: area) {
        carve_draw_sliced(
          catalog, &rendition, layout, space, 90, 90, pixels, size, side * 2, nil, nil)
      }
      _ = call("carve_draw_vector", pixels: area) {
        carve_draw_vector(
          catalog, &rendition, Int32(CARVE_BGRA8), space, 200, 200, nil, pixels, size, 800, nil, nil
        )
      }
    }
  }
}
