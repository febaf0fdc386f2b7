// Makes the blocks of colours, gradients, tables, data and vectors: header, properties and payload,
// as archives store them. Pictures/ decides about pixels, and Codecs about their compression.

import Archive
import CatalogModel
import Traits

extension PlannedRendition {
  /// Returns the block of a colour. Its components are not premultiplied.
  func colorBlock(_ value: ColorDefinition) -> [UInt8] {
    let payload: ColorPayload
    switch value {
    case .color(let color):
      payload = ColorPayload(space: color.space.archived, components: color.components)
    case .reference(let platform, let name):
      let components = SystemColor.components(platform: platform, name: name) ?? []
      payload = ColorPayload(
        space: .extendedSRGB, components: components.map { Double(Float($0)) }, systemName: name)
    }
    var header = CSIHeader(layout: .color, name: facet)
    header.colorSpace = .sRGB
    return RenditionHead(header, [.nothingDrawn, .upright]).block(payload: payload.bytes())
  }

  /// Returns the block of a colour of a layered icon.
  func paintBlock(_ color: ColorPayload) -> [UInt8] {
    let header = CSIHeader(layout: .color, name: facet)
    return RenditionHead(header, [.nothingDrawn, .upright]).block(payload: color.bytes())
  }

  func gradientBlock(_ gradient: GradientPayload) -> [UInt8] {
    let header = CSIHeader(layout: .namedGradient, name: facet)
    return RenditionHead(header, [.nothingDrawn, .upright]).block(payload: gradient.bytes())
  }

  /// Returns the block of the table of an icon's sizes.
  func iconSizesBlock(_ sizes: [MultisizePayload.Size]) -> [UInt8] {
    let payload = MultisizePayload(sizes)
    let header = CSIHeader(layout: .multisize, name: facet)
    return RenditionHead(header, [.nothingDrawn, .upright]).block(payload: payload.bytes())
  }

  /// The block of an entry that shows nothing.
  var nothingBlock: [UInt8] {
    let header = CSIHeader(layout: .thinningPlaceholder, name: facet)
    return RenditionHead(header, [.nothingDrawn, .upright]).block(payload: [])
  }

  /// Returns the block of a data asset, whose bytes are stored unchanged.
  func dataBlock(_ contents: [UInt8], typeIdentifier: String?) -> [UInt8] {
    var header = CSIHeader(layout: .data, name: storedName)
    header.scaleFactor = 100
    header.pixelFormat = .data
    header.colorSpace = .sRGB
    let type = typeIdentifier.map { [RenditionProperty.uti($0)] } ?? []
    let head = RenditionHead(header, [.drawn] + type + [.upright])
    return head.block(payload: FilePayload.head(length: contents.count) + contents)
  }

  /// Returns the block of a PDF or SVG file. The caller may have compressed the payload.
  func vectorBlock(_ payload: [UInt8], of file: SourceFile) -> [UInt8] {
    var header = CSIHeader(layout: .vector, name: storedName)
    header.flags = flags
    header.pixelFormat = file.fileExtension == "svg" ? .svg : .pdf
    let head = RenditionHead(header, [.drawn, .upright])
    return head.block(payload: payload)
  }
}

extension RenditionProperty {
  static let drawn = RenditionProperty.composition(blendMode: 0, opacity: 1)
  static let nothingDrawn = RenditionProperty.composition(blendMode: 0, opacity: 0)
  static let upright = RenditionProperty.orientation(1)
}

extension ColorSpaceName {
  var archived: ColorSpaceID {
    switch self {
    case .srgb: .sRGB
    case .displayP3: .displayP3
    case .extendedSRGB: .extendedSRGB
    case .extendedLinearSRGB: .extendedLinearSRGB
    case .grayGamma22: .grayGamma22
    case .extendedGray: .extendedGray
    }
  }
}
