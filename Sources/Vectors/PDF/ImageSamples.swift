// The samples of a picture, and their conversion to bytes of colour and alpha.

import Bytes

struct ImageSamples {
  let width: Int
  let height: Int
  let space: ColorSpace
  private let components: Int
  /// The samples, one byte each. Samples of fewer than eight bits are in the lower bits; of 16-bit
  /// samples only the upper byte is kept.
  private let raw: [UInt8]
  private let most: Int
  /// The values that the lowest and the highest sample of each component mean.
  private let decode: [Double]

  init(
    width: Int, height: Int, bits: Int, space: ColorSpace, decode: [Double]?, bytes: [UInt8]
  ) {
    self.width = width
    self.height = height
    self.space = space
    components = space.components
    most = bits >= 8 ? 255 : 1 << bits - 1
    let usual = space.defaultDecode(bits: min(bits, 8))
    self.decode = decode.flatMap { $0.count >= usual.count ? $0 : nil } ?? usual
    raw = Self.unpacked(bytes, width * components, height, bits: bits)
  }

  /// Returns the samples of rows that begin at whole bytes. Samples that are missing at the end are
  /// 0.
  private static func unpacked(
    _ bytes: [UInt8], _ count: Int, _ height: Int, bits: Int
  ) -> [UInt8] {
    if bits == 8 {
      let known = bytes.prefix(count * height)
      return known + [UInt8](repeating: 0, count: count * height - known.count)
    }
    let rowBytes = (count * bits + 7) / 8
    var raw = [UInt8](repeating: 0, count: count * height)
    for row in 0..<min(height, (bytes.count + rowBytes - 1) / rowBytes) {
      let start = row * rowBytes
      for index in 0..<count {
        let bit = index * bits
        let place = start + bit >> 3
        guard place < bytes.count else { break }
        raw[row * count + index] =
          bits == 16
          ? bytes[place] : bytes[place] >> UInt8(8 - bits - bit & 7) & UInt8(1 << bits - 1)
      }
    }
    return raw
  }

  private func value(_ sample: UInt8, _ component: Int) -> Double {
    let low = decode[2 * component]
    return low + Double(sample) * (decode[2 * component + 1] - low) / Double(most)
  }

  private static func byte(_ value: Double) -> UInt8 {
    UInt8(whole(value * 255 + 0.5, from: 0, to: 255))
  }

  /// Returns the red, green and blue bytes of all pixels.
  func colors(_ budget: Budget) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: width * height * 3)
    func store(_ color: Color, _ pixel: Int) {
      result[3 * pixel] = Self.byte(color.red)
      result[3 * pixel + 1] = Self.byte(color.green)
      result[3 * pixel + 2] = Self.byte(color.blue)
    }
    if components == 1 {
      let table = (0...most).map { space.color([value(UInt8($0), 0)]) }
      for pixel in raw.indices { store(table[Int(raw[pixel])], pixel) }
      return result
    }
    if case .rgb = space {
      let tables = (0..<3).map { component in
        (0...most).map { Self.byte(value(UInt8($0), component)) }
      }
      for channel in 0..<3 {
        let table = tables[channel]
        for place in stride(from: channel, to: raw.count, by: 3) {
          result[place] = table[Int(raw[place])]
        }
      }
      return result
    }
    var last: ArraySlice<UInt8> = []
    var color = Color.black
    for pixel in 0..<width * height {
      let samples = raw[pixel * components..<(pixel + 1) * components]
      if !samples.elementsEqual(last) {
        guard budget.spend(.operators, 2) else { break }
        last = samples
        color = space.color(samples.enumerated().map { value($1, $0) })
      }
      store(color, pixel)
    }
    return result
  }

  /// Returns one byte for each pixel. In a stencil, and in a mask of one bit, a sample of 0 paints
  /// and becomes 255.
  func grays(isStencil: Bool) -> [UInt8] {
    let table = (0...most).map { sample -> UInt8 in
      let color = space.color([value(UInt8(sample), 0)])
      let gray = Self.byte(0.3 * color.red + 0.59 * color.green + 0.11 * color.blue)
      return isStencil ? 255 - gray : gray
    }
    return stride(from: 0, to: raw.count, by: components).map { table[Int(raw[$0])] }
  }

  /// Returns the alpha of a picture with a colour key mask: a pixel is transparent if all of its
  /// samples lie within the ranges of their keys.
  func unkeyed(_ keys: [Double]) -> [UInt8] {
    (0..<width * height).map { pixel in
      for component in 0..<min(components, keys.count / 2) {
        let sample = Double(raw[pixel * components + component])
        if sample < keys[2 * component] || sample > keys[2 * component + 1] { return 255 }
      }
      return 0
    }
  }
}

/// Bytes of one or three channels.
struct ImagePlane {
  private(set) var width: Int
  private(set) var height: Int
  let channels: Int
  private(set) var bytes: [UInt8]

  init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.channels = channels
    self.bytes = bytes
  }

  /// Restores the colours that were mixed with a matte colour by their alpha.
  mutating func undo(matte: Color, alpha: ImagePlane) {
    guard alpha.width == width, alpha.height == height, channels == 3 else { return }
    let mattes = [matte.red * 255, matte.green * 255, matte.blue * 255]
    for pixel in 0..<width * height where alpha.bytes[pixel] > 0 {
      let share = Double(alpha.bytes[pixel]) / 255
      for channel in 0..<3 {
        let value = mattes[channel] + (Double(bytes[3 * pixel + channel]) - mattes[channel]) / share
        bytes[3 * pixel + channel] = UInt8(whole(value + 0.5, from: 0, to: 255))
      }
    }
  }

  /// Returns the plane in another size, interpolated from the four nearest pixels.
  func resized(_ newWidth: Int, _ newHeight: Int) -> ImagePlane {
    guard newWidth != width || newHeight != height else { return self }
    var result = [UInt8](repeating: 0, count: newWidth * newHeight * channels)
    let columns = Self.places(newWidth, width)
    let rows = Self.places(newHeight, height)
    var place = 0
    for row in rows {
      for column in columns {
        for channel in 0..<channels {
          func at(_ x: Int, _ y: Int) -> Int { Int(bytes[(y * width + x) * channels + channel]) }
          let upper =
            at(column.low, row.low) * (256 - column.part)
            + at(column.high, row.low) * column.part
          let lower =
            at(column.low, row.high) * (256 - column.part)
            + at(column.high, row.high) * column.part
          result[place] = UInt8((upper * (256 - row.part) + lower * row.part + 0x8000) >> 16)
          place += 1
        }
      }
    }
    return ImagePlane(width: newWidth, height: newHeight, channels: channels, bytes: result)
  }

  private static func places(_ count: Int, _ old: Int) -> [(low: Int, high: Int, part: Int)] {
    (0..<count).map { index in
      let place = (2 * index + 1) * old * 128 / count - 128
      let low = min(max(place >> 8, 0), old - 1)
      return (low, min(low + 1, old - 1), place < 0 ? 0 : place & 255)
    }
  }

  /// Returns four bytes for each pixel, from a plane of three channels and an alpha of the same
  /// size.
  func premultiplied(by alpha: ImagePlane?) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: width * height * 4) { result, count in
      for pixel in 0..<width * height {
        let share = UInt32(alpha?.bytes[pixel] ?? 255)
        for channel in 0..<3 {
          let product = UInt32(bytes[3 * pixel + channel]) * share + 128
          result[4 * pixel + channel] = UInt8((product + product >> 8) >> 8)
        }
        result[4 * pixel + 3] = UInt8(share)
      }
      count = width * height * 4
    }
  }
}
