// Reports picture files that are broken, or that may not look as their author intended, by their
// headers (PictureSurvey).

import Bytes
import Vectors

func checkPictures(of assets: [AssetSet], _ survey: PictureSurvey) -> [Diagnostic] {
  var diagnostics: [Diagnostic] = []
  for asset in assets.flatMap({ withParts($0) }) {
    var seen: Set<ByteString> = []
    var whole = asset
    whole.children = []
    for picture in pictures(of: whole) where seen.insert(picture.file.path).inserted {
      switch survey.result(of: picture.file) {
      case .header(let header, let isComplete):
        let check = PictureCheck(picture: picture, header: header, type: asset.type)
        diagnostics += check.findings(isComplete: isComplete)
      case .failed(let error): diagnostics.append(unreadPicture(error, file: picture.file.path))
      case nil: break
      }
    }
  }
  return diagnostics
}

private struct PictureCheck {
  var picture: Picture
  var header: ImageHeader
  var type: SetType

  private var path: ByteString { picture.file.path }

  func findings(isComplete: Bool) -> [Diagnostic] {
    var found: [Diagnostic] = []
    if !isComplete {
      found.append(cutPicture(header.kind, file: path))
    }
    // One finding says that the file is of another kind. For symbols, the reader has said so.
    let content = content
    let kind = content?.severity == .error ? content : format ?? content
    found += [
      type == .symbolSet && header.kind != .svg ? nil : kind, optimization, animation, depth, gamut,
      rotation,
    ].compactMap { $0 }
    return found
  }

  private func finding(_ code: DiagnosticCode, _ message: String) -> Diagnostic {
    Diagnostic(code, message, file: path)
  }

  private var content: Diagnostic? {
    let suffix = picture.file.fileExtension
    guard !header.kind.extensions.contains(suffix.text) else { return nil }
    return otherContent(header.kind, in: picture.file)
  }

  private var format: Diagnostic? {
    type.allowedPictures.contains(header.kind)
      ? nil : unsupportedFormat(header.kind, in: type, file: path)
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
