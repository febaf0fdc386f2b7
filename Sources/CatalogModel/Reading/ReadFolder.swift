// Reads the Contents.json of one folder: the type of the folder and its values. It chooses the
// reader for the type. Folders are read independently of each other, on all processors.

import Bytes
import Documents
import Host

/// The role of a folder, as far as its name tells it.
package enum FolderRole: Sendable, Hashable {
  case catalog, group
  case set(SetType)
  /// A folder with an unknown extension. It is a group or is left out, depending on its content.
  case unknown(extension: ByteString)

  init(of folder: Folder) {
    let name = folder.name
    let suffix = pathExtension(name)
    if let type = FolderRole.setType(suffix) {
      self = .set(type)
    } else if folder.depth == 0 {
      self = .catalog
    } else {
      self = suffix.isEmpty ? .group : .unknown(extension: suffix)
    }
  }

  /// Returns the set type of an extension, even in another spelling.
  package static func setType(_ suffix: ByteString) -> SetType? {
    // Apple's reference has used this extension.
    if suffix == "arimageset" { return .arReferenceImage }
    return SetType.allCases.first { suffix.equals(ascii: $0.rawValue) }
      ?? SetType.allCases.first { areSpellings($0.rawValue, suffix.text) }
  }
}

extension Folder {
  /// Returns the end of a message about a missing file, if a file in the folder has its name in
  /// another case; otherwise an empty text.
  func otherCase(_ name: ByteString, among files: [FileEntry]? = nil) -> String {
    let found = (files ?? entries).first {
      $0.kind == .file && $0.name != name && $0.name.lowercased() == name.lowercased()
    }
    return found.map { "; \(quoted($0.name)) must be named \(quoted(name))" } ?? ""
  }
}

/// Reads a folder according to its role.
func readFolder(_ folder: Folder, in tree: FileTree) -> FolderReading {
  if folder.isUnread { return FolderReading() }
  let role = FolderRole(of: folder)
  let file = joined(folder.path, "Contents.json")
  let findings = Findings(file: file)
  let reader = SetReader(folder: folder, findings: findings)
  var reading = FolderReading()
  var bytes: [UInt8] = []
  var root = JSONValue.object([])
  if role == .set(.iconBundle) {
    return readIconBundle(folder, in: tree)
  }
  if folder.entries.contains(where: { $0.name == "Contents.json" }) {
    do throws(FileError) {
      bytes = try tree.read(file, FileLimit.contents)
    } catch {
      report(error, findings)
      reading.diagnostics = findings.list
      return reading
    }
    let document = JSONDocument(bytes, file: file)
    findings.add(document.diagnostics)
    reading.isFixable = document.writableValue != nil
    guard let value = document.value else {
      reading.diagnostics = findings.list
      return reading
    }
    root = value
  } else if case .set(let type) = role, type.needsContents {
    reading.missing = [file]
    findings.add(
      .missingContents,
      "the set has no Contents.json; it is left out\(folder.otherCase("Contents.json"))")
    reading.diagnostics = findings.list
    return reading
  }
  if bytes.isEmpty { reading.missing = [file] }
  let isRead = read(root, as: role, with: reader, into: &reading)
  reading.contents?.readFiles(in: tree, findings)
  reading.missing += reader.missing
  reading.foldersAsFiles = reader.foldersAsFiles
  reading.brokenLinks = reader.brokenLinks
  let hidesFile = findings.list.contains(where: \.hidesFile)
  reading.leavesOutEntries = reader.leavesOutEntries || hidesFile
  reader.reportEquivalentFiles()
  // If the entries were not read, they can name any file, and another finding says why.
  if isRead, !reading.hasEntries, !hidesFile {
    reportUnnamedFiles(role, reader, isGroup: reading.isGroupLike)
  }
  reading.onDemandTags = reader.onDemandTags
  reading.diagnostics = located(
    capped(findings.list, leftOut: findings.leftOut, file: file), in: bytes)
  reading.withdrawFixes()
  return reading
}

