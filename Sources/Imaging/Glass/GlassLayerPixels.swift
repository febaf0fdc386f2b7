// The pixels of one layer on the canvas of a bitmap: drawn from a vector or scaled from a picture,
// with the paint that replaces its colours.

import Colors
import Vectors

/// A rectangle of the canvas with the straight colours of a layer, whose last channel is the
/// coverage.
struct GlassLayerPixels {
  /// The place on the canvas, in pixels of the bitmap.
  var x: Int
  var y: Int
  var width: Int
  var height: Int
  var pixels: [GlassColor]

  var isEmpty: Bool { width == 0 || height == 0 }

  static let empty = GlassLayerPixels(x: 0, y: 0, width: 0, height: 0, pixels: [])
}

/// The exact place of a layer on the canvas, in pixels.
struct GlassFrame: Equatable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  init(_ layer: GlassLayer, _ plate: PlatePlace, shrinking: Float) {
    let start = Double(plate.origin) + Double(shrinking) / 2
    let unit = (Double(plate.side) - Double(shrinking)) / 1024
    (x, y) = (start + layer.x * unit, start + layer.y * unit)
    (width, height) = (layer.width * unit, layer.height * unit)
  }

  /// The columns of the canvas that the frame touches, and a few around them, so that the sides of
  /// the frame are an outline.
  func columns(of side: Int) -> Range<Int> { GlassFrame.whole(x, width, side) }
  func rows(of side: Int) -> Range<Int> { GlassFrame.whole(y, height, side) }

  /// Whether a part of the frame lies on a square canvas.
  func isShown(side: Int) -> Bool {
    width > 0 && height > 0 && !columns(of: side).isEmpty && !rows(of: side).isEmpty
  }

  /// The number of free pixels around a layer that its outline and the blurred slope of its
  /// distances need.
  static let margin = 4

  private static func whole(_ start: Double, _ length: Double, _ side: Int) -> Range<Int> {
    let margin = Double(margin)
    let low = max(0, min((start - margin).rounded(.down), Double(side)))
    let high = max(low, min((start + length + margin).rounded(.up), Double(side)))
    return Int(low)..<Int(high)
  }
}

/// The pictures of an icon while one bitmap is drawn. What is made of a large picture is kept for
/// the layers that follow, because many layers can show one picture.
struct ScaledPictures {
  let pictures: [GlassPicture]
  /// The picture that was scaled last, before a paint replaced its colours.
  private var last: (picture: Int, frame: GlassFrame, pixels: GlassLayerPixels)?
  /// The rows of the picture that was read last.
  private var rows: (picture: Int, rows: PremultipliedRows)?

  init(_ pictures: [GlassPicture]) { self.pictures = pictures }

  /// Returns the picture of a layer whose frame is shown on a square canvas. The fill of the layer
  /// replaces its colours.
  mutating func pixels(
    of layer: GlassLayer, _ frame: GlassFrame, side: Int, _ rasterizer: inout Rasterizer
  ) throws(VectorError) -> GlassLayerPixels {
    var pixels = GlassLayerPixels(frame, side: side)
    switch pictures[layer.picture] {
    case .bitmap(let bitmap):
      if let last, last.picture == layer.picture, last.frame == frame {
        pixels = last.pixels
      } else {
        let block = PremultipliedRows.block(of: bitmap, for: frame)
        if rows?.picture != layer.picture || rows?.rows.block != block {
          rows = (layer.picture, PremultipliedRows(bitmap, block: block))
        }
        if let source = rows?.rows { pixels.scale(source, frame) }
        last = (layer.picture, frame, pixels)
      }
      if let paint = layer.fill { pixels.fill(paint) }
    case .vector(let vector): try pixels.draw(vector, frame, layer.fill, &rasterizer)
    }
    return pixels
  }
}

extension GlassLayerPixels {
  /// Creates a rectangle without pixels for a frame on a square canvas.
  fileprivate init(_ frame: GlassFrame, side: Int) {
    let (columns, rows) = (frame.columns(of: side), frame.rows(of: side))
    self.init(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count,
      pixels: [])
  }

