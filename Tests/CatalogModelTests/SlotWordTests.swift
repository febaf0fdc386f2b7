// Tests the words of Contents.json against the table of devices.

import Testing
import Traits

@testable import CatalogModel

@Suite struct SlotWordTests {
  /// Each subtype of a phone or a pad has a word. The word of the phone that unfolds is not known.
  @Test func everySubtypeOfADeviceHasAWord() {
    let devices = Device.all.filter { [.phone, .pad].contains($0.idiom) }
    for subtype in Set(devices.compactMap(\.subtype)) where subtype != 0 {
      var key = VariantKey()
      key.subtype = subtype
      #expect(Slot.members(for: key, locale: nil, on: .iOS) != nil, "\(subtype)")
    }
    #expect(devices.contains { $0.subtype == 2868 })
  }

  /// A word with the height of a pad in points means the display with that height.
  @Test func heightsInPointsMeanTheDisplaysOfPads() throws {
    for device in Device.all where device.idiom == .pad {
      guard let points = device.points, let subtype = device.subtype,
        [1112, 1133, 1180, 1194, 1366].contains(points.height)
      else { continue }
      let entry = #"{"idiom":"ipad","subtype":"\#(Int(points.height))h","filename":"a.png"}"#
      let set = TreeBuilder().folder("S.imageset", images(entry)).picture("S.imageset/a.png").read()
        .images("S")
      #expect(set?.entries.first?.slot.key.subtype == subtype, "\(device.name)")
    }
  }

  @Test func wordsOfXcodeAreWritten() {
    let words = [2732 as UInt16, 32401, 2388].map { subtype -> String? in
      var key = VariantKey()
      key.subtype = subtype
      return Slot.members(for: key, locale: nil, on: .iOS)?.first { $0.key == "subtype" }
        .flatMap { if case .string(let word) = $0.value { word.text } else { nil } }
    }
    #expect(words == ["1366h", "mac-catalyst", "2388h"])
  }
}