extension Diagnostic {
  /// Whether the finding is about a name of a file that was not read: its key is misspelled, or it
  /// is no string.
  fileprivate var hidesFile: Bool {
    if code == .wrongType, let pointer { return pointerTokens(pointer).last == "filename" }
    return code == .unknownKey && subject == "filename"
  }
}

extension FolderReading {
  /// Takes back the fixes of a file that must not be rewritten.
  mutating func withdrawFixes() {
    if isFixable { return }
    for index in diagnostics.indices { diagnostics[index].fix = nil }
  }
}

extension AssetContents {
  /// Reads those files whose contents are part of the value of the set.
  fileprivate mutating func readFiles(in tree: FileTree, _ findings: Findings) {
    if case .symbols(var set) = self {
      set.readTemplates(in: tree, findings)
      self = .symbols(set)
    }
  }
}

private func report(_ error: FileError, _ findings: Findings) {
  switch error {
  case .tooLarge(let size, let limit):
    findings.add(
      .jsonTooLarge, "the file has \(size) bytes; more than \(limit >> 20) MiB are not read")
  case .notAFile: findings.add(.notAFile, "Contents.json is not a file", severity: .error)
  default: findings.add(.unreadableFile, "Contents.json cannot be read: \(error.reason)")
  }
}

/// Returns whether the entries of the set were read, or the set has none.
private func read(
  _ root: JSONValue, as role: FolderRole, with reader: SetReader, into reading: inout FolderReading
) -> Bool {
  guard case .object(let members) = root else {
    reader.findings.add(
      .wrongType, "the file must hold an object, and holds \(root.kind)", at: "",
      severity: .error)
    return false
  }
  reading.isGroupLike = members.allSatisfy { ["info", "properties"].contains($0.key) }
  let fields = Fields(members, pointer: "", findings: reader.findings)
  switch role {
  case .set(let type) where type != .spriteAtlas:
    reading.contents = reader.read(type, fields)
    return reader.finish(fields, of: type)
  case .unknown where !reading.isGroupLike: break
  default:
    if case .set = role { reading.contents = .spriteAtlas(SpriteAtlas()) }
    readGroup(fields, isRoot: role == .catalog, reader, into: &reading)
  }
  return true
}

extension SetReader {
  /// Reports what is left to say about the root of a set. Returns whether its entries were read, or
  /// the type has none.
  fileprivate func finish(_ root: Fields, of type: SetType) -> Bool {
    let keys = type.entriesKeys
    let key = keys.first(where: root.has)
    if let first = keys.first, key == nil {
      findings.add(
        .missingKey, "the set has no \(quoted(first))\(words(ofLeftOut: type))", at: "",
        subject: ByteString(first))
    }
    root.finish()
    let isRead = key.map(root.hasArray) ?? keys.isEmpty
    reportAbsent(type, partsIn: isRead ? key.map(root.pointer) : nil)
    return isRead
  }
}

func readGroup(
  _ root: Fields, isRoot: Bool, _ reader: SetReader, into reading: inout FolderReading
) {
  let info = reader.readInfo(root)
  if let properties = reader.readProperties(root) {
    reading.providesNamespace = properties.bool("provides-namespace") ?? false
    reading.compression = properties.choice("compression-type")
    if isRoot {
      let word = properties.word(
        "generate-swift-asset-symbol-extensions", of: ["enabled", "disabled"])
      reading.generatesSymbolExtensions = word.map { $0 == "enabled" }
    }
    properties.finish()
  }
  if case .spriteAtlas? = reading.contents {
    reading.contents = .spriteAtlas(
      SpriteAtlas(
        compression: reading.compression, providesNamespace: reading.providesNamespace))
  }
  info?.finish()
  if !isRoot, reading.contents == nil { reading.hasEntries = reader.reportEntries(ofGroup: root) }
  root.finish()
}

