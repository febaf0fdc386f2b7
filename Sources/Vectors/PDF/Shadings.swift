// Shadings: colours along a line, between two circles, by a function of the place, and in
// triangles and patches.

import Bytes

extension ContentReader {
  /// Performs `sh`.
  func paintShading() {
    let value = resource("Shading", name(0))
    guard !isHidden, let index = shading(value, transform: state.transform, isPattern: false)
    else { return }
    add(Item(.everything, .shading(index)), alpha: state.fillAlpha)
  }

  /// Adds the shading of a dictionary to the drawing and returns its index.
  func shading(_ value: PDFValue, transform: Transform, isPattern: Bool) -> Int32? {
    let resolved = file.resolve(value)
    guard budget.spend(.objects, 4) else { return nil }
    guard let dictionary = resolved.dictionary,
      let space = colorSpace(named: dictionary["ColorSpace"])
    else {
      file.note(.missingObject)
      return nil
    }
    note(inks: space)
    guard
      var shading = known(value)
        ?? make(resolved, dictionary: dictionary, space: space, transform: transform)
    else {
      drawing.note(.shading)
      return nil
    }
    shading.transform = transform
    // A shading is kept only if its colour space does not depend on the resources of this stream.
    // Names of device spaces have the same meaning everywhere.
    if let number = value.reference, dictionary["ColorSpace"].name?.hasPrefix("Device") ?? true {
      shadings[number] = shading
    }
    shading.box = file.rect(dictionary["BBox"])
    if isPattern, let values = file.numbers(dictionary["Background"]) {
      shading.background = space.color(values)
    }
    return drawing.addShading(shading)
  }

  /// Returns the shading that was made for an object before, so that its stops and triangles are
  /// shared.
  private func known(_ value: PDFValue) -> Shading? {
    value.reference.flatMap { shadings[$0] }
  }

  private func make(
    _ resolved: PDFValue, dictionary: PDFDictionary, space: ColorSpace, transform: Transform
  ) -> Shading? {
    let source = ShadingSource(
      dictionary: dictionary, space: space, function: file.function(dictionary["Function"]))
    return switch file.int(dictionary["ShadingType"]) {
    case 1: functionShading(source, transform)
    case 2, 3: gradient(source, transform)
    case 4, 5, 6, 7: resolved.stream.flatMap { mesh($0, source: source, transform: transform) }
    default: nil
    }
  }

  private func gradient(_ source: ShadingSource, _ transform: Transform) -> Shading? {
    let dictionary = source.dictionary
    guard let c = file.numbers(dictionary["Coords"]), source.function != nil else { return nil }
    let geometry: Shading.Geometry
    if file.int(dictionary["ShadingType"]) == 2 {
      guard c.count >= 4 else { return nil }
      geometry = .axial(from: Point(c[0], c[1]), to: Point(c[2], c[3]))
    } else {
      guard c.count >= 6 else { return nil }
      geometry = .radial(
        from: Point(c[0], c[1]), fromRadius: max(c[2], 0), to: Point(c[3], c[4]),
        toRadius: max(c[5], 0))
    }
    let domain = file.numbers(dictionary["Domain"]) ?? [0, 1]
    guard domain.count >= 2 else { return nil }
    var shading = Shading(
      geometry, stops: drawing.addStops(source.stops(from: domain[0], to: domain[1], budget)),
      transform: transform)
    let extend = file.array(dictionary["Extend"]) ?? []
    shading.extendsStart = extend.first.flatMap { file.bool($0) } ?? false
    shading.extendsEnd = extend.count > 1 && file.bool(extend[1]) ?? false
    return shading
  }

  /// Makes a shading from a function of the place, as a grid that is so fine that interpolation
  /// inside its cells looks the same as the function.
  private func functionShading(_ source: ShadingSource, _ transform: Transform) -> Shading? {
    let domain = file.numbers(source.dictionary["Domain"]) ?? [0, 1, 0, 1]
    guard domain.count >= 4, let function = source.function else { return nil }
    let matrix = file.transform(source.dictionary["Matrix"]) ?? .identity
    let count = 64
    var grid: [MeshVertex] = []
    for row in 0...count {
      for column in 0...count {
        let x = domain[0] + (domain[1] - domain[0]) * Double(column) / Double(count)
        let y = domain[2] + (domain[3] - domain[2]) * Double(row) / Double(count)
        guard budget.spend(.gradientStops, 4) else { return nil }
        grid.append(
          MeshVertex(matrix.apply(Point(x, y)), source.space.color(function.evaluate([x, y]))))
      }
    }
    let triangles = MeshTriangles.grid(grid, columns: count + 1)
    return Shading(.mesh(drawing.addVertices(triangles)), stops: .none, transform: transform)
  }
}

