// Image sets. A picture gets one rendition. A vector gets a bitmap for every scale and is itself
// kept, each with its flags.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Imaging
import Traits

/// An entry with its key in the archive.
private typealias ArchivedEntry = (key: VariantKey, slot: Slot, entry: ImageEntry)

extension RenditionPlan {
  mutating func addImages(_ set: ImageSet, of asset: AssetSet, for target: CompileTarget) {
    addNothing(set, of: asset, for: target)
    addEntries(set.entries.filter { !$0.slot.isNothing }, of: set, asset, for: target)
  }

  /// Adds the pictures and vectors of some entries. `idiom` is the idiom of all; nil if each entry
  /// keeps its own.
  mutating func addEntries(
    _ entries: [ImageEntry], of set: ImageSet, _ asset: AssetSet, for target: CompileTarget,
    as idiom: Idiom? = nil
  ) {
    let usable = entries.filter { !$0.slot.isUnassigned && $0.file?.exists == true }
    let archived = archivedEntries(usable, { $0.slot }, for: target, as: idiom)
    for group in RenditionPlan.byScale(archived) {
      for picture in group where picture.entry.file?.isVector == false {
        addPicture(picture, of: set, asset)
      }
      addVectors(group, of: set, asset, for: target)
    }
  }

  /// Adds the renditions that show nothing. The files of these entries are ignored.
  private mutating func addNothing(
    _ set: ImageSet, of asset: AssetSet, for target: CompileTarget
  ) {
    for entry in set.entries where entry.slot.isNothing && !entry.slot.isUnassigned {
      guard let key = archivedKey(of: entry.slot, for: target) else { continue }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .image, part: Part.regular, key: key, content: .nothing,
          jsonFile: asset.contentsFile, pointer: entry.slot.pointer))
    }
  }

  /// Groups the entries whose keys differ only in the scale, in the order of the first entry of
  /// each group.
  private static func byScale(_ entries: [ArchivedEntry]) -> [[ArchivedEntry]] {
    var groupsOfKeys = [VariantKey: Int](minimumCapacity: entries.count)
    var groups: [[ArchivedEntry]] = []
    for entry in entries {
      var key = entry.key
      key.scale = 0
      if let index = groupsOfKeys[key] {
        groups[index].append(entry)
      } else {
        groupsOfKeys[key] = groups.count
        groups.append([entry])
      }
    }
    return groups
  }

  private mutating func addPicture(_ picture: ArchivedEntry, of set: ImageSet, _ asset: AssetSet) {
    guard let file = picture.entry.file else { return }
    let processing = PictureProcessing(
      resizing: picture.entry.resizing, insets: picture.entry.insets)
    renditions.append(
      PlannedRendition(
        facet: asset.name, kind: .image, part: Part.regular, key: picture.key,
        flags: set.flags(under: picture.key), content: .picture(file, processing),
        keepsExactPixels: picture.entry.compression == .lossless, jsonFile: asset.contentsFile,
        pointer: picture.slot.pointer))
  }
}

// MARK: - Vectors

extension RenditionPlan {
  /// Returns the vector that is drawn at each scale: the one in the slot of the scale, otherwise
  /// the one in the largest slot.
  static func drawings<Vector>(
    of vectors: [UInt8: Vector], at scales: [UInt8]
  ) -> [(scale: DrawingScale, vector: Vector)] {
    guard let largest = vectors.max(by: { $0.key < $1.key }) else { return [] }
    return scales.map { scale in
      let own = vectors[scale]
      return (
        DrawingScale(bitmap: scale, slot: own == nil ? largest.key : scale), own ?? largest.value
      )
    }
  }

  /// Adds a bitmap for each scale of the platform without a picture of its own, and the largest
  /// vector itself.
  private mutating func addVectors(
    _ group: [ArchivedEntry], of set: ImageSet, _ asset: AssetSet, for target: CompileTarget
  ) {
    if !group.contains(where: { $0.entry.file?.isVector == true }) { return }
    var vectors: [UInt8: ArchivedEntry] = [:]
    for candidate in group where candidate.entry.file?.isVector == true {
      let slot = max(1, candidate.key.scale)
      if vectors[slot] == nil { vectors[slot] = candidate }
    }
    guard let largest = vectors.max(by: { $0.key < $1.key }) else { return }
    if rasterizesVectors {
      let drawn = Set(group.lazy.filter { $0.entry.file?.isVector == false }.map(\.key.scale))
      let scales = target.platform.vectorScales.filter { !drawn.contains($0) }
      for (scale, vector) in RenditionPlan.drawings(of: vectors, at: scales) {
        addBitmap(of: vector, scale, of: set, asset)
      }
    } else {
      reportMissingBitmaps(of: largest.value, asset)
    }
    addVector(largest.value, of: set, asset)
  }

  private mutating func addBitmap(
    of vector: ArchivedEntry, _ scale: DrawingScale, of set: ImageSet, _ asset: AssetSet
  ) {
    guard let file = vector.entry.file else { return }
    var key = vector.key
    key.scale = scale.bitmap
    let processing = PictureProcessing(
      resizing: vector.entry.resizing?.scaled(by: scale.factor),
      insets: vector.entry.insets?.scaled(by: scale.factor), drawingScale: scale)
    var flags = set.flags(under: key).union(.vector)
    if set.preservesVector { flags.insert(.preservesVector) }
    renditions.append(
      PlannedRendition(
        facet: asset.name, kind: .image, part: Part.regular, key: key, flags: flags,
        content: .picture(file, processing),
        keepsExactPixels: vector.entry.compression == .lossless, jsonFile: asset.contentsFile,
        pointer: vector.slot.pointer))
  }

  private mutating func addVector(_ vector: ArchivedEntry, of set: ImageSet, _ asset: AssetSet) {
    guard let file = vector.entry.file else { return }
    var key = vector.key
    // A vector is used at every scale, so its key has none.
    key.scale = 0
    renditions.append(
      PlannedRendition(
        facet: asset.name, kind: .image,
        part: set.preservesVector ? Part.vector : Part.regular, key: key, flags: .vector,
        content: .vector(file), jsonFile: asset.contentsFile, pointer: vector.slot.pointer))
  }

  private mutating func reportMissingBitmaps(of vector: ArchivedEntry, _ asset: AssetSet) {
    diagnostics.append(
      Diagnostic(
        .vectorNotRasterized,
        "\"\(asset.name)\" is stored only as a vector, because --no-rasters is given",
        file: asset.contentsFile, pointer: vector.slot.pointer + "/filename"))
  }
}

extension ImageSet {
  /// Returns the flags of a picture. A picture for one direction of reading may be mirrored for the
  /// other.
  func flags(under key: VariantKey) -> RenditionFlags {
    key.direction == .none ? intentFlags : intentFlags.union(.flippable)
  }

  private var intentFlags: RenditionFlags {
    switch renderingIntent {
    case .original: []
    case .template: .template
    case nil: .automatic
    }
  }
}
