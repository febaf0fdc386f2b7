// AR resources: reference images, reference objects, and the groups under which programs ask for
// them.

import Archive
import Bytes
import CatalogModel
import Host
import Imaging
import Traits

/// A reference image and its physical width.
package struct PhysicalPicture: Sendable, Hashable {
  var file: SourceFile
  var meters: Float

  static let reduction = Reduction.longerSide(atMost: 640)
  package static let processing = PictureProcessing(reduction: reduction)
}

extension RenditionPlan {
  /// Adds the members of a group, and the list of those that have renditions, in the order of the
  /// group.
  mutating func addARGroup(
    _ group: ARResourceGroup, of asset: AssetSet, for target: CompileTarget
  ) {
    var names: [ByteString] = []
    let children = asset.childrenByFolder
    for resource in group.resources {
      guard let child = children[resource.filename] else { continue }
      let before = renditions.count
      switch child.contents {
      case .arImage(let image): addARImage(image, of: child, for: target)
      case .arObject(let object): addARObject(object, of: child)
      default: refuse(child)
      }
      if renditions.count > before { names.append(child.name) }
    }
    if names.isEmpty { return }
    var list = PlannedRendition(
      facet: asset.name, kind: nil, part: Part.arGroup, key: VariantKey(), content: .names(names),
      jsonFile: asset.contentsFile, pointer: "")
    list.statedName = "CoreStructuredImage"
    renditions.append(list)
  }

  mutating func addARImage(
    _ image: ARReferenceImage, of asset: AssetSet, for target: CompileTarget
  ) {
    let entry = image.entries.first { entry in
      !entry.slot.isUnassigned && entry.file?.exists == true
        && target.admits(entry.slot)
    }
    // The reader has reported missing files and widths.
    guard let entry, let file = entry.file, let width = image.width else { return }
    let meters = Float(width * (image.unit ?? .meters).meters)
    if file.isVector {
      return refuse(asset, "its picture is a vector", at: entry.slot.pointer + "/filename")
    }
    guard meters > 0, meters.isFinite else {
      return refuse(asset, "its width is not a length in the world", at: "/properties/width")
    }
    var rendition = PlannedRendition(
      facet: asset.name, kind: .image, part: Part.regular, key: VariantKey(),
      content: .physicalPicture(PhysicalPicture(file: file, meters: meters)),
      jsonFile: asset.contentsFile, pointer: entry.slot.pointer)
    rendition.statedName = lastComponent(file.name)
    renditions.append(rendition)
  }

  mutating func addARObject(_ object: ARObject, of asset: AssetSet) {
    guard let data = object.trackingData, data.exists else { return }
    renditions.append(
      PlannedRendition(
        facet: asset.name, kind: nil, part: Part.arObject, key: VariantKey(),
        content: .trackedObject(data), jsonFile: asset.contentsFile, pointer: "/properties/content")
    )
  }
}

extension AssetSet {
  /// The children by the names of their folders, by which entries name them.
  var childrenByFolder: [ByteString: AssetSet] {
    Dictionary(
      children.map { (lastComponent($0.folder), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ARReferenceImage.Unit {
  fileprivate var meters: Double {
    switch self {
    case .meters: 1
    case .centimeters: 0.01
    case .feet: 0.3048
    case .inches: 0.0254
    case .yards: 0.9144
    }
  }
}
