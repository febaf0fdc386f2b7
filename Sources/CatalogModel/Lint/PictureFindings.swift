// The findings about picture files that both the checks and the compiler make. A fault has one code
// and one sentence, whichever of them finds it, and its place is the file.

import Bytes
import Documents
import Vectors

/// Returns the finding about a file whose header cannot be read.
package func unreadPicture(_ error: ImageHeaderError, file: ByteString) -> Diagnostic {
  switch error {
  case .empty: Diagnostic(.brokenImage, "the file is empty", file: file)
  case .unknownKind:
    Diagnostic(
      .brokenImage, "the file is not a picture of any known kind; save it as PNG, JPEG or HEIF",
      file: file)
  case .pointer: unfetched(file)
  case .cut(let kind, let offset):
    Diagnostic(
      .cutImage, "the \(kind.title) file ends after \(offset) bytes, within its header", file: file)
  case .unsupported(let kind, let reason):
    Diagnostic(
      .unsupportedImage,
      "the \(kind.title) picture cannot be decoded: \(reason); save it as a usual \(kind.title) "
        + "or as PNG", file: file)
  case .broken(let kind, let reason):
    Diagnostic(.brokenImage, "the \(kind.title) file is broken: \(reason)", file: file)
  case .unreadable(let error):
    Diagnostic(.unreadableFile, "the file cannot be read: \(error.reason)", file: file)
  }
}

/// Returns the finding about a file that ends within its pixels.
package func cutPicture(_ kind: ImageKind, file: ByteString) -> Diagnostic {
  Diagnostic(.cutImage, "the \(kind.title) file ends before the picture does", file: file)
}

/// Returns the finding about a PDF or SVG that cannot be drawn.
package func undrawable(
  _ error: VectorError, advice: String = "", file: ByteString
) -> Diagnostic {
  Diagnostic(.brokenImage, "the file cannot be drawn: \(error.words)\(advice)", file: file)
}

/// Returns the finding about a file that a set of a type leaves out because of its kind. If the
/// asset needs the picture, that is an error.
package func unsupportedFormat(
  _ kind: ImageKind, in type: SetType, isNeeded: Bool, file: ByteString
) -> Diagnostic {
  // An icon lists the sizes of all its pictures, so none of them can be left out.
  let isNeeded = isNeeded || type == .appIconSet || type == .stickersIconSet
  var finding = Diagnostic(
    .unsupportedFormat,
    "a .\(type.rawValue) cannot hold \(kind.titleWithArticle) picture; "
      + (isNeeded ? "save it as PNG" : "it is left out"),
    file: file)
  if isNeeded { finding.severity = .error }
  return finding
}

/// Returns the finding about a file that the compiler cannot compile because of its kind. `type` is
/// the type of the set; nil if the file is not in a set. `isNeeded` states whether an asset cannot
/// be compiled without the file.
package func uncompiled(
  _ kind: ImageKind, _ file: SourceFile, in type: SetType?, isNeeded: Bool = false
) -> Diagnostic {
  if let type, !type.allowedPictures.contains(kind) {
    return unsupportedFormat(kind, in: type, isNeeded: isNeeded, file: file.path)
  }
  if kind.isVector != file.isVector { return otherContent(kind, in: file, isNeeded: isNeeded) }
  return Diagnostic(
    .unsupportedImage, "the \(kind.title) picture cannot be decoded; save it as PNG",
    file: file.path)
}

extension SetType {
  /// The kinds of pictures that sets of the type can hold.
  var allowedPictures: [ImageKind] {
    switch self {
    case .symbolSet: [.svg]
    case .appIconSet, .stickersIconSet, .iconSet, .launchImage: [.png, .jpeg]
    case .sticker: [.png, .gif, .jpeg]
    case .imageSet, .colorSet, .dataSet, .iconBundle, .spriteAtlas, .textureSet, .cubeTextureSet,
      .mipmapSet, .imageStack, .imageStackLayer, .solidImageStack, .solidImageStackLayer,
      .brandAssets, .complicationSet, .stickerPack, .stickerSequence, .arResourceGroup,
      .arReferenceImage, .arObject, .leaderboard, .leaderboardSet, .dashboardImage:
      [.png, .jpeg, .heic, .pdf, .svg]
    }
  }
}

/// Returns the findings about a vector whose drawing does not show everything.
package func undrawn(_ features: [UnsupportedFeature], file: ByteString) -> [Diagnostic] {
  var found: [Diagnostic] = []
  func names(_ isIncluded: (UnsupportedFeature) -> Bool) -> String {
    features.filter(isIncluded).map { "\($0.name)" }.joined(separator: ", ")
  }
  let damage = names(\.isDamage)
  if !damage.isEmpty {
    var finding = Diagnostic(
      .brokenImage, "the file is damaged, so that its drawing may lack parts: \(damage)",
      file: file)
    finding.severity = .warning
    found.append(finding)
  }
  let lacking = names { !$0.isDamage && $0 != .outsidePage }
  if !lacking.isEmpty {
    found.append(
      Diagnostic(
        .vectorFeature,
        "the file has features that Carve does not draw, or does not draw exactly: "
          + lacking,
        file: file))
  }
  if features.contains(.outsidePage) {
    found.append(
      Diagnostic(
        .vectorCut, "the file has no viewBox, and its shapes outside the page are cut off",
        file: file))
  }
  return found
}
