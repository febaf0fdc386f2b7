// Creates the environment of a window from the names of the device and the window, for programs
// that draw for another device than the one they run on. Facts that are only supposed count; those
// that are not published stay unspecified. The library for C contains this file, but nothing else
// about requests.

/// An error about an unknown device or window. The message lists the known windows.
public struct DevicePresetError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}

extension Environment {
  /// Creates the environment of a window. `device` is a model such as "iPhone15,2" or a name such
  /// as "iPhone 14 Pro"; `window` is full, slide-over, split-1/3, split-1/2, split-2/3,
  /// stage-manager, free-window, or unfolded for the inner display of a phone that unfolds;
  /// `orientation` is portrait or landscape. If `orientation` is nil, the first window of the
  /// device with this mode is used.
  public init(
    device: String, window: String = "full", orientation: String? = nil
  ) throws(DevicePresetError) {
    let all = Device.all
    let folded = device.lowercased()
    guard
      let found = all.first(where: { $0.identifier == device })
        ?? all.first(where: { $0.name.lowercased() == folded })
    else { throw DevicePresetError(description: "there is no device '\(device)' in the table") }
    try self.init(found, window: window, orientation: orientation)
  }

  private init(
    _ device: Device, window: String, orientation: String?
  ) throws(DevicePresetError) {
    self.init()
    if let orientation, orientation != "portrait", orientation != "landscape" {
      throw DevicePresetError(description: "'\(orientation)' is neither portrait nor landscape")
    }
    let windows = device.windows
    let ofMode = windows.filter { $0.mode.rawValue == window }
    let fitting = ofMode.first {
      orientation == nil || $0.orientation == .any || $0.orientation.rawValue == orientation
    }
    if let fitting {
      width = fitting.widthClass ?? .any
      height = fitting.heightClass ?? .any
    } else if !windows.isEmpty || window != WindowMode.full.rawValue {
      var modes: [String] = []
      for known in windows where !modes.contains(known.mode.rawValue) {
        modes.append(known.mode.rawValue)
      }
      let known =
        modes.isEmpty
        ? "its windows are not published" : "its windows are \(modes.joined(separator: ", "))"
      let turned = orientation.map { " in \($0)" } ?? ""
      throw DevicePresetError(
        description: "\(device.identifier) has no window '\(window)'\(turned); \(known)")
    }
    idiom = device.idiom
    // The first of several displays or memory configurations is the one that the device is known
    // for.
    if let own = device.scales.first { scale = own }
    if let own = device.gamuts.first { gamut = own }
    if let display = device.unfolded, fitting?.mode == .unfolded {
      (scale, gamut) = (display.scale, display.gamut)
    }
    if let own = device.memories.first { memory = own }
    if let known = device.subtype { subtype = known }
    if let known = device.graphics { graphics = known }
    osGeneration = device.generations().upperBound
    if device.alwaysHasContentSize { contentSize = .l }
  }
}
