// Reports picture files that are broken, or that may not look as their author intended, by their
// headers (PictureSurvey).

import Bytes
import Host
import Traits
import Vectors

func checkPictures(
  of assets: [AssetSet], _ survey: PictureSurvey, _ options: LintOptions
) -> [Diagnostic] {
  var diagnostics: [Diagnostic] = []
  for (asset, isNeeded) in assets.flatMap({ partsAndNeeds(of: $0, options) }) {
    var seen: Set<ByteString> = []
    var whole = asset
    whole.children = []
    let all = pictures(of: whole)
    // Few sets have faulty pictures.
    lazy var compiled = Set(all.lazy.filter { options.mayShow($0.slot) }.map(\.file.path))
    for picture in all where seen.insert(picture.file.path).inserted {
      var found: [Diagnostic] = []
      switch survey.result(of: picture.file) {
      case .header(let header, let isComplete):
        var check = PictureCheck(picture: picture, header: header, type: asset.type)
        check.isNeeded = isNeeded
        found = check.findings(isComplete: isComplete)
      // The reader of symbols has reported a template that it cannot read.
      case .failed where asset.type == .symbolSet: break
      case .failed(let error): found = [unreadPicture(error, file: picture.file.path)]
      case nil: break
      }
      // A picture that is not compiled prevents nothing.
      for place in found.indices where found[place].severity == .error {
        if !compiled.contains(picture.file.path) { found[place].severity = .warning }
      }
      diagnostics += found
    }
  }
  return diagnostics
}

/// Returns the pictures that the compiler leaves out because of their kind, with the findings that
/// say so. Only the first bytes of each file are read.
package func uncompiledPictures(
  of assets: [AssetSet], in tree: FileTree, jobs: Int
) -> [ByteString: Diagnostic] {
  let all = assets.flatMap { partsAndNeeds(of: $0, LintOptions()) }
  let named = all.flatMap {
    asset, isNeeded -> [(file: SourceFile, type: SetType, isNeeded: Bool)] in
    switch asset.contents {
    case .images, .appIcons, .launchImages, .arImage:
      var whole = asset
      whole.children = []
      return pictures(of: whole).map { ($0.file, asset.type, isNeeded) }
    default: return []
    }
  }
  let found = parallelMap(named, jobs: jobs) { picture -> Diagnostic? in
    let start = (try? tree.readPart(picture.file.path, 0, ImageSource.windowSize).bytes) ?? []
    guard let kind = ImageKind(of: start) else { return nil }
    switch kind {
    case .png, .jpeg, .heic: if !picture.file.isVector { return nil }
    case .pdf, .svg: if picture.file.isVector { return nil }
    case .gif, .webp, .avif, .tiff, .psd, .bmp, .icns: break
    }
    return uncompiled(kind, picture.file, in: picture.type, isNeeded: picture.isNeeded)
  }
  return Dictionary(
    found.compactMap { finding in finding.map { ($0.file, $0) } }, uniquingKeysWith: { a, _ in a })
}

/// Reports files of data sets and reference objects that are Git LFS pointers. Their content is
/// stored as it is, so nothing else is checked.
func checkPointers(
  of assets: [AssetSet], in tree: FileTree, _ options: LintOptions
) -> [Diagnostic] {
  var files: [ByteString: Bool] = [:]
  for asset in assets.flatMap({ withParts($0) }) {
    switch asset.contents {
    case .data(let set):
      for entry in set.entries where !entry.slot.isUnassigned {
        guard let file = entry.file, file.exists else { continue }
        files[file.path] = files[file.path] == true || options.mayShow(entry.slot)
      }
    case .arObject(let object):
      if let file = object.trackingData, file.exists { files[file.path] = true }
    default: break
    }
  }
  return parallelMap(files.sorted { $0.key < $1.key }, jobs: options.jobs) { path, isCompiled in
    guard let start = try? tree.readPart(path, 0, 64).bytes, isGitLFSPointer(start) else {
      return nil as Diagnostic?
    }
    var finding = unreadPicture(.pointer, file: path)
    if !isCompiled { finding.severity = .warning }
    return finding
  }.compactMap { $0 }
}

/// Returns an asset and all its parts, and whether the asset needs all pictures of each: those of
/// layers, of sprite atlases and of groups of AR images.
private func partsAndNeeds(
  of asset: AssetSet, _ options: LintOptions, in parent: AssetSet? = nil
) -> [(asset: AssetSet, isNeeded: Bool)] {
  let isNeeded =
    switch parent?.type {
    case .imageStackLayer: options.platform == nil || options.platform == .tvOS
    case .arResourceGroup: true
    default: asset.atlas != nil
    }
  return [(asset, isNeeded)] + asset.children.flatMap { partsAndNeeds(of: $0, options, in: asset) }
}

extension LintOptions {
  /// Returns whether a device of the target may show the variant of a slot.
  func mayShow(_ slot: Slot) -> Bool {
    guard let platform else { return true }
    let idiom = slot.key.idiom
    // An iPad app on the Mac shows pictures for the iPad, too.
    return [.universal, .marketing].contains(idiom) || Platform(of: idiom) == platform
      || idiom == .pad && (platform == .iOS || idioms.contains(.pad))
      || platform == .iPadOS && Platform(of: idiom) == .iOS
  }
}

private struct PictureCheck {
  var picture: Picture
  var header: ImageHeader
  var type: SetType
  /// Whether the asset cannot be compiled without the picture.
  var isNeeded = false

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
    return otherContent(header.kind, in: picture.file, isNeeded: isNeeded)
  }

  private var format: Diagnostic? {
    type.allowedPictures.contains(header.kind)
      ? nil : unsupportedFormat(header.kind, in: type, isNeeded: isNeeded, file: path)
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
