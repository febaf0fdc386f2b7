// TrueType fonts: outlines of quadratic curves, composite glyphs, and the tables that find glyphs.

import Bytes

struct TrueTypeFont {
  private let data: BigEndianBytes
  private var tables: [String: Range<Int>] = [:]
  let unitsPerEm: Double
  let glyphCount: Int
  private let hasLongOffsets: Bool
  /// The glyphs of the table `post` by their names.
  private let named: GlyphsByName
  /// The offsets of the subtables of `cmap`, by platform and encoding.
  private var maps: [(platform: Int, encoding: Int, offset: Int)] = []

  /// Reads a font; returns nil if the tables of outlines are missing, or if the header is damaged:
  /// it has neither its magic number nor a plausible number of units and a known form of offsets.
  init?(_ bytes: [UInt8], _ budget: Budget) {
    data = BigEndianBytes(bytes)
    named = GlyphsByName(budget)
    tables = Self.directory(data)
    guard let head = tables["head"], tables["glyf"] != nil, let loca = tables["loca"] else {
      return nil
    }
    let units = data.u16(head.lowerBound + 18)
    let isPlausible = (16...16_384).contains(units) && data.u16(head.lowerBound + 50) <= 1
    guard isPlausible || data.u32(head.lowerBound + 12) == 0x5F0F_3CF5 else { return nil }
    unitsPerEm = units > 0 ? Double(units) : 1000
    hasLongOffsets = data.u16(head.lowerBound + 50) != 0
    let locations = loca.count / (hasLongOffsets ? 4 : 2) - 1
    let stated = tables["maxp"].map { [data] in data.u16($0.lowerBound + 4) } ?? locations
    glyphCount = max(0, min(stated, locations))
    guard let map = tables["cmap"] else { return }
    for index in 0..<min(data.u16(map.lowerBound + 2), 32) {
      let record = map.lowerBound + 4 + 8 * index
      maps.append(
        (data.u16(record), data.u16(record + 2), map.lowerBound + data.u32(record + 4)))
    }
  }

  static func directory(_ data: BigEndianBytes) -> [String: Range<Int>] {
    var start = 0
    // In a collection, the first font is used.
    if data.u32(0) == 0x7474_6366 { start = data.u32(12) }
    var tables: [String: Range<Int>] = [:]
    for index in 0..<min(data.u16(start + 4), 256) {
      let record = start + 12 + 16 * index
      let name = data.clamped(record, count: 4)
      tables[String(decoding: data.bytes[name], as: UTF8.self)] = data.clamped(
        data.u32(record + 8), count: data.u32(record + 12))
    }
    return tables
  }

  // MARK: Outlines

  func draw(_ glyph: Int, with pen: inout GlyphPen, depth: Int = 0) {
    guard depth < 8, pen.spend(), let range = outline(glyph) else { return }
    let contours = data.i16(range.lowerBound)
    if contours < 0 {
      drawParts(range, with: &pen, depth: depth)
    } else if contours > 0 {
      drawContours(contours, range, with: &pen)
    }
  }

  private func outline(_ glyph: Int) -> Range<Int>? {
    guard glyph >= 0, glyph < glyphCount, let loca = tables["loca"], let glyf = tables["glyf"]
    else {
      return nil
    }
    let size = hasLongOffsets ? 4 : 2
    let scale = hasLongOffsets ? 1 : 2
    let low = data.number(loca.lowerBound + glyph * size, size: size) * scale
    let high = data.number(loca.lowerBound + (glyph + 1) * size, size: size) * scale
    guard low + 10 <= high, low < glyf.count else { return nil }
    return data.clamped(glyf.lowerBound + low, count: min(high, glyf.count) - low)
  }

  private struct OutlinePoint {
    var x = 0.0
    var y = 0.0
    var isOn: Bool

    func middle(to other: OutlinePoint) -> OutlinePoint {
      OutlinePoint(x: (x + other.x) / 2, y: (y + other.y) / 2, isOn: true)
    }
  }

  private func drawContours(_ contours: Int, _ range: Range<Int>, with pen: inout GlyphPen) {
    let ends = range.lowerBound + 10
    let count = data.u16(ends + 2 * contours - 2) + 1
    var position = ends + 2 * contours
    position += 2 + data.u16(position)
    // A point can need far less than a byte: two bytes, a flag and its repeat count, describe up to
    // 256 points whose coordinates do not change.
    guard position < range.upperBound, count <= (range.upperBound - position) * 256,
      pen.spend(count)
    else { return }
    let points = readPoints(count: count, start: position, end: range.upperBound)
    var first = 0
    for contour in 0..<contours {
      let last = data.u16(ends + 2 * contour)
      guard last >= first, last < points.count else { return }
      drawContour(points[first...last], with: &pen)
      first = last + 1
    }
  }

