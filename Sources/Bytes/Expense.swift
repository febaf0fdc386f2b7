// The kinds of things on which budgets are spent, and the price of each in nanoseconds. The prices
// were measured on one core of an ordinary machine and rounded up. The counted work and the time of
// a processor may differ by a small factor, but not by a large one.

/// A kind of thing that costs work or memory.
public enum Expense: UInt8, Sendable, CaseIterable {
  // Text and structure.
  case lexedBytes
  case decompressedBytes
  case copiedBytes
  case values
  case tableEntries
  case names
  // Vectors.
  case objects
  case operators
  case elements
  case attributes
  case selectorTests
  case functionSteps
  case gradientStops
  case vertices
  case dashes
  case pathPoints
  case loadedPoints
  case glyphs
  case samples
  // Pixels.
  case edges
  case pixels
  case blendedPixels
  case surfaces

  /// The number of kinds, by the last of them: a constant, unlike `allCases.count`.
  static let count = Int(surfaces.rawValue) + 1

  /// The price of one thing in nanoseconds.
  @inlinable @inline(__always)
  package var price: Int {
    switch self {
    case .lexedBytes: 8
    case .decompressedBytes: 4
    case .copiedBytes: 1
    case .values: 100
    case .tableEntries: 20
    case .names: 100
    case .objects: 200
    case .operators: 100
    case .elements: 400
    case .attributes: 150
    case .selectorTests: 80
    case .functionSteps: 20
    case .gradientStops: 30
    case .vertices: 60
    case .dashes: 60
    case .pathPoints: 20
    case .loadedPoints: 4
    case .glyphs: 200
    case .samples: 4
    case .edges: 6
    case .pixels: 2
    case .blendedPixels: 4
    case .surfaces: 1
    }
  }

  /// The name of the things in messages.
  package var name: StaticString {
    switch self {
    case .lexedBytes: "bytes of text"
    case .decompressedBytes: "decompressed bytes"
    case .copiedBytes: "copied bytes"
    case .values: "values"
    case .tableEntries: "entries of tables"
    case .names: "names"
    case .objects: "objects"
    case .operators: "operators"
    case .elements: "elements"
    case .attributes: "attributes"
    case .selectorTests: "tests of style rules"
    case .functionSteps: "steps of functions"
    case .gradientStops: "stops of gradients"
    case .vertices: "corners of meshes"
    case .dashes: "dashes"
    case .pathPoints: "points of paths"
    case .loadedPoints: "points that are placed"
    case .glyphs: "glyphs"
    case .samples: "samples of images"
    case .edges: "edges of shapes"
    case .pixels: "painted pixels"
    case .blendedPixels: "blended pixels"
    case .surfaces: "groups, masks and tiles"
    }
  }
}
