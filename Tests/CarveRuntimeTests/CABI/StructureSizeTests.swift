// Tests structures of callers that were built with another header than the library: no byte after
// the stated size is read or written, and fields that the caller does not have count as not
// requested.

import CCarve
import Testing

/// A structure of a stated size, in memory that shows which bytes were written.
private struct Room<Structure> {
  private(set) var bytes: [UInt8]
  private static var mark: UInt8 { 0xA5 }

  init(_ size: Int) {
    bytes = [UInt8](repeating: Room.mark, count: max(size, MemoryLayout<Structure>.size) + 16)
    withUnsafeBytes(of: UInt32(size)) { bytes.replaceSubrange(0..<4, with: $0) }
  }

  mutating func with(_ body: (UnsafeMutablePointer<Structure>) -> Int32) -> Int32 {
    bytes.withUnsafeMutableBytes {
      body($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Structure.self))
    }
  }

  /// The number of bytes up to the last one that was written.
  var touched: Int { (bytes.lastIndex { $0 != Room.mark } ?? -1) + 1 }
  func states(_ size: Int) -> Bool { bytes.withUnsafeBytes { $0.load(as: UInt32.self) == size } }
}

@Suite struct StructureSizeTests {
  private let catalog: OpaquePointer
  private let window: OpaquePointer

  init() throws {
    catalog = try openedSample()
    window = try view(of: catalog)
  }

  /// Calls the function with every size near those that the structure has had; `first` is its size
  /// in the first release.
  private func check<Structure>(
    _ type: Structure.Type, first: Int, _ call: (UnsafeMutablePointer<Structure>) -> Int32
  ) {
    let now = MemoryLayout<Structure>.size
    for size in [0, 4, first - 1, first, now, now + 8, 1000] {
      var room = Room<Structure>(size)
      let status = room.with(call)
      #expect(status == (size < first ? CARVE_BAD_ARGUMENT : CARVE_OK), "\(type) of \(size)")
      #expect(room.states(size) && room.touched <= max(4, min(size, now)), "\(type) of \(size)")
    }
  }

  private func close() {
    carve_view_close(window)
    carve_close(catalog)
  }

  @Test func answersFillWhatTheCallerKnows() throws {
    let star = carve_id(catalog, "Group/Star", 10, Int32(CARVE_IMAGE))
    var text = try find(window, "Text", CARVE_COLOR)
    var flag = try find(window, "Flag", CARVE_IMAGE)
    var rendition = emptyRendition()
    check(carve_rendition.self, first: 64) { carve_find_id(window, star, $0) }
    check(carve_rendition.self, first: 64) { carve_find(window, "Plain", 5, 0, $0) }
    check(carve_rendition.self, first: 64) { carve_variant_at(catalog, star, 0, nil, $0) }
    check(carve_key.self, first: 20) { carve_variant_at(catalog, star, 0, $0, &rendition) }
    check(carve_asset.self, first: 40) { carve_asset_at(catalog, 0, $0) }
    check(carve_color.self, first: 40) { carve_get_color(catalog, &text, $0, nil) }
    check(carve_vector.self, first: 32) { carve_get_vector(catalog, &flag, $0, nil, nil) }
    // An older caller gets the fields of a colour that existed then.
    var old = Room<carve_color>(40)
    #expect(old.with { carve_get_color(catalog, &text, $0, nil) } == CARVE_OK)
    #expect(old.touched == 40)
    close()
  }

  @Test func aSmallerRequestIsTheSameRequest() throws {
    for size in [55, 56, 80, 1000] {
      var room = Room<carve_traits>(size)
      _ = room.with {
        carve_traits_init($0, size)
        return 0
      }
      // Fields that the library does not know stay unchanged.
      #expect(room.states(size))
      #expect(room.touched <= (size < 56 ? 4 : 56), "\(size)")
      var view: OpaquePointer?
      let status = room.with { carve_view_for(catalog, $0, &view, nil) }
      #expect(status == (size < 56 ? CARVE_BAD_ARGUMENT : CARVE_OK))
      #expect(size < 56 || view == window)
      carve_view_close(view)
      let parsed = room.with { carve_traits_parse("scale=2", $0, size, nil) }
      #expect(parsed == (size < 56 ? CARVE_BAD_ARGUMENT : CARVE_OK))
      let preset = room.with { carve_traits_for_device("iPhone15,2", nil, nil, $0, size, nil) }
      #expect(preset == (size < 56 ? CARVE_BAD_ARGUMENT : CARVE_OK))
      #expect(room.states(size) && room.touched <= (size < 56 ? 4 : 56), "\(size)")
    }
    close()
  }

  @Test func renditionsAndLimitsAreReadInAnySize() throws {
    var plain = try find(window, "Plain", CARVE_IMAGE)
    var pixels = [UInt8](repeating: 0, count: 256)
    func decode(_ limits: UnsafeMutablePointer<carve_limits>?) -> Int32 {
      carve_decode(catalog, &plain, 0, 0, &pixels, 256, 32, limits, nil)
    }
    for size in [23, 24, 100] {
      var room = Room<carve_limits>(size)
      // A size of 0xA5A5A5A5 pixels in each direction is a sufficient limit.
      #expect(room.with { decode($0) } == (size < 24 ? CARVE_BAD_ARGUMENT : CARVE_OK))
    }
    for size in [63, 64, 100] as [UInt32] {
      plain.size = size
      #expect(decode(nil) == (size < 64 ? CARVE_BAD_ARGUMENT : CARVE_OK))
    }
    close()
  }
}
