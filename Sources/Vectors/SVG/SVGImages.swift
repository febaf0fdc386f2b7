// Pictures in SVG: image elements whose data are in the document. Pictures in other files are not
// read.

import Bytes

extension SVGReader {
  /// Shows the picture of an image element. A width or a height that is not given follows from the
  /// size of the picture.
  mutating func showImage(_ number: Int32, _ context: SVGContext) {
    guard context.style.isVisible || context.keepsHidden,
      let index = picture(of: number, context.style)
    else { return }
    let node = markup.nodes[Int(number)]
    let image = drawing.images[Int(index)]
    let size = (width: Double(image.width), height: Double(image.height))
    var width = length(.width, of: node, whole: context.viewWidth, context: context)
    var height = length(.height, of: node, whole: context.viewHeight, context: context)
    width = width ?? height.map { $0 * size.width / size.height } ?? size.width
    height = height ?? width.map { $0 * size.height / size.width }
    guard let width, let height, width > 0, height > 0 else { return }
    let port = Rect(
      x: length(.x, of: node, whole: context.viewWidth, context: context) ?? 0,
      y: length(.y, of: node, whole: context.viewHeight, context: context) ?? 0, width: width,
      height: height)
    let box = Rect(x: 0, y: 0, width: size.width, height: size.height)
    let fit = fit(box, to: port, node)
    let unit = Transform.scale(size.width, size.height).then(fit)
    var item = Item(.image(index), transform: unit.then(context.transform))
    item.clip = context.clip
    if !context.style.isVisible { item.alpha = 0 }
    if !context.style.showsOverflow, isLarger(unit, than: port) {
      drawing.paths.rect(port)
      let path = ClipPath(drawing.paths.end(), .nonZero, transform: context.transform)
      item.clip = drawing.addClip(path, in: context.clip)
    }
    items.append(item)
  }

  /// Returns whether a picture extends beyond its rectangle by more than an error of rounding.
  private func isLarger(_ unit: Transform, than port: Rect) -> Bool {
    unit.a > port.width * (1 + 1e-9) || unit.d > port.height * (1 + 1e-9)
  }

  /// Returns the index of the picture of an element; nil if it has no picture. Each element is
  /// decoded once.
  private mutating func picture(of number: Int32, _ style: SVGStyle) -> Int32? {
    if let known = pictures[number] { return known }
    let index = decodedPicture(of: markup.nodes[Int(number)], style)
    pictures.updateValue(index, forKey: number)
    return index
  }

  private mutating func decodedPicture(of node: Markup.Node, _ style: SVGStyle) -> Int32? {
    guard let scanner = scanner(.href, of: node) ?? scanner(.xlinkHref, of: node),
      !scanner.isAtEnd
    else { return nil }
    // The decoded bytes are at most as many as those of the text.
    let before = budget.memoryHeld(by: .copiedBytes)
    defer { budget.hold(.copiedBytes, bytes: before) }
    guard budget.borrow(.copiedBytes, bytes: scanner.rest.range.count) else { return nil }
    guard let bytes = DataAddress.bytes(scanner) else {
      drawing.note(.image)
      return nil
    }
    var fault: UnsupportedFeature?
    let image = PictureFile.read(
      bytes, interpolates: !style.keepsPixels, budget: budget, fault: &fault)
    if let fault { drawing.note(fault) }
    return image.map { drawing.addImage($0) }
  }
}

/// Addresses that contain their data: `data:TYPE;base64,DATA`.
private enum DataAddress {
  /// Returns the data; nil if the address refers to something else, or its base64 is damaged.
  static func bytes(_ address: Scanner) -> [UInt8]? {
    var scanner = address
    guard scanner.readWord("data"), scanner.read(":") else { return nil }
    let head = scanner.readUntil { $0 == UInt8(ascii: ",") }
    guard scanner.read(",") else { return nil }
    let text = UnsafeBufferPointer(rebasing: scanner.bytes[scanner.rest.range])
    return isBase64(Scanner(scanner, head)) ? base64(text) : unescaped(text)
  }

  /// Returns whether the last parameter of the type is `base64`.
  private static func isBase64(_ head: Scanner) -> Bool {
    var scanner = head
    while !scanner.isAtEnd {
      _ = scanner.readUntil { $0 == UInt8(ascii: ";") }
      guard scanner.read(";") else { return false }
      scanner.skipSpace()
      var word = scanner
      if word.readWord("base64") {
        word.skipSpace()
        if word.isAtEnd { return true }
      }
    }
    return false
  }

  /// Returns the bytes of a text in which `%` and two digits stand for a byte.
  private static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let (byte, length) = byte(text, index)
      result.append(byte)
      index += length
    }
    return result
  }

  /// Returns the byte at an index of the text, and the length in which it is written.
  private static func byte(
    _ text: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> (byte: UInt8, length: Int) {
    guard text[index] == UInt8(ascii: "%"), index + 2 < text.count,
      let high = digit(text[index + 1]), let low = digit(text[index + 2])
    else { return (text[index], 1) }
    return (high << 4 | low, 3)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Returns the bytes of a base64 text, which may contain blanks; nil if it contains other
  /// letters. The text ends at the first `=`.
  private static func base64(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3 + 3)
    var (bits, count) = (UInt32(0), 0)
    var index = 0
    while index < text.count {
      let (letter, length) = byte(text, index)
      index += length
      if letter <= 32 { continue }
      if letter == UInt8(ascii: "=") { break }
      guard let value = value(letter) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return result
  }

  /// Returns the value of a letter of base64, in its usual form or in that for addresses.
  private static func value(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
