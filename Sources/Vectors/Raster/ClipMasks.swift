// Clips as bytes: made once for each clip of a drawing, from the outermost inwards, and kept while the
// drawing is drawn.

import Bytes

/// What of each pixel a clip shows.
struct ClipMask {
  /// Nothing is shown outside.
  var box: PixelBox
  /// Where the byte of the box's corner lies in the pool; below 0: all of the box is shown.
  var first: Int
  var stride: Int

  var isSolid: Bool { first < 0 }

  static func solid(_ box: PixelBox) -> ClipMask { ClipMask(box: box, first: -1, stride: 0) }

  func offset(_ x: Int, _ y: Int) -> Int { first + (y - box.y0) * stride + x - box.x0 }

  /// The same bytes, a part of them.
  func part(_ box: PixelBox) -> ClipMask {
    let box = self.box.intersection(box)
    if isSolid || box.isEmpty { return .solid(box) }
    return ClipMask(box: box, first: offset(box.x0, box.y0), stride: stride)
  }
}

struct ClipPool: ~Copyable {
  struct Entry {
    var mask: ClipMask
    /// The canvas that the mask was made for; 0: none.
    var canvas: Int
  }

  var entries = Memory<Entry>()
  var bytes = Memory<UInt8>()
  private(set) var used = 0
  private var count = 0

  /// From here on masks are forgotten before others are made.
  static let ample = 48 << 20

  /// The most bytes that clips take on so many pixels: masks are forgotten when there are many.
  static func most(pixels: Int) -> Int { ample + pixels }

  mutating func begin(_ count: Int) {
    self.count = count
    _ = entries.fit(count)
    forget()
  }

  mutating func forget() {
    used = 0
    for i in 0..<count { entries.base[i].canvas = 0 }
  }

  /// Room for a mask, not cleared.
  mutating func add(_ box: PixelBox) -> ClipMask {
    let first = used
    bytes.extend(to: used + box.area + 2, keeping: used)
    used += box.area
    return ClipMask(box: box, first: first, stride: box.width)
  }
}

