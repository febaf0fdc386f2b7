// Every device and window that the page can show, and the environments that they present. Devices
// and windows with the same requests are one situation.

import Traits

/// The settings of the page beside the device and its window.
struct PageTraits: Sendable {
  let styles: [Style]
  let contrasts: [Contrast]
  /// Language tags. The empty tag is a user whose languages are unknown.
  let languages: [String]
  let requests: [DeviceRequest]

  /// Creates the settings between which the keys can distinguish. Light and dark are always among
  /// them.
  init(_ keys: Set<VariantKey>, localizations: [(name: String, number: UInt16)]) {
    var styles: [Style] = [.light, .dark]
    if keys.contains(where: { $0.style == .tinted }) { styles.append(.tinted) }
    let contrasts: [Contrast] =
      keys.contains { $0.contrast == .high } ? [.normal, .high] : [.normal]
    var languages = [""]
    let numbers = Set(keys.map(\.locale))
    languages += localizations.filter { numbers.contains($0.number) }.map(\.name)
      .prefix(PageTraits.mostLanguages)
    let hasDirections = keys.contains { $0.direction != .none }
    if hasDirections,
      !languages.contains(where: { writingDirection(ofLanguage: $0) != .leftToRight })
    {
      languages.append("ar")
    }
    let known = Dictionary(
      localizations.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    var requests: [DeviceRequest] = []
    for language in languages {
      for contrast in contrasts {
        for style in styles {
          var request = DeviceRequest()
          request.style = style
          request.contrast = contrast
          if !language.isEmpty {
            request.read([language]) { known[$0] ?? nameIdentifier($0.utf8) }
          }
          requests.append(request)
        }
      }
    }
    self.styles = styles
    self.contrasts = contrasts
    self.languages = languages
    self.requests = requests
  }

  /// The limit of languages: users do not look through more, and each one adds a table.
  private static let mostLanguages = 24
}

struct DeviceWindows: Sendable {
  let device: Device
  let windows: [(shown: ShownWindow, situation: Int)]
}

/// A device and a window that represent all with the same requests.
struct Situation: Sendable {
  let device: Device
  let shown: ShownWindow
}

struct Situations: Sendable {
  let traits: PageTraits
  private(set) var devices: [DeviceWindows] = []
  private(set) var all: [Situation] = []

  init(_ devices: [Device], _ traits: PageTraits) {
    self.traits = traits
    var known: [ReachFactors: Int] = [:]
    for device in devices {
      var windows: [(ShownWindow, Int)] = []
      for shown in device.shownWindows {
        let factors = device.factors(of: shown, request: DeviceRequest())
        let number = known[factors] ?? all.count
        if number == all.count {
          known[factors] = number
          all.append(Situation(device: device, shown: shown))
        }
        windows.append((shown, number))
      }
      self.devices.append(DeviceWindows(device: device, windows: windows))
    }
  }

  /// Renumbers the situations after equal ones were merged.
  mutating func merge(_ numbers: [Int]) {
    devices = devices.map { device in
      DeviceWindows(
        device: device.device, windows: device.windows.map { ($0.shown, numbers[$0.situation]) })
    }
  }
}
