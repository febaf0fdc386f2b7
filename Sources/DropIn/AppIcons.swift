// Chooses the sets of the app's icons (the named one, its alternates, or all icon sets), and checks
// the sizes of their pictures.

import Bytes
import CatalogCompiler
import CatalogModel
import Host
import Traits

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
  private var setsByName: [ByteString: [AssetSet]] = [:]

  init(_ request: BuildRequest, among contents: CatalogContents) {
    let icons = contents.assets.filter { $0.type.canBeAppIcon }
    let iconsByName = Dictionary(grouping: icons, by: \.name)
    func sets(_ name: ByteString) -> [AssetSet] { iconsByName[name] ?? [] }
    if let name = request.primaryIcon {
      primary = sets(name)
      if primary.isEmpty, contents.reason(whyMissing: name)?.severity != .error {
        messages.append(IconChoice.missing(name, request))
      }
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
    var seen = Set(names)
    for name in wanted where seen.insert(name).inserted {
      let found = sets(name)
      if found.isEmpty, contents.reason(whyMissing: name)?.severity != .error {
        messages.append(IconChoice.missing(name, request))
      }
      alternates.append((name, found))
      names.append(name)
    }
    for name in names { setsByName[name] = sets(name) }
    let ambiguous = IconChoice.ambiguousNames(of: icons, contents.diagnostics)
    let isForPhones = request.target.platform.system == .iOS
    messages += names.filter {
      ambiguous.contains($0) || isForPhones && Set(sets($0).map(\.type)).isSuperset(of: loosePairs)
    }.map {
      RunMessage(
        .error,
        "There are multiple stickers icon set, app icon set, or icon stack instances named \"\($0)\".",
        about: request.documents.first)
    }
  }

  func sets(of name: ByteString) -> [AssetSet] { setsByName[name] ?? [] }

  private static func missing(_ name: ByteString, _ request: BuildRequest) -> RunMessage {
    // Two blanks, as in the message of Apple's tool, because wrappers compare the line.
    RunMessage(
      .error,
      "None of the input catalogs contained a matching stickers icon set or app icon set named  "
        + "\"\(name)\".", about: request.documents.first)
  }

  /// Returns the names that two icons of one type have. The reader keeps only one of them and adds
  /// a finding, whose note names the folder of the kept one.
  private static func ambiguousNames(
    of icons: [AssetSet], _ findings: [Diagnostic]
  ) -> Set<ByteString> {
    let clashes = findings.lazy.filter { $0.code == .nameClash }
    let kept = Set(clashes.flatMap { $0.notes.map(\.file) })
    return Set(icons.lazy.filter { kept.contains($0.folder) }.map(\.name))
  }
}

/// The types of sets whose pictures have the same file names beside the archive.
private let loosePairs: Set<SetType> = [.appIconSet, .stickersIconSet]

extension SetType {
  /// Returns whether a set of the type is an alternate if all icons are requested. On tvOS, an
  /// image stack outside of brand assets is one.
  fileprivate func isAlternate(on platform: TargetPlatform) -> Bool {
    switch self {
    case .imageStack: platform.system == .tvOS
    case .solidImageStack: platform.system == .visionOS
    case .appIconSet, .iconBundle: platform.system != .tvOS
    case .imageSet, .colorSet, .dataSet, .symbolSet, .iconSet, .launchImage, .spriteAtlas,
      .textureSet,
      .cubeTextureSet, .mipmapSet, .imageStackLayer, .solidImageStackLayer, .brandAssets,
      .complicationSet, .stickerPack, .sticker, .stickerSequence, .stickersIconSet,
      .arResourceGroup, .arReferenceImage, .arObject, .leaderboard, .leaderboardSet,
      .dashboardImage:
      false
    }
  }
}

// MARK: - Pictures of another size

// Checks which pictures of the chosen icons have the size of their entry. Apple's tool leaves out
// the others, and refuses an icon that has pictures but no picture for the platform.

extension BuildStep {
  /// Removes pictures from these icons if their size differs from the size of their entry. Returns
  /// a finding for each.
  func dropMisfits(_ contents: inout CatalogContents, of names: [ByteString]) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let names = Set(names)
    for index in contents.assets.indices where names.contains(contents.assets[index].name) {
      let asset = contents.assets[index]
      guard case .appIcons(var set) = asset.contents else { continue }
      set.entries.removeAll { entry in
        guard let finding = misfit(entry, of: asset) else { return false }
        findings.append(finding)
        return true
      }
      contents.assets[index].contents = .appIcons(set)
    }
    return located(findings, in: tree)
  }

  private func misfit(_ entry: AppIconEntry, of asset: AssetSet) -> Diagnostic? {
    guard let file = entry.file, file.exists, !entry.slot.isUnassigned,
      request.target.admits(entry.slot), let wanted = entry.pixelSize,
      let header = try? ImageHeader.read(file.path, in: tree), !header.kind.isVector
    else { return nil }
    let there = header.uprightSize
    let (width, height) = (Int(wanted.width.rounded()), Int(wanted.height.rounded()))
    if there.width == width, there.height == height { return nil }
    // The words are Apple's.
    return Diagnostic(
      .iconSize,
      "\(lastComponent(asset.folder))/\(file.name) is \(there.width)x\(there.height) but should be "
        + "\(width)x\(height).",
      file: asset.contentsFile, pointer: entry.slot.pointer + "/filename")
  }
}

extension IconChoice {
  /// Returns an error for each icon of which nothing was compiled although it has pictures. `all`
  /// is the choice before misfits were removed.
  func unfitness(
    compiled: Set<ByteString>, besides all: IconChoice, for request: BuildRequest
  ) -> [RunMessage] {
    let named = (request.primaryIcon.map { [$0] } ?? []) + request.alternateIcons
    return named.filter {
      !compiled.contains($0) && all.sets(of: $0).contains(where: \.hasIconPicture)
        && sets(of: $0).allSatisfy { $0.hasNothing(for: request.target) }
    }.map {
      RunMessage(
        .error,
        "The stickers icon set, app icon set, or icon stack named \"\($0)\" did not have any "
          + "applicable content.", about: request.documents.first)
    }
  }
}
