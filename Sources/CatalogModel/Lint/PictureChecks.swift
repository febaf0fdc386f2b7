// Reports findings about picture files: files that are broken or that may not look as their author
// intended, files of different sets that have the same content, and PDFs and SVGs that cannot be
// drawn. The header of every picture is read once, on all processors (PictureSurvey).

import Bytes
import Documents
import Host
import Vectors

// MARK: - Pictures

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

// MARK: - Reading headers

/// A picture and the entry that names it.
struct Picture: Sendable {
  var file: SourceFile
  var slot: Slot
  /// The file and the pointer that a finding about this entry names.
  var contentsFile: ByteString
  var pointer: ByteString?
}

/// The result of reading the header of one file.
enum HeaderResult: Sendable, Hashable {
  case header(ImageHeader, isComplete: Bool)
  case failed(ImageHeaderError)
}

struct PictureSurvey: Sendable {
  /// The results by path.
  private let results: [ByteString: HeaderResult]

  init(of assets: [AssetSet], in tree: FileTree, jobs: Int) {
    let paths = Set(assets.flatMap { pictures(of: $0) }.map(\.file.path)).sorted()
    let found = parallelMap(paths, jobs: jobs) { path -> HeaderResult in
      do throws(ImageHeaderError) {
        let header = try ImageHeader.read(path, in: tree)
        return .header(header, isComplete: header.isComplete(path, in: tree))
      } catch {
        return .failed(error)
      }
    }
    results = Dictionary(uniqueKeysWithValues: zip(paths, found))
  }

  func result(of file: SourceFile) -> HeaderResult? { results[file.path] }

  /// Returns the header of a file; nil if the file is not a picture.
  func header(of file: SourceFile?) -> ImageHeader? {
    if let file, case .header(let header, _)? = results[file.path] { header } else { nil }
  }
}

/// Returns the pictures that an asset and its parts name, without those whose file is missing.
func pictures(of asset: AssetSet) -> [Picture] {
  var result: [Picture] = []
  func add(_ file: SourceFile?, _ slot: Slot = Slot(), pointer: ByteString?) {
    guard let file, file.exists else { return }
    result.append(
      Picture(file: file, slot: slot, contentsFile: asset.contentsFile, pointer: pointer))
  }
  switch asset.contents {
  case .data: break
  case .icons(let set):
    for entry in set.entries { add(entry.file, pointer: nil) }
  case .sticker(let sticker): add(sticker.file, pointer: "/properties/filename")
  case .stickerSequence(let sequence):
    for (index, frame) in sequence.frames.enumerated() {
      add(frame, pointer: "/frames/\(index)/filename")
    }
  case .arObject(let object): add(object.preview, pointer: nil)
  case .images, .colors, .symbols, .appIcons, .iconBundle, .launchImages, .spriteAtlas,
    .textures, .mipmaps, .imageStack, .imageStackLayer, .brandAssets, .complications,
    .stickerPack, .stickersIcons, .arGroup, .arImage, .gameCenter:
    for entry in asset.contents.entries where !entry.isUnassigned {
      add(entry.file, entry.slot, pointer: entry.slot.pointer + "/filename")
    }
  }
  return result + asset.children.flatMap { pictures(of: $0) }
}

/// Returns an asset and all its parts.
func withParts(_ asset: AssetSet) -> [AssetSet] {
  [asset] + asset.children.flatMap { withParts($0) }
}

// MARK: - Files with the same content

/// The digests of files, kept from one check for copies to the next.
package struct FileDigests: Sendable {
  /// The digest of each file and size; nil if the file could not be read.
  fileprivate var known: [ByteString: (size: Int, digest: Digest128?)] = [:]

  package init() {}

  /// Forgets some files, and the files in some folders.
  package mutating func forget(_ files: Set<ByteString>, folders: Set<ByteString>) {
    for file in files { known[file] = nil }
    if folders.isEmpty { return }
    known = known.filter { file, _ in
      !sequence(first: file, next: { $0 == "/" || $0 == "." ? nil : parentFolder($0) })
        .contains { folders.contains($0) }
    }
  }
}

