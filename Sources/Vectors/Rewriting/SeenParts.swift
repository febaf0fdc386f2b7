// Finds the parts of pictures that can be seen: what lies within their clips and soft masks.
//
// Programs that blur a background store a picture of the whole page behind each small shape, and
// cut the shape out by a soft mask. The rest of such a picture changes no pixel at any scale.

import Bytes

extension Drawing {
  /// Returns for each picture the part that can be seen, in the unit square of the picture, whose
  /// corner (0, 0) is the upper left corner. The parts have a margin of some points of the page, so
  /// that they also contain the pixels that are mixed in when a picture is scaled. Returns nil if
  /// finding them costs more than the budget allows.
  func seenParts(_ budget: Budget) -> [Extent]? {
    guard !images.isEmpty else { return [] }
    var search = SeenPartSearch(self, budget)
    return search.run() ? search.parts : nil
  }
}

private struct SeenPartSearch {
  private let drawing: Drawing
  private let budget: Budget
  /// The area within each clip and the clips below it.
  private var clips: [Extent] = []
  /// The area in which the items of each scene paint.
  private var painted: [Extent] = []
  /// The area in which each scene is shown, as far as it is known.
  private var shown: [Extent]
  /// Whether each scene belongs to a cell of a pattern, whose units are not those of the page.
  private var isInCell: [Bool]
  private(set) var parts: [Extent]

  /// The distance from a clip or mask up to which pixels count as seen, in units of the page.
  private static let margin = 4.0

  init(_ drawing: Drawing, _ budget: Budget) {
    (self.drawing, self.budget) = (drawing, budget)
    shown = [Extent](repeating: Extent(), count: drawing.scenes.count)
    isInCell = [Bool](repeating: false, count: drawing.scenes.count)
    parts = [Extent](repeating: Extent(), count: drawing.images.count)
  }

  /// Returns false if the budget is exceeded.
  mutating func run() -> Bool {
    let items = drawing.scenes.reduce(drawing.page.count) { $0 + $1.count }
    guard budget.spend(.objects, items + drawing.clips.count + drawing.images.count) else {
      return false
    }
    for place in drawing.clips.indices { clips.append(extent(ofClip: place)) }
    // A scene refers only to scenes before it.
    for scene in drawing.scenes {
      var extent = Extent()
      for item in scene {
        let within = limits(of: item)
        extent.add(self.extent(of: item).intersection(within))
      }
      painted.append(extent)
    }
    show(drawing.page, within: .everything, isInCell: false)
    for place in drawing.scenes.indices.reversed() {
      show(drawing.scenes[place], within: shown[place], isInCell: isInCell[place])
    }
    return !budget.isExceeded
  }

  // MARK: Areas

  private func extent(ofClip place: Int) -> Extent {
    let clip = drawing.clips[place]
    var extent = Extent()
    for path in drawing.clipPaths[clip.paths.range] {
      extent.add(
        self.extent(of: path.path, path.transform).intersection(self.clip(path.clip)))
    }
    return extent.intersection(self.clip(clip.parent))
  }

  private func clip(_ place: Int32) -> Extent {
    clips.indices.contains(Int(place)) ? clips[Int(place)] : .everything
  }

  private func extent(of path: Path, _ transform: Transform) -> Extent {
    var extent = Extent()
    guard budget.spend(.loadedPoints, Int(path.pointCount)) else { return .everything }
    let first = Int(path.firstPoint)
    for point in drawing.paths.points[first..<first + Int(path.pointCount)] {
      extent.add(tame(transform.apply(point)))
    }
    return extent
  }

  /// Returns the area in which an item paints, without its clip and mask.
  private func extent(of item: Item) -> Extent {
    switch item.shape {
    case .fill(let path, _): return extent(of: path, item.transform)
    case .stroke(let path, let stroke):
      let transform = item.transform
      let scale = abs(transform.a) + abs(transform.b) + abs(transform.c) + abs(transform.d)
      let reach = stroke.join == .miter ? max(stroke.miterLimit, 1.5) : 1.5
      // The thinnest line has a pixel, which is no wider than a point at the smallest scale.
      return extent(of: path, transform).widened(by: tame(stroke.width * reach * scale) + 1)
    case .image:
      var extent = Extent()
      for corner in Extent.unit.corners { extent.add(tame(item.transform.apply(corner))) }
      return extent
    case .everything: return .everything
    case .group(let group): return painted(group.scene)
    }
  }

