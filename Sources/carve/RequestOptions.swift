// The options that describe the request of `resolve` and `explain`: a device and its window, or
// single traits.

import CommandLineKit
import Documents
import Traits

struct RequestArguments: Sendable {
  var devices: [String] = []
  var orientation: String?
  var window: String?
  var windows: String?
  var traits: String?
  var style: String?
  var contrast: String?
  var languages: String?
  var os: String?
}

/// The arguments of a command that looks up variants.
protocol Requesting {
  var request: RequestArguments { get set }
}

extension Option where Arguments: Requesting {
  static var requestOptions: [Option] {
    [
      .list(
        "device", "MODEL[,MODEL...]", listedBy: WordList.devices.words, \.request.devices,
        help: "ask as this device does, such as iPad5,3; 'carve devices' lists them"),
      .choice(
        "orientation", "ORIENTATION", of: ["portrait", "landscape"], \.request.orientation,
        help: "how the device is held; portrait where it has the window so"),
      .choice(
        "window", "MODE", of: windowNames, \.request.window,
        help: "the window on the device; full where nothing is said"),
      .choice(
        "windows", "all", of: ["all"], \.request.windows,
        help: "a table of every window of every device that is named"),
      .choice(
        "style", "STYLE", of: Style.names, \.request.style, help: "the style of the device's system"
      ),
      .choice(
        "contrast", "CONTRAST", of: Contrast.names, \.request.contrast,
        help: "whether its user asked for more contrast; normal where nothing is said"),
      .text("language", "TAG[:TAG...]", \.request.languages, help: "the languages of its user"),
      .text("os", "VERSION", \.request.os, help: "its system; the newest where nothing is said"),
      .text(
        "traits", "KEY=VALUE[,...]", listedBy: WordList.traits.words, \.request.traits,
        help: "ask for traits instead of a device: " + TraitKey.names.joined(separator: ", ")),
    ]
  }
}

private let windowNames = WindowMode.allCases.filter { $0.hasOneSize }.map(\.rawValue)

/// A question: what does a window show? If facts about a device are unknown, one question has
/// several environments.
struct Question: Sendable {
  var device: Device?
  var shown = ShownWindow(nil)
  var traits: Environment?
  var request = DeviceRequest()

  func environments(distinguishedBy keys: [VariantKey]) -> [Environment] {
    if let traits { return [traits] }
    guard let device else { return [Environment()] }
    return device.environments(
      of: shown, request: request, distinguishedBy: Distinction(keys))
  }

  var window: Window? { shown.window }
  var width: SizeClass? { shown.width ?? window?.widthClass }
}

extension RequestArguments {
  var isEmpty: Bool {
    devices.isEmpty && !hasDeviceDetails && traits == nil
  }

  private var hasDeviceDetails: Bool {
    orientation != nil || window != nil || windows != nil || style != nil || contrast != nil
      || languages != nil || os != nil
  }

  var isTable: Bool { windows != nil }

  func questions(_ source: CandidateSource) throws(CommandFailure) -> [Question] {
    if let traits {
      guard devices.isEmpty else {
        throw .usage("--device and --traits both say what is asked for; give one of them")
      }
      guard !hasDeviceDetails else {
        throw .usage("--traits says all that is asked for; write it there, as in 'style=dark'")
      }
      return [Question(traits: try environment(traits, source.localeNumber))]
    }
    guard !devices.isEmpty else {
      guard !hasDeviceDetails else {
        throw .usage(
          "--orientation, --window, --windows, --style, --contrast, --language and --os need a "
            + "--device")
      }
      return [Question(traits: Environment())]
    }
    if windows != nil, window != nil {
      throw .usage("--window and --windows both choose windows; give one of them")
    }
    var questions: [Question] = []
    for model in devices.flatMap(DeviceArguments.models) {
      let device = try knownDevice(model)
      let request = try deviceRequest(device, source.localeNumber)
      for shown in try windows(of: device) {
        questions.append(Question(device: device, shown: shown, request: request))
      }
    }
    return questions
  }