  /// Draws a vector. `paint` replaces its colours.
  fileprivate mutating func draw(
    _ vector: VectorPicture, _ frame: GlassFrame, _ paint: GlassPaint?,
    _ rasterizer: inout Rasterizer
  ) throws(VectorError) {
    if case .color(let color) = paint {
      return try draw(vector, frame, &rasterizer) { pixel in
        GlassColor(color.x, color.y, color.z, color.w * (Float(pixel.w) * (1 / 255)))
      }
    }
    try draw(vector, frame, &rasterizer) { pixel in GlassColor(stored: pixel).straight }
    if let paint { fill(paint) }
  }

  /// Draws a vector. `color` returns the colour of a premultiplied pixel.
  private mutating func draw(
    _ vector: VectorPicture, _ frame: GlassFrame, _ rasterizer: inout Rasterizer,
    color: (SIMD4<UInt8>) -> GlassColor
  ) throws(VectorError) {
    guard max(frame.width, frame.height) <= GlassIcon.longestVector else {
      throw .overLimit(.pageSide, most: Int(GlassIcon.longestVector))
    }
    var bytes = try vector.pixels(
      width: width, height: height, x: frame.x - Double(x), y: frame.y - Double(y),
      across: frame.width, down: frame.height, &rasterizer)
    bytes.withUnsafeMutableBytes { bytes in
      let stride = width
      let (columns, rows) = drawnPart(UnsafeRawBufferPointer(bytes))
      soften(bytes, columns, rows)
      (x, y) = (x + columns.lowerBound, y + rows.lowerBound)
      (width, height) = (columns.count, rows.count)
      pixels = [GlassColor](unsafeUninitializedCapacity: width * height) { target, made in
        for row in rows {
          for column in columns {
            let pixel = bytes.loadUnaligned(
              fromByteOffset: (row * stride + column) * 4, as: SIMD4<UInt8>.self)
            target[made] = color(pixel)
            made += 1
          }
        }
      }
    }
  }

  /// Mixes each pixel of a part with its neighbours. Apple's tool draws a vector as a picture and
  /// scales it, so its outlines are softer than those of the vector.
  private func soften(
    _ pixels: UnsafeMutableRawBufferPointer, _ columns: Range<Int>, _ rows: Range<Int>
  ) {
    let outer: UInt16 = 16
    let inner = 256 - 2 * outer
    let count = columns.count * 4
    // The rows above, at and below the current one, each mixed with its neighbours in the row.
    var mixed = [UInt16](repeating: 0, count: 3 * count)
    mixed.withUnsafeMutableBufferPointer { mixed in
      guard let mixed = mixed.baseAddress, let pixels = pixels.baseAddress else { return }
      func bytes(_ row: Int) -> UnsafeMutablePointer<UInt8> {
        (pixels + (row * width + columns.lowerBound) * 4).assumingMemoryBound(to: UInt8.self)
      }
      func mix(_ row: Int) {
        let (source, target) = (bytes(row), mixed + row % 3 * count)
        func mix(_ x: Int, left: Int, right: Int) {
          let sides = UInt16(source[x &- left]) &+ UInt16(source[x &+ right])
          target[x] = UInt16(source[x]) &* inner &+ sides &* outer
        }
        // With pointers and without checks of overflows, these loops become vector instructions.
        for x in 0..<4 { mix(x, left: 0, right: count > 4 ? 4 : 0) }
        guard count > 4 else { return }
        for x in 4..<count - 4 { mix(x, left: 4, right: 4) }
        for x in count - 4..<count { mix(x, left: 4, right: 0) }
      }
      mix(rows.lowerBound)
      for row in rows {
        let (above, below) = (max(row - 1, rows.lowerBound), min(row + 1, rows.upperBound - 1))
        if below > row { mix(below) }
        let (upper, own, lower) = (
          mixed + above % 3 * count, mixed + row % 3 * count, mixed + below % 3 * count
        )
        let target = bytes(row)
        for x in 0..<count {
          let around = (UInt32(upper[x]) &+ UInt32(lower[x])) &* UInt32(outer)
          let sum = UInt32(own[x]) &* UInt32(inner) &+ around
          target[x] = UInt8(truncatingIfNeeded: (sum &+ 0x8000) &>> 16)
        }
      }
    }
  }

