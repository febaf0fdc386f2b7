// Reads colours as CSS writes them: names, hexadecimal digits and functions.

import Bytes

/// A colour with its alpha.
struct PaintColor {
  var color: Color
  var alpha = 1.0

  static let black = PaintColor(color: .black)
}

extension Scanner {
  /// Reads a colour. If there is no colour, reads nothing and returns nil.
  mutating func readColor() -> PaintColor? {
    let start = self
    skipSpace()
    if read("#"), let color = readHex() { return color }
    if readWord("rgb") || readWord("rgba"), read("("), let color = readRGB() { return color }
    if readWord("hsl") || readWord("hsla"), read("("), let color = readHSL() { return color }
    if readWord("transparent") { return PaintColor(color: .black, alpha: 0) }
    if let color = readNamed() { return color }
    self = start
    return nil
  }

  private mutating func readHex() -> PaintColor? {
    var digits: [Double] = []
    while let digit = hexDigit(next), !isAtEnd, digits.count < 9 {
      digits.append(Double(digit))
      advance()
    }
    func value(_ index: Int) -> Double {
      digits.count < 6 ? digits[index] / 15 : (digits[2 * index] * 16 + digits[2 * index + 1]) / 255
    }
    switch digits.count {
    case 3, 6: return PaintColor(color: Color(value(0), value(1), value(2)))
    case 4, 8: return PaintColor(color: Color(value(0), value(1), value(2)), alpha: value(3))
    default: return nil
    }
  }

  /// Skips the separator after a channel: blanks, a comma or a slash.
  private mutating func skipSeparator() {
    skipSpaceAndComma()
    if read("/") { skipSpace() }
  }

  private mutating func readRGB() -> PaintColor? {
    var channels: [Double] = []
    for _ in 0..<3 {
      skipSeparator()
      guard let number = readNumber() else { return nil }
      channels.append(unitValue(read("%") ? number / 100 : number / 255))
    }
    let alpha = readAlpha()
    skipSpace()
    guard read(")") else { return nil }
    return PaintColor(color: Color(channels[0], channels[1], channels[2]), alpha: alpha)
  }

  private mutating func readAlpha() -> Double {
    skipSeparator()
    guard let number = readNumber() else { return 1 }
    return unitValue(read("%") ? number / 100 : number)
  }

  private mutating func readHSL() -> PaintColor? {
    skipSpace()
    guard var hue = readNumber() else { return nil }
    if readWord("rad") {
      hue *= 180 / .pi
    } else if readWord("turn") {
      hue *= 360
    } else {
      _ = readWord("deg")
    }
    skipSeparator()
    guard let saturation = readNumber() else { return nil }
    _ = read("%")
    skipSeparator()
    guard let lightness = readNumber() else { return nil }
    _ = read("%")
    let alpha = readAlpha()
    skipSpace()
    guard read(")") else { return nil }
    let color = fromHue(
      tame(hue) / 360, saturation: unitValue(saturation / 100),
      lightness: unitValue(lightness / 100))
    return PaintColor(color: color, alpha: alpha)
  }

  private mutating func readNamed() -> PaintColor? {
    let start = self
    let word = readWord()
    let table = colorNames.utf8Start
    /// Returns −1 if the word comes before the name at an offset of the table, 0 if it is that
    /// name, and 1 if it comes after it.
    func order(_ offset: Int) -> Int {
      for (index, at) in word.range.enumerated() {
        let (own, other) = (lowercase(bytes[at]), table[offset + index])
        if own != other { return own < other ? -1 : 1 }
      }
      return table[offset + word.range.count] == 32 ? 0 : -1
    }
    var (low, high) = (0, colorStarts.count)
    while low < high {
      let middle = (low + high) / 2
      let offset = Int(colorStarts[middle])
      switch order(offset) {
      case 0: return named(table + offset + word.range.count + 1)
      case 1: low = middle + 1
      default: high = middle
      }
    }
    self = start
    return nil
  }
}

/// Returns the colour of six hexadecimal digits.
private func named(_ digits: UnsafePointer<UInt8>) -> PaintColor {
  func channel(_ index: Int) -> Double {
    let high = hexDigit(digits[2 * index]) ?? 0
    return Double(high * 16 + (hexDigit(digits[2 * index + 1]) ?? 0)) / 255
  }
  return PaintColor(color: Color(channel(0), channel(1), channel(2)))
}

/// Returns the colour of a hue, a saturation and a lightness. The hue is a fraction of a turn.
private func fromHue(_ hue: Double, saturation: Double, lightness: Double) -> Color {
  func channel(_ n: Double) -> Double {
    let turned = n + hue * 12
    let k = turned - 12 * Double(floor(turned / 12))
    let reach = saturation * min(lightness, 1 - lightness)
    return lightness - reach * max(-1, min(k - 3, 9 - k, 1))
  }
  return Color(channel(0), channel(8), channel(4))
}

/// The offsets in the table at which names begin, in the order of the names.
private let colorStarts: [Int16] = {
  var starts: [Int16] = []
  var offset = 0
  while offset < colorNames.utf8CodeUnitCount {
    starts.append(Int16(offset))
    while colorNames.utf8Start[offset] != 32 { offset += 1 }
    offset += 8
  }
  return starts
}()

/// All colour names with their values, in alphabetical order.
private let colorNames: StaticString =
  """
  aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc \
  bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a \
  burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 \
  cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b \
  darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 \
  darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc \
  darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b \
  darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 \
  deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff \
  firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc \
  ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f \
  grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 \
  khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd \
  lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 \
  lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a \
  lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 \
  lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 \
  magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 \
  mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a \
  mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa \
  mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 \
  olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa \
  palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 \
  peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 \
  red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 \
  sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb \
  slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f \
  steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 \
  violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
  """
