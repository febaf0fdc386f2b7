// Reports findings about single picture files: files that cannot be decoded, files whose content
// differs from their extension, pictures that may look different from their author's intention.

import Bytes
import Documents

func checkPictures(of assets: [AssetSet], _ survey: PictureSurvey) -> [Diagnostic] {
  var diagnostics: [Diagnostic] = []
  for asset in assets.flatMap({ withParts($0) }) {
    var seen: Set<ByteString> = []
    var whole = asset
    whole.children = []
    for picture in pictures(of: whole) where seen.insert(picture.file.path).inserted {
      switch survey.fact(of: picture.file) {
      case .header(let header, let isComplete):
        let check = PictureCheck(picture: picture, header: header, type: asset.type)
        diagnostics += check.findings(isComplete: isComplete)
      case .failed(let error): diagnostics.append(failure(error, picture))
      case nil: break
      }
    }
  }
  return diagnostics
}

private func failure(_ error: ImageHeaderError, _ picture: Picture) -> Diagnostic {
  let path = picture.file.path
  switch error {
  case .empty: return Diagnostic(.brokenImage, "the file is empty", file: path)
  case .unknownKind:
    return Diagnostic(.brokenImage, "the file is not a picture of any known kind", file: path)
  case .pointer:
    return Diagnostic(
      .brokenImage, "the file is a Git LFS pointer: run 'git lfs pull' to fetch the picture",
      file: path)
  case .cut(let kind, let offset):
    return Diagnostic(
      .cutImage, "the \(kind.title) file ends after \(offset) bytes, within its header", file: path)
  case .broken(let kind, let reason):
    return Diagnostic(.brokenImage, "the \(kind.title) file is broken: \(reason)", file: path)
  case .unreadable(let error):
    return Diagnostic(.unreadableFile, "the file cannot be read: \(error.reason)", file: path)
  }
}

private struct PictureCheck {
  var picture: Picture
  var header: ImageHeader
  var type: SetType

  private var path: ByteString { picture.file.path }

  func findings(isComplete: Bool) -> [Diagnostic] {
    var found: [Diagnostic] = []
    if !isComplete {
      found.append(finding(.cutImage, "the \(header.kind.title) file ends before the picture does"))
    }
    found += [content, format, optimization, animation, depth, gamut, rotation].compactMap { $0 }
    return found
  }

  private func finding(_ code: DiagnosticCode, _ message: String) -> Diagnostic {
    Diagnostic(code, message, file: path)
  }

  private var content: Diagnostic? {
    let suffix = picture.file.fileExtension
    guard !header.kind.extensions.contains(suffix.text) else { return nil }
    return finding(
      .wrongContent, "the file is named \(quoted("." + suffix)), but holds a \(header.kind.title)")
  }

  private var format: Diagnostic? {
    let allowed: [ImageKind]
    switch type {
    case .symbolSet: allowed = [.svg]
    case .appIconSet, .stickersIconSet, .iconSet, .launchImage: allowed = [.png, .jpeg]
    case .sticker: allowed = [.png, .gif, .jpeg]
    case .imageSet, .colorSet, .dataSet, .iconBundle, .spriteAtlas, .textureSet, .cubeTextureSet,
      .mipmapSet, .imageStack, .imageStackLayer, .solidImageStack, .solidImageStackLayer,
      .brandAssets, .complicationSet, .stickerPack, .stickerSequence, .arResourceGroup,
      .arReferenceImage, .arObject, .leaderboard, .leaderboardSet, .dashboardImage:
      allowed = [.png, .jpeg, .heic, .pdf, .svg]
    }
    guard !allowed.contains(header.kind) else { return nil }
    return finding(
      .unsupportedFormat, "a .\(type.rawValue) cannot hold a \(header.kind.title) picture")
  }

  private var optimization: Diagnostic? {
    header.isAppleOptimized
      ? finding(.optimizedPNG, "the PNG was rewritten by Apple's build tools (CgBI)") : nil
  }

  private var animation: Diagnostic? {
    guard header.frameCount > 1, type != .sticker else { return nil }
    return finding(.animatedImage, "the \(header.kind.title) is animated; only one frame is shown")
  }

  private var depth: Diagnostic? {
    guard header.bitDepth == 16, !header.kind.isVector else { return nil }
    return finding(.sixteenBitImage, "the picture has 16 bits in each channel")
  }

  private var gamut: Diagnostic? {
    let isWide = header.profile == .displayP3
    let isForWide = picture.slot.key.gamut == .p3
    if isForWide, header.profile == .sRGB {
      return finding(.wideGamutImage, "the slot is for P3, and the picture has an sRGB profile")
    }
    guard isWide, !isForWide, type == .imageSet else { return nil }
    return finding(.wideGamutImage, "the picture has a P3 profile, and the slot is for sRGB")
  }

  private var rotation: Diagnostic? {
    guard header.orientation != 1, header.kind == .jpeg || header.kind == .heic else { return nil }
    return finding(
      .rotatedImage, "the picture is stored rotated (EXIF orientation \(header.orientation))")
  }
}