  private func painted(_ scene: Int32) -> Extent {
    painted.indices.contains(Int(scene)) ? painted[Int(scene)] : .everything
  }

  /// Returns the area in which the clip and the mask of an item show anything.
  private func limits(of item: Item) -> Extent {
    let clip = clip(item.clip)
    guard drawing.masks.indices.contains(Int(item.mask)) else { return clip }
    let mask = drawing.masks[Int(item.mask)]
    let isOpen =
      (mask.kind == .luminosity && mask.backdrop != .black) || mask.transfer.first ?? 0 != 0
    return isOpen ? clip : clip.intersection(painted(mask.scene))
  }

  // MARK: What is shown

  /// Notes what the items of a scene show that is itself shown in an area.
  private mutating func show(_ items: [Item], within area: Extent, isInCell: Bool) {
    for item in items {
      if drawing.masks.indices.contains(Int(item.mask)) {
        show(drawing.masks[Int(item.mask)].scene, within: .everything, isInCell: isInCell)
      }
      if case .pattern(let place) = item.paint, drawing.patterns.indices.contains(Int(place)) {
        show(drawing.patterns[Int(place)].scene, within: .everything, isInCell: true)
      }
      switch item.shape {
      case .image(let image):
        let seen = isInCell ? .everything : area.intersection(limits(of: item))
        show(image, of: item, within: seen)
      case .group(let group):
        show(group.scene, within: area.intersection(limits(of: item)), isInCell: isInCell)
      default: continue
      }
    }
  }

  private mutating func show(_ scene: Int32, within area: Extent, isInCell: Bool) {
    guard shown.indices.contains(Int(scene)) else { return }
    shown[Int(scene)].add(area)
    if isInCell { self.isInCell[Int(scene)] = true }
  }

  private mutating func show(_ image: Int32, of item: Item, within area: Extent) {
    guard parts.indices.contains(Int(image)) else { return }
    // A picture that is not seen at all is rare, and stays as it is.
    guard !area.isEmpty, let inverse = item.transform.inverse else {
      parts[Int(image)] = .unit
      return
    }
    var part = Extent()
    for corner in area.widened(by: Self.margin).corners { part.add(tame(inverse.apply(corner))) }
    part = part.intersection(.unit)
    parts[Int(image)].add(part.isEmpty ? .unit : part)
  }
}

extension Extent {
  /// All coordinates that occur.
  fileprivate static let everything = Extent(
    minX: -farthest, minY: -farthest, maxX: farthest, maxY: farthest)
  static let unit = Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)

  var isEmpty: Bool { minX > maxX || minY > maxY }

  fileprivate var corners: [Point] {
    [Point(minX, minY), Point(maxX, minY), Point(minX, maxY), Point(maxX, maxY)]
  }

  mutating func add(_ other: Extent) {
    if other.isEmpty { return }
    add(Point(other.minX, other.minY))
    add(Point(other.maxX, other.maxY))
  }

  fileprivate func intersection(_ other: Extent) -> Extent {
    Extent(
      minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
      maxY: min(maxY, other.maxY))
  }

  fileprivate func widened(by distance: Double) -> Extent {
    isEmpty
      ? self
      : Extent(
        minX: minX - distance, minY: minY - distance, maxX: maxX + distance, maxY: maxY + distance)
  }

  /// Returns the pixels of a bitmap that a part of the unit square touches, and some around them.
  func pixels(width: Int, height: Int, margin: Int) -> PixelBox {
    guard !isEmpty, width > 0, height > 0 else { return .empty }
    func place(_ share: Double, _ size: Int) -> Double { share * Double(size) }
    return PixelBox(
      x0: max(whole(place(minX, width), from: 0, to: width - 1) - margin, 0),
      y0: max(whole(place(minY, height), from: 0, to: height - 1) - margin, 0),
      x1: min(whole(place(maxX, width), from: 0, to: width - 1) + 1 + margin, width),
      y1: min(whole(place(maxY, height), from: 0, to: height - 1) + 1 + margin, height))
  }
}