/// The entries that all kinds of shadings have.
struct ShadingSource {
  var dictionary: PDFDictionary
  var space: ColorSpace
  var function: PDFFunction?

  func color(at t: Double) -> Color { space.color(function?.evaluate([t]) ?? [t]) }

  /// Returns stops from 0 to 1 for the function between two arguments. The number of stops depends
  /// on how much the function bends.
  func stops(from low: Double, to high: Double, _ budget: Budget) -> [GradientStop] {
    let parts = 32
    budget.spend(.gradientStops, 8 * parts)
    func color(_ offset: Double) -> Color { self.color(at: low + (high - low) * offset) }
    var stops = [GradientStop(offset: 0, color: color(0))]
    for part in 1...parts {
      let end = Double(part) / Double(parts)
      let first = stops[stops.count - 1]
      refine(
        first, GradientStop(offset: end, color: color(end)), depth: 0, stops: &stops, color: color,
        budget: budget)
    }
    return Self.thinned(stops)
  }

  private func refine(
    _ first: GradientStop, _ last: GradientStop, depth: Int, stops: inout [GradientStop],
    color: (Double) -> Color, budget: Budget
  ) {
    let offset = (first.offset + last.offset) / 2
    let middle = GradientStop(offset: offset, color: color(offset))
    if depth < 6, budget.spend(.gradientStops, 8), !middle.isBetween(first, last) {
      refine(first, middle, depth: depth + 1, stops: &stops, color: color, budget: budget)
      refine(middle, last, depth: depth + 1, stops: &stops, color: color, budget: budget)
    } else {
      stops.append(last)
    }
  }

  /// Removes stops that lie on the line between their neighbours.
  private static func thinned(_ stops: [GradientStop]) -> [GradientStop] {
    var result = [stops[0]]
    var index = 1
    while index < stops.count {
      var next = index
      while next + 1 < stops.count,
        stops[index...next].allSatisfy({ $0.isBetween(result[result.count - 1], stops[next + 1]) }),
        next - index < 40
      {
        next += 1
      }
      result.append(stops[next])
      index = next + 1
    }
    return result
  }
}

extension GradientStop {
  /// Returns whether mixing two other stops gives this colour, with an error of at most an eighth
  /// of a unit of a byte.
  fileprivate func isBetween(_ first: GradientStop, _ last: GradientStop) -> Bool {
    guard last.offset > first.offset else { return false }
    let part = (offset - first.offset) / (last.offset - first.offset)
    func isNear(_ a: Double, _ b: Double, _ value: Double) -> Bool {
      abs(a + (b - a) * part - value) < 0.0005
    }
    return isNear(first.color.red, last.color.red, color.red)
      && isNear(first.color.green, last.color.green, color.green)
      && isNear(first.color.blue, last.color.blue, color.blue)
  }
}

// MARK: - Meshes

// Shadings of triangles and of patches. Each patch is divided into a grid of triangles.

extension ContentReader {
  func mesh(_ stream: PDFStream, source: ShadingSource, transform: Transform) -> Shading? {
    let type = file.int(source.dictionary["ShadingType"]) ?? 4
    guard var reader = MeshReader(file, stream, source) else { return nil }
    var triangles: [MeshVertex] = []
    switch type {
    case 4: triangles = reader.freeTriangles()
    case 5:
      guard let columns = file.int(source.dictionary["VerticesPerRow"]), columns >= 2,
        columns < 1 << 16
      else { return nil }
      triangles = MeshTriangles.grid(reader.vertices(), columns: columns)
    default: triangles = reader.patches(isTensor: type == 7)
    }
    var stops = ListRange.none
    if source.function != nil {
      stops = drawing.addStops(
        source.stops(from: reader.colorEnds[0], to: reader.colorEnds[1], budget))
    }
    let span = drawing.addVertices(triangles)
    countMemory()
    // The triangles now count as a part of the drawing.
    budget.hold(.vertices, bytes: 0)
    return Shading(.mesh(span), stops: stops, transform: transform)
  }
}

