// The masks of clips: bytes that are made once for each clip of a drawing, from the outermost clip
// inwards, and kept while the drawing is drawn.

import Bytes

/// The coverage of a clip: how much of each pixel is shown.
struct ClipMask {
  /// The box outside of which nothing is shown.
  var box: PixelBox
  /// The place in the pool of the byte for the upper left corner of the box. If it is negative, all
  /// of the box is shown.
  var first: Int
  var stride: Int

  var isSolid: Bool { first < 0 }

  static func solid(_ box: PixelBox) -> ClipMask { ClipMask(box: box, first: -1, stride: 0) }

  func offset(_ x: Int, _ y: Int) -> Int { first + (y - box.y0) * stride + x - box.x0 }

  /// Returns the same mask, limited to a smaller box.
  func part(_ box: PixelBox) -> ClipMask {
    let box = self.box.intersection(box)
    if isSolid || box.isEmpty { return .solid(box) }
    return ClipMask(box: box, first: offset(box.x0, box.y0), stride: stride)
  }
}

struct ClipPool: ~Copyable {
  struct Entry {
    var mask: ClipMask
    /// The number of the canvas for which the mask was made; 0 if there is no mask.
    var canvas: Int
  }

  var entries = GrowingMemory<Entry>()
  var bytes = GrowingMemory<UInt8>()
  private(set) var used = 0
  private var count = 0

  /// The number of bytes above which all masks are forgotten before the next one is made.
  static let ample = 48 << 20

  /// Returns the most bytes that the masks of clips take on a bitmap of `pixels` pixels. The number
  /// is bounded because masks are forgotten above `ample` bytes.
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

  /// Returns room for a mask. The bytes are not cleared.
  mutating func add(_ box: PixelBox) -> ClipMask {
    let first = used
    bytes.extend(to: used + box.area + 2, keeping: used)
    used += box.area
    return ClipMask(box: box, first: first, stride: box.width)
  }
}

extension Rasterizer {
  /// Returns the mask of a clip within the bounds of a canvas.
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

  /// Makes the missing masks of the clip's ancestors, and its own.
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

  /// Makes the mask of the union of a clip's paths. Coverages are added up, which is exact enough
  /// because the paths of one clip seldom overlap at their edges.
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
      add(band, rule: clipPath.rule, inner: inner, to: mask)
    }
  }

  /// Adds the rows that the area buffer holds to a mask.
  private mutating func add(
    _ box: PixelBox, rule: FillRule, inner: ClipMask, to mask: ClipMask
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

/// Multiplies each byte by a share of 255.
func multiply(
  _ bytes: UnsafeMutablePointer<UInt8>, _ shares: UnsafePointer<UInt8>, _ count: Int
) {
  for i in 0..<count { bytes[i] = scaled(bytes[i], shares[i]) }
}
