// Which sets of the catalogues are the app's icons: the one that is named, its alternates, or all.

import CatalogCompiler
import CatalogModel
import Documents

/// The icons of one app.
struct IconChoice {
  /// The sets of the primary icon's name. A layered icon and a set of pictures may share it.
  private(set) var primary: [AssetSet] = []
  /// The names of the alternates, in order, with their sets.
  private(set) var alternates: [(name: String, sets: [AssetSet])] = []
  private(set) var messages: [RunMessage] = []
  /// Every name whose icon is compiled.
  private(set) var names: [String] = []

  init(_ request: BuildRequest, among assets: [AssetSet]) {
    let icons = assets.filter { $0.type.canBeAppIcon }
    func sets(_ name: String) -> [AssetSet] { icons.filter { $0.name == name } }
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
    if request.includesAllIcons { wanted += icons.map(\.name) }
    for name in wanted where !names.contains(name) {
      let found = sets(name)
      if found.isEmpty { messages.append(IconChoice.missing(name, request)) }
      alternates.append((name, found))
      names.append(name)
    }
  }

  private static func missing(_ name: String, _ request: BuildRequest) -> RunMessage {
    // Two blanks, as Apple's tool writes them: wrappers compare the line.
    RunMessage(
      .error,
      "None of the input catalogs contained a matching stickers icon set or app icon set named  "
        + "\"\(name)\".", about: request.documents.first)
  }
}

extension SetType {
  fileprivate var canBeAppIcon: Bool {
    switch self {
    case .appIconSet, .iconSet, .iconBundle, .brandAssets, .stickersIconSet, .solidImageStack: true
    default: false
    }
  }
}