enum MeshTriangles {
  /// Returns two triangles for each cell of a grid.
  static func grid(_ vertices: [MeshVertex], columns: Int) -> [MeshVertex] {
    var result: [MeshVertex] = []
    let rows = vertices.count / columns
    guard rows >= 2 else { return [] }
    result.reserveCapacity((rows - 1) * (columns - 1) * 6)
    for row in 0..<rows - 1 {
      for column in 0..<columns - 1 {
        let index = row * columns + column
        let below = index + columns
        result += [vertices[index], vertices[index + 1], vertices[below]]
        result += [vertices[index + 1], vertices[below], vertices[below + 1]]
      }
    }
    return result
  }
}

/// A reader of the bits of a mesh.
struct MeshReader {
  private var bits: BitReader
  private let budget: Budget
  private let source: ShadingSource
  private let coordinateBits: Int
  private let componentBits: Int
  private let flagBits: Int
  private let decode: [Double]
  private let components: Int

  /// The range of the first component, which is the argument of the function if the shading has
  /// one.
  var colorEnds: [Double] { [decode[4], decode[5]] }

  init?(_ file: PDFFile, _ stream: PDFStream, _ source: ShadingSource) {
    let dictionary = source.dictionary
    components = source.function == nil ? source.space.components : 1
    guard let coordinateBits = file.int(dictionary["BitsPerCoordinate"]),
      let componentBits = file.int(dictionary["BitsPerComponent"]),
      let decode = file.numbers(dictionary["Decode"]), decode.count >= 4 + 2 * components,
      (1...32).contains(coordinateBits), (1...16).contains(componentBits), components >= 1
    else { return nil }
    self.coordinateBits = coordinateBits
    self.componentBits = componentBits
    self.decode = decode
    self.source = source
    flagBits = min(max(file.int(dictionary["BitsPerFlag"]) ?? 8, 1), 8)
    budget = file.budget
    bits = BitReader(file.decoded(stream))
  }

  private mutating func coordinate(_ index: Int) -> Double {
    let value = Double(bits.take(coordinateBits)) / Double(1 << coordinateBits - 1)
    return decode[index] + value * (decode[index + 1] - decode[index])
  }

  private mutating func point() -> Point { Point(coordinate(0), coordinate(2)) }

  /// Reads a colour. If the shading has a function, red is the place of the argument within its
  /// range.
  private mutating func color() -> Color {
    var values: [Double] = []
    for component in 0..<components {
      let value = Double(bits.take(componentBits)) / Double(1 << componentBits - 1)
      let low = decode[4 + 2 * component]
      values.append(
        source.function == nil ? low + value * (decode[5 + 2 * component] - low) : value)
    }
    return source.function == nil ? source.space.color(values) : Color(values[0], 0, 0)
  }

  private mutating func vertex() -> MeshVertex { MeshVertex(point(), color()) }

  /// Returns whether there are more bits, and budget for the vertices that follow.
  private mutating func hasMore(_ corners: Int) -> Bool {
    !bits.isAtEnd && budget.spend(.vertices, corners)
      && budget.borrow(.vertices, bytes: 2 * corners * MemoryLayout<MeshVertex>.stride)
  }

  /// Reads vertices in rows, without flags.
  mutating func vertices() -> [MeshVertex] {
    var result: [MeshVertex] = []
    while hasMore(8) {
      result.append(vertex())
      bits.alignToByte()
    }
    return result
  }

  /// Reads triangles. A vertex begins a new triangle, or forms one with a side of the triangle
  /// before.
  mutating func freeTriangles() -> [MeshVertex] {
    var result: [MeshVertex] = []
    var corners: [MeshVertex] = []
    while hasMore(8) {
      let flag = bits.take(flagBits) & 3
      let new = vertex()
      bits.alignToByte()
      if corners.count < 3 {
        corners.append(new)
        if corners.count < 3 { continue }
      } else {
        switch flag {
        case 1: corners = [corners[1], corners[2], new]
        case 2: corners = [corners[0], corners[2], new]
        default:
          corners = [new]
          continue
        }
      }
      result += corners
    }
    return result
  }