extension SetReader {
  /// Reports the entries of a set in the file of a group. Returns whether there are any.
  fileprivate func reportEntries(ofGroup root: Fields) -> Bool {
    if root.isDescribed { return false }
    for type in SetType.allCases {
      guard let key = type.entriesKeys.first(where: root.hasExactly) else { continue }
      let pointer = root.find(key)?.pointer
      findings.add(
        .unknownKey,
        "a group has no \(quoted(key)): if the folder is a set, its name lacks the extension, such "
          + "as \(quoted("." + type.rawValue))", at: pointer, isKey: true)
      return true
    }
    return false
  }

  /// Returns the end of a sentence about the files and parts of a set without entries.
  private func words(ofLeftOut type: SetType) -> String {
    let names = (unnamedParts(of: type) + unnamedFiles).map(\.name)
    return switch names.count {
    case 0: ""
    case 1: ", so \(quoted(names[0])) is left out"
    case 2, 3: ", so \(quotedList(names, joinedBy: "and")) are left out"
    default: ", so \(quoted(names[0])) and \(names.count - 1) others are left out"
    }
  }
}

/// Reports files that no entry names.
private func reportUnnamedFiles(_ role: FolderRole, _ reader: SetReader, isGroup: Bool) {
  if case .unknown = role, !isGroup { return }
  for entry in reader.unexplainedFiles {
    let path = joined(reader.folder.path, entry.name)
    if case .set = role, role != .set(.spriteAtlas) {
      reader.findings.add([
        Diagnostic(.unassignedFile, "no entry of the set names \(quoted(entry.name))", file: path)
      ])
    } else {
      let other = reader.folder.otherCase("Contents.json", among: [entry])
      reader.findings.add([
        Diagnostic(
          .strayFile,
          "\(quoted(entry.name)) \(other.isEmpty ? "belongs to no set" : "is not read\(other)")",
          file: path)
      ])
    }
  }
}

extension SetType {
  /// Whether Apple's tool ignores a folder of this type if it has no Contents.json.
  var needsContents: Bool {
    switch self {
    case .iconSet, .iconBundle, .spriteAtlas, .imageStackLayer, .solidImageStackLayer,
      .leaderboard, .leaderboardSet, .dashboardImage:
      false
    case .imageSet, .colorSet, .dataSet, .symbolSet, .appIconSet, .launchImage, .textureSet,
      .cubeTextureSet, .mipmapSet, .imageStack, .solidImageStack, .brandAssets, .complicationSet,
      .stickerPack, .sticker, .stickerSequence, .stickersIconSet, .arResourceGroup,
      .arReferenceImage, .arObject:
      true
    }
  }
}

extension SetType {
  /// The keys that the entries of a set can have in its root, the usual one first; empty if the
  /// type has no entries.
  fileprivate var entriesKeys: [String] {
    switch self {
    case .imageSet, .appIconSet, .stickersIconSet, .arReferenceImage: ["images"]
    case .launchImage: ["images", "data"]
    case .colorSet: ["colors"]
    case .dataSet: ["data"]
    case .symbolSet: ["symbols"]
    case .textureSet, .cubeTextureSet: ["textures"]
    case .mipmapSet: ["levels"]
    case .imageStack, .solidImageStack: ["layers"]
    case .brandAssets, .complicationSet: ["assets"]
    case .stickerPack: ["stickers"]
    case .stickerSequence: ["frames"]
    case .arResourceGroup: ["resources"]
    case .iconSet, .iconBundle, .spriteAtlas, .imageStackLayer, .solidImageStackLayer, .sticker,
      .arObject, .leaderboard, .leaderboardSet, .dashboardImage:
      []
    }
  }
}

/// A limit above the number of findings that a person reads about one file.
private let findingLimit = 100

