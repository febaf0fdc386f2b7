// What Apple's tool says of a catalogue, and in which words, where scripts of build systems compare them.
// Findings about which it keeps silent, and which change nothing, are left to `carve lint`: wrappers of
// build systems turn every warning into an error.

import Bytes
import CatalogModel
import Host

extension BuildStep {
  /// Findings as a build reports them: with the caller's severities, without what is nothing to a build.
  func said(_ findings: [Diagnostic]) -> [Diagnostic] { judge(findings).filter(isSaid) }

  private func isSaid(_ finding: Diagnostic) -> Bool {
    switch finding.severity {
    case .error: return true
    case .note: return false
    case .warning: break
    }
    if finding.code.isTidiness { return false }
    switch finding.code {
    case .unsupportedSet:
      // On phones launch images lie beside the archive, and Apple's tool passes over those not named.
      return !finding.file.hasSuffix(".launchimage") || request.target.platform.archiveName != "ios"
    case .unassignedFile:
      // Texts beside the pictures of a set are nobody's concern.
      return pictureExtensions.contains(pathExtension(finding.file).text)
    default: return true
    }
  }
}

private let pictureExtensions: Set = [
  "png", "jpg", "jpeg", "pdf", "svg", "heic", "heif", "gif", "tif", "tiff", "bmp", "webp", "psd",
]

extension DiagnosticCode {
  /// Whether the finding is about how a catalogue is written, and the archive is the same.
  fileprivate var isTidiness: Bool {
    switch self {
    case .misspelledKey, .misspelledValue, .misplacedKey, .unknownKey, .jsonDuplicateKey,
      .jsonByteOrderMark, .unknownVersion, .strayFile, .nameDiffersInCase, .equivalentNames,
      .nameSharedByTypes,
      .emptyUnassignedEntry, .dottedGroup, .misspelledSetType, .nestedSet, .localeNotLocalizable,
      .fileCaseMismatch:
      true
    default: false
    }
  }

  /// Under which of Apple's headings a finding comes.
  var appleType: String {
    switch self {
    case .nameClash, .nameSharedByTypes, .nameDiffersInCase, .equivalentNames, .duplicateSlot,
      .fileInSeveralSlots,
      .iconShadowsAppIcon, .iconSize:
      "Ambiguous Content"
    case .unassignedFile, .unassignedEntry, .emptyUnassignedEntry, .strayFile,
      .unreachableVariant, .iconNeverShown, .misplacedKey:
      "Inapplicable Content"
    case .missingFile, .missingContents, .missingIcon, .missingStoreIcon, .emptySet, .emptySlot,
      .missingScale, .danglingReference, .missingKey:
      "Missing Content"
    case .unsupportedSet, .unsupportedImage, .unsupportedFormat, .unsupportedAppearance,
      .settingNotApplied, .vectorFeature, .unknownSetType, .olderTarget, .iconUnknownSize,
      .iconDrawnPlainly, .unprovenForm, .carveExtension:
      "Unsupported Configuration"
    default: "Malformed Content"
    }
  }
}

extension Diagnostic {
  /// The finding as Apple's tool says it, where it has words for the same; what helps is kept behind.
  var inApplesWords: Diagnostic {
    var finding = self
    switch code {
    case .nameClash:
      guard let set = SetPlace(file) else { break }
      finding.message =
        "The \(set.type) name \"\(set.name)\" is used by multiple \(set.type)s."
    case .missingFile:
      guard let set = SetPlace(folder(of: file)), let subject else { break }
      finding.message =
        "The file \"\(subject)\" for the \(set.type) \"\(set.name)\" does not exist."
      if let advice = advice { finding.message += " Did you mean \(advice)?" }
    case .unassignedFile, .unassignedEntry:
      guard let set = SetPlace(folder(of: file)) else { break }
      finding.message = "The \(set.type) \"\(set.name)\" has an unassigned child."
    default: break
    }
    return finding
  }

  /// What the message asks at its end: "did you mean …?"
  private var advice: Substring? {
    let question = "; did you mean "
    guard message.hasSuffix("?") else { return nil }
    var rest = message.dropLast()
    while let end = rest.lastIndex(of: ";") {
      if rest[end...].hasPrefix(question) { return rest[end...].dropFirst(question.count) }
      rest = rest[..<end]
    }
    return nil
  }
}

/// The folder that holds a file.
private func folder(of file: ByteString) -> ByteString {
  file.dropLast(lastComponent(file).count + 1)
}

/// A set by its folder, in the words of Apple's tool.
private struct SetPlace {
  var name: ByteString
  var type: String

  init?(_ folder: ByteString) {
    guard let type = SetType(rawValue: pathExtension(lastComponent(folder)).text) else {
      return nil
    }
    name = withoutExtension(lastComponent(folder))
    self.type = type.appleName
  }
}

extension SetType {
  fileprivate var appleName: String {
    switch self {
    case .imageSet: "image set"
    case .colorSet: "color set"
    case .dataSet: "data set"
    case .symbolSet: "symbol image set"
    case .appIconSet: "app icon set"
    case .iconSet: "icon set"
    case .iconBundle: "icon stack"
    case .launchImage: "launch image set"
    case .spriteAtlas: "sprite atlas"
    case .textureSet: "texture set"
    case .cubeTextureSet: "cube texture set"
    case .mipmapSet: "mipmap set"
    case .imageStack: "image stack"
    case .imageStackLayer: "image stack layer"
    case .solidImageStack: "solid image stack"
    case .solidImageStackLayer: "solid image stack layer"
    case .brandAssets: "brand assets set"
    case .complicationSet: "complication set"
    case .stickerPack: "sticker pack"
    case .sticker: "sticker"
    case .stickerSequence: "sticker sequence"
    case .stickersIconSet: "stickers icon set"
    case .arResourceGroup: "AR resource group"
    case .arReferenceImage: "AR reference image"
    case .arObject: "AR reference object"
    case .leaderboard: "leaderboard"
    case .leaderboardSet: "leaderboard set"
    case .dashboardImage: "dashboard image"
    }
  }
}