func checkDuplicates(of assets: [AssetSet], in tree: FileTree, jobs: Int) -> [Diagnostic] {
  var digests = FileDigests()
  return checkDuplicates(of: assets, in: tree, jobs: jobs, digests: &digests)
}

/// Returns the findings about files of several sets with the same content. Reads only the files
/// whose digests are not known.
package func checkDuplicates(
  of assets: [AssetSet], in tree: FileTree, jobs: Int, digests: inout FileDigests
) -> [Diagnostic] {
  var sizes: [ByteString: Int] = [:]
  var folders: [ByteString: ByteString] = [:]
  var bySize: [Int: Set<ByteString>] = [:]
  for asset in assets.flatMap({ withParts($0) }) {
    for entry in asset.contents.entries {
      guard let file = entry.file, file.exists, file.size > 0 else { continue }
      (folders[file.path], sizes[file.path]) = (asset.folder, file.size)
      bySize[file.size, default: []].insert(file.path)
    }
  }
  let candidates = bySize.values.filter { $0.count > 1 }.flatMap { $0 }.sorted()
  let unknown = candidates.filter { digests.known[$0]?.size != sizes[$0] }
  let found = parallelMap(unknown, jobs: jobs) { digest(of: $0, in: tree) }
  for (path, digest) in zip(unknown, found) { digests.known[path] = (sizes[path] ?? 0, digest) }
  var groups: [Digest128: [ByteString]] = [:]
  for path in candidates {
    if let digest = digests.known[path]?.digest { groups[digest, default: []].append(path) }
  }
  return groups.values.flatMap { paths -> [Diagnostic] in
    let first = paths[0]
    let others = paths.dropFirst().filter { folders[$0] != folders[first] }
    return others.map { path in
      Diagnostic(
        .duplicateFile, "the file has the same content as a file of another set", file: path,
        notes: [Note("the other file", file: first)])
    }
  }
}

/// Returns the digest of a file; nil if the file cannot be read.
private func digest(of path: ByteString, in tree: FileTree) -> Digest128? {
  guard let bytes = try? tree.read(path, FileLimit.picture) else { return nil }
  var digest = BLAKE2b()
  bytes.withUnsafeBytes { digest.add($0) }
  return digest.digest()
}

// MARK: - PDFs and SVGs

func checkVectors(of assets: [AssetSet], _ survey: PictureSurvey, in tree: FileTree, jobs: Int)
  -> [Diagnostic]
{
  // If several slots name a file, the slot with the largest scale counts.
  var slots: [ByteString: UInt8] = [:]
  for asset in assets.flatMap({ withParts($0) }) {
    guard case .images(let set) = asset.contents else { continue }
    for entry in set.entries where !entry.slot.isUnassigned {
      guard let file = entry.file, survey.header(of: file)?.kind.isVector == true else { continue }
      slots[file.path] = max(slots[file.path] ?? 1, entry.slot.scale ?? 1)
    }
  }
  let files = slots.sorted { $0.key < $1.key }
  return parallelMap(files, jobs: jobs) { findings(about: $0.key, Double($0.value), in: tree) }
    .flatMap { $0 }
}

private func findings(
  about path: ByteString, _ slot: Double, in tree: FileTree
) -> [Diagnostic] {
  // Another check has already reported a file that cannot be read.
  guard let bytes = try? tree.read(path, FileLimit.source) else { return [] }
  do throws(VectorError) {
    let (drawing, source) = try VectorFile.read(bytes)
    // Every platform has bitmaps at scale 2.
    _ = try PagePlacement(source, width: drawing.width, height: drawing.height, scale: 2 / slot)
    return undrawn(drawing.unsupported, file: path)
  } catch {
    return [undrawable(error, file: path)]
  }
}
