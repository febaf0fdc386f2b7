// A bitmap that Apple's tool made of a vector, beside what is drawn of the vector here.

import Archive
import CarveRuntime
import Traits
import Vectors

struct Comparison {
  enum Kind: String, CaseIterable {
    case fill, stroke, thinStroke = "thin stroke", group = "group alpha", gradient, mask, blend
    case image, pattern, svg = "SVG"
  }

  var name: String
  var kind: Kind
  var scale: Int
  var width: Int
  var height: Int
  /// Premultiplied pixels, blue in the lowest byte.
  var ours: [UInt32]
  var apples: [UInt32]
  /// How many pixels differ by how much, in the channel that differs most.
  private var counts = [Int](repeating: 0, count: 256)

  init(
    name: String, kind: Kind, scale: Int, width: Int, height: Int, ours: [UInt32],
    apples: [UInt32]
  ) {
    self.name = name
    self.kind = kind
    self.scale = scale
    self.width = width
    self.height = height
    self.ours = ours
    self.apples = apples
    for (a, b) in zip(ours, apples) { counts[Comparison.difference(a, b)] += 1 }
  }

  static func difference(_ a: UInt32, _ b: UInt32) -> Int {
    [0, 8, 16, 24].map { abs(Int(a >> UInt32($0) & 255) - Int(b >> UInt32($0) & 255)) }.max() ?? 0
  }

  func share(within most: Int) -> Double {
    Double(counts[...most].reduce(0, +)) / Double(max(1, width * height))
  }

  var worst: Int { counts.lastIndex { $0 > 0 } ?? 0 }

  /// The mean square of the differences.
  var error: Double {
    let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.offset * $1.element) }
    return sum / Double(max(1, width * height))
  }

  var line: String {
    let tenths = Int(share(within: 1) * 1_000)
    return "\(name) @\(scale)x \(width)×\(height) \(kind.rawValue): worst \(worst), "
      + "within 1: \(tenths / 10).\(tenths % 10)%, error \(Int(error * 100))"
  }
}

/// Compares every bitmap of a catalogue that has its vector beside it.
func compareVectors(
  of catalog: Catalog, _ comparisons: inout [Comparison], _ failures: inout [String]
) {
  var rasterizer = Rasterizer()
  var seen: Set<[UInt32]> = []
  for asset in catalog.assets where asset.kind == .image {
    let variants = catalog.keys(of: asset.id).enumerated().compactMap { place, key in
      catalog.variant(place, of: asset.id).map { (key: key, variant: $0) }
    }
    for (key, vector) in variants where vector.isVector {
      for (otherKey, raster) in variants where !raster.isVector {
        var plain = otherKey
        plain.scale = key.scale
        guard plain == key, isDrawn(raster, catalog) else { continue }
        do {
          let comparison = try compare(raster, vector, asset.name, catalog, &rasterizer)
          if seen.insert(comparison.apples).inserted { comparisons.append(comparison) }
        } catch {
          failures.append("\(asset.name) @\(raster.scale)x: \(error)")
        }
      }
    }
  }
}

/// Whether a bitmap has the name of a vector.
private func isDrawn(_ raster: Variant, _ catalog: Catalog) -> Bool {
  guard raster.content == .bitmap || raster.content == .atlasLink,
    let name = catalog.storedName(of: raster)
  else { return false }
  return name.hasSuffix(".pdf") || name.hasSuffix(".svg")
}

private struct NoSuchSize: Error {
  var width: Double
  var height: Double
  var pixels: PixelSize
}

private func compare(
  _ raster: Variant, _ vector: Variant, _ name: String, _ catalog: Catalog,
  _ rasterizer: inout Rasterizer
) throws -> Comparison {
  let file = try catalog.file(of: vector)
  let drawing = try readVector(file, vector.content)
  let source: Placement.Source = vector.content == .svg ? .svg : .pdf
  var placement = try Placement(
    source, width: drawing.width, height: drawing.height, scale: Double(raster.scale))
  // The file may have been in the slot of another scale.
  for slot in [2.0, 3] where !fits(placement, raster) {
    placement = try Placement(
      source, width: drawing.width, height: drawing.height, scale: Double(raster.scale) / slot)
  }
  guard fits(placement, raster) else {
    throw NoSuchSize(width: drawing.width, height: drawing.height, pixels: raster.pixelSize)
  }
  let count = placement.width * placement.height
  var ours = [UInt32](repeating: 0, count: count)
  var apples = ours
  try ours.withUnsafeMutableBytes {
    try rasterizer.draw(drawing, placement, into: $0, bytesPerRow: placement.width * 4)
  }
  try apples.withUnsafeMutableBytes {
    try catalog.decode(raster, as: .bgra8, into: $0, rowStride: placement.width * 4)
  }
  return Comparison(
    name: name, kind: source == .svg ? .svg : kind(of: drawing, placement.transform.a),
    scale: raster.scale, width: placement.width, height: placement.height, ours: ours,
    apples: apples)
}

private func fits(_ placement: Placement, _ raster: Variant) -> Bool {
  placement.width == raster.pixelSize.width && placement.height == raster.pixelSize.height
}

func readVector(_ file: [UInt8], _ content: RenditionContent) throws -> Drawing {
  if content == .svg { return try SVG.read(file) }
  return try file.withUnsafeBytes { try PDFDocument.read($0) }
}

/// What is hardest to draw in a drawing.
private func kind(of drawing: Drawing, _ scale: Double) -> Comparison.Kind {
  if !drawing.images.isEmpty { return .image }
  if !drawing.masks.isEmpty { return .mask }
  if !drawing.patterns.isEmpty { return .pattern }
  if !drawing.shadings.isEmpty { return .gradient }
  var kind = Comparison.Kind.fill
  for item in drawing.page + drawing.scenes.joined() {
    if item.blend != .normal { return .blend }
    switch item.shape {
    case .group: kind = .group
    case .stroke(_, let stroke):
      let size = item.transform.determinant.magnitude.squareRoot() * scale * stroke.width
      if size <= 1 { return .thinStroke }
      if kind == .fill { kind = .stroke }
    default: if item.alpha < 1, kind == .fill { kind = .group }
    }
  }
  return kind
}
