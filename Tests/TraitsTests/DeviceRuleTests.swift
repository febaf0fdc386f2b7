// Rules about devices that hold for every row of the table: the requests of hosts, the first system
// that can request a style, the windows of another screen; and the numbers of symbols' drawings.

import Testing

@testable import Traits

@Suite struct DeviceRuleTests {
  private func reach(
    _ device: Device, os: OSVersion? = nil, change: (inout AppTraits) -> Void = { _ in }
  ) throws -> Reach {
    var app = AppTraits()
    change(&app)
    return try Reach(of: device, app: app, os: os)
  }

  // MARK: Screens of others

  /// A watch's face has two pixels for each point, also if the phone that hosts it has three; a
  /// car has the scale of the phone.
  @Test func hostedScreensHaveTheirOwnScale() throws {
    var hosts = 0
    for device in Device.all {
      for host in device.hosted ?? [] {
        let parts = try reach(device).factors.parts
        let hardware = parts.flatMap(\.hardware).filter { $0.idiom == host }
        #expect(!hardware.isEmpty, "\(device.identifier)")
        let wanted: [UInt8] = host == .watch ? [2] : device.scales
        #expect(Set(hardware.compactMap(\.scale)) == Set(wanted), "\(device.identifier) \(host)")
        if host == .watch {
          #expect(hardware.allSatisfy { $0.subtype == nil }, "\(device.identifier)")
          if device.scales == [3] { hosts += 1 }
        }
      }
    }
    #expect(hosts > 0, "no phone of three pixels a point hosts a watch")
  }

  /// An app that takes the full screen has no window of another size on another display.
  @Test func anAppOfTheFullScreenHasNoOtherWindowElsewhere() throws {
    let pads = Device.all.filter { $0.idiom == .pad && $0.multitasking.externalDisplay }
    #expect(!pads.isEmpty)
    for device in pads {
      let own = try reach(device) { $0.requiresFullScreen = true }.factors.parts
      for part in own { #expect(part.windows == own[0].windows, "\(device.identifier)") }
      let free = try reach(device).factors.parts
      let elsewhere = free.flatMap(\.windows).filter { $0.height == .regular }
      #expect(Set(elsewhere.map(\.width)).isSuperset(of: [.compact, .regular]))
    }
  }

  // MARK: Systems

  /// Dark begins with iOS 13, tinted icons with iOS 18.
  @Test func stylesBeginWithTheirSystems() throws {
    let phones = Device.all.filter { $0.platform == .iOS || $0.platform == .iPadOS }
    let dark = Platform.iOS.generation(of: OSVersion(13))
    let tinted = Platform.iOS.generation(of: OSVersion(18))
    #expect(dark < tinted)
    var seen: Set<UInt8> = []
    for device in phones {
      for system in try reach(device).factors.systems {
        let styles = try reach(device).factors.systems.filter { $0.generation == system.generation }
          .map(\.style)
        seen.insert(system.generation)
        #expect(styles.contains(.dark) == (system.generation >= dark), "\(device.identifier)")
        #expect(styles.contains(.tinted) == (system.generation >= tinted), "\(device.identifier)")
        #expect(styles.contains(.any) == (system.generation < dark), "\(device.identifier)")
        #expect(styles.contains(.light), "\(device.identifier)")
      }
      if seen.count > Int(tinted) + 1 { break }
    }
    #expect(seen.isSuperset(of: [dark - 1, dark, tinted - 1, tinted]))
  }

  /// Phones and tablets always say how large text must be; other devices may say nothing.
  @Test func phonesAndTabletsAlwaysSayTheSizeOfText() throws {
    for idiom in [Idiom.phone, .pad, .tv, .watch, .mac, .vision] {
      let device = try #require(Device.all.last { $0.idiom == idiom })
      let sizes = try reach(device).factors.contentSizes
      #expect(sizes.contains(.any) == ![.phone, .pad].contains(idiom), "\(device.identifier)")
    }
  }

  // MARK: Symbols

  /// Parts of the hashes of names in archives: another number would break the ids of those that
  /// exist.
  @Test func drawingsOfSymbolsHaveTheNumbersOfTheirHashes() {
    let numbers = Glyph.all.map { LookupKind($0).rawValue }
    #expect(
      numbers == [
        69, 73, 77, 81, 85, 89, 93, 97, 101, 70, 74, 78, 82, 86, 90, 94, 98, 102, 71, 75, 79, 83,
        87,
        91, 95, 99, 103,
      ])
    #expect(Glyph.all == Glyph.all.sorted())
    #expect(Glyph.all.map(\.size) == SymbolSize.allCases.flatMap { Array(repeating: $0, count: 9) })
  }
}
