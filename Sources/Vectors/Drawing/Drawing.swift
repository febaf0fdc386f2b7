// What is to be drawn: a page as values. Readers of PDF and SVG make it, the rasteriser draws it;
// neither knows of the other.
//
// Lengths are those of the page: points of PDF, pixels of SVG. The origin is the page's upper left
// corner, y goes down. Everything that repeats (paths, clips, pictures) lies in a list and is meant by
// its index, so that items are plain memory and a drawing has few allocations.

import Bytes

package struct Drawing: Sendable {
  /// The page in its own units.
  package var width: Double
  package var height: Double
  package var paths = PathStore()
  /// What the page shows, from the back to the front.
  package var page: [Item] = []
  /// Contents of groups, masks and tiles. An item may only mean scenes that were added before its own.
  package var scenes: [[Item]] = []
  package var clips: [Clip] = []
  package var clipPaths: [ClipPath] = []
  package var masks: [SoftMask] = []
  package var shadings: [Shading] = []
  package var stops: [GradientStop] = []
  package var vertices: [MeshVertex] = []
  package var patterns: [TilingPattern] = []
  package var images: [Image] = []
  package var dashes: [Double] = []
  /// What the file asks for and the drawing does not show, each once.
  package private(set) var unsupported: [UnsupportedFeature] = []
  /// What reading the file has spent: drawing continues it.
  package var spending = Spending(input: 0)
  /// Items of all scenes, and bytes of all images.
  private var sceneItems = 0
  private var imageBytes = 0

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

extension Drawing {
  /// What the drawing takes in memory: lists that grow have up to twice the room of what is in them.
  package func storedBytes(items: Int) -> Int {
    var bytes = paths.points.count * MemoryLayout<Point>.stride + paths.steps.count
    bytes += (items + sceneItems + page.count) * MemoryLayout<Item>.stride
    bytes += scenes.count * 64 + clips.count * MemoryLayout<Clip>.stride
    bytes += clipPaths.count * MemoryLayout<ClipPath>.stride
    bytes += masks.count * (MemoryLayout<SoftMask>.stride + 288)
    bytes += shadings.count * MemoryLayout<Shading>.stride
    bytes += stops.count * MemoryLayout<GradientStop>.stride
    bytes += vertices.count * MemoryLayout<MeshVertex>.stride
    bytes += patterns.count * MemoryLayout<TilingPattern>.stride
    bytes += dashes.count * MemoryLayout<Double>.stride
    return 2 * bytes + imageBytes
  }
}

/// One thing that is painted.
package struct Item: Sendable, Equatable {
  package enum Shape: Sendable, Equatable {
    case fill(Path, FillRule)
    case stroke(Path, Stroke)
    /// An entry of `Drawing.images`. The transform leads from the square of side 1, whose upper left
    /// corner (0, 0) is the picture's.
    case image(Int32)
    /// All that the clip leaves; of the paint (PDF: `sh`).
    case everything
    /// A scene that is drawn aside and composed as one; without paint or transform.
    case group(Group)
  }

  package var shape: Shape
  /// From the space of the path or picture to the page. Strokes have their width before it.
  package var transform: Transform
  package var paint: Paint
  package var alpha = 1.0
  package var blend = BlendMode.normal
  package var clip = Clip.none
  package var mask = SoftMask.none

  package init(_ shape: Shape, _ paint: Paint = .color(.black), transform: Transform = .identity) {
    self.shape = shape
    self.paint = paint
    self.transform = transform
  }
}

package struct Group: Sendable, Equatable {
  /// An entry of `Drawing.scenes`.
  package var scene: Int32
  /// Drawn over nothing; else over what is below, which counts for blend modes in it.
  package var isIsolated: Bool

  package init(scene: Int32, isIsolated: Bool = true) {
    self.scene = scene
    self.isIsolated = isIsolated
  }
}

package struct Stroke: Sendable, Equatable {
  package enum Cap: UInt8, Sendable { case butt, round, square }
  package enum Join: UInt8, Sendable { case miter, round, bevel }

  /// 0 is the thinnest line that there is: one pixel.
  package var width: Double
  package var cap = Cap.butt
  package var join = Join.miter
  package var miterLimit = 10.0
  /// Entries of `Drawing.dashes`: lengths of what is shown and not, in turn. None: all is shown.
  package var dashes = Span.none
  package var dashPhase = 0.0

  package init(width: Double) { self.width = width }
}

/// A clip and those that it narrows: a stack that shares its lower part with others.
package struct Clip: Sendable, Equatable {
  /// The index of no clip.
  package static let none: Int32 = -1

  /// Entries of `Drawing.clipPaths`: what is in any of them is shown.
  package var paths: Span
  /// An entry of `Drawing.clips` made before, or none. Both clip.
  package var parent: Int32
}

package struct ClipPath: Sendable, Equatable {
  package var path: Path
  package var rule: FillRule
  package var transform: Transform
  /// A clip of this path alone.
  package var clip = Clip.none

  package init(_ path: Path, _ rule: FillRule, transform: Transform) {
    self.path = path
    self.rule = rule
    self.transform = transform
  }
}

/// A scene whose brightness or alpha says how much is shown. Its items are in the page's space.
package struct SoftMask: Sendable, Equatable {
  /// The index of no mask.
  package static let none: Int32 = -1

  package enum Kind: UInt8, Sendable {
    case alpha
    /// 0.3 red + 0.59 green + 0.11 blue, over the backdrop.
    case luminosity
    /// 0.2126 red + 0.7152 green + 0.0722 blue, times alpha (SVG).
    case luminance
  }

  package var kind: Kind
  /// An entry of `Drawing.scenes`.
  package var scene: Int32
  /// What a luminosity is taken over.
  package var backdrop = Color.black
  /// 256 values for the bytes of the mask, or none where they stay as they are.
  package var transfer: [UInt8] = []

  package init(_ kind: Kind, scene: Int32) {
    self.kind = kind
    self.scene = scene
  }
}

package enum BlendMode: UInt8, Sendable, CaseIterable {
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight
  case softLight, difference, exclusion, hue, saturation, color, luminosity
  /// The sum, at most white (CSS).
  case plusLighter
}

extension Drawing {
  package mutating func addScene(_ items: [Item]) -> Int32 {
    scenes.append(items)
    sceneItems += items.count
    return Int32(truncatingIfNeeded: scenes.count - 1)
  }

  /// The clip that shows what is in a path and in the clip `parent`.
  package mutating func addClip(_ path: ClipPath, in parent: Int32) -> Int32 {
    addClip([path], in: parent)
  }

  /// The clip that shows what is in any of the paths and in the clip `parent`.
  package mutating func addClip(_ paths: [ClipPath], in parent: Int32) -> Int32 {
    let first = clipPaths.count
    clipPaths += paths
    clips.append(Clip(paths: Span(first..<clipPaths.count), parent: parent))
    return Int32(truncatingIfNeeded: clips.count - 1)
  }

  package mutating func addMask(_ mask: SoftMask) -> Int32 {
    masks.append(mask)
    return Int32(truncatingIfNeeded: masks.count - 1)
  }

  package mutating func addShading(_ shading: Shading) -> Int32 {
    shadings.append(shading)
    return Int32(truncatingIfNeeded: shadings.count - 1)
  }

  package mutating func addStops(_ new: [GradientStop]) -> Span {
    let first = stops.count
    stops += new
    return Span(first..<stops.count)
  }

  package mutating func addVertices(_ new: [MeshVertex]) -> Span {
    let first = vertices.count
    vertices += new
    return Span(first..<vertices.count)
  }

  /// Lengths that were just added are shared.
  package mutating func addDashes(_ new: [Double]) -> Span {
    if dashes.suffix(new.count).elementsEqual(new) {
      return Span(dashes.count - new.count..<dashes.count)
    }
    let first = dashes.count
    dashes += new
    return Span(first..<dashes.count)
  }

  package mutating func addPattern(_ pattern: TilingPattern) -> Int32 {
    patterns.append(pattern)
    return Int32(truncatingIfNeeded: patterns.count - 1)
  }

  package mutating func addImage(_ image: Image) -> Int32 {
    images.append(image)
    imageBytes += image.pixels.count
    return Int32(truncatingIfNeeded: images.count - 1)
  }

  package mutating func note(_ feature: UnsupportedFeature) {
    if !unsupported.contains(feature) { unsupported.append(feature) }
  }
}
