// Tests the views that a catalogue keeps, through the handles of C: equal views are one view.

import CCarve
import Testing

@Suite struct ViewCacheTests {
  private let catalog: OpaquePointer

  init() throws { catalog = try openedSample() }

  /// Returns a view. While the test holds its handle, no other view can get its address.
  private func view(_ number: UInt16) throws -> OpaquePointer {
    var traits = carve_traits()
    carve_traits_init(&traits, MemoryLayout<carve_traits>.size)
    traits.subtype = number
    var view: OpaquePointer?
    #expect(carve_view_for(catalog, &traits, &view, nil) == CARVE_OK)
    return try #require(view)
  }

  @Test func theLast64AreKeptAndTheOldestGoesFirst() throws {
    var views = try (0..<64).map { try view($0) }
    for number in UInt16(0)..<64 {
      let again = try view(number)
      #expect(again == views[Int(number)], "view \(number)")
      views.append(again)
    }
    // View 0 is requested once more, so that view 1 is the oldest when view 64 is made.
    views += [try view(0), try view(64)]
    for number in [0, 2, 63, 64] as [UInt16] {
      let again = try view(number)
      views.append(again)
      #expect(again == (number == 64 ? views[129] : views[Int(number)]), "view \(number)")
    }
    let forgotten = try view(1)
    #expect(!views.contains(forgotten))
    for view in views + [forgotten] { carve_view_close(view) }
    carve_close(catalog)
  }

  @Test func languagesTellViewsApart() throws {
    var handles: [OpaquePointer] = []
    for text in ["language=de", "language=de:en", "language=de", ""] {
      var traits = carve_traits()
      var view: OpaquePointer?
      #expect(
        carve_traits_parse(text, &traits, MemoryLayout<carve_traits>.size, nil) == CARVE_OK)
      #expect(carve_view_for(catalog, &traits, &view, nil) == CARVE_OK)
      handles.append(try #require(view))
    }
    #expect(handles[0] == handles[2] && Set(handles).count == 3)
    for view in handles { carve_view_close(view) }
    carve_close(catalog)
  }
}
