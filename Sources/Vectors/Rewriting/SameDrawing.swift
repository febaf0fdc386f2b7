// Compares two drawings: whether they show the same, although their lists may differ in order, in
// entries that nothing uses, and in the parts of pictures that cannot be seen.

import Bytes

extension Drawing {
  /// Returns whether another drawing shows the same things in the same order. Returns false if
  /// comparing them costs more than the budget allows.
  package func shows(sameAs other: Drawing, _ budget: Budget) -> Bool {
    var comparison = DrawingComparison(self, other, budget)
    return width == other.width && height == other.height && unsupported == other.unsupported
      && comparison.scenes(page, other.page) && !budget.isExceeded
  }
}

private struct DrawingComparison {
  private let first: Drawing
  private let second: Drawing
  private let budget: Budget
  /// The pairs of entries that were compared and are equal.
  private var equal: Set<Pair> = []
  /// The parts of the first drawing's pictures that can be seen; empty if they are not known yet.
  private var seen: [Extent] = []

  private enum List: UInt8 {
    case scene, clip, mask, shading, pattern, image
  }

  private struct Pair: Hashable {
    var list: List
    var first: Int32
    var second: Int32
  }

  init(_ first: Drawing, _ second: Drawing, _ budget: Budget) {
    (self.first, self.second, self.budget) = (first, second, budget)
  }

  mutating func scenes(_ one: [Item], _ two: [Item]) -> Bool {
    guard one.count == two.count, budget.spend(.objects, one.count) else { return false }
    for index in one.indices where !items(one[index], two[index]) { return false }
    return true
  }

  private mutating func items(_ one: Item, _ two: Item) -> Bool {
    one.transform == two.transform && one.alpha == two.alpha && one.blend == two.blend
      && one.isCrisp == two.isCrisp && shapes(one.shape, two.shape)
      && paints(one.paint, two.paint) && clips(one.clip, two.clip) && masks(one.mask, two.mask)
  }

  private mutating func shapes(_ one: Item.Shape, _ two: Item.Shape) -> Bool {
    switch (one, two) {
    case (.fill(let one, let rule), .fill(let two, let other)):
      return rule == other && paths(one, two)
    case (.stroke(let one, let line), .stroke(let two, let other)):
      return strokes(line, other) && paths(one, two)
    case (.image(let one), .image(let two)):
      return compare(.image, one, two) { $0.images(Int(one), Int(two)) }
    case (.everything, .everything): return true
    case (.group(let one), .group(let two)):
      return one.isIsolated == two.isIsolated && scene(one.scene, two.scene)
    default: return false
    }
  }

  private mutating func scene(_ one: Int32, _ two: Int32) -> Bool {
    compare(.scene, one, two) {
      $0.scenes($0.first.scenes[Int(one)], $0.second.scenes[Int(two)])
    }
  }

  /// Compares two pictures. If their pixels differ, only those that can be seen must be equal.
  private mutating func images(_ one: Int, _ two: Int) -> Bool {
    let (image, other) = (first.images[one], second.images[two])
    guard image.width == other.width, image.height == other.height, image.kind == other.kind,
      image.interpolates == other.interpolates
    else { return false }
    if image.pixels == other.pixels { return true }
    if seen.isEmpty { seen = first.seenParts(budget) ?? [] }
    guard one < seen.count else { return false }
    let part = seen[one].pixels(width: image.width, height: image.height, margin: 0)
    let size = image.kind.bytesPerPixel
    return (part.y0..<part.y1).allSatisfy { row in
      let places = (row * image.width + part.x0) * size..<(row * image.width + part.x1) * size
      return image.pixels[places] == other.pixels[places]
    }
  }

