// Drawings for weights that a file does not have, interpolated point by point between two weights
// that it has. The positions of the weights were measured on symbols whose files have all nine
// weights; they are the same in all of these symbols to three digits.

/// The positions of weights between the lightest one at 0, the regular one at 1 and the boldest one
/// at 2.
package enum SymbolAxis {
  /// Returns the position of a weight. `weight` is the number that archives use, from 1 to 9.
  package static func place(ofWeight weight: Int) -> Double {
    switch weight {
    case ...1: 0
    case 2: 0.226
    case 3: 0.667
    case 4: 1
    case 5: 1.18
    case 6: 1.318
    case 7: 1.5
    case 8: 1.764
    default: 2
    }
  }

  /// Returns the scale of a size relative to the small size, for files that have only small
  /// drawings. Archives state the factor of the middle size for such symbols. The factor of the
  /// large size is the square of it, and lies within the range that was measured.
  package static func growth(ofSize size: Int) -> Double {
    switch size {
    case ...1: 1
    case 2: 1.27604
    default: 1.62828
    }
  }
}

extension SymbolDrawing {
  /// Returns whether the outlines of another drawing have the same steps, so that drawings between
  /// both exist.
  package func isCompatible(with other: SymbolDrawing) -> Bool {
    guard shapes.count == other.shapes.count else { return false }
    for (mine, theirs) in zip(shapes, other.shapes) {
      let own = paths.steps[mine.path.stepRange]
      guard own.elementsEqual(other.paths.steps[theirs.path.stepRange]),
        (mine.stroke == nil) == (theirs.stroke == nil)
      else { return false }
    }
    return true
  }

  /// The number of points of each outline.
  package var pointCounts: [Int] { shapes.map { Int($0.path.pointCount) } }

  /// Returns the drawing at `share` of the way to another; nil if the two are not compatible. `own`
  /// and `others` transform both drawings to a common space. The page has the size of this
  /// drawing's page.
  package func interpolated(
    to other: SymbolDrawing, _ share: Double, own: Transform, others: Transform
  ) -> SymbolDrawing? {
    guard isCompatible(with: other) else { return nil }
    var result = SymbolDrawing(width: width, height: height)
    result.spending = spending
    for (mine, theirs) in zip(shapes, other.shapes) {
      var shape = mine
      let first = mine.transform.then(own)
      let second = theirs.transform.then(others)
      result.paths.begin()
      var point = Int(mine.path.firstPoint)
      var opposite = Int(theirs.path.firstPoint)
      func next() -> Point {
        let a = first.apply(paths.points[point])
        let b = second.apply(other.paths.points[opposite])
        point += 1
        opposite += 1
        return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
      }
      for step in paths.steps[mine.path.stepRange] {
        switch step {
        case .move: result.paths.move(to: next())
        case .line: result.paths.line(to: next())
        case .curve:
          let handle = next()
          let second = next()
          result.paths.curve(handle, second, to: next())
        case .close: result.paths.close()
        }
      }
      shape.path = result.paths.end()
      shape.transform = .identity
      if let mineWidth = mine.stroke?.width, let theirWidth = theirs.stroke?.width {
        let here = mineWidth * magnitude(first.determinant).squareRoot()
        let there = theirWidth * magnitude(second.determinant).squareRoot()
        shape.stroke?.width = here + (there - here) * share
      }
      shape.reach = 0
      result.shapes.append(shape)
    }
    return result
  }

  /// Returns the same drawing, transformed to another page.
  package func moved(_ transform: Transform, width: Double, height: Double) -> SymbolDrawing {
    var copy = self
    copy.width = width
    copy.height = height
    for place in copy.shapes.indices {
      copy.shapes[place].transform = copy.shapes[place].transform.then(transform)
    }
    return copy
  }
}

extension Path {
  fileprivate var stepRange: Range<Int> { Int(firstStep)..<Int(firstStep) + Int(stepCount) }
}
