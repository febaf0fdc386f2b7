// Makes the blocks of pictures: single bitmaps, atlases, and the links of pictures in an atlas.

import Archive
import Bytes
import CatalogModel
import Codecs
import Imaging
import Traits
import Vectors

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

  /// Returns the block of a picture in an atlas: the link to its place.
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
      excess: (picture.drawing.excessWidth, picture.drawing.excessHeight))
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
      PictureParts(width: columns, height: rows, resizing: planned.treatment?.resizing)
      ?? PictureParts(layout: .onePartScale, slices: [whole])
    for place in slicing.slices.indices { slicing.slices[place].y += Int32(excess.height) }
    metrics =
      Metrics(width: width, height: height, insets: planned.treatment?.insets)
      ?? Metrics(width: UInt32(width), height: UInt32(height))
  }
}

extension PlannedRendition {
  /// Returns diagnostics about the features that the bitmaps of a vector do not show.
  func undrawnFeatures(_ facts: PictureFacts?) -> [Diagnostic] {
    facts.map { undrawn($0.drawing.undrawn.features) } ?? []
  }

  /// Returns diagnostics about features of a vector that no drawing shows.
  func undrawn(_ features: [UnsupportedFeature]) -> [Diagnostic] {
    guard let source else { return [] }
    return CatalogModel.undrawn(
      features, of: "\"\(source.path)\"", file: file,
      pointer: pointer.isEmpty ? nil : pointer + "/filename")
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

  /// Creates the description of a JPEG or HEIF file; nil for every other file.
  init?(_ file: [UInt8]) {
    guard let header = try? ImageHeader.read(file) else { return nil }
    switch header.kind {
    case .jpeg: format = .jpeg
    case .heic: format = .heif
    default: return nil
    }
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