  mutating func patches(isTensor: Bool) -> [MeshVertex] {
    var result: [MeshVertex] = []
    var last: Patch?
    while hasMore(600) {
      let flag = bits.take(flagBits) & 3
      var points: [Point] = []
      var colors: [Color] = []
      if flag > 0, let last { (points, colors) = last.side(flag) }
      let count = isTensor ? 16 : 12
      while points.count < count { points.append(point()) }
      while colors.count < 4 { colors.append(color()) }
      bits.alignToByte()
      let patch = Patch(points, colors)
      result += patch.triangles()
      last = patch
    }
    return result
  }
}

/// A patch of sixteen points. A Coons patch has twelve, from which the four points in the middle
/// are computed.
private struct Patch {
  /// The points in the order of the file: around the border, and then the middle.
  private let points: [Point]
  private let colors: [Color]

  init(_ points: [Point], _ colors: [Color]) {
    self.points = points
    self.colors = colors
  }

  /// Returns the points and colours that the next patch shares.
  func side(_ flag: Int) -> ([Point], [Color]) {
    let first = 3 * flag
    let shared = (0..<4).map { points[(first + $0) % 12] }
    return (shared, [colors[flag], colors[(flag + 1) % 4]])
  }

  /// The points in rows. The numbers are those of the border in the file:
  ///
  ///    0   1   2   3
  ///   11   ·   ·   4
  ///   10   ·   ·   5
  ///    9   8   7   6
  private var grid: [Point] {
    let p = points
    let border = [
      p[0], p[1], p[2], p[3], p[11], p[0], p[0], p[4], p[10], p[0], p[0], p[5], p[9], p[8], p[7],
      p[6],
    ]
    var grid = border
    if p.count >= 16 {
      (grid[5], grid[6], grid[10], grid[9]) = (p[12], p[13], p[14], p[15])
      return grid
    }
    func inner(
      _ corner: Int, near: Int, near2: Int, far: Int, far2: Int, side: Int, side2: Int,
      opposite: Int
    ) -> Point {
      func mix(_ v: (Point) -> Double) -> Double {
        let nearest = -4 * v(border[corner]) + 6 * (v(border[near]) + v(border[near2]))
        let middle = -2 * (v(border[far]) + v(border[far2]))
        return (nearest + middle + 3 * (v(border[side]) + v(border[side2])) - v(border[opposite]))
          / 9
      }
      return Point(mix { $0.x }, mix { $0.y })
    }
    grid[5] = inner(0, near: 1, near2: 4, far: 3, far2: 12, side: 13, side2: 7, opposite: 15)
    grid[6] = inner(3, near: 2, near2: 7, far: 0, far2: 15, side: 14, side2: 4, opposite: 12)
    grid[9] = inner(12, near: 8, near2: 13, far: 0, far2: 15, side: 11, side2: 1, opposite: 3)
    grid[10] = inner(15, near: 11, near2: 14, far: 12, far2: 3, side: 2, side2: 8, opposite: 0)
    return grid
  }

  func triangles() -> [MeshVertex] {
    let count = 10
    let grid = grid
    var vertices: [MeshVertex] = []
    for row in 0...count {
      let u = Double(row) / Double(count)
      let rows = Self.weights(u)
      for column in 0...count {
        let v = Double(column) / Double(count)
        let columns = Self.weights(v)
        var (x, y) = (0.0, 0.0)
        for index in 0..<16 {
          let weight = rows[index / 4] * columns[index % 4]
          x += weight * grid[index].x
          y += weight * grid[index].y
        }
        vertices.append(MeshVertex(Point(x, y), color(u, v)))
      }
    }
    return MeshTriangles.grid(vertices, columns: count + 1)
  }

  private static func weights(_ t: Double) -> [Double] {
    let s = 1 - t
    return [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
  }

  /// Returns the colour at a place of the patch. The colours of the file belong to the points 0, 3,
  /// 6 and 9.
  private func color(_ u: Double, _ v: Double) -> Color {
    func mix(_ channel: (Color) -> Double) -> Double {
      let first = channel(colors[0]) * (1 - v) + channel(colors[1]) * v
      let last = channel(colors[3]) * (1 - v) + channel(colors[2]) * v
      return first * (1 - u) + last * u
    }
    return Color(mix { $0.red }, mix { $0.green }, mix { $0.blue })
  }
}
