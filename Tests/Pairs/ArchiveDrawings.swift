// Compares archives without sources: draws the vectors that Apple's tool stored, and compares the
// results with the bitmaps that it made from them.

import Archive
import CarveRuntime
import Traits
import Vectors

/// Compares every bitmap of a catalogue whose vector is stored beside it.
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
        guard plain == key, isDrawn(raster, of: vector, catalog) else { continue }
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

/// Returns whether a bitmap was made from this vector, and not from the file for another scale,
/// which archives do not contain. Older tools stored the name of the vector without its ending, and
/// without a final "Template".
private func isDrawn(_ raster: Variant, of vector: Variant, _ catalog: Catalog) -> Bool {
  guard raster.content == .bitmap || raster.content == .atlasLink,
    let name = catalog.storedName(of: raster), name.hasSuffix(".pdf") || name.hasSuffix(".svg"),
    let kept = catalog.storedName(of: vector)
  else { return false }
  let stem = name.dropLast(4)
  return kept == name || kept == stem || kept + "Template" == stem
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
  let (drawing, source) = try VectorFile.read(file)
  var placement = try PagePlacement(
    source, width: drawing.width, height: drawing.height, scale: Double(raster.scale))
  // The file can have been in the slot of another scale.
  for slot in [2.0, 3] where !fits(placement, raster) {
    placement = try PagePlacement(
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
    name: name, kind: kind(of: drawing, source, placement.transform.a),
    scale: raster.scale, width: placement.width, height: placement.height, ours: ours,
    apples: apples)
}

private func fits(_ placement: PagePlacement, _ raster: Variant) -> Bool {
  placement.width == raster.pixelSize.width && placement.height == raster.pixelSize.height
}