private func capped(
  _ diagnostics: [Diagnostic], leftOut: Int, file: ByteString
) -> [Diagnostic] {
  guard diagnostics.count > findingLimit else { return diagnostics }
  // Errors come first, so that an error that stops the compilation is never left out.
  let kept =
    diagnostics.filter { $0.severity == .error } + diagnostics.filter { $0.severity != .error }
  return Array(kept.prefix(findingLimit)) + [
    Diagnostic(
      .tooManyFindings, "\(diagnostics.count - findingLimit + leftOut) more findings are not shown",
      file: file)
  ]
}

// MARK: - Results

/// The results of reading one folder.
struct FolderReading: Sendable {
  var contents: AssetContents?
  var onDemandTags: [ByteString] = []
  /// Whether a group, an atlas or a catalogue provides a namespace.
  var providesNamespace = false
  var compression: CompressionType?
  var generatesSymbolExtensions: Bool?
  /// Whether the root has only keys that a group can have.
  var isGroupLike = true
  var diagnostics: [Diagnostic] = []
  /// Whether the file can be rewritten without a loss.
  var isFixable = true
  /// Whether entries of a set have no variant or no file because a value was not understood.
  var leavesOutEntries = false
  /// Whether a group has entries as a set has them.
  var hasEntries = false
  /// The links without a target that entries name.
  var brokenLinks: Set<ByteString> = []
  /// The files and folders below the folder that its reader listed itself.
  var inputs: [ByteString] = []
  /// The paths that were searched for and do not exist.
  var missing: [ByteString] = []
  /// The folders that entries name as files.
  var foldersAsFiles: Set<ByteString> = []
}

extension FolderReading {
  /// Whether a finding says that entries of the set, or values of them, were not read.
  var hasUnreadEntries: Bool {
    diagnostics.contains {
      switch $0.code {
      case .missingKey, .unknownValue, .wrongType: true
      case .unknownKey: $0.fix != nil || $0.subject != nil
      default: false
      }
    }
  }
}

// MARK: - Types of sets

extension SetReader {
  func read(_ type: SetType, _ root: Fields) -> AssetContents {
    switch type {
    case .imageSet: .images(ImageSet(reading: root, in: self))
    case .colorSet: .colors(ColorSet(reading: root, in: self))
    case .dataSet: .data(DataSet(reading: root, in: self))
    case .symbolSet: .symbols(SymbolSet(reading: root, in: self))
    case .appIconSet: .appIcons(AppIconSet(reading: root, in: self))
    case .iconSet: .icons(IconSet(in: self))
    case .iconBundle: .iconBundle(IconBundle())
    case .launchImage: .launchImages(LaunchImageSet(reading: root, in: self))
    case .spriteAtlas: .spriteAtlas(SpriteAtlas())
    case .textureSet, .cubeTextureSet:
      .textures(TextureSet(isCube: type == .cubeTextureSet, reading: root, in: self))
    case .mipmapSet: .mipmaps(MipmapSet(reading: root, in: self))
    case .imageStack, .solidImageStack:
      .imageStack(ImageStack(isSolid: type == .solidImageStack, reading: root, in: self))
    case .imageStackLayer, .solidImageStackLayer:
      .imageStackLayer(ImageStackLayer(reading: root, in: self))
    case .brandAssets: .brandAssets(BrandAssets(reading: root, in: self))
    case .complicationSet: .complications(ComplicationSet(reading: root, in: self))
    case .stickerPack: .stickerPack(StickerPack(reading: root, in: self))
    case .sticker: .sticker(Sticker(reading: root, in: self))
    case .stickerSequence: .stickerSequence(StickerSequence(reading: root, in: self))
    case .stickersIconSet: .stickersIcons(AppIconSet(reading: root, in: self))
    case .arResourceGroup: .arGroup(ARResourceGroup(reading: root, in: self))
    case .arReferenceImage: .arImage(ARReferenceImage(reading: root, in: self))
    case .arObject: .arObject(ARObject(reading: root, in: self))
    case .leaderboard, .leaderboardSet, .dashboardImage:
      .gameCenter(GameCenterItem(reading: root, in: self))
    }
  }
}
