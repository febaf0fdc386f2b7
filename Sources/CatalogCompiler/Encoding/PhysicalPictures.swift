// The blocks of what a camera looks for: a picture in shades of gray with its size in the world, and the data
// of an object.

import Archive
import ArchiveTools
import CatalogModel
import Codecs
import Colors
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

  /// The pixels of a PNG or JPEG file in sRGB, premultiplied. The caller has a share of the memory for them.
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

  /// An object; it stands upright at the origin, whatever the catalogue says of its place.
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

  /// How light each pixel is, on a curve of 2.2, and opaque.
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

/// Lightness as a byte, on a curve of 2.2. Powers take long, so that most values come from a table.
private struct LightnessCurve {
  /// For each step of the amount of light the value that all of it has; nil where it has several.
  private var values: [UInt8?] = []
  private static let steps = 4096

  init() {
    for step in 0...Self.steps {
      // A little beyond either end: rounding leads no value out of the step.
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
