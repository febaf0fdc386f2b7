// The part of the app's property list that follows from its catalogues; build systems merge it with the
// rest. Which key a platform reads is decided here.

import CatalogCompiler
import CatalogModel
import Documents
import Host

struct PartialInfoPlist {
  private let request: BuildRequest
  private let choice: IconChoice
  private let loose: LooseFiles
  private let facts: SideFacts

  init(
    _ request: BuildRequest, _ choice: IconChoice, _ loose: LooseFiles, _ facts: SideFacts
  ) {
    self.request = request
    self.choice = choice
    self.loose = loose
    self.facts = facts
  }

  var value: PropertyValue {
    var members: [String: PropertyValue] = [:]
    switch request.target.platform {
    case .macOS: addMacKeys(&members)
    case .iOS, .iOSSimulator: addPhoneKeys(&members)
    case .tvOS, .tvOSSimulator: addTVKeys(&members)
    case .watchOS, .watchSimulator, .visionOS, .visionSimulator: addNamedIcon(&members)
    }
    if let color = facts.accentColor { members["NSAccentColorName"] = .string(color) }
    if let color = facts.widgetBackground {
      members["NSWidgetBackgroundColorName"] = .string(color)
    }
    if !facts.localizations.isEmpty {
      members["CFBundleLocalizations"] = .array(facts.localizations.map { .string($0) })
    }
    addLaunchImages(&members)
    return .dictionary(members)
  }

  private func addMacKeys(_ members: inout [String: PropertyValue]) {
    guard let name = request.primaryIcon else { return }
    members["CFBundleIconName"] = .string(name)
    if loose.macIcons.contains(name) { members["CFBundleIconFile"] = .string(name) }
  }

  private func addPhoneKeys(_ members: inout [String: PropertyValue]) {
    for (key, isForPad) in [("CFBundleIcons", false), ("CFBundleIcons~ipad", true)] {
      guard request.admits(isForPad ? .ipad : .iphone) else { continue }
      var icons: [String: PropertyValue] = [:]
      if let name = request.primaryIcon {
        icons["CFBundlePrimaryIcon"] = icon(named: name, isForPad: isForPad)
      }
      if !choice.alternates.isEmpty {
        var alternates: [String: PropertyValue] = [:]
        // Both kinds of device name all files of an alternate.
        for (name, _) in choice.alternates { alternates[name] = icon(named: name, isForPad: true) }
        icons["CFBundleAlternateIcons"] = .dictionary(alternates)
      }
      if !icons.isEmpty { members[key] = .dictionary(icons) }
    }
  }

  /// A tablet finds the files of phones, too.
  private func icon(named name: String, isForPad: Bool) -> PropertyValue {
    var members: [String: PropertyValue] = ["CFBundleIconName": .string(name)]
    var stems: [String] = []
    for icon in loose.icons[name] ?? [] where isForPad || !icon.isForPad {
      if !stems.contains(icon.stem) { stems.append(icon.stem) }
    }
    if !stems.isEmpty { members["CFBundleIconFiles"] = .array(stems.map { .string($0) }) }
    return .dictionary(members)
  }

  private func addTVKeys(_ members: inout [String: PropertyValue]) {
    guard request.admits(.tv) else { return }
    var icons: [String: PropertyValue] = [:]
    for asset in choice.primary {
      guard case .brandAssets(let brand) = asset.contents else { continue }
      if let stack = brand.smallIcon { icons["CFBundlePrimaryIcon"] = .string(stack) }
      let shelf: [String: String?] = [
        "TVTopShelfPrimaryImage": brand.name(of: .topShelf),
        "TVTopShelfPrimaryImageWide": brand.name(of: .topShelfWide),
      ]
      let named = shelf.compactMapValues { $0.map { PropertyValue.string($0) } }
      if !named.isEmpty { members["TVTopShelfImage"] = .dictionary(named) }
    }
    if !choice.alternates.isEmpty { icons["CFBundleAlternateIcons"] = namedAlternates }
    if !icons.isEmpty { members["CFBundleIcons"] = .dictionary(icons) }
  }

  private var namedAlternates: PropertyValue {
    var alternates: [String: PropertyValue] = [:]
    for (name, _) in choice.alternates {
      alternates[name] = .dictionary(["CFBundleIconName": .string(name)])
    }
    return .dictionary(alternates)
  }

  private func addNamedIcon(_ members: inout [String: PropertyValue]) {
    var icons: [String: PropertyValue] = [:]
    if let name = request.primaryIcon {
      icons["CFBundlePrimaryIcon"] = .dictionary(["CFBundleIconName": .string(name)])
    }
    if !choice.alternates.isEmpty { icons["CFBundleAlternateIcons"] = namedAlternates }
    if !icons.isEmpty { members["CFBundleIcons"] = .dictionary(icons) }
  }

  private func addLaunchImages(_ members: inout [String: PropertyValue]) {
    if loose.launchImages.isEmpty { return }
    var entries: [PropertyValue] = []
    // Pictures of several scales have one name.
    for entry in loose.launchImages.compactMap(\.entry) where !entries.contains(entry) {
      entries.append(entry)
    }
    if !entries.isEmpty { members["UILaunchImages"] = .array(entries) }
    if loose.launchImages.contains(where: { $0.entry == nil }), let name = facts.launchImages?.name
    {
      members["UILaunchImageFile"] = .string(name)
    }
  }
}

extension BrandAssets {
  /// The name of the stack that the home screen shows: the smaller one.
  fileprivate var smallIcon: String? {
    assets.filter { $0.role == .primaryAppIcon }
      .min { ($0.size?.width ?? 0) < ($1.size?.width ?? 0) }?
      .filename.map(withoutExtension)
  }

  fileprivate func name(of role: BrandAsset.Role) -> String? {
    assets.first { $0.role == role }?.filename.map(withoutExtension)
  }
}
