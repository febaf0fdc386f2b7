// Fonts of a few glyphs for tests, in all formats. Glyphs have 1000 units for each em; `A` is a
// square of 500 units at the origin.

/// Fonts as bytes, which the tests put into a PDF.
enum FontSketch {
  static func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
  static func long(_ value: Int) -> [UInt8] { word(value >> 16) + word(value) }

  // MARK: TrueType

  /// Returns a glyph of one contour. Each point is its x, its y, and whether it lies on the curve.
  static func contour(_ points: [(Int, Int, Bool)]) -> [UInt8] {
    var bytes = word(1) + [UInt8](repeating: 0, count: 8) + word(points.count - 1) + word(0)
    bytes += points.map { $0.2 ? 1 : 0 }
    for axis in [points.map(\.0), points.map(\.1)] {
      var last = 0
      for value in axis {
        bytes += word(value - last)
        last = value
      }
    }
    return bytes.count % 2 == 0 ? bytes : bytes + [0]
  }

  static let square = contour([(0, 0, true), (500, 0, true), (500, 500, true), (0, 500, true)])
  /// A disc of four points that are not on the curve.
  static let disc = contour([(0, 0, false), (500, 0, false), (500, 500, false), (0, 500, false)])

  /// Returns a component of a composite glyph: the glyph `number`, moved and in half its size.
  static func part(_ number: Int, x: Int, y: Int, isLast: Bool) -> [UInt8] {
    word(0x1 | 0x2 | 0x8 | (isLast ? 0 : 0x20)) + word(number) + word(x) + word(y) + word(0x2000)
  }

  static func composite(_ parts: [UInt8]) -> [UInt8] {
    word(0xFFFF) + [UInt8](repeating: 0, count: 8) + parts
  }

