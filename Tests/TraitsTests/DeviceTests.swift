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

  @Test func whatNobodyPublishedStaysUnknown() throws {
    let device = try #require(Device(named: "iPad16,8"))
    #expect(device.unknownTraits == [.subtype, .graphics, .gamut].sorted { unknownOrder($0, $1) })
    #expect(try #require(Device(named: "iPhone18,5")).unknownTraits.contains(.width))
    #expect(try #require(Device(named: "iPhone12,1")).unknownTraits == [])
  }

  private func unknownOrder(_ a: Axis, _ b: Axis) -> Bool { a.rawValue < b.rawValue }

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
      #expect(window.mode == .full, place)
      #expect(window.widthClass != .regular || window.heightClass == .compact, place)
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

  @Test func watchFacesHaveFallbacks() {
    for device in Device.all where device.idiom == .watch {
      #expect(device.subtype.map { Subtype.watchFaces.contains($0) } == true)
    }
  }
}
