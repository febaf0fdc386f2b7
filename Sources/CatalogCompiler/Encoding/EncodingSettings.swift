// The settings of encoding, which all encoders of a run share, and their meaning for one rendition.

import Archive
import Bytes
import Codecs
import Host
import Imaging
import Traits

/// The settings of encoding: the tree with the files, the target, and the options for pictures.
struct EncodingSettings: Sendable {
  var tree: FileTree
  var target: CompileTarget
  /// The numbers of the names in the plan.
  var numbers: NameNumbers
  var optimization: Optimization
  /// Whether every pixel is stored exactly, even if the catalogue does not require it.
  var keepsExactPixels: Bool
  var packsSprites: Bool
  /// Whether vectors are stored byte for byte.
  var keepsVectors = false
  /// The keys of renditions for which the sources state a wide gamut. No wide rendition is derived
  /// for these.
  var wideKeys: Set<WideKey>
  /// The pictures of earlier runs; nil if there is no cache.
  var cache: PictureCache?
  /// The use of the renditions.
  var purpose = EncodingPurpose.archive
  /// The sums of the times that threads spend on each kind of work; nil if times are not measured.
  var work: WorkTimes?
  /// The bitmaps of layered icons that the run has drawn; nil if none are kept.
  var drawnIcons: DrawnIcons?
  /// The limit for the size of a file in bytes.
  var largestFile = FileLimit.source
  /// The limit for the pixels of a vector's bitmap.
  var mostVectorPixels = CompileOptions.usualMostVectorPixels
  /// The largest scale at which each vector is drawn, by path. A vector that is too large at that
  /// scale is refused before it is drawn at any scale.
  var largestScales: [ByteString: Double] = [:]
  /// The division of the run's memory.
  var room: PictureRoom
}

/// The use of encoded renditions.
enum EncodingPurpose: Sendable {
  case archive
  /// An object. The tree records the answers of the disk that the link needs again.
  case object(recording: FileTree)
  /// An archive of objects, from which finished blocks are taken.
  case link(any FinishedBlocks)

  var finishedBlocks: (any FinishedBlocks)? {
    if case .link(let blocks) = self { blocks } else { nil }
  }

  /// The tree that records answers for an object; nil if an archive is made.
  var recordingTree: FileTree? {
    if case .object(let tree) = self { tree } else { nil }
  }
}

/// The blocks of renditions that were encoded before.
protocol FinishedBlocks: Sendable {
  /// Returns the finished blocks of a rendition; nil if it must be made.
  func blocks(of planned: PlannedRendition, _ settings: EncodingSettings) -> [EncodedRendition]?
  /// Returns the pixels of a small picture.
  func bitmap(
    of planned: PlannedRendition, _ gamut: Gamut, _ scratch: inout DecodingScratch
  ) -> Bitmap?
}

extension EncodingSettings {
  init(
    _ plan: RenditionPlan, in tree: FileTree, _ options: CompileOptions, numbers: NameNumbers,
    cache: PictureCache?, for purpose: EncodingPurpose
  ) {
    self.init(
      tree: tree, target: options.target, numbers: numbers,
      optimization: options.optimization.codec, keepsExactPixels: options.keepsExactPixels,
      packsSprites: options.packsSprites && !options.target.predatesLZFSE, wideKeys: plan.wideKeys,
      cache: cache, purpose: purpose, work: options.work, room: PictureRoom(options))
    keepsVectors = options.keepsVectors
    drawnIcons = options.drawnIcons
    mostVectorPixels = options.mostVectorPixels
    largestScales = plan.largestScales
  }
}

extension RenditionPlan {
  /// The keys of the renditions for which the sources themselves state a wide gamut.
  fileprivate var wideKeys: Set<WideKey> {
    Set(renditions.lazy.filter { $0.key.gamut == .p3 }.map { WideKey($0) })
  }
}

struct WideKey: Hashable, Sendable {
  var facet: ByteString
  var part: UInt16
  var details: KeyDetails
  var key: VariantKey

  init(_ planned: PlannedRendition) {
    facet = planned.facet
    part = planned.part
    details = planned.details
    key = planned.key
  }
}

extension EncodingSettings {
  func demands(of planned: PlannedRendition) -> BitmapDemands {
    BitmapDemands(
      isIcon: planned.kind == .icon, isExact: keepsExactPixels || planned.keepsExactPixels)
  }

  /// Returns whether a wide-gamut rendition is made beside the sRGB rendition of a picture with
  /// wide colours.
  func derivesWideGamut(of planned: PlannedRendition) -> Bool {
    planned.derivesWideGamut(unlessIn: wideKeys, for: target)
  }
}

extension PlannedRendition {
  fileprivate func derivesWideGamut(
    unlessIn wideKeys: Set<WideKey>, for target: CompileTarget
  ) -> Bool {
    guard key.gamut == .sRGB, target.showsWideGamut else { return false }
    var wide = WideKey(self)
    wide.key.gamut = .p3
    return !wideKeys.contains(wide)
  }
}

extension RenditionPlan {
  /// Returns the indices of the pictures beside which a wide-gamut rendition is made if their files
  /// have wide colours.
  package func wideningPictures(for target: CompileTarget) -> Set<Int> {
    let wideKeys = wideKeys
    return Set(
      renditions.indices.filter { index in
        renditions[index].isPlainPicture
          && renditions[index].derivesWideGamut(unlessIn: wideKeys, for: target)
      })
  }
}

/// Returns whether a picture file has colours outside of sRGB, for which a wide-gamut rendition is
/// made.
package func hasWideColors(_ path: ByteString, in tree: FileTree) -> Bool {
  guard let bytes = try? tree.read(path, FileLimit.source) else { return false }
  return bytes.withUnsafeBytes { file in
    guard let png = try? PNGFile(file, maximumPixels: PictureFacts.mostPixels),
      png.colors(file)?.isWide == true
    else { return false }
    var decoder = PictureDecoder()
    return (try? decoder.decode(file))?.hasWiderSource == true
  }
}
