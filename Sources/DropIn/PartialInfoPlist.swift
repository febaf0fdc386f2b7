// Makes the part of the app's property list that depends on its catalogues. Build systems merge it
// with the rest. This file knows which keys each platform reads.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Traits

struct PartialInfoPlist {
  let request: BuildRequest
  let choice: IconChoice
  let loose: LooseFiles
  let values: AppValues
  /// The icons and the parts of brand assets that are in an archive.
  let compiled: Set<ByteString>

  var value: PropertyValue {
    var members: [ByteString: PropertyValue] = [:]
    switch request.target.platform.system {
    case .macOS: addMacKeys(&members)
    case .iOS, .iPadOS: addPhoneKeys(&members)
    case .tvOS: addTVKeys(&members)
    case .watchOS, .visionOS: addNamedIcon(&members)
    }
    if let color = values.accentColor { members["NSAccentColorName"] = .name(color) }
    if let color = values.widgetBackground {
      members["NSWidgetBackgroundColorName"] = .name(color)
    }
    if !values.localizations.isEmpty {
      members["CFBundleLocalizations"] = .array(values.localizations.map { .string($0) })
    }
    addLaunchImages(&members)
    return .dictionary(members)
  }

  private func addMacKeys(_ members: inout [ByteString: PropertyValue]) {
    guard let name = primaryIcon else { return }
    members["CFBundleIconName"] = .name(name)
    if loose.macIcons.contains(name) { members["CFBundleIconFile"] = .name(lastComponent(name)) }
  }

  /// The primary icon; nil if nothing of it was written, as in a new app.
  private var primaryIcon: ByteString? { request.primaryIcon.flatMap { isThere($0) ? $0 : nil } }

  private var alternates: [ByteString] { choice.alternates.map(\.name).filter(isThere) }

  private func isThere(_ name: ByteString) -> Bool {
    compiled.contains(name) || loose.icons[name] != nil || loose.macIcons.contains(name)
  }

  /// Adds the icons of phones and tablets. If the app has no primary icon, the alternates are not
  /// named either.
  private func addPhoneKeys(_ members: inout [ByteString: PropertyValue]) {
    guard let name = primaryIcon else { return }
    let keys: [(ByteString, Bool)] = [("CFBundleIcons", false), ("CFBundleIcons~ipad", true)]
    for (key, isForPad) in keys {
      guard request.admits(isForPad ? .ipad : .iphone) else { continue }
      var icons: [ByteString: PropertyValue] = [
        "CFBundlePrimaryIcon": icon(named: name, isForPad: isForPad)
      ]
      // Phones and tablets both list all files of an alternate.
      let others = alternates.map { ($0, icon(named: $0, isForPad: true)) }
      if !others.isEmpty {
        icons["CFBundleAlternateIcons"] = .dictionary(Dictionary(uniqueKeysWithValues: others))
      }
      members[key] = .dictionary(icons)
    }
  }

  /// Returns the value for an icon. Tablets also use the files of phones.
  private func icon(named name: ByteString, isForPad: Bool) -> PropertyValue {
    var members: [ByteString: PropertyValue] = ["CFBundleIconName": .name(name)]
    var stems: [ByteString] = []
    for icon in loose.icons[name] ?? [] where isForPad || !icon.isForPad {
      if !stems.contains(icon.stem) { stems.append(icon.stem) }
    }
    if !stems.isEmpty { members["CFBundleIconFiles"] = .array(stems.map { .name($0) }) }
    return .dictionary(members)
  }

  private func addTVKeys(_ members: inout [ByteString: PropertyValue]) {
    guard request.admits(.tv) else { return }
    var icons: [ByteString: PropertyValue] = [:]
    for asset in choice.primary {
      guard case .brandAssets(let brand) = asset.contents else { continue }
      if let stack = written(brand.smallIcon, of: asset) {
        icons["CFBundlePrimaryIcon"] = .name(stack)
      }
      func shelfPicture(_ role: BrandAsset.Role) -> ByteString? {
        written(brand.assets.first { $0.role == role }, of: asset)
      }
      let shelf: [ByteString: ByteString?] = [
        "TVTopShelfPrimaryImage": shelfPicture(.topShelf),
        "TVTopShelfPrimaryImageWide": shelfPicture(.topShelfWide),
      ]
      let named = shelf.compactMapValues { $0.map { PropertyValue.name($0) } }
      if !named.isEmpty { members["TVTopShelfImage"] = .dictionary(named) }
    }
    if !alternates.isEmpty { icons["CFBundleAlternateIcons"] = namedAlternates }
    if !icons.isEmpty { members["CFBundleIcons"] = .dictionary(icons) }
  }

  /// Returns the name of a part of brand assets in the archive; nil if it is not there.
  private func written(_ part: BrandAsset?, of brand: AssetSet) -> ByteString? {
    let child = brand.children.first { lastComponent($0.folder) == part?.filename }
    return child.flatMap { compiled.contains($0.name) ? $0.name : nil }
  }

  private var namedAlternates: PropertyValue {
    .dictionary(
      Dictionary(
        uniqueKeysWithValues: alternates.map {
          ($0, .dictionary(["CFBundleIconName": .name($0)]))
        }))
  }

  private func addNamedIcon(_ members: inout [ByteString: PropertyValue]) {
    guard let name = primaryIcon else { return }
    var icons: [ByteString: PropertyValue] = [
      "CFBundlePrimaryIcon": .dictionary(["CFBundleIconName": .name(name)])
    ]
    if !alternates.isEmpty { icons["CFBundleAlternateIcons"] = namedAlternates }
    members["CFBundleIcons"] = .dictionary(icons)
  }

  private func addLaunchImages(_ members: inout [ByteString: PropertyValue]) {
    if loose.launchImages.isEmpty { return }
    var entries: [PropertyValue] = []
    // Pictures of several scales have the same name.
    for entry in loose.launchImages.compactMap(\.entry) where !entries.contains(entry) {
      entries.append(entry)
    }
    if !entries.isEmpty { members["UILaunchImages"] = .array(entries) }
    if loose.launchImages.contains(where: { $0.entry == nil }), let name = values.launchImages?.name
    {
      members["UILaunchImageFile"] = .name(lastComponent(name))
    }
  }
}
