// A query about the pictures that a window shows, and the words of the query: a device and its
// window, or single traits.

import Documents
import Traits

/// The words of a user that describe one query or several.
package struct QueryWords: Sendable {
  package var devices: [String] = []
  package var orientation: String?
  package var window: String?
  package var windows: String?
  package var traits: String?
  package var style: String?
  package var contrast: String?
  package var languages: String?
  package var os: String?

  package init() {}
}

/// A query: what does a window show? If facts about a device are unknown, one query has several
/// environments.
package struct Query: Sendable {
  package var device: Device?
  package var shown = ShownWindow(nil)
  package var traits: Environment?
  package var request = DeviceRequest()

  package func environments(distinguishedBy keys: [VariantKey]) -> [Environment] {
    if let traits { return [traits] }
    guard let device else { return [Environment()] }
    return device.environments(
      of: shown, request: request, distinguishedBy: Distinction(keys))
  }

  package var window: Window? { shown.window }
  package var width: SizeClass? { shown.width ?? window?.widthClass }
}

extension QueryWords {
  package var isEmpty: Bool {
    devices.isEmpty && !hasDeviceDetails && traits == nil
  }

  private var hasDeviceDetails: Bool {
    orientation != nil || window != nil || windows != nil || style != nil || contrast != nil
      || languages != nil || os != nil
  }

  package var isTable: Bool { windows != nil }

  /// Returns a query for each requested window. `localeNumber` gives the number of a language in
  /// the archive or catalogue.
  package func queries(
    localeNumber: (String) -> UInt16
  ) throws(QueryError) -> [Query] {
    if let traits {
      guard devices.isEmpty else {
        throw .usage("--device and --traits both state the request; give only one of them")
      }
      guard !hasDeviceDetails else {
        throw .usage("--traits states the whole request; add the value there, as in 'style=dark'")
      }
      return [Query(traits: try environment(traits, localeNumber))]
    }
    guard !devices.isEmpty else {
      guard !hasDeviceDetails else {
        throw .usage(
          "--orientation, --window, --windows, --style, --contrast, --language and --os need a "
            + "--device; without a device, --traits states the request, as in "
            + "'--traits scale=2,style=dark'")
      }
      return [Query(traits: Environment())]
    }
    if windows != nil, window != nil {
      throw .usage("--window and --windows both choose windows; give one of them")
    }
    var queries: [Query] = []
    for model in devices.flatMap(deviceModels) {
      let device = try knownDevice(model)
      let request = try deviceRequest(device, localeNumber)
      for shown in try windows(of: device) {
        queries.append(Query(device: device, shown: shown, request: request))
      }
    }
    return queries
  }

  private func deviceRequest(
    _ device: Device, _ number: (String) -> UInt16
  ) throws(QueryError) -> DeviceRequest {
    var request = DeviceRequest()
    request.style = style.flatMap { Style(named: $0) }
    if contrast == Contrast.high.name { request.contrast = .high }
    if let languages { request.read(try languageTags([languages]), numbered: number) }
    if let os {
      let version = try systemVersion(os)
      guard device.runs(version) else {
        throw .usage(
          "\(device.identifier) does not take \(device.platform.rawValue) \(version); it runs "
            + device.systems)
      }
      request.os = version
    }
    return request
  }

  // MARK: Windows

  private func windows(
    of device: Device
  ) throws(QueryError) -> [ShownWindow] {
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
    throw .usage(noWindow(mode, ofMode: ofMode, device: device, all: all))
  }

