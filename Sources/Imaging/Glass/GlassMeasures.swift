// The measures of the plate and of the glass at each size of a bitmap. Lengths are in units of
// 1/1024 of the side of a Mac's bitmap. They were found by measuring pictures that Apple's tool
// drew. Docs/glass.md explains them.

/// The place of the plate on a square bitmap, in pixels.
struct PlatePlace {
  /// The free space on each side.
  var origin: Int
  var side: Int
  /// The pixels of one unit. The plate of a Mac has a side of 824 units.
  var unit: Float { Float(side) / 824 }

  init(_ plate: GlassPlate, bitmap: Int) {
    switch (plate, bitmap) {
    case (.square, _): origin = 0
    case (_, 256): origin = 24
    case (_, 32): origin = 2
    // The space is a hundred units, rounded down.
    default: origin = bitmap * 100 / 1024
    }
    side = bitmap - 2 * origin
  }
}

struct GlassMeasures {
  // The shadow of the plate.
  var plateBlur: Float
  var plateFall: Float
  var plateShade: Float
  // The rim of the plate.
  var rimWidth: Float
  var rimStrength: Float
  /// The width of the white line along the rim of a dark plate, in pixels.
  var lineWidth: Float
  // The edge of glass: the depth of the ring, and the band of light behind it.
  var ringDepth: Float
  var lightEnd: Float
  var lightWidth: Float
  var lightStrength: Float
  /// The share of the translucency in the ring.
  var ringClearness: Float
  /// The share of white in all glass at its edge.
  var lift: Float
  /// The strength of a neutral shadow of a layer.
  var layerShade: Float
  /// The number of pixels by which the layers are smaller than the plate.
  var shrinking: Float

  private static let rows: [(side: Float, measures: GlassMeasures)] = [
    (32, .init(51, 25.9, 0.314, 30.3, 0.78, 1.27, 23.6, 33, 21.9, 2.15, 0.6, 0.06, 0.06, 0.34)),
    (64, .init(33.9, 22.8, 0.238, 24, 0.9, 1.27, 10.3, 16.2, 17.7, 1.4, 0.47, 0.046, 0.094, 0.34)),
    (128, .init(33.1, 21.8, 0.239, 24.1, 0.88, 1.33, 5.9, 16, 15.8, 1.07, 0.67, 0.033, 0.1, 0.21)),
    (256, .init(20.6, 12.7, 0.243, 17.8, 1.08, 2, 2.9, 14.8, 13.1, 0.85, 0.58, 0.042, 0.1, 0.12)),
    (512, .init(16.1, 8.2, 0.248, 17.9, 1.05, 2.8, 5.3, 15.4, 17, 1.05, 0.58, 0.031, 0.1, 0)),
    (1024, .init(15.8, 8.1, 0.254, 17.2, 1, 1.25, 5.05, 14.8, 17, 1, 0.6, 0.028, 0.1, 0)),
  ]

  private init(_ values: Float...) {
    (plateBlur, plateFall, plateShade) = (values[0], values[1], values[2])
    (rimWidth, rimStrength, lineWidth) = (values[3], values[4], values[5])
    (ringDepth, lightEnd, lightWidth, lightStrength) = (values[6], values[7], values[8], values[9])
    (ringClearness, lift) = (values[10], values[11])
    (layerShade, shrinking) = (values[12], values[13])
  }

  /// Returns the measures for the side of a bitmap. Between two known sizes they are mixed.
  init(side: Int) {
    let rows = GlassMeasures.rows
    let side = Float(side)
    guard let next = rows.firstIndex(where: { $0.side >= side }) else {
      self = rows[rows.count - 1].measures
      return
    }
    let (upper, lower) = (rows[next], rows[max(0, next - 1)])
    let share = next == 0 ? 1 : (side - lower.side) / (upper.side - lower.side)
    self = lower.measures.mixed(with: upper.measures, share)
  }

  private func mixed(with other: GlassMeasures, _ share: Float) -> GlassMeasures {
    func mix(_ path: (GlassMeasures) -> Float) -> Float {
      path(self) * (1 - share) + path(other) * share
    }
    return GlassMeasures(
      mix { $0.plateBlur }, mix { $0.plateFall }, mix { $0.plateShade }, mix { $0.rimWidth },
      mix { $0.rimStrength }, mix { $0.lineWidth }, mix { $0.ringDepth }, mix { $0.lightEnd },
      mix { $0.lightWidth },
      mix { $0.lightStrength }, mix { $0.ringClearness }, mix { $0.lift }, mix { $0.layerShade },
      mix { $0.shrinking })
  }
}