  /// Returns the rectangle of the pixels that are drawn, with the margin around it; everything if
  /// no pixel is drawn.
  private func drawnPart(_ pixels: UnsafeRawBufferPointer) -> (
    columns: Range<Int>, rows: Range<Int>
  ) {
    func isDrawn(_ column: Int, _ row: Int) -> Bool {
      pixels.loadUnaligned(fromByteOffset: (row &* width &+ column) &* 4, as: UInt32.self) != 0
    }
    func areDrawn(fourFrom column: Int, _ row: Int) -> Bool {
      let offset = (row &* width &+ column) &* 4
      return pixels.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self) != .zero
    }
    var (left, right) = (width, 0)
    var (top, bottom) = (height, 0)
    for row in 0..<height {
      var first = 0
      while first + 4 <= width, !areDrawn(fourFrom: first, row) { first += 4 }
      while first < width, !isDrawn(first, row) { first += 1 }
      if first == width { continue }
      left = min(left, first)
      var end = width
      while end - 4 >= right, !areDrawn(fourFrom: end - 4, row) { end -= 4 }
      while end > right, !isDrawn(end - 1, row) { end -= 1 }
      right = max(right, end)
      (top, bottom) = (min(top, row), row + 1)
    }
    guard top < bottom else { return (0..<width, 0..<height) }
    let margin = GlassFrame.margin
    return (
      max(0, left - margin)..<min(width, right + margin),
      max(0, top - margin)..<min(height, bottom + margin)
    )
  }

  /// Scales a picture to the frame. Each pixel is the weighted mean of those around it.
  fileprivate mutating func scale(_ source: PremultipliedRows, _ frame: GlassFrame) {
    let across = ScalingWeights(
      from: source.width, start: frame.x - Double(x), length: frame.width, pixels: width)
    let down = ScalingWeights(
      from: source.height, start: frame.y - Double(y), length: frame.height, pixels: height)
    let columns = width
    // The scaled rows of the source that the current row needs, each at its number modulo `kept`.
    let kept = down.longest + 1
    var rows = [GlassColor](repeating: .zero, count: kept * columns)
    var line = [GlassColor](repeating: .zero, count: source.width)
    var next = 0
    pixels = [GlassColor](repeating: .zero, count: columns * height)
    pixels.withUnsafeMutableBufferPointer { pixels in
      rows.withUnsafeMutableBufferPointer { rows in
        for y in 0..<height {
          let steps = down.parts[y]..<down.parts[y + 1]
          guard let last = steps.last else { continue }
          next = max(next, down.sources[steps.lowerBound])
          while next <= down.sources[last] {
            source.read(next, into: &line)
            across.apply(
              to: line,
              UnsafeMutableBufferPointer(
                rebasing: rows[next % kept * columns..<(next % kept + 1) * columns]))
            next += 1
          }
          let target = UnsafeMutableBufferPointer(
            rebasing: pixels[y * columns..<(y + 1) * columns])
          for step in steps {
            let start = down.sources[step] % kept * columns
            let weight = down.weights[step]
            for x in 0..<columns { target[x] += rows[start + x] * weight }
          }
          for x in 0..<columns { target[x] = target[x].straight }
        }
      }
    }
  }

  /// Replaces the colours by a paint. A gradient lies in the box of the drawn shape.
  fileprivate mutating func fill(_ paint: GlassPaint) {
    if case .color(let color) = paint {
      for index in pixels.indices {
        pixels[index] = GlassColor(color.x, color.y, color.z, color.w * pixels[index].w)
      }
      return
    }
    guard let box = box() else { return }
    let stops: [GlassStop]
    let (start, end): (SIMD2<Float>, SIMD2<Float>)
    switch paint {
    case .color: return
    case .automatic(let color):
      (stops, start, end) = (GlassPaint.automaticStops(color), SIMD2(0.5, 0), SIMD2(0.5, 1))
    case .linear(let all, let from, let to): (stops, start, end) = (all, from, to)
    }
    let line = end - start
    let square = line.x * line.x + line.y * line.y
    let scale = line / max(square, 1e-9)
    let (across, down) = (1 / Float(box.columns.count), 1 / Float(box.rows.count))
    for row in box.rows {
      let y = (Float(row - box.rows.lowerBound) + 0.5) * down - start.y
      for column in box.columns {
        let index = row * width + column
        let covered = pixels[index].w
        if covered == 0 { continue }
        let x = (Float(column - box.columns.lowerBound) + 0.5) * across - start.x
        var color = stops.color(at: x * scale.x + y * scale.y)
        color.w *= covered
        pixels[index] = color
      }
    }
  }

  /// Returns the rectangle of the pixels that show something.
  private func box() -> (columns: Range<Int>, rows: Range<Int>)? {
    var (left, right, top, bottom) = (width, -1, height, -1)
    for row in 0..<height {
      for column in 0..<width where pixels[row * width + column].w > 0.02 {
        (left, right) = (min(left, column), max(right, column))
        (top, bottom) = (min(top, row), max(bottom, row))
      }
    }
    return right < 0 ? nil : (left..<right + 1, top..<bottom + 1)
  }
}

