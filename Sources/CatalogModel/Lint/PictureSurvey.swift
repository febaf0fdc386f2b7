// The pictures that assets name, and their headers, each of which is read once, on all processors.

import Bytes
import Host

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
package func withParts(_ asset: AssetSet) -> [AssetSet] {
  [asset] + asset.children.flatMap { withParts($0) }
}
