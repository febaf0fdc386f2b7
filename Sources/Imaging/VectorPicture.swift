// Draws PDF and SVG files as bitmaps, for the compiler and for extraction. A file is read once and
// drawn at every scale that is needed. Vectors contains the readers and the rasterizer; sizes and
// slices come from PagePlacement.

import Bytes
import CDeflate
import Codecs
import Vectors

/// The facts about a drawn bitmap that its pixels do not show.
package struct DrawnFacts: Sendable, Hashable {
  /// The number of columns on the right that are not part of the picture; `excessHeight` is that of
  /// rows at the top.
  package var excessWidth = 0
  package var excessHeight = 0
  package var undrawn = FeatureSet()

  package init(excessWidth: Int = 0, excessHeight: Int = 0, undrawn: FeatureSet = FeatureSet()) {
    self.excessWidth = excessWidth
    self.excessHeight = excessHeight
    self.undrawn = undrawn
  }
}

/// Features that a file uses and that its bitmaps do not show.
package struct FeatureSet: OptionSet, Sendable, Hashable {
  package var rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  init(_ features: [UnsupportedFeature]) {
    rawValue = features.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }

  package var features: [UnsupportedFeature] {
    UnsupportedFeature.allCases.filter { contains(FeatureSet([$0])) }
  }
}

/// A vector file that was read.
package struct VectorPicture {
  private let drawing: Drawing
  private let source: PagePlacement.Source

  package init(_ bytes: [UInt8]) throws(VectorError) {
    (drawing, source) = try VectorFile.read(bytes)
  }

  /// Reads one of the files of a picture that is made of several.
  package init(_ bytes: [UInt8], _ shared: SharedBudget) throws(VectorError) {
    (drawing, source) = try VectorFile.read(bytes, shared)
  }

  /// The work and memory that reading the file took.
  package var spending: Spending { drawing.spending }

  /// Reads a drawing of a symbol, in black.
  package init(symbol bytes: [UInt8]) throws(VectorError) {
    let symbol = try SVG.readSymbol(bytes)
    drawing = symbol.painted(SymbolPaints(mode: .monochrome, tint: .black))
    source = .svg
  }

  /// The features of the file that a drawing does not show.
  package var undrawn: FeatureSet { FeatureSet(unsupported) }

  /// The same features in the order in which the file has them.
  package var unsupported: [UnsupportedFeature] { drawing.unsupported }

  package var page: VectorPage { VectorPage(source, of: drawing) }

  /// Returns the place of the page in a bitmap of a number of pixels per unit.
  package func placement(scale: Double) throws(VectorError) -> PagePlacement {
    try page.placement(scale: scale)
  }

  /// Throws an error if the bitmap at a scale would have more pixels than `most`.
  package func checkSize(scale: Double, mostPixels most: Int) throws(VectorError) {
    let placement = try placement(scale: scale)
    guard placement.width * placement.height <= most else {
      throw .overLimit(.bitmapPixels, most: most)
    }
  }

  /// Returns the memory in bytes for drawing a bitmap: the pixels, and the surfaces of nested
  /// groups.
  package func drawingMemory(width: Int, height: Int) -> Int {
    let surfaces = Rasterizer.mostMemory(
      of: drawing, pixels: width.multipliedReportingOverflow(by: height).partialValue)
    return 4 * width * height + surfaces
  }

  /// Draws a bitmap of premultiplied colours.
  package func bitmap(
    scale: Double, _ rasterizer: inout Rasterizer
  ) throws(VectorError) -> (bitmap: Bitmap, facts: DrawnFacts) {
    let placement = try placement(scale: scale)
    let bitmap = try self.bitmap(placement, &rasterizer)
    let facts = DrawnFacts(
      excessWidth: placement.width - placement.sliceWidth,
      excessHeight: placement.height - placement.sliceHeight,
      undrawn: undrawn)
    return (bitmap, facts)
  }

  /// Draws a bitmap of any size, which the page fills.
  package func bitmap(
    width: Int, height: Int, _ rasterizer: inout Rasterizer
  ) throws(VectorError) -> Bitmap {
    let placement = try PagePlacement(
      source, width: drawing.width, height: drawing.height, filling: (width, height))
    return try bitmap(placement, &rasterizer)
  }

  /// Draws the page at any place of a bitmap: its upper left corner at (x, y), `across` pixels wide
  /// and `down` pixels high. Returns premultiplied blue, green, red and alpha in rows without
  /// padding. Nothing is drawn outside of the page.
  func pixels(
    width: Int, height: Int, x: Double, y: Double, across: Double, down: Double,
    _ rasterizer: inout Rasterizer
  ) throws(VectorError) -> [UInt8] {
    var placement = try PagePlacement(
      source, width: drawing.width, height: drawing.height, filling: (width, height))
    placement.transform = Transform(
      across / drawing.width, 0, 0, down / drawing.height, x, y)
    return try pixels(placement, bytesPerRow: width * 4, &rasterizer)
  }

  private func bitmap(
    _ placement: PagePlacement, _ rasterizer: inout Rasterizer
  ) throws(VectorError) -> Bitmap {
    let stride = BitmapLayout.bgra8.bytesPerRow(width: placement.width)
    let pixels = try pixels(placement, bytesPerRow: stride, &rasterizer)
    return Bitmap(surveying: pixels, width: placement.width, height: placement.height)
  }

  private func pixels(
    _ placement: PagePlacement, bytesPerRow: Int, _ rasterizer: inout Rasterizer
  ) throws(VectorError) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: bytesPerRow * placement.height)
    var failure: VectorError?
    pixels.withUnsafeMutableBytes { pixels in
      do throws(VectorError) {
        try rasterizer.draw(drawing, placement, into: pixels, bytesPerRow: bytesPerRow)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return pixels
  }
}

// MARK: - Files for archives

extension VectorPicture {
  /// Returns the file of the picture in fewer bytes and with the same drawing; nil if it must be
  /// stored as it is.
  package func rewritten(_ file: [UInt8], for goal: Optimization = .standard) -> [UInt8]? {
    VectorFile.rewritten(file, drawing: drawing) { data, effort in
      let bound = carve_deflate_bound(data.count)
      let level = Int32(Self.level(of: data.count, effort, for: goal))
      let packed = [UInt8](unsafeUninitializedCapacity: bound) { room, count in
        count = carve_deflate(data, data.count, level, room.baseAddress, bound)
      }
      return packed.isEmpty ? nil : packed
    }
  }

  /// Returns whether a file can be stored in place of the picture's file.
  package func accepts(_ written: [UInt8], for file: [UInt8]) -> Bool {
    VectorFile.isSmaller(written, than: file, drawing: drawing)
  }

  /// Returns the level of libdeflate for a stream of a size. Contents and profiles are small and
  /// are compressed as tightly as possible. The highest level takes half a second for each megabyte
  /// of a picture. Level 10 takes a third of that and gives 2 % more bytes; level 8, a tenth of
  /// that and 16 % more.
  private static func level(
    of count: Int, _ effort: DeflateEffort, for goal: Optimization
  ) -> Int {
    switch (effort, goal) {
    case (.measured, _): 6
    case (.hurried, _): 8
    case (.stored, .space): 12
    case (.stored, .time): count > 1 << 14 ? 6 : 9
    case (.stored, _): count > DeflateEffort.largeStream ? 10 : 12
    }
  }
}