extension GlassColor {
  /// Creates the colour of blue, green, red and alpha in bytes.
  @inline(__always)
  fileprivate init(stored pixel: SIMD4<UInt8>) {
    self = GlassColor(Float(pixel.z), Float(pixel.y), Float(pixel.x), Float(pixel.w)) * (1 / 255)
  }

  /// The colour that is not premultiplied.
  @inline(__always)
  fileprivate var straight: GlassColor {
    guard w > 1e-4 else { return .zero }
    let color = self / w
    return GlassColor(color.x, color.y, color.z, w)
  }
}

/// The premultiplied colours of a picture, row by row. Pictures much larger than their frame are
/// reduced first. Rows that were reduced are kept; they take at most four bytes for each pixel of
/// the picture, less than decoding it took.
private final class PremultipliedRows {
  let width: Int
  let height: Int
  /// The pixels of the picture along each side of one that is read.
  let block: Int
  private let bitmap: Bitmap
  private var reduced: [[GlassColor]]

  static func block(of bitmap: Bitmap, for frame: GlassFrame) -> Int {
    let step = min(Double(bitmap.width) / frame.width, Double(bitmap.height) / frame.height)
    return max(1, Int(min(step / 4, 4096)))
  }

  init(_ bitmap: Bitmap, block: Int) {
    (self.bitmap, self.block) = (bitmap, block)
    width = (bitmap.width + block - 1) / block
    height = (bitmap.height + block - 1) / block
    reduced = block == 1 ? [] : [[GlassColor]](repeating: [], count: height)
  }

  func read(_ row: Int, into line: inout [GlassColor]) {
    if block > 1, !reduced[row].isEmpty {
      line = reduced[row]
      return
    }
    line.withUnsafeMutableBufferPointer { line in
      bitmap.pixels.withUnsafeBytes { pixels in
        if block == 1 { return add(row, of: pixels, into: line, adds: false) }
        for x in line.indices { line[x] = .zero }
        let rows = row * block..<min((row + 1) * block, bitmap.height)
        for row in rows { add(row, of: pixels, into: line, adds: true) }
        for x in line.indices {
          let columns = min((x + 1) * block, bitmap.width) - x * block
          line[x] *= 1 / Float(columns * rows.count)
        }
      }
    }
    if block > 1 { reduced[row] = line }
  }

