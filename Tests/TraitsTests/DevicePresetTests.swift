// Environments of devices by name: equal to those that `resolve` uses if all facts are known.

import Testing

@testable import Traits

@Suite struct DevicePresetTests {
  @Test(
    arguments: [
      ("375", 375), ("507.5", 507.5), ("0", 0), ("0.125", 0.125), ("12.", 12), (".5", 0.5),
      ("", nil),
      (".", nil), ("1.2.3", nil), ("-1", nil), ("1e3", nil), ("nan", nil),
      ("1234567890123456", nil),
    ] as [(String, Double?)])
  func numbersOfTablesAreRead(text: String, number: Double?) {
    #expect(decimal(text) == number)
    // The standard library's reader gives the same result for every text that both read.
    if let number { #expect(Double(text == "12." ? "12" : text) == number) }
  }

  @Test func aPresetIsWhatTheDeviceAsksFor() throws {
    let phone = try Environment(device: "iPhone15,2")
    #expect(phone.idiom == .phone && phone.scale == 3 && phone.gamut == .p3)
    #expect(phone.width == .compact && phone.height == .regular && phone.subtype == 2556)
    #expect(try Environment(device: "iphone 14 pro") == phone)
    let turned = try Environment(device: "iPhone15,2", orientation: "landscape")
    #expect(turned.height == .compact)
    let half = try Environment(device: "iPad5,3", window: "split-1/2", orientation: "landscape")
    #expect(half.width == .compact && half.height == .regular && half.idiom == .pad)
    #expect(try Environment(device: "Mac").idiom == .mac)
  }

  @Test func aPresetOfAnUnfoldedPhoneHasItsInnerDisplay() throws {
    let folded = try Environment(device: "iPhone Duo")
    #expect(folded.width == .compact && folded.height == .regular && folded.gamut == .p3)
    let unfolded = try Environment(device: "iPhone19,4", window: "unfolded")
    #expect(unfolded.width == .regular && unfolded.height == .regular && unfolded.gamut == .sRGB)
    #expect(unfolded.scale == 3 && unfolded.idiom == .phone)
  }

  /// Every window of every device has a preset, except for Stage Manager, whose windows have no
  /// size of their own.
  @Test func everyWindowHasAPreset() throws {
    for device in Device.all {
      for window in device.windows where window.mode.rawValue != "stage-manager" {
        let orientation = window.orientation == .any ? nil : window.orientation.rawValue
        let preset = try Environment(
          device: device.identifier, window: window.mode.rawValue, orientation: orientation)
        #expect(preset.idiom == device.idiom && preset.width == window.widthClass ?? .any)
        #expect(device.scales.isEmpty || device.scales.contains(preset.scale))
      }
    }
  }

  @Test(
    arguments: [
      ("iPhone15,22", "full", nil, "no device 'iPhone15,22'"),
      ("iPhone15,2", "split-1/2", nil, "no window 'split-1/2'; its windows are full"),
      ("iPad5,3", "split-1/2", "portrait", "in portrait; its windows are"),
      ("iPad5,3", "full", "upside", "'upside' is neither portrait nor landscape"),
    ] as [(String, String, String?, String)])
  func windowsThatADeviceLacksAreRefused(
    device: String, window: String, orientation: String?, reason: String
  ) {
    do throws(DevicePresetError) {
      _ = try Environment(device: device, window: window, orientation: orientation)
      Issue.record("\(device) has \(window)")
    } catch {
      #expect(error.description.contains(reason), "\(error.description)")
    }
  }
}