  /// Returns the alternatives that the device has: the mode in another orientation, or other modes.
  private func noWindow(
    _ mode: String, ofMode: [Window], device: Device, all: [Window]
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

/// Returns the tags in the words of `--language`, which ':' or ',' separates. Throws a usage error
/// for a word that is no tag.
package func languageTags(_ words: [String]) throws(QueryError) -> [String] {
  let tags = words.flatMap { word in
    word.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "," }.map(String.init)
  }
  if let other = tags.first(where: { !isLanguageTag($0) }) {
    throw .usage(
      "'\(other)' is not the tag of a language; --language takes only tags, separated by ':' or "
        + "',': fr:zh-Hant")
  }
  return tags
}

/// Returns the version of a system that a user states. Throws a usage error with an example.
package func systemVersion(
  _ text: String, example: String = "17.4"
) throws(QueryError) -> OSVersion {
  guard let version = OSVersion(text) else {
    throw .usage("'\(text)' is not a version such as \(example)")
  }
  return version
}

/// Returns the device of this model or name, or the nearest device for a model that is newer
/// than the table. Throws a usage error that names the device that the user probably means.
package func knownDevice(_ model: String) throws(QueryError) -> Device {
  // The model first: finding its row is much faster than reading the names of all.
  if let device = Device(named: model) { return device }
  if let device = try device(called: model) { return device }
  if let standIn = Device.standIn(for: model) { return standIn }
  return try deviceOfTable(model)
}

/// Returns the first device with this name, in capital or small letters; nil if no device has it.
/// Throws a usage error if models of the name differ, or if several names begin with it.
private func device(called name: String) throws(QueryError) -> Device? {
  let typed = name.lowercased()
  let called = Device.all.filter { $0.name.lowercased() == typed }
  if Set(called.map { DeviceFacts($0) }).count == 1 { return called[0] }
  let begun = Device.all.filter { $0.name.lowercased().hasPrefix(typed + " ") }
  let meant = called.isEmpty ? begun : called
  guard meant.count > 1 else { return nil }
  let shown = meant.prefix(6).map { "\($0.identifier) (\($0.name))" }.joined(separator: ", ")
  let more = meant.count > 6 ? " and \(meant.count - 6) more" : ""
  throw .usage(
    called.isEmpty
      ? "'\(name)' is the beginning of several names: \(shown)\(more)"
      : "several models are called '\(name)', and they differ: \(shown)\(more)")
}

/// The facts by which models of one name can differ: often they are sold with more memory.
private struct DeviceFacts: Hashable {
  let platform: Platform
  let scales: [UInt8]
  let gamuts: [Gamut]
  let memories: [UInt8]
  let subtype: UInt16?
  let graphics: GraphicsSupport?
  let points: PointSize?
  let multitasking: Multitasking

  init(_ device: Device) {
    (platform, scales, gamuts) = (device.platform, device.scales, device.gamuts)
    (memories, subtype, graphics) = (device.memories, device.subtype, device.graphics)
    (points, multitasking) = (device.points, device.multitasking)
  }
}

/// Returns the device of this model. No name is accepted, and no other device is used in its place.
func deviceOfTable(_ model: String) throws(QueryError) -> Device {
  if let device = Device(named: model) { return device }
  let hint = meantDevice(model).map { "; did you mean '\($0.identifier)', the \($0.name)?" }
  throw .usage(
    "there is no device '\(model)' in the table\(hint ?? "; 'carve devices' lists all models")")
}

/// Returns a remark about each model for which another one is used.
package func remarksAboutStandIns(_ models: [String]) -> [String] {
  models.flatMap(deviceModels).compactMap { model in
    Device.standIn(for: model).map {
      "'\(model)' is not known; it counts as the nearest known model, \($0.identifier) (\($0.name))"
    }
  }
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
) throws(QueryError) -> Environment {
  do throws(TraitError) {
    return try Environment(traits: traits, localeNumber: number)
  } catch {
    let near = error.unknownWord.map { suggestion(for: $0, in: error.choices) } ?? ""
    throw .usage("\(error)\(near)")
  }
}

/// Returns the models of a list. The separator, a comma, also occurs within models: a number
/// belongs to the word in front of it.
package func deviceModels(_ list: String) -> [String] {
  var models: [String] = []
  for part in list.split(separator: ",") {
    let isNumber = part.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
    if isNumber, let last = models.last, !last.contains(",") {
      models[models.count - 1] = "\(last),\(part)"
    } else {
      models.append(String(part))
    }
  }
  return models
}

// MARK: - Errors

/// The reason why a query has no answer.
package enum QueryError: Error, Sendable, Hashable {
  /// The words of the query are wrong, or contradict each other.
  case usage(String)
  /// An input cannot be used.
  case input(String)

  package var message: String {
    switch self {
    case .usage(let message), .input(let message): message
    }
  }
}