  /// Returns a TrueType font. Glyph 0 is empty. `map` is a subtable of `cmap` for a platform and an
  /// encoding.
  static func trueType(
    _ glyphs: [[UInt8]], map: [UInt8]?, platform: Int = 1, encoding: Int = 0, post: [UInt8]? = nil
  ) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: 54)
    head.replaceSubrange(18..<20, with: word(1000))
    head[51] = 1
    var loca = long(0) + long(0)
    var glyf: [UInt8] = []
    for glyph in glyphs {
      glyf += glyph
      loca += long(glyf.count)
    }
    let maxp = long(0x10000) + word(glyphs.count + 1)
    var tables = [("glyf", glyf), ("head", head), ("loca", loca), ("maxp", maxp)]
    if let map {
      let header = word(0) + word(1) + word(platform) + word(encoding) + long(12)
      tables.insert(("cmap", header + map), at: 0)
    }
    if let post { tables.append(("post", post)) }
    var directory = long(0x10000) + word(tables.count) + [0, 0, 0, 0, 0, 0]
    var body: [UInt8] = []
    for (name, bytes) in tables {
      directory += Array(name.utf8) + long(0)
      directory += long(12 + 16 * tables.count + body.count) + long(bytes.count)
      body += bytes
    }
    return directory + body
  }

  /// Returns a subtable of `cmap` with one byte for each code (format 0).
  static func byteMap(_ glyphs: [Int: UInt8]) -> [UInt8] {
    word(0) + word(262) + word(0) + (0..<256).map { glyphs[$0] ?? 0 }
  }

  /// Returns a subtable of `cmap` with a segment for each character, and the final segment (format
  /// 4).
  static func segmentMap(_ glyphs: [(character: Int, glyph: Int)]) -> [UInt8] {
    let ends = glyphs.map(\.character) + [0xFFFF]
    let count = ends.count
    var bytes = word(4) + word(16 + 8 * count) + word(0) + word(2 * count) + word(0) + word(0)
    bytes += word(0) + ends.flatMap(word) + word(0) + ends.flatMap(word)
    bytes += glyphs.flatMap { word($0.glyph - $0.character) } + word(1)
    return bytes + (0..<count).flatMap { _ in word(0) }
  }

  // MARK: CFF

  static func number(_ value: Int) -> [UInt8] { [28] + word(value) }

  /// Returns operands.
  static func step(_ values: Int...) -> [UInt8] { values.flatMap(number) }

  /// Returns operands followed by an operator of one byte.
  static func step(_ values: Int..., do operation: UInt8) -> [UInt8] {
    values.flatMap(number) + [operation]
  }

  /// The square as a charstring of CFF.
  static let squareString =
    step(0, 0, do: 21) + step(500, do: 6) + step(500, do: 7) + step(-500, do: 6) + [14]

  private static func index(_ entries: [[UInt8]]) -> [UInt8] {
    guard !entries.isEmpty else { return [0, 0] }
    var bytes = word(entries.count) + [2]
    var offset = 1
    for entry in entries {
      bytes += word(offset)
      offset += entry.count
    }
    return bytes + word(offset) + entries.flatMap { $0 }
  }

  private static func fixed(_ value: Int) -> [UInt8] { [29] + long(value) }

  /// Returns a CFF font. The glyphs after .notdef have the names or characters of `charset`.
  static func cff(
    _ glyphs: [[UInt8]], charset: [Int], subroutines: [[UInt8]] = [], globals: [[UInt8]] = [],
    isCID: Bool = false
  ) -> [UInt8] {
    let head: [UInt8] = [1, 0, 4, 2] + index([Array("F".utf8)])
    let strings = index(isCID ? [Array("Adobe".utf8), Array("Identity".utf8)] : [])
    let rest = strings + index(globals)
    let size = isCID ? 43 : 23
    let start = head.count + 2 + 1 + 4 + size + rest.count
    let set = [0] + charset.flatMap(word)
    let code = index([[14]] + glyphs)
    // A private DICT states the distance from its own start to its subroutines.
    let inner = fixed(6) + [19]
    let local = index(subroutines)
    let charsetAt = start
    let codeAt = charsetAt + set.count
    let innerAt = codeAt + code.count
    let arrayAt = innerAt + inner.count + local.count
    let dictionary = fixed(inner.count) + fixed(innerAt) + [18]
    let array = index([dictionary])
    var top: [UInt8] = []
    if isCID { top += fixed(391) + fixed(392) + fixed(0) + [12, 30] }
    top += fixed(charsetAt) + [15] + fixed(codeAt) + [17]
    if isCID {
      top += fixed(arrayAt) + [12, 36] + fixed(arrayAt + array.count) + [12, 37]
    } else {
      top += dictionary
    }
    let select = [0] + [UInt8](repeating: 0, count: glyphs.count + 1)
    precondition(top.count == size)
    let tables: [[UInt8]] = [head, index([top]), rest, set, code, inner, local, array, select]
    return tables.flatMap { $0 }
  }

  // MARK: Type 1

  static func encrypted(_ bytes: [UInt8], key: UInt16) -> [UInt8] {
    var key = key
    return ([0, 0, 0, 0] + bytes).map { byte in
      let code = byte ^ UInt8(key >> 8)
      key = (UInt16(code) &+ key) &* 52845 &+ 22719
      return code
    }
  }

  /// Returns numbers and an operator of a Type 1 charstring. Type 1 has no numbers of two bytes, so
  /// each number takes five.
  static func steps1(_ values: Int..., do operation: UInt8...) -> [UInt8] {
    values.flatMap { [255] + long($0) } + operation
  }

  static let square1 =
    steps1(0, 600, do: 13) + steps1(0, 0, do: 21) + steps1(500, do: 6) + steps1(500, do: 7)
    + steps1(-500, do: 6) + [9, 14]

  static func type1(
    _ glyphs: [(String, [UInt8])], subroutines: [[UInt8]] = [],
    encoding: String = "StandardEncoding def"
  ) -> [UInt8] {
    let clear = "%!FontType1\n/FontMatrix [0.001 0 0 0.001 0 0] def /Encoding \(encoding)\neexec\n"
    var secret = Array(
      "dup /Private 9 dict dup begin /lenIV 4 def /Subrs \(subroutines.count) array\n".utf8)
    for (number, bytes) in subroutines.enumerated() {
      let code = encrypted(bytes, key: 4330)
      secret += Array("dup \(number) \(code.count) RD ".utf8) + code + Array(" NP\n".utf8)
    }
    secret += Array("/CharStrings \(glyphs.count) dict dup begin\n".utf8)
    for (name, bytes) in glyphs {
      let code = encrypted(bytes, key: 4330)
      secret += Array("/\(name) \(code.count) -| ".utf8) + code + Array(" |-\n".utf8)
    }
    return Array(clear.utf8) + encrypted(secret + Array("end".utf8), key: 55665)
  }
}