  private func readPoints(count: Int, start: Int, end: Int) -> [OutlinePoint] {
    var position = start
    var flags: [Int] = []
    while flags.count < count, position < end {
      let flag = data.u8(position)
      position += 1
      var times = 1
      if flag & 8 != 0 {
        times += data.u8(position)
        position += 1
      }
      for _ in 0..<min(times, count - flags.count) { flags.append(flag) }
    }
    var points = flags.map { OutlinePoint(isOn: $0 & 1 != 0) }
    func coordinates(_ short: Int, _ same: Int, _ store: (Int, Double) -> Void) {
      var value = 0
      for (index, flag) in flags.enumerated() {
        if flag & short != 0 {
          value += flag & same != 0 ? data.u8(position) : -data.u8(position)
          position += 1
        } else if flag & same == 0 {
          value += data.i16(position)
          position += 2
        }
        store(index, Double(value))
      }
    }
    coordinates(2, 16) { points[$0].x = $1 }
    coordinates(4, 32) { points[$0].y = $1 }
    return points
  }

  /// Draws a contour. Between two consecutive control points, their midpoint lies on the curve.
  private func drawContour(_ points: ArraySlice<OutlinePoint>, with pen: inout GlyphPen) {
    guard let first = points.first, let last = points.last, points.count > 1 else { return }
    let start = first.isOn ? first : last.isOn ? last : first.middle(to: last)
    pen.move(start.x, start.y)
    var handle: OutlinePoint?
    func step(to point: OutlinePoint, _ pen: inout GlyphPen) {
      if let bend = handle {
        let end = point.isOn ? point : bend.middle(to: point)
        pen.quadratic(bend.x, bend.y, end.x, end.y)
        handle = point.isOn ? nil : point
      } else if point.isOn {
        pen.line(point.x, point.y)
      } else {
        handle = point
      }
    }
    for point in points.dropFirst(first.isOn ? 1 : 0) { step(to: point, &pen) }
    if handle != nil { step(to: start, &pen) }
    pen.close()
  }

  private func drawParts(_ range: Range<Int>, with pen: inout GlyphPen, depth: Int) {
    let outer = pen.transform
    var position = range.lowerBound + 10
    var more = true
    while more, position + 4 <= range.upperBound {
      let flags = data.u16(position)
      let glyph = data.u16(position + 2)
      position += 4
      var part = Transform.identity
      let isWide = flags & 1 != 0
      let (x, y) =
        isWide
        ? (data.i16(position), data.i16(position + 2))
        : (
          Int(Int8(truncatingIfNeeded: data.u8(position))),
          Int(Int8(truncatingIfNeeded: data.u8(position + 1)))
        )
      position += isWide ? 4 : 2
      // Otherwise the numbers are points that must coincide, which fonts embedded in PDF do not
      // use.
      if flags & 2 != 0 { (part.tx, part.ty) = (Double(x), Double(y)) }
      func fraction() -> Double {
        position += 2
        return Double(data.i16(position - 2)) / 16384
      }
      if flags & 8 != 0 {
        part.a = fraction()
        part.d = part.a
      } else if flags & 0x40 != 0 {
        part.a = fraction()
        part.d = fraction()
      } else if flags & 0x80 != 0 {
        part.a = fraction()
        part.b = fraction()
        part.c = fraction()
        part.d = fraction()
      }
      pen.transform = part.then(outer)
      draw(glyph, with: &pen, depth: depth + 1)
      more = flags & 0x20 != 0 && pen.spend()
    }
    pen.transform = outer
  }
}

// MARK: Finding glyphs

extension TrueTypeFont {
  /// Returns the glyph of a character in the map of a platform and encoding, 0 if the map has no
  /// glyph for it; nil if there is no such map.
  func glyph(_ character: Int, platform: Int, encoding: Int) -> Int? {
    for map in maps where map.platform == platform && map.encoding == encoding {
      return lookUp(character, at: map.offset)
    }
    return nil
  }

  func hasMap(platform: Int, encoding: Int) -> Bool {
    maps.contains { $0.platform == platform && $0.encoding == encoding }
  }

  /// Returns the glyph of a Unicode character from the first map that contains it.
  func glyph(unicode character: Int) -> Int? {
    for map in maps where map.platform == 0 || map.platform == 3 && map.encoding != 0 {
      let glyph = lookUp(character, at: map.offset)
      if glyph > 0 { return glyph }
    }
    return nil
  }

