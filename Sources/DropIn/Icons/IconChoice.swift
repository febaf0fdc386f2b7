// Chooses the sets of the app's icons: the named one, its alternates, or all icon sets.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host

/// The icons of one app.
struct IconChoice {
  /// The sets with the name of the primary icon. A layered icon and an app icon set may have the
  /// same name.
  private(set) var primary: [AssetSet] = []
  /// The names of the alternates in order, with their sets.
  private(set) var alternates: [(name: ByteString, sets: [AssetSet])] = []
  private(set) var messages: [RunMessage] = []
  /// The names of all icons to compile.
  private(set) var names: [ByteString] = []

  init(_ request: BuildRequest, among contents: CatalogContents) {
    let icons = contents.assets.filter { $0.type.canBeAppIcon }
    func sets(_ name: ByteString) -> [AssetSet] { icons.filter { $0.name == name } }
    if let name = request.primaryIcon {
      primary = sets(name)
      if primary.isEmpty { messages.append(IconChoice.missing(name, request)) }
      names.append(name)
    }
    var wanted = request.alternateIcons
    if let primary = request.primaryIcon, wanted.contains(primary) {
      messages.append(
        RunMessage(
          .error, "The alternate app icon \"\(primary)\" is also the primary app icon.",
          about: request.documents.first))
    }
    if request.includesAllIcons {
      wanted += icons.filter { $0.type.isAlternate(on: request.target.platform) }.map(\.name)
    }
    for name in wanted where !names.contains(name) {
      let found = sets(name)
      if found.isEmpty { messages.append(IconChoice.missing(name, request)) }
      alternates.append((name, found))
      names.append(name)
    }
    messages += names.filter { IconChoice.isAmbiguous($0, contents) }.map {
      RunMessage(
        .error,
        "There are multiple stickers icon set, app icon set, or icon stack instances named \"\($0)\".",
        about: request.documents.first)
    }
  }

  func sets(of name: ByteString) -> [AssetSet] {
    (primary + alternates.flatMap(\.sets)).filter { $0.name == name }
  }

  private static func missing(_ name: ByteString, _ request: BuildRequest) -> RunMessage {
    // Two blanks, as in the message of Apple's tool, because wrappers compare the line.
    RunMessage(
      .error,
      "None of the input catalogs contained a matching stickers icon set or app icon set named  "
        + "\"\(name)\".", about: request.documents.first)
  }

  /// Returns whether two sets of one type have the name. The reader keeps only one of them and adds
  /// a finding.
  private static func isAmbiguous(_ name: ByteString, _ contents: CatalogContents) -> Bool {
    contents.diagnostics.contains { finding in
      guard finding.code == .nameClash else { return false }
      let folder = lastComponent(finding.file)
      return withoutExtension(folder) == lastComponent(name)
        && SetType(rawValue: pathExtension(folder).text)?.canBeAppIcon == true
    }
  }
}

extension SetType {
  fileprivate var canBeAppIcon: Bool {
    switch self {
    case .appIconSet, .iconSet, .iconBundle, .brandAssets, .stickersIconSet, .solidImageStack,
      .imageStack:
      true
    default: false
    }
  }

  /// Returns whether a set of the type is an alternate if all icons are requested. On tvOS, an
  /// image stack outside of brand assets is one.
  fileprivate func isAlternate(on platform: TargetPlatform) -> Bool {
    switch self {
    case .imageStack: platform.system == .tvOS
    case .solidImageStack: platform.system == .visionOS
    case .iconSet: platform == .macOS
    case .appIconSet, .iconBundle: platform.system != .tvOS
    default: false
    }
  }
}
