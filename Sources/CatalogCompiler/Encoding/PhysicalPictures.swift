// Makes the blocks of AR resources: a reference image in shades of grey with its physical size, and
// the data of a reference object.

import Archive
import CatalogModel
import Codecs
import Colors
import Imaging
import Vectors

extension Worker {
  func makePhysicalPicture(
    _ planned: PlannedRendition, _ picture: PhysicalPicture
  ) throws(EncodingFailure) -> [UInt8] {
    try share(memory(of: picture.file)) { () throws(EncodingFailure) in
      let whole = try colors(of: picture.file)
      let bitmap = whole.reduced(.longerSide(atMost: 640)).inLightness()
      let facts = PictureFacts(bitmap)
      let payload = payload(of: bitmap, BitmapDemands(isIcon: true, isExact: true))
      let head = planned.physicalHead(
        facts, of: (whole.width, whole.height), meters: picture.meters, payload: payload)
      return head.block(payload: payload)
    }
  }

  /// Decodes a PNG or JPEG file into sRGB with premultiplied alpha. The caller must hold a share of
  /// the memory for it.
  func colors(of file: SourceFile) throws(EncodingFailure) -> Bitmap {
    let bytes = try read(file)
    if let picture = JPEGFile.decode(bytes) { return Bitmap(picture) }
    return try decode(bytes, gamut: .sRGB, allowsGray: false)
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
  func objectBlock(_ payload: [UInt8]) -> [UInt8] {
    var header = CSIHeader(layout: .arObject, name: storedName)
    header.pixelFormat = .data
    header.colorSpace = .sRGB
    var transform = [UInt8](repeating: 0, count: 4)
    for place in 0..<16 {
      let value: Float = place % 5 == 0 ? 1 : 0
      withUnsafeBytes(of: value.bitPattern.littleEndian) { transform += $0 }
    }
    let tag = RenditionProperty.Tag.transform.rawValue
    return RenditionHead(header, [.drawn, .upright, .other(tag: tag, body: transform)])
      .block(payload: payload)
  }
}

extension Bitmap {
  fileprivate init(_ picture: JPEGFile.Picture) {
    let stride = BitmapLayout.bgra8.bytesPerRow(width: picture.width)
    var pixels = [UInt8](repeating: 0, count: stride * picture.height)
    let count = picture.components
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let source = (y * picture.width + x) * count
        let place = y * stride + x * 4
        for channel in 0..<3 {
          pixels[place + channel] = picture.samples[source + (count == 3 ? 2 - channel : 0)]
        }
        pixels[place + 3] = 255
      }
    }
    self.init(
      width: picture.width, height: picture.height, layout: .bgra8, isOpaque: true,
      isGray: count == 1, pixels: pixels)
  }

  /// Returns an opaque grey picture with the lightness of each pixel, on a curve of gamma 2.2.
  fileprivate func inLightness() -> Bitmap {
    let light = (0...255).map { lightOfSRGB(Double($0) / 255) }
    let curve = LightnessCurve()
    let stride = BitmapLayout.ga8.bytesPerRow(width: width)
    var rows = [UInt8](repeating: 0, count: stride * height)
    for y in 0..<height {
      for x in 0..<width {
        let source = y * bytesPerRow + x * 4
        let sum =
          0.0722 * light[Int(pixels[source])] + 0.7152 * light[Int(pixels[source + 1])]
          + 0.2126 * light[Int(pixels[source + 2])]
        rows[y * stride + x * 2] = curve.value(sum)
        rows[y * stride + x * 2 + 1] = 255
      }
    }
    return Bitmap(
      width: width, height: height, layout: .ga8, isOpaque: true, isGray: true, pixels: rows)
  }
}

/// A table from the amount of light to a lightness byte, on a curve of gamma 2.2. Computing a power
/// is slow, so most values come from the table.
private struct LightnessCurve {
  /// The value of each step of the amount of light; nil if a step contains more than one value.
  private var values: [UInt8?] = []
  private static let steps = 4096

  init() {
    for step in 0...Self.steps {
      // The range is slightly larger than the step, so that rounding cannot lead to a value outside
      // of it.
      let low = Self.exact((Double(step) - 0.01) / Double(Self.steps))
      let high = Self.exact((Double(step) + 1.01) / Double(Self.steps))
      values.append(low == high ? low : nil)
    }
  }

  func value(_ light: Double) -> UInt8 {
    let step = Int(max(0, min(light, 1)) * Double(Self.steps))
    return values[step] ?? Self.exact(light)
  }

  private static func exact(_ light: Double) -> UInt8 {
    let gray = light > 0 ? power(light, 1 / 2.2) : 0
    return UInt8(max(0, min(gray, 1)) * 255 + 0.5)
  }
}
