// Tests that a failed call sets its handles and addresses to NULL, regardless of their earlier
// values, as carve.h says.

import CCarve
import Testing

@Suite struct FailedOutputTests {
  /// Makes a call with a handle that is not valid, and expects a failure that sets it to NULL.
  private func expectNull(
    _ status: Int, _ name: String, _ call: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  ) {
    var handle = OpaquePointer(bitPattern: 0x10)
    #expect(call(&handle) == status, "\(name)")
    #expect(handle == nil, "\(name)")
  }

  @Test func aCatalogueIsNullAfterEveryFailure() {
    let bytes: [UInt8] = [1, 2, 3]
    expectNull(CARVE_BAD_ARGUMENT, "no path") { carve_open(nil, $0, nil) }
    expectNull(CARVE_SYSTEM, "no file") { carve_open("/nowhere/a.car", $0, nil) }
    expectNull(CARVE_NOT_A_FILE, "a folder") { carve_open("/", $0, nil) }
    expectNull(CARVE_SYSTEM, "no descriptor") { carve_open_descriptor(-1, $0, nil) }
    expectNull(CARVE_BAD_ARGUMENT, "no bytes") { carve_open_bytes(nil, 3, 0, $0, nil) }
    expectNull(CARVE_BAD_ARGUMENT, "length") { carve_open_bytes(bytes, -1, 0, $0, nil) }
    for lend in [Int32(0), 1] {
      expectNull(CARVE_FORMAT, "no archive") { carve_open_bytes(bytes, 3, lend, $0, nil) }
    }
    #expect(carve_open(nil, nil, nil) == CARVE_BAD_ARGUMENT)
    #expect(carve_open_descriptor(-1, nil, nil) == CARVE_BAD_ARGUMENT)
    #expect(carve_open_bytes(bytes, 3, 0, nil, nil) == CARVE_BAD_ARGUMENT)
  }

  @Test func viewsAndDecodersAreNullAfterEveryFailure() throws {
    let catalog = try openedSample()
    var traits = carve_traits()
    carve_traits_init(&traits, MemoryLayout<carve_traits>.size)
    expectNull(CARVE_BAD_ARGUMENT, "no catalogue") { carve_view_for(nil, &traits, $0, nil) }
    expectNull(CARVE_BAD_ARGUMENT, "no traits") { carve_view_for(catalog, nil, $0, nil) }
    traits.scale = 9
    expectNull(CARVE_BAD_ARGUMENT, "scale 9") { carve_view_for(catalog, &traits, $0, nil) }
    (traits.scale, traits.size) = (1, 8)
    expectNull(CARVE_BAD_ARGUMENT, "size 8") { carve_view_for(catalog, &traits, $0, nil) }
    #expect(carve_view_for(catalog, &traits, nil, nil) == CARVE_BAD_ARGUMENT)
    expectNull(CARVE_BAD_ARGUMENT, "decoder") { carve_decoder_create(nil, $0, nil) }
    #expect(carve_decoder_create(catalog, nil, nil) == CARVE_BAD_ARGUMENT)
    carve_close(catalog)
  }

  @Test func aTextIsNullAfterEveryFailure() throws {
    let catalog = try openedSample()
    var foreign = emptyRendition()
    foreign.number = 1_000_000
    for renditions in [nil, [foreign]] as [[carve_rendition]?] {
      var text = UnsafePointer<CChar>(bitPattern: 0x10)
      var length = 7
      #expect(carve_type_identifier(catalog, renditions, &text, &length, nil) != CARVE_OK)
      #expect(text == nil && length == 0)
      var color = carve_color()
      color.size = UInt32(MemoryLayout<carve_color>.size)
      color.system_name = UnsafePointer<CChar>(bitPattern: 0x10)
      #expect(carve_get_color(catalog, renditions, &color, nil) != CARVE_OK)
      #expect(color.system_name == nil)
    }
    for (catalog, number) in [(nil, 0), (catalog, 1_000_000)] as [(OpaquePointer?, Int)] {
      var asset = carve_asset()
      asset.size = UInt32(MemoryLayout<carve_asset>.size)
      asset.name = UnsafePointer<CChar>(bitPattern: 0x10)
      #expect(carve_asset_at(catalog, number, &asset) != CARVE_OK)
      #expect(asset.name == nil)
    }
    carve_close(catalog)
  }
}
