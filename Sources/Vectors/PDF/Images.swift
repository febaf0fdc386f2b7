// Pictures, which are painted from objects and from data in the content stream, and the
// conversion of their stored samples to pixels.

import Bytes
import Codecs

/// A picture that was read: its index in the drawing's images, or nil if it cannot be read.
struct PDFImageEntry {
  var index: Int32?
  var isStencil: Bool
}

/// The use of the samples of a picture.
private enum ImageRole {
  case picture, stencil, alpha
}

extension ContentReader {
  func drawImage(_ stream: PDFStream) {
    // In PDF the origin of a picture is its lower left corner.
    let transform = Transform(1, 0, 0, -1, 0, 1).then(state.transform)
    guard isOnPage(transform) else { return }
    let entry: PDFImageEntry
    if stream.number > 0, let known = pictures[stream.number] {
      entry = known
    } else {
      entry = read(stream)
      if stream.number > 0 { pictures[stream.number] = entry }
    }
    guard let index = entry.index else { return }
    var item = Item(.image(index), transform: transform)
    if entry.isStencil {
      guard let paint = paint(strokes: false) else { return }
      item.paint = paint
    }
    add(item, alpha: state.fillAlpha)
  }

  /// Returns whether a picture touches the page. Some files contain pictures beside the page, which
  /// need not be decoded. The bitmap of a page is at most one pixel larger than the page, so a
  /// margin of 2 is enough.
  private func isOnPage(_ transform: Transform) -> Bool {
    guard !isInCell else { return true }
    let corners = [Point(0, 0), Point(1, 0), Point(0, 1), Point(1, 1)].map(transform.apply)
    return corners.contains { $0.x >= -2 } && corners.contains { $0.x <= drawing.width + 2 }
      && corners.contains { $0.y >= -2 } && corners.contains { $0.y <= drawing.height + 2 }
  }

  private func read(_ stream: PDFStream) -> PDFImageEntry {
    // The samples take memory only while they are converted. Afterwards the picture counts as a
    // part of the drawing.
    let before = budget.memoryHeld(by: .samples)
    defer {
      budget.hold(.samples, bytes: before)
      countMemory()
    }
    guard budget.spend(.objects, 4) else { return PDFImageEntry(index: nil, isStencil: false) }
    let isStencil = file.bool(key(of: stream, long: "ImageMask", short: "IM")) ?? false
    let interpolates = file.bool(key(of: stream, long: "Interpolate", short: "I")) ?? false
    guard let source = samples(of: stream, as: isStencil ? .stencil : .picture) else {
      return PDFImageEntry(index: nil, isStencil: isStencil)
    }
    var image: Image?
    if isStencil {
      image = Image(
        width: source.width, height: source.height, kind: .stencil, interpolates: interpolates,
        pixels: source.grays(isStencil: true))
    } else {
      image = colorImage(source, stream: stream, interpolates: interpolates)
    }
    image?.source = stream.number
    return PDFImageEntry(index: image.map { drawing.addImage($0) }, isStencil: isStencil)
  }

  /// Returns an entry by its name or, in a content stream, by its abbreviation.
  private func key(of stream: PDFStream, long: String, short: String) -> PDFValue {
    let value = stream.dictionary[long]
    return value.isNull && stream.number == 0 ? stream.dictionary[short] : value
  }