  private func lookUp(_ character: Int, at start: Int) -> Int {
    switch data.u16(start) {
    case 0: return character < 256 ? data.u8(start + 6 + character) : 0
    case 4: return lookUpSegments(character, start)
    case 6:
      let index = character - data.u16(start + 6)
      return index >= 0 && index < data.u16(start + 8) ? data.u16(start + 10 + 2 * index) : 0
    case 12:
      var (low, high) = (0, min(data.u32(start + 12), data.count / 12))
      while low < high {
        let middle = (low + high) / 2
        let group = start + 16 + 12 * middle
        if character > data.u32(group + 4) {
          low = middle + 1
        } else if character < data.u32(group) {
          high = middle
        } else {
          return data.u32(group + 8) + character - data.u32(group)
        }
      }
      return 0
    default: return 0
    }
  }

  private func lookUpSegments(_ character: Int, _ start: Int) -> Int {
    guard character <= 0xFFFF else { return 0 }
    let size = data.u16(start + 6) & ~1
    // The first segment whose end is not before the character.
    var (low, high) = (0, min(size, max(data.count - start, 0)) / 2)
    while low < high {
      let middle = (low + high) / 2
      if data.u16(start + 14 + 2 * middle) >= character { high = middle } else { low = middle + 1 }
    }
    guard 2 * low < size else { return 0 }
    let end = start + 14 + 2 * low
    let first = data.u16(end + size + 2)
    guard first <= character, data.u16(end) >= character else { return 0 }
    let delta = data.u16(end + 2 * size + 2)
    let offset = end + 3 * size + 2
    let indirection = data.u16(offset)
    if indirection == 0 { return (character + delta) & 0xFFFF }
    let glyph = data.u16(offset + indirection + 2 * (character - first))
    return glyph == 0 ? 0 : (glyph + delta) & 0xFFFF
  }

  /// Returns the advance of a glyph, in units of the font.
  func advance(_ glyph: Int) -> Double? {
    guard let head = tables["hhea"], let widths = tables["hmtx"], glyph >= 0, glyph < glyphCount
    else { return nil }
    let last = data.u16(head.lowerBound + 34) - 1
    return last < 0 ? nil : Double(data.u16(widths.lowerBound + 4 * min(glyph, last)))
  }

  /// Returns the glyph of a name, from the table `post`.
  func glyph(named name: String) -> Int? {
    guard let post = tables["post"] else { return nil }
    if data.u32(post.lowerBound) == 0x0001_0000 {
      return GlyphNames.macintosh.firstIndex(of: name).flatMap { $0 < glyphCount ? $0 : nil }
    }
    guard data.u32(post.lowerBound) == 0x0002_0000 else { return nil }
    return named.glyph(name) { glyphsByName(in: post) }
  }

  /// Returns the glyphs of all names. Names other than the standard ones follow one another, each
  /// with its length in front. The first of equal names counts.
  private func glyphsByName(in post: Range<Int>) -> [[UInt8]: Int] {
    var numbers: [[UInt8]: Int] = [:]
    for (number, name) in GlyphNames.macintosh.enumerated() where numbers[Array(name.utf8)] == nil {
      numbers[Array(name.utf8)] = number
    }
    var position = post.lowerBound + 34 + 2 * data.u16(post.lowerBound + 32)
    for number in 258...0xFFFF where position < post.upperBound {
      let length = data.u8(position)
      let name = Array(data.bytes[data.clamped(position + 1, count: length)])
      guard named.pay(for: name) else { return [:] }
      if numbers[name] == nil { numbers[name] = number }
      position += 1 + length
    }
    let count = min(data.u16(post.lowerBound + 32), glyphCount)
    guard named.pay(forGlyphs: count) else { return [:] }
    var glyphs: [Int: Int] = [:]
    for glyph in (0..<count).reversed() {
      glyphs[data.u16(post.lowerBound + 34 + 2 * glyph)] = glyph
    }
    return numbers.compactMapValues { glyphs[$0] }
  }
}

/// The glyphs of a font program by their names. The table is made when the first name is looked up.
final class GlyphsByName {
  private var glyphs: [[UInt8]: Int]?
  private let budget: Budget

  init(_ budget: Budget) { self.budget = budget }

  func glyph(_ name: String, _ make: () -> [[UInt8]: Int]) -> Int? {
    let known = glyphs ?? make()
    glyphs = known
    return known[Array(name.utf8)]
  }

  /// Charges the numbers of glyphs, which need memory only while the table is made.
  func pay(forGlyphs count: Int) -> Bool {
    guard budget.spend(.names, count), budget.borrow(.names, bytes: 48 * count) else {
      return false
    }
    budget.giveBack(.names, bytes: 48 * count)
    return true
  }

  /// Charges a name of the table. Returns false if the budget is exceeded.
  func pay(for name: [UInt8]) -> Bool {
    budget.spend(.names, 3) && budget.borrow(.names, bytes: 128 + name.count)
  }
}
