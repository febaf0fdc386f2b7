// Pictures, which are painted from objects and from data in the content stream. ImageSamples.swift
// converts stored samples to pixels.

import Bytes

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
    let isStencil = file.bool(key(stream, "ImageMask", "IM")) ?? false
    let interpolates = file.bool(key(stream, "Interpolate", "I")) ?? false
    guard let source = samples(of: stream, as: isStencil ? .stencil : .picture) else {
      return PDFImageEntry(index: nil, isStencil: isStencil)
    }
    let image: Image?
    if isStencil {
      image = Image(
        width: source.width, height: source.height, kind: .stencil, interpolates: interpolates,
        pixels: source.grays(isStencil: true))
    } else {
      image = colorImage(source, stream, interpolates)
    }
    return PDFImageEntry(index: image.map { drawing.addImage($0) }, isStencil: isStencil)
  }

  /// Returns an entry by its name or, in a content stream, by its abbreviation.
  private func key(_ stream: PDFStream, _ long: String, _ short: String) -> PDFValue {
    let value = stream.dictionary[long]
    return value.isNull && stream.number == 0 ? stream.dictionary[short] : value
  }

  /// Reads the samples of a picture; returns nil if they cannot be read.
  private func samples(of stream: PDFStream, as role: ImageRole) -> ImageSamples? {
    var decoded = file.decode(stream)
    var width = file.int(key(stream, "Width", "W")) ?? 0
    var height = file.int(key(stream, "Height", "H")) ?? 0
    var bits = role == .stencil ? 1 : file.int(key(stream, "BitsPerComponent", "BPC")) ?? 8
    var space: ColorSpace? = role == .picture ? nil : .gray
    let named = key(stream, "ColorSpace", "CS")
    if role == .picture, !named.isNull { space = colorSpace(named: named) }
    if decoded.imageFormat == "DCTDecode" {
      let transform = file.int(decoded.parameters["ColorTransform"])
      guard
        let picture = JPEGDecoder.decode(decoded.bytes, colorTransform: transform, budget: budget)
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
      height <= 1 << 16, [1, 2, 4, 8, 16].contains(bits),
      budget.borrow(.samples, bytes: width * height * (space.components + 4)),
      budget.spend(.samples, width * height * (space.components + 4))
    else { return nil }
    let decode = file.numbers(key(stream, "Decode", "D"))
    note(inks: space)
    return ImageSamples(
      width: width, height: height, bits: bits, space: space, decode: decode, bytes: decoded.bytes)
  }

  private func colorImage(
    _ source: ImageSamples, _ stream: PDFStream, _ interpolates: Bool
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

  /// Returns the place where the data end, and the place where the content stream continues.
  private static func inlineEnd(_ lexer: PDFLexer, from start: Int) -> (data: Int, next: Int) {
    var place = min(start, lexer.end)
    while place + 2 <= lexer.end {
      if lexer.bytes[place] == UInt8(ascii: "E"), lexer.bytes[place + 1] == UInt8(ascii: "I"),
        place == start || PDFLexer.isBlank(lexer.bytes[place - 1]),
        place + 2 == lexer.end || PDFLexer.isBlank(lexer.bytes[place + 2])
      {
        return (place, place + 2)
      }
      place += 1
    }
    return (lexer.end, lexer.end)
  }
}