  private func deviceRequest(
    _ device: Device, _ number: (String) -> UInt16
  ) throws(CommandFailure) -> DeviceRequest {
    var request = DeviceRequest()
    request.style = style.flatMap { Style(named: $0) }
    if contrast == Contrast.high.name { request.contrast = .high }
    if let languages {
      let read = Result { () throws(TraitError) in try request.read(languages, numbered: number) }
      if case .failure(let error) = read { throw .usage("\(error)") }
    }
    if let os {
      guard let version = OSVersion(os) else {
        throw .usage("'\(os)' is not a version such as 17.4")
      }
      guard device.runs(version) else {
        throw .usage("\(device.identifier) does not take \(device.platform.rawValue) \(version)")
      }
      request.os = version
    }
    return request
  }

  // MARK: Windows

  private func windows(
    of device: Device
  ) throws(CommandFailure) -> [ShownWindow] {
    let all = device.windows
    if all.isEmpty {
      if let window, window != WindowMode.full.rawValue {
        throw .usage("\(device.identifier) has no \(window) window; leave --window out")
      }
      return device.shownWindows
    }
    if isTable {
      return device.shownWindows.filter { shown in
        guard let held = shown.window?.orientation else { return true }
        return orientation == nil || held == .any || held.rawValue == orientation
      }
    }
    let mode = window ?? WindowMode.full.rawValue
    let ofMode = all.filter { $0.mode.rawValue == mode }
    let matching = ofMode.first { orientation == nil || $0.orientation.rawValue == orientation }
    if let matching { return [ShownWindow(matching)] }
    throw .usage(noWindow(mode, ofMode, device, all))
  }

  /// Returns the alternatives that the device has: the mode in another orientation, or other modes.
  private func noWindow(
    _ mode: String, _ ofMode: [Window], _ device: Device, _ all: [Window]
  ) -> String {
    if let orientation, let other = ofMode.first {
      return "\(device.identifier) has no \(mode) window in \(orientation); "
        + "use '--orientation \(other.orientation.rawValue)'"
    }
    var modes: [String] = []
    for window in all where window.mode.hasOneSize && !modes.contains(window.mode.rawValue) {
      modes.append(window.mode.rawValue)
    }
    return "\(device.identifier) has no \(mode) window; choose from "
      + modes.joined(separator: ", ")
  }
}

/// Returns the device of this model, or throws a usage error that names the device that the user
/// probably means.
func knownDevice(_ model: String) throws(CommandFailure) -> Device {
  if let device = Device(named: model) { return device }
  let hint = meantDevice(model).map { "; did you mean '\($0.identifier)', the \($0.name)?" }
  throw .usage(
    "there is no device '\(model)' in the table\(hint ?? "; 'carve devices' lists all models")")
}

/// Returns the device that the user probably means. A word with a blank is a name; a word without a
/// comma is the beginning of a model.
private func meantDevice(_ word: String) -> Device? {
  let typed = word.lowercased()
  let begun = Device.all.first { $0.identifier.lowercased().hasPrefix(typed + ",") }
  if let device = begun ?? Device.all.first(where: { $0.name.lowercased() == typed }) {
    return device
  }
  if word.contains(" ") {
    let name = nearest(to: word, in: Device.all.map(\.name))
    return Device.all.first { $0.name == name }
  }
  guard word.contains(",") else { return nil }
  return nearest(to: word, in: Device.all.map(\.identifier)).flatMap { Device(named: $0) }
}

/// Reads traits, or throws a usage error with the nearest valid word.
func environment(
  _ traits: String, _ number: (String) -> UInt16
) throws(CommandFailure) -> Environment {
  do throws(TraitError) {
    return try Environment(traits: traits, localeNumber: number)
  } catch {
    let near = error.unknownWord.map { suggestion(for: $0, in: error.choices) } ?? ""
    throw .usage("\(error)\(near)")
  }
}
