// Makes the blocks of AR resources: a reference image in shades of grey with its physical size, and
// the data of a reference object.

import Archive
import CatalogModel
import Codecs
import Imaging

extension RenditionEncoder {
  func makePhysicalPicture(
    _ planned: PlannedRendition, _ picture: PhysicalPicture
  ) throws(EncodingFailure) -> [UInt8] {
    try share(memory(of: picture.file)) { () throws(EncodingFailure) in
      let whole = try colors(of: picture.file)
      let bitmap = whole.reduced(PhysicalPicture.reduction).inLightness()
      let facts = PictureFacts(bitmap)
      let payload = payload(of: bitmap, BitmapDemands(isIcon: true, isExact: true))
      let head = planned.physicalHead(
        facts, of: (whole.width, whole.height), meters: picture.meters, payload: payload)
      return head.block(payload: payload)
    }
  }
}

extension PlannedRendition {
  fileprivate func physicalHead(
    _ picture: PictureFacts, of whole: (width: Int, height: Int), meters: Float, payload: [UInt8]
  ) -> RenditionHead {
    var header = CSIHeader(layout: .onePartScale, name: storedName)
    header.width = UInt32(picture.width)
    header.height = UInt32(picture.height)
    header.scaleFactor = 100
    header.pixelFormat = picture.layout.archived
    header.colorSpace = picture.layout.colorSpace
    let slice = Slice(x: 0, y: 0, width: UInt32(whole.width), height: UInt32(whole.height))
    let tall = meters * Float(whole.height) / Float(whole.width)
    return RenditionHead(
      header,
      [
        .slices([slice]),
        .metrics([Metrics(width: UInt32(picture.width), height: UInt32(picture.height))]), .drawn,
        .physicalSize(width: meters, height: tall), .upright,
        .bytesPerRow(picture.statedBytesPerRow(in: payload)),
      ])
  }

  /// Returns the block of a reference object. Its transform is the identity, independent of the
  /// origin that the catalogue states.
  func trackedObjectBlock(_ payload: [UInt8]) -> [UInt8] {
    var header = CSIHeader(layout: .arObject, name: storedName)
    header.pixelFormat = .data
    header.colorSpace = .sRGB
    var transform = [UInt8](repeating: 0, count: 4)
    for index in 0..<16 {
      let value: Float = index % 5 == 0 ? 1 : 0
      withUnsafeBytes(of: value.bitPattern.littleEndian) { transform += $0 }
    }
    let tag = RenditionProperty.Tag.transform.rawValue
    return RenditionHead(header, [.drawn, .upright, .other(tag: tag, body: transform)])
      .block(payload: payload)
  }
}
