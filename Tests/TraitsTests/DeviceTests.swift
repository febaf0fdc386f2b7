// The device and window tables: they agree with the data files, and with one another.

import Foundation
import Support
import Testing

@testable import Traits

@Suite struct DeviceTests {
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"),
      "this machine has no /usr/bin/python3"))
  func theTablesAreGeneratedFromTheDataFiles() throws {
    let script = packageRoot + "/Sources/Traits/Devices/Tables/generate.py"
    let result = try run(
      "/usr/bin/env", ["python3", script, "--check"], environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.code == 0, "\(result.stderr)")
  }

  /// Returns the columns of a data file, read without the generator.
  private func rows(_ name: String) throws -> [[String: Substring]] {
    let place = packageRoot + "/Sources/Traits/Devices/Tables/\(name)"
    let text = try String(contentsOfFile: place, encoding: .utf8)
    let lines = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    return lines.dropFirst().map { line in
      Dictionary(uniqueKeysWithValues: zip(lines[0].map(String.init), line))
    }
  }

  @Test func everyDeviceSaysWhatItsRowSays() throws {
    let rows = try rows("devices.tsv")
    let devices = Device.all
    #expect(devices.map(\.identifier) == rows.map { String($0["identifier"] ?? "") })
    for (device, row) in zip(devices, rows) {
      #expect(device.name == row["name"].map(String.init))
      #expect(device.idiom.name == row["idiom"].map(String.init))
      #expect(device.subtype == row["subtype"].flatMap { UInt16($0) })
      #expect(device.scales.map { "\($0)" }.joined(separator: "|") == known(row["scale"]))
      #expect(device.gamuts.map(\.name).joined(separator: "|") == known(row["gamut"]))
      #expect(device.memories.map { "\($0)" }.joined(separator: "|") == known(row["memory"]))
      #expect((device.graphics == nil) == (row["graphics"] == "?" || row["graphics"] == "APPLE6"))
      #expect((device.hosted == nil) == (row["hosted"] == "?"))
    }
  }

  private func known(_ field: Substring?) -> String {
    field == "?" ? "" : String(field ?? "")
  }

  @Test func aModelIsFoundByItsIdentifierAlone() {
    for device in [Device.all.first, Device.all.last] {
      #expect(device.flatMap { Device(named: $0.identifier) } == device)
    }
    #expect(Device(named: "iPad5") == nil)
    #expect(Device(named: "") == nil)
    #expect(Device(named: "iPad5,3;iPad Air 2") == nil)
  }

  /// The names in the metadata of archives, as Apple's tool writes them.
  @Test(arguments: [
    ("ios", [Platform.iOS, .iPadOS]), ("atv", [.tvOS]), ("watchos", [.watchOS]),
    ("macosx", [.macOS]), ("vision", [.visionOS]), ("tvos", []), ("", []),
  ])
  func everyPlatformsArchivesHaveReaders(name: String, platforms: [Platform]) {
    let found = Device.all(reading: name)
    #expect(Set(found.map(\.platform)) == Set(platforms))
    #expect(found.count == Device.all.filter { platforms.contains($0.platform) }.count)
    if name == "ios" { #expect(Device.all(reading: nil) == found) }
  }

  @Test func unpublishedTraitsStayUnknown() throws {
    let device = try #require(Device(named: "iPad16,8"))
    #expect(device.unknownTraits == [.subtype, .graphics, .gamut].sorted { unknownOrder($0, $1) })
    #expect(try #require(Device(named: "iPhone18,5")).unknownTraits.contains(.width))
    #expect(try #require(Device(named: "iPhone12,1")).unknownTraits == [])
  }

  private func unknownOrder(_ a: Axis, _ b: Axis) -> Bool { a.rawValue < b.rawValue }

  /// A caller may set bits of classes that a later version knows.
  @Test func bitsOfNoGraphicsClassAreIgnored() {
    #expect(GraphicsSupport(mask: .max) == .unlimited)
    #expect(GraphicsSupport(mask: 1 << 31) == GraphicsSupport([]))
  }

  @Test func olderNamesOfGraphicsClassesMeanTheSame() throws {
    #expect(
      try #require(Device(named: "iPhone7,2")).graphics == GraphicsSupport([.apple1, .apple2]))
    #expect(try #require(Device(named: "iPad5,3")).graphics == GraphicsSupport([.apple1, .apple2]))
    #expect(
      try #require(Device(named: "AppleTV11,1")).graphics
        == GraphicsSupport([.apple1, .apple2, .apple3v1, .apple3, .apple4, .apple5]))
    // A recorded list of fallbacks can omit a class.
    #expect(try #require(Device(named: "iPad11,6")).graphics?.classes == 0b110_1111)
  }

  @Test func everyWindowFollowsThePublishedRules() throws {
    for device in Device.all where device.idiom == .pad || device.idiom == .phone {
      let windows = device.windows
      if device.points == nil { continue }
      #expect(windows.contains { $0.mode == .full && $0.orientation == .portrait })
      #expect(windows.contains { $0.mode == .full && $0.orientation == .landscape })
      for window in windows { expectRules(of: window, on: device) }
    }
  }

  private func expectRules(of window: Window, on device: Device) {
    let place: Comment = "\(device.identifier) \(window.mode) \(window.orientation)"
    if device.idiom == .phone {
      #expect([.full, .freeWindow, .unfolded].contains(window.mode), place)
      // Only an unfolded phone is regular in both directions.
      let isRegular = window.widthClass == .regular && window.heightClass == .regular
      #expect(isRegular == (window.mode == .unfolded), place)
      return
    }
    #expect(window.heightClass == .regular, place)
    guard let points = window.points else { return }
    switch points.width {
    case ...639: #expect(window.widthClass == .compact, place)
    case 678...: #expect(window.widthClass == .regular, place)
    default: #expect(window.widthClass == nil, place)
    }
  }

  @Test func twoHalvesOfASplitFillTheScreen() throws {
    for device in Device.all where device.multitasking.splitView {
      let windows = device.windows
      for orientation in [Orientation.portrait, .landscape] {
        let width = { (mode: WindowMode) in
          windows.first { $0.mode == mode && $0.orientation == orientation }?.points?.width
        }
        let full = try #require(width(.full))
        let third = try #require(width(.oneThird))
        let twoThirds = try #require(width(.twoThirds))
        #expect(third + 10 + twoThirds == full, "\(device.identifier)")
        if let half = width(.oneHalf) { #expect(half * 2 + 10 == full, "\(device.identifier)") }
      }
    }
  }

  // MARK: Facts of one row

  /// The pixels of each display are its points times its native scale.
  @Test func pixelsArePointsTimesTheScale() {
    for device in Device.all {
      let place: Comment = "\(device.identifier)"
      if let points = device.points, let pixels = device.pixels, let scale = device.nativeScale {
        expect(pixels, points, times: scale, place)
      }
      if let second = device.unfolded {
        expect(second.pixels, second.points, times: second.nativeScale, place)
        #expect(decimal(second.nativeScale) ?? 0 <= Double(second.scale), place)
      }
    }
  }

  /// The panels of the smallest phones of 2020 and 2021 differ by a tenth of a percent.
  private func expect(
    _ pixels: PointSize, _ points: PointSize, times scale: String, _ place: Comment
  ) {
    let factor = decimal(scale) ?? 0
    #expect(abs(points.width * factor - pixels.width) <= pixels.width * 0.001 + 1, place)
    #expect(abs(points.height * factor - pixels.height) <= pixels.height * 0.001 + 1, place)
  }

  /// A turned phone is regular in width if both of its edges are long enough.
  @Test func theWidthOfATurnedPhoneFollowsFromItsDisplay() {
    for device in Device.all where device.idiom == .phone {
      guard let points = device.points else { continue }
      let isRegular = points.width >= 414 && points.height >= 736
      for window in device.windows where window.orientation == .landscape {
        guard let width = window.widthClass, window.mode != .unfolded else { continue }
        #expect((width == .regular) == isRegular, "\(device.identifier)")
      }
    }
  }

  /// Models share a subtype if and only if their displays have the same pixels.
  @Test func aSubtypeIsOneDisplay() {
    var pixels: [String: PointSize] = [:]
    var subtypes: [String: UInt16] = [:]
    for device in Device.all {
      guard let subtype = device.subtype, let size = device.pixels else { continue }
      let place: Comment = "\(device.identifier)"
      #expect(pixels["\(device.idiom) \(subtype)"] ?? size == size, place)
      #expect(subtypes["\(device.idiom) \(size)"] ?? subtype == subtype, place)
      pixels["\(device.idiom) \(subtype)"] = size
      subtypes["\(device.idiom) \(size)"] = subtype
    }
    #expect(pixels.count > 20)
  }

  /// Every fact of a row has a published source, or is called a supposition.
  @Test func everyRowHasSources() throws {
    let sources = Set(try rows("sources.tsv").map { $0["source"] })
    for row in try rows("devices.tsv") {
      let named = row["sources"]?.split(separator: "|") ?? []
      #expect(!named.isEmpty && named.allSatisfy { sources.contains($0) })
      #expect((row["supposed"] != "-") == named.contains("predecessors"))
    }
    #expect(
      Device.all.filter { !$0.supposed.isEmpty }.map(\.identifier) == [
        "iPhone19,2", "iPhone19,3", "iPhone19,7", "iPhone19,4", "Watch8,1", "Watch8,2", "Watch8,4",
        "Watch8,3", "Watch8,5",
      ])
  }

  @Test func aConfirmedDeviceHasNoSuppositions() throws {
    let device = try #require(Device(named: "iPhone19,2"))
    #expect(device.subtype == 2622 && device.memories == [12] && device.gamuts == [.p3])
    #expect(device.unknownTraits == [.graphics])
    let confirmed = device.confirmed
    #expect(confirmed.subtype == nil && confirmed.memories.isEmpty && confirmed.gamuts.isEmpty)
    #expect(confirmed.hosted == device.hosted && confirmed.supposed.isEmpty)
    #expect(device.without([.memory]).subtype == 2622)
    let older = try #require(Device(named: "iPhone17,1"))
    #expect(older.confirmed == older)
  }

  // MARK: Unknown models

  @Test(arguments: [
    ("iPhone19,9", "iPhone19,7"), ("iPhone20,1", "iPhone19,2"), ("iPhone18,9", "iPhone18,5"),
    ("iPad17,9", "iPad17,4"), ("iPad20,1", "iPad17,1"), ("Watch9,3", "Watch8,3"),
    ("AppleTV16,1", "AppleTV14,1"), ("RealityDevice18,1", "RealityDevice17,1"),
    ("Mac17,2", "Mac"), ("MacBookPro18,3", "Mac"), ("iMac21,1", "Mac"),
    ("iPhone15,2", "iPhone15,2"),
  ])
  func anUnknownModelHasANearestOne(model: String, nearest: String) {
    #expect(Device.nearest(to: model)?.identifier == nearest)
  }

  @Test(arguments: [
    "", "iPhone", "iPhone19", "iPhone19,", "iPhone,2", "iPhone19,2,3", "iPhone19,x", "Fridge1,1",
    "iPhone99999,1", "19,2", "iPhone 19,2", "iPhone-1,2",
  ])
  func wordsThatAreNoModelsHaveNoNearestModel(text: String) {
    #expect(Device.nearest(to: text) == nil && Device.standIn(for: text) == nil)
  }

  /// An older number is rather a spelling mistake.
  @Test func onlyNewModelsHaveAStandIn() {
    #expect(Device.standIn(for: "iPhone19,5")?.identifier == "iPhone19,4")
    #expect(Device.standIn(for: "iPhone15,22") == nil)
    #expect(Device.standIn(for: "iPhone19,4") == nil)
    // Every Mac presents the same traits.
    for model in ["Mac16,1", "MacBookPro18,3", "iMac21,1"] {
      #expect(Device.standIn(for: model)?.identifier == "Mac")
    }
    #expect(Device.standIn(for: "Macaroni") == nil && Device.standIn(for: "Mac") == nil)
  }

  @Test func watchFacesHaveFallbacks() {
    for device in Device.all where device.idiom == .watch {
      #expect(device.subtype.map { Subtype.watchFaces.contains($0) } == true)
    }
  }
}
