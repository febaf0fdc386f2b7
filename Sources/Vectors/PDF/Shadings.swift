// Shadings: colours along a line, between two circles, or by a function of the place. Meshes.swift
// reads shadings of triangles and patches.

import Bytes

extension ContentReader {
  /// Performs `sh`.
  func paintShading() {
    let value = resource("Shading", name(0))
    guard !isHidden, !value.isNull,
      let index = shading(value, transform: state.transform, isPattern: false)
    else { return }
    add(Item(.everything, .shading(index)), alpha: state.fillAlpha)
  }

  /// Adds the shading of a dictionary to the drawing and returns its index.
  func shading(_ value: PDFValue, transform: Transform, isPattern: Bool) -> Int32? {
    let resolved = file.resolve(value)
    guard budget.spend(.objects, 4), let dictionary = resolved.dictionary,
      let space = colorSpace(named: dictionary["ColorSpace"])
    else { return nil }
    note(inks: space)
    guard var shading = known(value) ?? make(resolved, dictionary, space, transform)
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
    _ resolved: PDFValue, _ dictionary: PDFDictionary, _ space: ColorSpace, _ transform: Transform
  ) -> Shading? {
    let source = ShadingSource(
      dictionary: dictionary, space: space, function: file.function(dictionary["Function"]))
    return switch file.int(dictionary["ShadingType"]) {
    case 1: functionShading(source, transform)
    case 2, 3: gradient(source, transform)
    case 4, 5, 6, 7: resolved.stream.flatMap { mesh($0, source, transform) }
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
      refine(first, GradientStop(offset: end, color: color(end)), depth: 0, &stops, color, budget)
    }
    return Self.thinned(stops)
  }

  private func refine(
    _ first: GradientStop, _ last: GradientStop, depth: Int, _ stops: inout [GradientStop],
    _ color: (Double) -> Color, _ budget: Budget
  ) {
    let offset = (first.offset + last.offset) / 2
    let middle = GradientStop(offset: offset, color: color(offset))
    if depth < 6, budget.spend(.gradientStops, 8), !middle.isBetween(first, last) {
      refine(first, middle, depth: depth + 1, &stops, color, budget)
      refine(middle, last, depth: depth + 1, &stops, color, budget)
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
