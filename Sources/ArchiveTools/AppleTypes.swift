// The kinds of renditions in the words of Apple's `assetutil`.

import Archive

extension Rendition {
  /// Returns the kind of a rendition with this key.
  package func appleType(_ key: RenditionKey) -> String {
    if header.layout.isImage { return key.part == Part.icon ? "Icon Image" : "Image" }
    return switch header.layout {
    case .flattened: "Image"
    case .vector: "Vector"
    case .data: "Data"
    case .externalLink: "External Link"
    case .layerStack: "ImageStack"
    case .atlas: "PackedImage"
    case .namedContents: "Contents"
    case .texture: "Texture Rendition"
    case .textureImage: "Texture Image"
    case .color: "Color"
    case .multisize: "MultiSized Image"
    case .arObject: "AR Object"
    case .symbol: "Vector Glyph"
    case .iconStack: "IconImageStack"
    case .iconGroup: "IconGroup"
    case .namedGradient, .gradient: "Named Gradient"
    default: header.layout.appleName
    }
  }
}

extension RenditionLayout {
  /// The words for layouts that occur in none of the available reports of Apple's tool; they are
  /// derived from the names of the numbers.
  fileprivate var appleName: String {
    let names: [UInt16: String] = [
      7: "Shape Effect", 1006: "Thinning Placeholder", 1011: "Model", 1012: "Mesh",
      1013: "Recognition Group", 1016: "Submesh", 1018: "SolidImageStack",
    ]
    return names[rawValue] ?? "Layout \(rawValue)"
  }
}