  /// Reads the samples of a picture; returns nil if they cannot be read.
  private func samples(of stream: PDFStream, as role: ImageRole) -> ImageSamples? {
    var decoded = file.decode(stream)
    var width = file.int(key(of: stream, long: "Width", short: "W")) ?? 0
    var height = file.int(key(of: stream, long: "Height", short: "H")) ?? 0
    var bits =
      role == .stencil ? 1 : file.int(key(of: stream, long: "BitsPerComponent", short: "BPC")) ?? 8
    var space: ColorSpace? = role == .picture ? nil : .gray
    let named = key(of: stream, long: "ColorSpace", short: "CS")
    if role == .picture, !named.isNull { space = colorSpace(named: named) }
    if decoded.isDamaged { drawing.note(.damagedImage) }
    if decoded.imageFormat == "DCTDecode" {
      let transform = file.int(decoded.parameters["ColorTransform"])
      guard
        let picture = try? JPEGDecoder.decode(
          decoded.bytes, colorTransform: transform, budget: budget)
      else {
        drawing.note(.imageCompression)
        return nil
      }
      (width, height, bits) = (picture.width, picture.height, 8)
      decoded.bytes = picture.samples
      if space?.components != picture.components {
        space = picture.components == 1 ? .gray : picture.components == 3 ? .rgb : .cmyk
      }
    } else if decoded.imageFormat != nil {
      drawing.note(.imageCompression)
      return nil
    }
    guard let space, space.components > 0, width > 0, height > 0, width <= 1 << 16,
      height <= 1 << 16, [1, 2, 4, 8, 16].contains(bits)
    else {
      drawing.note(.damagedImage)
      return nil
    }
    guard budget.borrow(.samples, bytes: width * height * (space.components + 4)),
      budget.spend(.samples, width * height * (space.components + 4)),
      // The tables of samples cost as much for a small picture as for a large one.
      budget.spend(.operators, 50)
    else { return nil }
    let decode = file.numbers(key(of: stream, long: "Decode", short: "D"))
    note(inks: space)
    return ImageSamples(
      width: width, height: height, bits: bits, space: space, decode: decode, bytes: decoded.bytes)
  }

  private func colorImage(
    _ source: ImageSamples, stream: PDFStream, interpolates: Bool
  ) -> Image? {
    var colors = ImagePlane(
      width: source.width, height: source.height, channels: 3, bytes: source.colors(budget))
    var alpha: ImagePlane?
    if let mask = file.stream(stream.dictionary["SMask"]), let found = samples(of: mask, as: .alpha)
    {
      alpha = ImagePlane(
        width: found.width, height: found.height, channels: 1,
        bytes: found.grays(isStencil: false))
      if let matte = file.numbers(mask.dictionary["Matte"]) {
        alpha.map { colors.undo(matte: source.space.color(matte), alpha: $0) }
      }
    } else if let mask = file.stream(stream.dictionary["Mask"]),
      file.bool(mask.dictionary["ImageMask"]) != true, let found = samples(of: mask, as: .alpha)
    {
      // The mask should be a stencil but is a grey picture. Its values are used as alpha.
      alpha = ImagePlane(
        width: found.width, height: found.height, channels: 1,
        bytes: found.grays(isStencil: false))
    } else if let mask = file.stream(stream.dictionary["Mask"]),
      let found = samples(of: mask, as: .stencil)
    {
      // The places that the stencil paints are shown.
      alpha = ImagePlane(
        width: found.width, height: found.height, channels: 1,
        bytes: found.grays(isStencil: true))
    } else if let keys = file.numbers(stream.dictionary["Mask"]) {
      alpha = ImagePlane(
        width: source.width, height: source.height, channels: 1, bytes: source.unkeyed(keys))
    }
    if let mask = alpha {
      let width = max(colors.width, mask.width)
      let height = max(colors.height, mask.height)
      guard budget.borrow(.samples, bytes: width * height * 8),
        budget.spend(.samples, width * height * 8)
      else { return nil }
      colors = colors.resized(width, height)
      alpha = mask.resized(width, height)
    }
    return Image(
      width: colors.width, height: colors.height, kind: .color, interpolates: interpolates,
      pixels: colors.premultiplied(by: alpha))
  }

  // MARK: Inline images

  /// Draws an inline image: `BI` … `ID` … `EI`.
  func drawInlineImage(_ lexer: inout PDFLexer) {
    var dictionary = PDFDictionary()
    scan: while true {
      switch lexer.next() {
      case .value(.name(let key)): dictionary.append(key, lexer.value())
      case .keyword("ID"), .end: break scan
      default: continue
      }
    }
    // One blank follows.
    let start = min(lexer.position + 1, lexer.end)
    let end = Self.inlineEnd(lexer, from: start + inlineLength(dictionary))
    lexer.position = end.next
    budget.spend(.copiedBytes, 2 * (end.next - start))
    guard !isHidden else { return }
    drawImage(PDFStream(dictionary: dictionary, bytes: lexer.bytes[start..<max(start, end.data)]))
  }

