// Reference images and objects that ARKit recognises.

package struct ARResourceGroup: Sendable, Hashable {
  /// The folders or files of the resources.
  package var resources: [FolderReference] = []

  package init() {}
}

package struct ARReferenceImage: Sendable, Hashable {
  package enum Unit: String, CaseIterable, Sendable, Hashable {
    case meters, centimeters, feet, inches, yards
  }

  package var entries: [ImageEntry] = []
  package var width: Double?
  package var height: Double?
  package var unit: Unit?

  package init() {}
}

package struct ARObject: Sendable, Hashable {
  package var trackingData: SourceFile?
  package var preview: SourceFile?

  package init() {}
}

// MARK: - Reading

extension ARResourceGroup {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    resources = (root.objects("resources") ?? []).compactMap { fields in
      let resource = reader.folderReference(fields)
      fields.finish()
      return resource
    }
    info?.finish()
    properties?.finish()
  }
}

extension ARReferenceImage {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    width = properties?.number("width")
    height = properties?.number("height")
    unit = properties?.choice("unit")
    // The reader of the unit has reported one that is not known. A width without it is no length.
    let isMeasured = unit != nil || properties?.has("unit") != true || root.isDescribed
    entries = (root.objects("images") ?? []).compactMap {
      reader.imageEntry($0, compression: nil)
    }
    if let properties {
      if width == nil, !properties.has("width") {
        reader.findings.add(
          .missingKey, "the image has no \"width\" in the world", at: properties.pointer,
          subject: "width")
      }
    } else if !root.has("properties") {
      reader.findings.add(
        .missingKey, "the image has no \"properties\" with its \"width\" in the world", at: "",
        subject: "properties")
    }
    if !isMeasured { width = nil }
    info?.finish()
    properties?.finish()
  }
}

extension ARObject {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    // Xcode 10 and later write these members into "properties"; the first form had them in the
    // root.
    let properties = reader.readProperties(root)
    let fields = properties ?? root
    trackingData = reader.file(fields, "content")
    preview = reader.file(fields, "preview")
    for key in ["version", "rotation", "translation"] { _ = fields.find(key) }
    if root.isDescribed {
      for key in ["content", "preview"] { _ = root.find(key, as: .string) }
      for key in ["version", "rotation", "translation"] { _ = root.find(key) }
    }
    info?.finish()
    properties?.finish()
  }
}
