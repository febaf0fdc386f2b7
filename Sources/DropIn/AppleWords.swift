// Chooses the findings that a build reports, and gives them the words of Apple's tool if scripts of
// build systems compare those words. Findings that Apple's tool does not report, and that do not
// change the archive, are left to `carve lint`, because wrappers of build systems turn every
// warning into an error.

import Bytes
import CatalogModel
import Host

extension BuildStep {
  /// Returns the findings that a build reports, with the severities that the caller wants.
  func reported(_ findings: [Diagnostic]) -> [Diagnostic] {
    applyPolicy(findings).filter(isReported)
  }

  private func isReported(_ finding: Diagnostic) -> Bool {
    switch finding.severity {
    case .error: return true
    case .note: return false
    case .warning: break
    }
    if finding.code.isTidiness { return false }
    switch finding.code {
    case .unknownKey:
      // A key that is probably misspelled has an effect that the archive lacks. Other keys can be
      // those of a later version of Apple's tool.
      return finding.fix != nil
    case .unassignedFile:
      // Other files beside the pictures of a set, such as texts, are not reported.
      return pictureExtensions.contains(pathExtension(finding.file).text)
    default: return true
    }
  }
}

private let pictureExtensions: Set = [
  "png", "jpg", "jpeg", "pdf", "svg", "heic", "heif", "gif", "tif", "tiff", "bmp", "webp", "psd",
]

extension DiagnosticCode {
  /// Whether the finding is about the form of a catalogue and does not change the archive.
  fileprivate var isTidiness: Bool {
    switch self {
    case .misspelledKey, .misspelledValue, .misplacedKey, .jsonDuplicateKey,
      .jsonByteOrderMark, .unknownVersion, .strayFile, .nameDiffersInCase, .equivalentNames,
      .nameSharedByTypes,
      .emptyUnassignedEntry, .dottedGroup, .misspelledSetType, .nestedSet, .localeNotLocalizable,
      .fileCaseMismatch:
      true
    default: false
    }
  }

  /// The type that Apple's report gives such findings.
  var appleType: String {
    switch self {
    case .nameClash, .nameSharedByTypes, .nameDiffersInCase, .equivalentNames, .duplicateSlot,
      .fileInSeveralSlots,
      .iconShadowsAppIcon, .iconSize:
      "Ambiguous Content"
    case .unassignedFile, .unlistedPart, .unassignedEntry, .emptyUnassignedEntry, .strayFile,
      .hiddenSet, .unreachableVariant, .iconNeverShown, .misplacedKey:
      "Inapplicable Content"
    case .missingFile, .missingContents, .missingIcon, .missingStoreIcon, .emptySet, .emptySlot,
      .missingScale, .danglingReference, .missingKey:
      "Missing Content"
    case .unsupportedSet, .unsupportedImage, .unsupportedFormat, .unsupportedAppearance,
      .settingNotApplied, .vectorFeature, .unknownSetType, .olderTarget, .iconUnknownSize,
      .iconDrawnPlainly, .unprovenForm, .carveExtension, .needsXcode27, .refusedByApple:
      "Unsupported Configuration"
    default: "Malformed Content"
    }
  }
}

extension Diagnostic {
  /// The finding in the words of Apple's tool, if it has any for this code. The advice at the end
  /// of the message is kept.
  var inApplesWords: Diagnostic {
    var finding = self
    switch code {
    case .nameClash:
      guard let set = SetPlace(file) else { break }
      finding.message =
        "The \(set.type) name \"\(set.name)\" is used by multiple \(set.type)s."
    case .missingFile:
      guard let set = SetPlace(parentFolder(file)), let subject else { break }
      finding.message =
        "The file \"\(subject)\" for the \(set.type) \"\(set.name)\" does not exist."
      if let advice = advice { finding.message += " Did you mean \(advice)?" }
    case .unassignedFile, .unassignedEntry:
      guard let set = SetPlace(parentFolder(file)) else { break }
      finding.message = "The \(set.type) \"\(set.name)\" has an unassigned child."
    default: break
    }
    return finding
  }

  /// The name in the advice at the end of the message: "did you mean …?"
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

/// A set, named in the words of Apple's tool.
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