  /// Returns the length of data without a filter, so that an `EI` among the data does not end them.
  /// Returns 0 for data with a filter.
  private func inlineLength(_ dictionary: PDFDictionary) -> Int {
    func value(_ long: String, _ short: String) -> PDFValue {
      dictionary[long].isNull ? dictionary[short] : dictionary[long]
    }
    guard value("Filter", "F").isNull else { return 0 }
    let isMask = value("ImageMask", "IM").bool ?? false
    let space = isMask ? ColorSpace.gray : colorSpace(named: value("ColorSpace", "CS")) ?? .gray
    let bits = isMask ? 1 : value("BitsPerComponent", "BPC").int ?? 8
    let width = min(max(value("Width", "W").int ?? 0, 0), 1 << 16)
    let height = min(max(value("Height", "H").int ?? 0, 0), 1 << 16)
    return (width * space.components * min(max(bits, 1), 16) + 7) / 8 * height
  }

  /// Returns the offset where the data end, and the offset where the content stream continues.
  private static func inlineEnd(_ lexer: PDFLexer, from start: Int) -> (data: Int, next: Int) {
    var offset = min(start, lexer.end)
    while offset + 2 <= lexer.end {
      if lexer.bytes[offset] == UInt8(ascii: "E"), lexer.bytes[offset + 1] == UInt8(ascii: "I"),
        offset == start || PDFLexer.isBlank(lexer.bytes[offset - 1]),
        offset + 2 == lexer.end || PDFLexer.isBlank(lexer.bytes[offset + 2])
      {
        return (offset, offset + 2)
      }
      offset += 1
    }
    return (lexer.end, lexer.end)
  }
}

// MARK: - Samples

// The samples of a picture, and their conversion to bytes of colour and alpha.

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
    raw = Self.unpacked(bytes, count: width * components, height: height, bits: bits)
  }

  /// Returns the samples of rows that begin at whole bytes. Samples that are missing at the end are
  /// 0.
  private static func unpacked(
    _ bytes: [UInt8], count: Int, height: Int, bits: Int
  ) -> [UInt8] {
    if bits == 8 {
      if bytes.count == count * height { return bytes }
      let known = bytes.prefix(count * height)
      return known + [UInt8](repeating: 0, count: count * height - known.count)
    }
    let rowBytes = (count * bits + 7) / 8
    var raw = [UInt8](repeating: 0, count: count * height)
    for row in 0..<min(height, (bytes.count + rowBytes - 1) / rowBytes) {
      let start = row * rowBytes
      for index in 0..<count {
        let bit = index * bits
        let offset = start + bit >> 3
        guard offset < bytes.count else { break }
        raw[row * count + index] =
          bits == 16
          ? bytes[offset] : bytes[offset] >> UInt8(8 - bits - bit & 7) & UInt8(1 << bits - 1)
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
      var table = [Color?](repeating: nil, count: most + 1)
      for pixel in raw.indices {
        let sample = raw[pixel]
        if let known = table[Int(sample)] {
          store(known, pixel)
        } else {
          guard budget.spend(.operators, 4) else { break }
          let color = space.color([value(sample, 0)])
          table[Int(sample)] = color
          store(color, pixel)
        }
      }
      return result
    }
    if case .rgb = space {
      let tables = (0..<3).map { component in
        (0...most).map { Self.byte(value(UInt8($0), component)) }
      }
      for channel in 0..<3 {
        let table = tables[channel]
        for index in stride(from: channel, to: raw.count, by: 3) {
          result[index] = table[Int(raw[index])]
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
    let columns = Self.samplePositions(newWidth, width)
    let rows = Self.samplePositions(newHeight, height)
    var index = 0
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
          result[index] = UInt8((upper * (256 - row.part) + lower * row.part + 0x8000) >> 16)
          index += 1
        }
      }
    }
    return ImagePlane(width: newWidth, height: newHeight, channels: channels, bytes: result)
  }

  private static func samplePositions(_ count: Int, _ old: Int) -> [(
    low: Int, high: Int, part: Int
  )] {
    (0..<count).map { index in
      let position = (2 * index + 1) * old * 128 / count - 128
      let low = min(max(position >> 8, 0), old - 1)
      return (low, min(low + 1, old - 1), position < 0 ? 0 : position & 255)
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