  private func add(
    _ row: Int, of pixels: UnsafeRawBufferPointer,
    into line: UnsafeMutableBufferPointer<GlassColor>, adds: Bool
  ) {
    let start = row * bitmap.bytesPerRow
    if bitmap.layout == .bgra8 {
      var (column, left) = (0, block)
      for x in 0..<bitmap.width {
        let pixel = pixels.loadUnaligned(fromByteOffset: start + 4 * x, as: SIMD4<UInt8>.self)
        line[column] = adds ? line[column] + GlassColor(stored: pixel) : GlassColor(stored: pixel)
        left -= 1
        if left == 0 { (column, left) = (column + 1, block) }
      }
      return
    }
    let size = bitmap.layout.bytesPerPixel
    for x in 0..<bitmap.width {
      let color = GlassColor(pixels, at: start + x * size, bitmap.layout)
      line[x / block] = adds ? line[x / block] + color : color
    }
  }
}

extension GlassColor {
  /// Reads a stored pixel.
  fileprivate init(_ pixels: UnsafeRawBufferPointer, at start: Int, _ layout: BitmapLayout) {
    func sixteen(_ channel: Int) -> UInt16 {
      pixels.loadUnaligned(fromByteOffset: start + 2 * channel, as: UInt16.self)
    }
    switch layout {
    case .bgra8:
      self.init(
        stored: pixels.loadUnaligned(fromByteOffset: start, as: SIMD4<UInt8>.self))
    case .ga8:
      let (gray, alpha) = (Float(pixels[start]) / 255, Float(pixels[start + 1]) / 255)
      self.init(gray, gray, gray, alpha)
    case .rgbw:
      self.init(
        float(half: sixteen(0)), float(half: sixteen(1)), float(half: sixteen(2)),
        float(half: sixteen(3)))
    case .ga16:
      let (gray, alpha) = (Float(sixteen(0)) / 65535, Float(sixteen(1)) / 65535)
      self.init(gray, gray, gray, alpha)
    case .ga16Half:
      let (gray, alpha) = (float(half: sixteen(0)), float(half: sixteen(1)))
      self.init(gray, gray, gray, alpha)
    }
  }
}

/// The source pixels of each target pixel along one side, with their weights.
private struct ScalingWeights {
  /// The first entry of each target pixel, and the end of the last one.
  private(set) var parts: [Int] = [0]
  private(set) var sources: [Int] = []
  private(set) var weights: [Float] = []
  /// The largest number of source pixels of a target pixel.
  private(set) var longest = 1

  /// Scales one row.
  func apply(to line: [GlassColor], _ target: UnsafeMutableBufferPointer<GlassColor>) {
    line.withUnsafeBufferPointer { line in
      parts.withUnsafeBufferPointer { parts in
        sources.withUnsafeBufferPointer { sources in
          weights.withUnsafeBufferPointer { weights in
            for x in target.indices {
              var sum = GlassColor.zero
              for step in parts[x]..<parts[x + 1] { sum += line[sources[step]] * weights[step] }
              target[x] = sum
            }
          }
        }
      }
    }
  }

  /// The source fills `length` pixels from `start`; weights outside of it are left out.
  init(from count: Int, start: Double, length: Double, pixels: Int) {
    let step = Double(count) / length
    // The weight falls evenly up to the middle of the next pixel, of the target if the picture
    // becomes smaller, otherwise of the source.
    let reach = max(1, step)
    for pixel in 0..<pixels {
      let middle = (Double(pixel) + 0.5 - start) * step
      let first = max(0, Int((middle - reach).rounded(.down)))
      let last = min(count - 1, Int((middle + reach).rounded(.up)))
      var own: [(source: Int, weight: Double)] = []
      for source in stride(from: first, through: last, by: 1) {
        let weight = 1 - abs(Double(source) + 0.5 - middle) / reach
        if weight > 0 { own.append((source, weight)) }
      }
      let sum = own.reduce(0) { $0 + $1.weight }
      if abs(sum) > 1e-6 {
        // At the sides of the frame, a pixel is covered in part.
        let covered = min(Double(pixel + 1), start + length) - max(Double(pixel), start)
        let share = max(0, min(covered, 1))
        for (source, weight) in own {
          sources.append(source)
          weights.append(Float(weight / sum * share))
        }
      }
      longest = max(longest, sources.count - parts[parts.count - 1])
      parts.append(sources.count)
    }
  }
}