  private func paths(_ one: Path, _ two: Path) -> Bool {
    guard one.stepCount == two.stepCount, one.pointCount == two.pointCount,
      budget.spend(.loadedPoints, Int(one.pointCount))
    else { return false }
    func steps(_ path: Path, _ store: PathStore) -> ArraySlice<PathStore.Step> {
      store.steps[Int(path.firstStep)..<Int(path.firstStep + path.stepCount)]
    }
    func points(_ path: Path, _ store: PathStore) -> ArraySlice<Point> {
      store.points[Int(path.firstPoint)..<Int(path.firstPoint + path.pointCount)]
    }
    return steps(one, first.paths) == steps(two, second.paths)
      && points(one, first.paths) == points(two, second.paths)
  }

  private func strokes(_ one: Stroke, _ two: Stroke) -> Bool {
    var other = two
    other.dashes = one.dashes
    return one == other
      && first.dashes[one.dashes.range].elementsEqual(second.dashes[two.dashes.range])
  }

  private mutating func paints(_ one: Paint, _ two: Paint) -> Bool {
    switch (one, two) {
    case (.color(let one), .color(let two)): return one == two
    case (.shading(let one), .shading(let two)):
      return compare(.shading, one, two) {
        $0.shadings($0.first.shadings[Int(one)], $0.second.shadings[Int(two)])
      }
    case (.pattern(let one), .pattern(let two)):
      return compare(.pattern, one, two) {
        $0.patterns($0.first.patterns[Int(one)], $0.second.patterns[Int(two)])
      }
    default: return false
    }
  }

  private func shadings(_ one: Shading, _ two: Shading) -> Bool {
    var other = two
    other.stops = one.stops
    if case .mesh(let vertices) = one.geometry, case .mesh(let others) = two.geometry {
      guard budget.spend(.vertices, Int(vertices.count)),
        first.vertices[vertices.range].elementsEqual(second.vertices[others.range])
      else { return false }
      other.geometry = one.geometry
    }
    return one == other && budget.spend(.gradientStops, Int(one.stops.count))
      && first.stops[one.stops.range].elementsEqual(second.stops[two.stops.range])
  }

  private mutating func patterns(_ one: TilingPattern, _ two: TilingPattern) -> Bool {
    var other = two
    other.scene = one.scene
    return one == other && scene(one.scene, two.scene)
  }

  private mutating func masks(_ one: Int32, _ two: Int32) -> Bool {
    compare(.mask, one, two) {
      var other = $0.second.masks[Int(two)]
      let mask = $0.first.masks[Int(one)]
      let scene = other.scene
      other.scene = mask.scene
      return mask == other && $0.scene(mask.scene, scene)
    }
  }

  /// Compares two stacks of clips, from the top down.
  private mutating func clips(_ one: Int32, _ two: Int32) -> Bool {
    var (one, two) = (one, two)
    while one >= 0, two >= 0 {
      let pair = Pair(list: .clip, first: one, second: two)
      if !equal.insert(pair).inserted { return true }
      let (clip, other) = (first.clips[Int(one)], second.clips[Int(two)])
      guard clip.paths.count == other.paths.count,
        budget.spend(.objects, Int(clip.paths.count) + 1)
      else { return false }
      for (path, otherPath) in zip(clip.paths.range, other.paths.range) {
        let (own, foreign) = (first.clipPaths[path], second.clipPaths[otherPath])
        guard own.rule == foreign.rule, own.transform == foreign.transform,
          paths(own.path, foreign.path), clips(own.clip, foreign.clip)
        else { return false }
      }
      (one, two) = (clip.parent, other.parent)
    }
    return one < 0 && two < 0
  }

  /// Compares two entries of a list by their numbers; those that were compared before are equal.
  private mutating func compare(
    _ list: List, _ one: Int32, _ two: Int32, _ body: (inout DrawingComparison) -> Bool
  ) -> Bool {
    guard one >= 0, two >= 0 else { return one < 0 && two < 0 }
    guard equal.insert(Pair(list: list, first: one, second: two)).inserted else { return true }
    return budget.spend(.objects) && body(&self)
  }
}
