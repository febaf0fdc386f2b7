// Tests the words of Contents.json against the table of devices.

import Testing
import Traits

@testable import CatalogModel

@Suite struct SlotWordTests {
  /// Each subtype of a phone or a pad has a word. The word of the phone that unfolds is not known.
  @Test func everySubtypeOfADeviceHasAWord() {
    let devices = Device.all.filter { [.phone, .pad].contains($0.idiom) }
    for subtype in Set(devices.compactMap(\.subtype)) where subtype != 0 && subtype != 32401 {
      var key = VariantKey()
      key.subtype = subtype
      #expect(Slot.members(for: key, locale: nil, on: .iOS) != nil, "\(subtype)")
    }
    #expect(devices.contains { $0.subtype == 2868 })
  }
}
