// The description of a page as plain values. The readers of PDF and SVG make it, and the rasteriser
// draws it; the readers and the rasteriser do not know of each other.
//
// Lengths are in the units of the page: points in PDF, pixels in SVG. The origin is the upper left
// corner of the page, and y grows downwards. Everything that can repeat (paths, clips, pictures) is
// stored in a list and referred to by its index, so that items are plain memory and a drawing needs
// few allocations.

import Bytes

package struct Drawing: Sendable {
  /// The size of the page in its own units.
  package var width: Double
  package var height: Double
  package var paths = PathStore()
  /// The items that the page shows, from the back to the front.
  package var page: [Item] = []
  /// The contents of groups, masks and tiles. An item may refer only to scenes that were added
  /// before the scene that holds the item.
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
  /// The features that the file uses and the drawing does not show, each once.
  package private(set) var unsupported: [UnsupportedFeature] = []
  /// The work and memory that reading the file has spent. Drawing continues with it.
  package var spending = Spending(input: 0)
  /// The number of items in all scenes, and the number of bytes of all images.
  private var sceneItems = 0
  private var imageBytes = 0

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

extension Drawing {
  /// Returns the bytes of memory that the drawing takes. The count of all lists but the images is
  /// doubled, because a list that grows can have room for twice its elements.
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
    /// An entry of `Drawing.images`. The item's transform maps the unit square to the page; the
    /// corner (0, 0) is the upper left corner of the picture.
    case image(Int32)
    /// The whole area inside of the clip, filled with the paint (PDF: `sh`).
    case everything
    /// A scene that is drawn on a surface of its own and then composed as one picture. The item's
    /// paint and transform are not used.
    case group(Group)
  }

  package var shape: Shape
  /// The transform from the space of the path or picture to the page. The width of a stroke is
  /// measured before the transform.
  package var transform: Transform
  package var paint: Paint
  package var alpha = 1.0
  package var blend = BlendMode.normal
  package var clip = Clip.none
  package var mask = SoftMask.none
  /// Whether each pixel is either covered or not, without values in between.
  package var isCrisp = false

  package init(_ shape: Shape, _ paint: Paint = .color(.black), transform: Transform = .identity) {
    self.shape = shape
    self.paint = paint
    self.transform = transform
  }
}

package struct Group: Sendable, Equatable {
  /// The index of the scene in `Drawing.scenes`.
  package var scene: Int32
  /// Whether the scene is drawn on nothing. If not, it is drawn on the pixels below, which then
  /// count for the blend modes in it.
  package var isIsolated: Bool

  package init(scene: Int32, isIsolated: Bool = true) {
    self.scene = scene
    self.isIsolated = isIsolated
  }
}

package struct Stroke: Sendable, Equatable {
  package enum Cap: UInt8, Sendable { case butt, round, square }
  package enum Join: UInt8, Sendable { case miter, round, bevel }

  /// The width of the line; 0 is the thinnest line, of one pixel.
  package var width: Double
  package var cap = Cap.butt
  package var join = Join.miter
  package var miterLimit = 10.0
  /// The entries of `Drawing.dashes` that hold the lengths of dashes and gaps in turn. If the span
  /// is empty, the line is solid.
  package var dashes = ListRange.none
  package var dashPhase = 0.0

  package init(width: Double) { self.width = width }
}

/// A clip, which narrows its parent. Clips form stacks that share their lower parts.
package struct Clip: Sendable, Equatable {
  /// The index of no clip.
  package static let none: Int32 = -1

  /// The entries of `Drawing.clipPaths` whose union is shown.
  package var paths: ListRange
  /// The index in `Drawing.clips` of a clip that was made before this one, or `Clip.none`. Both
  /// clips apply.
  package var parent: Int32
}

package struct ClipPath: Sendable, Equatable {
  package var path: Path
  package var rule: FillRule
  package var transform: Transform
  /// A further clip, for this path only.
  package var clip = Clip.none

  package init(_ path: Path, _ rule: FillRule, transform: Transform) {
    self.path = path
    self.rule = rule
    self.transform = transform
  }
}

/// A scene whose brightness or alpha says how much of an item is shown. The items of the scene are
/// in the space of the page.
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
  /// The index of the scene in `Drawing.scenes`.
  package var scene: Int32
  /// The colour that lies below the scene if the mask is of kind `luminosity`.
  package var backdrop = Color.black
  /// 256 values that replace the bytes of the mask, or an empty array if the bytes stay as they
  /// are.
  package var transfer: [UInt8] = []

  package init(_ kind: Kind, scene: Int32) {
    self.kind = kind
    self.scene = scene
  }
}

package enum BlendMode: UInt8, Sendable, CaseIterable {
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight
  case softLight, difference, exclusion, hue, saturation, color, luminosity
  /// The sum of both colours, at most white (CSS `plus-lighter`).
  case plusLighter
}

extension Drawing {
  package mutating func addScene(_ items: [Item]) -> Int32 {
    scenes.append(items)
    sceneItems += items.count
    return Int32(truncatingIfNeeded: scenes.count - 1)
  }

  /// Adds the clip that shows the inside of a path within the clip `parent`, and returns its index.
  package mutating func addClip(_ path: ClipPath, in parent: Int32) -> Int32 {
    addClip([path], in: parent)
  }

  /// Adds the clip that shows the union of some paths within the clip `parent`, and returns its
  /// index.
  package mutating func addClip(_ paths: [ClipPath], in parent: Int32) -> Int32 {
    let first = clipPaths.count
    clipPaths += paths
    clips.append(Clip(paths: ListRange(first..<clipPaths.count), parent: parent))
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

  package mutating func addStops(_ new: [GradientStop]) -> ListRange {
    let first = stops.count
    stops += new
    return ListRange(first..<stops.count)
  }

  package mutating func addVertices(_ new: [MeshVertex]) -> ListRange {
    let first = vertices.count
    vertices += new
    return ListRange(first..<vertices.count)
  }

  /// Adds the lengths of dashes and returns their place. If the last lengths of the list are the
  /// same, their place is returned instead.
  package mutating func addDashes(_ new: [Double]) -> ListRange {
    if dashes.suffix(new.count).elementsEqual(new) {
      return ListRange(dashes.count - new.count..<dashes.count)
    }
    let first = dashes.count
    dashes += new
    return ListRange(first..<dashes.count)
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