extension Rasterizer {
  /// The mask of a clip within a canvas.
  mutating func mask(
    _ clip: Int32, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> ClipMask {
    guard clip >= 0, Int(clip) < drawing.clips.count else { return .solid(canvas.bounds) }
    let entry = clips.entries.base[Int(clip)]
    if entry.canvas == canvas.number { return entry.mask }
    if canvas.clipDepth == 0, clips.used > min(ClipPool.ample, budget.mostMemory / 4) {
      budget.giveBack(.surfaces, bytes: clips.used)
      clips.forget()
    }
    return try makeMasks(clip, of: drawing, on: canvas)
  }

  /// Makes the masks that the clip narrows, and its own.
  private mutating func makeMasks(
    _ clip: Int32, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> ClipMask {
    guard canvas.clipDepth < Rasterizer.deepest else {
      throw .overLimit(.nesting, most: Rasterizer.deepest)
    }
    var chain: [Int32] = []
    var next = clip
    var mask = ClipMask.solid(canvas.bounds)
    while next >= 0, Int(next) < drawing.clips.count {
      let entry = clips.entries.base[Int(next)]
      if entry.canvas == canvas.number {
        mask = entry.mask
        break
      }
      chain.append(next)
      let parent = drawing.clips[Int(next)].parent
      next = parent < next ? parent : Clip.none
    }
    budget.spend(.operators, chain.count)
    for index in chain.reversed() {
      mask = try narrow(mask, drawing.clips[Int(index)], of: drawing, on: canvas)
      clips.entries.base[Int(index)] = ClipPool.Entry(mask: mask, canvas: canvas.number)
    }
    return mask
  }

  private mutating func narrow(
    _ mask: ClipMask, _ clip: Clip, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> ClipMask {
    if mask.box.isEmpty || clip.paths.count == 0 { return .solid(.empty) }
    if clip.paths.count == 1 {
      let path = drawing.clipPaths[Int(clip.paths.first)]
      budget.spend(.loadedPoints, Int(path.path.pointCount))
      self.path.load(path.path, of: drawing.paths, path.transform.then(canvas.transform))
      if path.clip < 0, let (left, top, right, bottom) = self.path.rectangle(drawing.paths) {
        let x0 = floor(left + 1e-9)
        let y0 = floor(top + 1e-9)
        let box = PixelBox(x0: x0, y0: y0, x1: ceiling(right - 1e-9), y1: ceiling(bottom - 1e-9))
        let inside = PixelBox(
          x0: ceiling(left - 1e-9), y0: ceiling(top - 1e-9), x1: floor(right + 1e-9),
          y1: floor(bottom + 1e-9))
        let shown = mask.box.intersection(box)
        if shown == mask.box.intersection(inside) { return mask.part(shown) }
      }
    }
    return try union(mask, clip, of: drawing, on: canvas)
  }

  /// What is in any of the clip's paths. Coverages are added up: paths of one clip seldom overlap at
  /// their edges.
  private mutating func union(
    _ mask: ClipMask, _ clip: Clip, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> ClipMask {
    var box = PixelBox.empty
    for index in clip.paths.range {
      let path = drawing.clipPaths[index]
      budget.spend(.loadedPoints, 2 * Int(path.path.pointCount))
      try budget.checkVector()
      self.path.load(path.path, of: drawing.paths, path.transform.then(canvas.transform))
      box = box.union(self.path.extent.box.intersection(mask.box))
    }
    if box.isEmpty { return .solid(.empty) }
    budget.spend(.surfaces, box.area)
    budget.borrow(.surfaces, bytes: box.area)
    try budget.checkVector()
    let result = clips.add(box)
    (clips.bytes.base + result.first).update(repeating: 0, count: box.area)
    for index in clip.paths.range {
      try add(drawing.clipPaths[index], to: result, of: drawing, on: canvas)
    }
    if !mask.isSolid {
      for y in box.y0..<box.y1 {
        multiply(
          clips.bytes.base + result.offset(box.x0, y), clips.bytes.base + mask.offset(box.x0, y),
          box.width)
      }
    }
    return result
  }

  private mutating func add(
    _ clipPath: ClipPath, to mask: ClipMask, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) {
    var inner = ClipMask.solid(mask.box)
    if clipPath.clip >= 0 {
      var deeper = canvas
      deeper.clipDepth += 1
      inner = try self.mask(clipPath.clip, of: drawing, on: deeper)
    }
    path.load(clipPath.path, of: drawing.paths, clipPath.transform.then(canvas.transform))
    let box = path.extent.box.intersection(mask.box).intersection(inner.box)
    if box.isEmpty { return }
    budget.spend(.pixels, box.area)
    fitRow(box.width)
    for y in box.bands(of: AreaBuffer.mostPixels) {
      let band = box.band(from: y, of: AreaBuffer.mostPixels)
      area.begin(band)
      try fill(drawing)
      add(band, clipPath.rule, inner, to: mask)
    }
  }

  /// The rows that the area holds.
  private mutating func add(
    _ box: PixelBox, _ rule: FillRule, _ inner: ClipMask, to mask: ClipMask
  ) {
    let row = coverageRow.base
    for y in 0..<box.height {
      let range = area.sum(y, rule, into: row)
      if range.isEmpty { continue }
      if !inner.isSolid {
        multiply(
          row + range.lowerBound,
          clips.bytes.base + inner.offset(box.x0 + range.lowerBound, box.y0 + y), range.count)
      }
      let target = clips.bytes.base + mask.offset(box.x0, box.y0 + y)
      for x in range { target[x] = UInt8(min(255, UInt16(target[x]) &+ UInt16(row[x]))) }
    }
  }
}

/// Bytes times shares of 255.
func multiply(
  _ bytes: UnsafeMutablePointer<UInt8>, _ shares: UnsafePointer<UInt8>, _ count: Int
) {
  for i in 0..<count { bytes[i] = scaled(bytes[i], shares[i]) }
}
