// Makes the blocks of renditions as archives store them: header, properties and payload. Imaging
// decodes and converts the pixels, and Codecs compresses them.

import Archive
import Bytes
import CatalogModel
import Codecs
import Imaging
import Traits
import Vectors

extension PlannedRendition {
  /// Returns the block of a colour.
  func colorBlock(_ value: ColorDefinition) -> [UInt8] {
    var header = CSIHeader(layout: .color, name: facet)
    header.colorSpace = .sRGB
    return RenditionHead(header, [.nothingDrawn, .upright])
      .block(payload: value.payload.bytes())
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
  func vectorBlock(_ payload: [UInt8], isSVG: Bool) -> [UInt8] {
    var header = CSIHeader(layout: .vector, name: storedName)
    header.flags = flags
    header.pixelFormat = isSVG ? .svg : .pdf
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
  /// The number of the space in archives.
  package var archived: ColorSpaceID {
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

// MARK: - Pictures

// Makes the blocks of pictures: single bitmaps, atlases, and the links of pictures in an atlas.

extension PlannedRendition {
  /// Returns the block of a bitmap that is in no atlas.
  func bitmapBlock(_ bitmap: PictureFacts, payload: [UInt8]) -> [UInt8] {
    let geometry = Geometry(self, bitmap)
    let header = header(
      layout: geometry.slicing.layout, width: bitmap.width, height: bitmap.height, bitmap.layout)
    let properties: [RenditionProperty] = [
      .slices(geometry.slicing.slices), .metrics([geometry.metrics]), .drawn, .upright,
      .bytesPerRow(bitmap.statedBytesPerRow(in: payload)),
    ]
    return RenditionHead(header, properties).block(payload: payload)
  }

  /// Returns the block of a picture in an atlas: the link to its frame.
  func linkBlock(
    _ picture: PictureFacts, x: Int, y: Int, atlas: RenditionKey
  ) -> [UInt8] {
    let geometry = Geometry(self, picture)
    let (width, height) = (picture.width, picture.height)
    let link = InternalLink(
      x: UInt32(x), y: UInt32(y), width: UInt32(width), height: UInt32(height),
      layout: geometry.slicing.layout, key: InternalLink.pairs(of: atlas))
    let header = header(layout: .internalLink, width: width, height: height, picture.layout)
    let properties: [RenditionProperty] = [
      .slices(geometry.slicing.slices), .metrics([geometry.metrics]), .link(link), .drawn, .upright,
    ]
    return RenditionHead(header, properties).block(payload: [])
  }

  private func header(
    layout: RenditionLayout, width: Int, height: Int, _ pixels: BitmapLayout
  ) -> CSIHeader {
    var header = CSIHeader(layout: layout, name: storedName)
    header.flags = flags
    header.width = UInt32(width)
    header.height = UInt32(height)
    header.scaleFactor = 100 * UInt32(key.scale)
    header.pixelFormat = pixels.archived
    header.colorSpace = pixels.colorSpace
    return header
  }
}

extension PictureFacts {
  /// Returns the bytes per row that the rendition with this payload states.
  func statedBytesPerRow(in payload: [UInt8]) -> UInt32 {
    let stated = Compression(of: payload)?.statedBytesPerRow(
      layout.coded, width: width, isOpaque: isOpaque, padded: bytesPerRow)
    return UInt32(stated ?? bytesPerRow)
  }
}

/// The slices and the alignment rectangle of a picture. Values that do not fit the picture are
/// ignored; `reportMisfits` has reported them.
private struct Geometry {
  var slicing: PictureParts
  var metrics: Metrics

  init(_ planned: PlannedRendition, _ picture: PictureFacts) {
    self.init(
      planned, width: picture.width, height: picture.height,
      excess: (picture.drawn.excessWidth, picture.drawn.excessHeight))
  }

  /// Creates the geometry of a picture. The excess columns are on the right and the excess rows at
  /// the top; no slice contains them.
  init(
    _ planned: PlannedRendition, width: Int, height: Int,
    excess: (width: Int, height: Int) = (0, 0)
  ) {
    let columns = width - excess.width
    let rows = height - excess.height
    let whole = Slice(x: 0, y: 0, width: UInt32(columns), height: UInt32(rows))
    slicing =
      PictureParts(width: columns, height: rows, resizing: planned.processing?.resizing)
      ?? PictureParts(layout: .onePartScale, slices: [whole])
    for index in slicing.slices.indices { slicing.slices[index].y += Int32(excess.height) }
    metrics =
      Metrics(width: width, height: height, insets: planned.processing?.insets)
      ?? Metrics(width: UInt32(width), height: UInt32(height))
  }
}

extension PlannedRendition {
  /// Returns diagnostics about the features that the bitmaps of a vector do not show.
  func undrawnFeatures(_ facts: PictureFacts?) -> [Diagnostic] {
    facts.map { undrawn($0.drawn.undrawn.features) } ?? []
  }

  /// Returns diagnostics about features of a vector that no drawing shows.
  func undrawn(_ features: [UnsupportedFeature]) -> [Diagnostic] {
    source.map { CatalogModel.undrawn(features, file: $0.path) } ?? []
  }
}

extension SpriteGroup {
  /// Returns the block of an atlas.
  func atlasBlock(_ bitmap: PictureFacts, payload: [UInt8]) -> [UInt8] {
    bitmap.block(layout: .atlas, name: atlasName, scale: key.scale, payload: payload)
  }
}

extension PictureFacts {
  /// Returns the block of a picture without slices and alignment.
  func block(
    layout form: RenditionLayout, name: ByteString, scale: UInt8, payload: [UInt8]
  ) -> [UInt8] {
    var header = CSIHeader(layout: form, name: name)
    header.width = UInt32(width)
    header.height = UInt32(height)
    header.scaleFactor = 100 * UInt32(scale)
    header.pixelFormat = layout.archived
    header.colorSpace = layout.colorSpace
    let properties: [RenditionProperty] = [
      .slices([Slice(x: 0, y: 0, width: 0, height: 0)]), .drawn, .upright,
      .bytesPerRow(statedBytesPerRow(in: payload)),
    ]
    return RenditionHead(header, properties).block(payload: payload)
  }
}

/// A picture that is stored in the format of its file.
struct FilePicture: Sendable {
  var format: StoredFormat
  var width: Int
  var height: Int
  /// The EXIF orientation; 1 is upright.
  var orientation: UInt32

  /// Creates the description of a JPEG or HEIF file; returns nil for every other file.
  init?(_ file: [UInt8]) throws(EncodingFailure) {
    guard let header = try? ImageHeader.read(file) else { return nil }
    switch header.kind {
    case .jpeg: format = .jpeg
    case .heic: format = .heif
    default: return nil
    }
    guard header.isComplete(file) else { throw .cut(header.kind) }
    width = header.width
    height = header.height
    orientation = UInt32(clamping: header.orientation)
  }
}

extension PlannedRendition {
  /// Returns the block of a JPEG or HEIF file, whose bytes are stored unchanged. Its size is in the
  /// slices, not in the header.
  func storedPictureBlock(_ file: [UInt8], _ picture: FilePicture) -> [UInt8] {
    let geometry = Geometry(self, width: picture.width, height: picture.height)
    var header = CSIHeader(layout: geometry.slicing.layout, name: storedName)
    header.flags = flags
    header.scaleFactor = 100 * UInt32(key.scale)
    header.pixelFormat = picture.format
    header.colorSpace = .sRGB
    let properties: [RenditionProperty] = [
      .slices(geometry.slicing.slices), .metrics([geometry.metrics]), .drawn,
      .orientation(picture.orientation),
    ]
    let head = RenditionHead(header, properties)
    return head.block(payload: FilePayload.head(length: file.count) + file)
  }
}

extension BitmapLayout {
  var archived: StoredFormat {
    switch self {
    case .bgra8: .argb
    case .ga8: .grayAlpha8
    case .rgbw: .wide
    case .ga16, .ga16Half: .grayAlpha16
    }
  }

  var colorSpace: ColorSpaceID {
    switch self {
    case .bgra8: .sRGB
    case .ga8: .grayGamma22
    case .rgbw: .extendedSRGB
    case .ga16, .ga16Half: .extendedGray
    }
  }
}

// MARK: - Symbols

// Makes the block of a symbol's drawing: its SVG, and its metrics beside text.

/// The contents of a symbol's block.
struct GlyphContents: Sendable {
  var svg: [UInt8]
  var metrics: GlyphMetrics
  var rendering: GlyphRendering
}

extension GlyphContents {
  init(_ drawing: TemplateDrawing, of template: SymbolTemplate, for target: CompileTarget) {
    let form = target.platform.symbolForm
    let points = Double(form.pointSize)
    let lengths = template.metrics(of: drawing, pointSize: points)
    svg = template.svg(of: drawing, scale: points / SymbolTemplate.pointSize)
    metrics = GlyphMetrics(revision: form.revision, pointSize: form.pointSize)
    metrics.depth = Float(lengths.depth)
    metrics.capHeight = Float(lengths.capHeight)
    metrics.version = Float(template.version)
    metrics.leftMargin = Float(lengths.leftMargin)
    metrics.rightMargin = Float(lengths.rightMargin)
    metrics.leftInset = Float(lengths.inset)
    metrics.rightInset = metrics.leftInset
    rendering = GlyphRendering(hasLayers: drawing.drawing.shapes.contains { !$0.layers.isEmpty })
  }
}

extension TargetPlatform {
  /// The revision of the metrics, and the size of the text for which they are measured.
  fileprivate var symbolForm: (revision: UInt32, pointSize: UInt32) {
    self == .macOS ? (3, 13) : (7, 17)
  }
}

extension PlannedRendition {
  /// Returns the block of a symbol's drawing. The payload is its SVG as a file, which may be
  /// compressed.
  func glyphBlock(_ contents: GlyphContents, payload: [UInt8]) -> [UInt8] {
    var header = CSIHeader(layout: .symbol, name: storedName)
    header.flags = flags
    header.scaleFactor = 100
    header.pixelFormat = .svg
    let properties: [RenditionProperty] = [
      .drawn, .upright, .glyphMetrics(contents.metrics), .glyphRendering(contents.rendering),
    ]
    return RenditionHead(header, properties).block(payload: payload)
  }
}

// MARK: - Stacks

extension PlannedRendition {
  /// Returns the block of a stack. Its payload is that of an empty file.
  func stackBlock(_ stack: LayerStack, numbers: NameNumbers) -> [UInt8] {
    var header = CSIHeader(layout: stack.layout, name: storedName)
    header.width = UInt32(clamping: stack.width)
    header.height = UInt32(clamping: stack.height)
    header.scaleFactor = 100
    header.pixelFormat = .data
    header.flags = flags
    let references = stack.layers.map { layer in
      var frame = layer.frame
      // The layers of stacks without glass state their size even if they fill the canvas.
      if [.layerStack, .solidStack].contains(stack.layout), frame.width == 0 {
        frame = LayerFrame(width: stack.width, height: stack.height)
      }
      var reference = LayerReference(
        x: Int32(clamping: frame.x), y: Int32(clamping: frame.y),
        width: UInt32(clamping: frame.width), height: UInt32(clamping: frame.height),
        key: [
          Facet.Pair(.element, Element.universal), Facet.Pair(.part, layer.part),
          // Every name of the plan has a number, and so has every layer.
          Facet.Pair(.identifier, numbers[layer.facet] ?? 0),
        ])
      reference.blendMode = layer.blendMode
      reference.opacity = layer.opacity
      return reference
    }
    let type = stack.typeIdentifier.map { [RenditionProperty.uti($0)] } ?? []
    let refraction =
      stack.storesRefraction
      ? [RenditionProperty.layerRefraction(stack.layers.map(\.refraction))] : []
    let properties: [RenditionProperty] =
      [
        .layers(references), .layerAttributes(stack.layers.map(\.attributes)),
        .layerEffects(stack.layers.map(\.effects)),
      ] + refraction + [.drawn] + type + [.upright]
    return RenditionHead(header, properties).block(payload: FilePayload.head(length: 0))
  }

  /// Returns the block of a list of names.
  func namesBlock(_ names: [ByteString]) -> [UInt8] {
    var header = CSIHeader(layout: .namedContents, name: storedName)
    header.scaleFactor = 100
    return RenditionHead(header, [.nothingDrawn, .upright, .names(names)]).block(payload: [])
  }
}

extension ColorDefinition {
  /// The colour as archives store it. Its components are not premultiplied.
  package var payload: ColorPayload {
    switch self {
    case .color(let color):
      return ColorPayload(space: color.space.archived, components: color.components)
    case .reference(let platform, let name):
      let components = SystemColor.components(platform: platform, name: name) ?? []
      return ColorPayload(
        space: .extendedSRGB, components: components.map { Double(Float($0)) }, systemName: name)
    }
  }
}
