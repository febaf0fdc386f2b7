// Draws vectors that the archive keeps, PDF and SVG files, at any size into the caller's memory.
// The module Vectors reads and draws them; this file applies limits, layouts, tints and mirrors.

import CPosix
import Colors
import Vectors

/// The page of a vector.
public struct VectorPage: Sendable, Hashable {
  /// The size in points.
  public var width: Double
  public var height: Double
  /// The size in pixels at scale 1, at which `decode` draws. The sides of a PDF are rounded to the
  /// nearest pixel, those of an SVG up.
  public var pixelSize: PixelSize
  /// Whether everything in the file is drawn. Filters, for example, and text in fonts that the file
  /// does not contain are not drawn.
  public var isComplete: Bool
}

/// The arguments of `drawVector` except the variant and the size.
struct VectorTarget {
  var layout: PixelLayout
  var space: PixelSpace
  var tint: Tint?
  var isMirrored = false
  var pixels: UnsafeMutableRawBufferPointer
  var rowStride: Int

  /// Whether rows can be drawn in place: the rasteriser writes words of blue, green, red and alpha.
  fileprivate var isPlain: Bool {
    guard space == .sRGB, layout == .bgra8 || layout == .rgba8, rowStride % 4 == 0 else {
      return false
    }
    return UInt(bitPattern: pixels.baseAddress) % 4 == 0
  }
}

extension Catalog {
  /// Returns the page of a vector, or of the vector that is kept beside a bitmap. The whole file is
  /// read, as for drawing.
  public func vectorPage(
    of variant: Variant, limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) -> VectorPage {
    var room = DecodingRoom()
    room.begin(limits, self, pixels: 0)
    let vector = try Vector(variant, of: self, limits, &room)
    return VectorPage(
      width: vector.width, height: vector.height, pixelSize: try vector.pixelSize(),
      isComplete: vector.isComplete)
  }

  /// Draws a vector at a size in pixels; for a bitmap, the vector that the archive keeps beside it
  /// for the same traits, if there is one (`CatalogView.findVector`). A size that the page has at a
  /// whole scale gives the pixels that `carve compile` stores for that scale, up to the rounding of
  /// stored colours by one; at any other size the page is stretched to fill it. `tint` replaces all
  /// colours and keeps their alpha: for a template, see `Variant.templateIntent`. A mirrored
  /// variant is drawn mirrored.
  ///
  /// The following counts against `limits.scratchBytes`: the file, eight bytes for each pixel, and
  /// four more bytes for each pixel if pixels have to be converted. Half of the rest is for the
  /// decompressed streams and images of a PDF, the other half for groups and clips. In addition,
  /// the parsed file takes memory in proportion to its text. After an error the rows of
  /// `destination` may hold anything.
  public func drawVector(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB, width: Int, height: Int,
    tint: Tint? = nil, into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    try checkSize()
    var room = DecodingRoom()
    let target = VectorTarget(
      layout: layout, space: space, tint: tint, isMirrored: variant.isMirrored,
      pixels: destination, rowStride: rowStride)
    try drawVector(
      variant, PixelSize(width: width, height: height), target, limits, &room)
  }

  /// Draws with memory that may serve the next picture too. If `wanted` is nil, the size is that of
  /// the page. The caller has called `checkSize`.
  func drawVector(
    _ variant: Variant, _ wanted: PixelSize?, _ target: VectorTarget, _ limits: DecodeLimits,
    _ room: inout DecodingRoom
  ) throws(CatalogError) {
    if let wanted { try Catalog.check(wanted, target: target, limits: limits) }
    room.begin(limits, self, pixels: 0)
    let vector = try Vector(variant, of: self, limits, &room)
    let size = if let wanted { wanted } else { try vector.pixelSize() }
    try Catalog.check(size, target: target, limits: limits)
    room.extend(limits, self, pixels: size.width * size.height)
    try draw(vector, into: size, stride: target, room: &room)
  }

  /// Draws a vector that was read, at a size that was checked.
  func draw(
    _ vector: Vector, into size: PixelSize, stride target: VectorTarget, room: inout DecodingRoom
  ) throws(CatalogError) {
    guard let base = target.pixels.baseAddress else { throw .bufferTooSmall(needed: size.width) }
    let stride = target.isPlain ? target.rowStride : size.width * 4
    let rows = target.isPlain ? base : try room.canvas(size)
    try vector.draw(size, into: rows, stride, &room)
    for y in 0..<size.height {
      let row = rows + y * stride
      target.tint?.color(row, width: size.width)
      if target.isMirrored { Catalog.mirror(row, width: size.width) }
      if target.isPlain, target.layout == .rgba8 {
        PixelConversion.swapRedAndBlue(row, to: row, width: size.width)
      }
    }
    guard !target.isPlain else { return }
    let conversion = PixelConversion(source: .argb, layout: target.layout, space: target.space)
    for y in 0..<size.height {
      conversion.convert(rows + y * stride, to: base + y * target.rowStride, width: size.width)
    }
  }

  static func check(
    _ size: PixelSize, target: VectorTarget, limits: DecodeLimits
  ) throws(CatalogError) {
    // No bitmap of a vector has a longer side.
    let limits = limits.within(PagePlacement.longestSide)
    guard size.width > 0, size.height > 0, size.width <= limits.width,
      size.height <= limits.height
    else { throw .overLimit(width: size.width, height: size.height) }
    try checkRoom(
      target.pixels, rowStride: target.rowStride, width: size.width, height: size.height,
      layout: target.layout)
  }

  private static func mirror(_ row: UnsafeMutableRawPointer, width: Int) {
    let pixels = row.assumingMemoryBound(to: UInt32.self)
    for x in 0..<width / 2 {
      let left = pixels[x]
      pixels[x] = pixels[width - 1 - x]
      pixels[width - 1 - x] = left
    }
  }
}

#if CARVE_WITHOUT_VECTORS
  /// Replaces the type below in a library that was built without drawing vectors.
  struct Vector {
    var width: Double { 0 }
    var height: Double { 0 }
    var isComplete: Bool { false }

    init(_ drawing: Void) {}

    init(
      _ shown: Variant, of catalog: Catalog, _ limits: DecodeLimits, _ room: inout DecodingRoom
    ) throws(CatalogError) {
      guard catalog.storage.vector(of: shown) != nil else { throw .wrongContent(shown.content) }
      throw .unsupported("drawing vectors, which this library was built without,")
    }

    func pixelSize() throws(CatalogError) -> PixelSize { PixelSize(width: 0, height: 0) }

    func draw(
      _ size: PixelSize, into rows: UnsafeMutableRawPointer, _ stride: Int,
      _ room: inout DecodingRoom
    ) throws(CatalogError) {}
  }
#else
  /// A vector file that was read.
  struct Vector {
    private let drawing: Drawing
    private let source: PagePlacement.Source

    var width: Double { drawing.width }
    var height: Double { drawing.height }
    var isComplete: Bool { drawing.unsupported.isEmpty }

    /// Makes a vector of the drawing of a symbol.
    init(_ drawing: Drawing) {
      self.drawing = drawing
      source = .svg
    }

    /// Reads a vector, or the vector that is kept beside a bitmap.
    init(
      _ shown: Variant, of catalog: Catalog, _ limits: DecodeLimits, _ room: inout DecodingRoom
    ) throws(CatalogError) {
      guard let variant = catalog.storage.vector(of: shown) else {
        throw .wrongContent(shown.content)
      }
      source = variant.content == .svg ? .svg : .pdf
      let size = try catalog.fileSize(of: variant)
      guard size <= limits.vectorText(fileSize: catalog.fileSize) else {
        throw .overLimit(width: size, height: 1)
      }
      try room.take(size, width: size, height: 1)
      let (source, memory) = (source, room.left / 2)
      let read = try catalog.withFile(of: variant, limits: limits) {
        Vector.read($0, source, memory: memory)
      }
      switch read {
      case .success(let drawing): self.drawing = drawing
      case .failure(let error): throw CatalogError(error)
      }
    }

    private static func read(
      _ bytes: UnsafeRawBufferPointer, _ source: PagePlacement.Source, memory: Int
    ) -> Result<Drawing, VectorError> {
      Result { () throws(VectorError) in
        switch source {
        case .pdf: try PDFDocument.read(bytes, memory: memory)
        case .svg: try SVG.read(Array(bytes), memory: memory)
        }
      }
    }

    /// Returns the size in pixels at scale 1.
    func pixelSize() throws(CatalogError) -> PixelSize {
      do throws(VectorError) {
        let placement = try PagePlacement(source, width: width, height: height, scale: 1)
        return PixelSize(width: placement.width, height: placement.height)
      } catch {
        throw CatalogError(error)
      }
    }

    /// Draws into rows that start at multiples of four bytes. The caller has checked that all rows
    /// fit.
    func draw(
      _ size: PixelSize, into rows: UnsafeMutableRawPointer, _ stride: Int,
      _ room: inout DecodingRoom
    ) throws(CatalogError) {
      try room.take((size.width + 2) * size.height * 8, width: size.width, height: size.height)
      let pixels = UnsafeMutableRawBufferPointer(
        start: rows, count: stride * (size.height - 1) + size.width * 4)
      do throws(VectorError) {
        let placement = try PagePlacement(
          source, width: width, height: height, filling: (size.width, size.height))
        try room.draw(drawing, placement, into: pixels, rowStride: stride)
      } catch {
        throw CatalogError(error)
      }
    }
  }

  extension CatalogError {
    init(_ error: VectorError) {
      switch error {
      case .malformed: self = .badVector(error.words)
      case .overLimit, .overBudget: self = .vectorOverLimit(error.words)
      }
    }
  }
#endif

// MARK: - Tints

/// A colour that replaces all colours of a template. It is in sRGB and not premultiplied.
/// Components outside of 0 to 1 are clipped.
public struct Tint: Sendable, Hashable {
  public var red: Double
  public var green: Double
  public var blue: Double
  public var alpha: Double

  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Converts a colour of an archive. A colour in Display P3 becomes the nearest one in sRGB. nil
  /// for all spaces except these two, their extended forms, and gray.
  public init?(_ color: ColorValue) {
    self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    switch color.space {
    case .sRGB, .extendedSRGB, .grayGamma22, .extendedGray: break
    case .displayP3: convertFromDisplayP3()
    default: return nil
    }
  }

  /// Converts from Display P3 to sRGB. The two spaces have one transfer curve; the matrix combines
  /// the matrices of their primaries.
  private mutating func convertFromDisplayP3() {
    let (r, g, b) = (linear(Float(red)), linear(Float(green)), linear(Float(blue)))
    red = Double(encoded(1.224_940_2 * r - 0.224_940_2 * g))
    green = Double(encoded(-0.042_056_95 * r + 1.042_056_95 * g))
    blue = Double(encoded(-0.019_637_55 * r - 0.078_636_05 * g + 1.098_273_6 * b))
  }

  /// Colours premultiplied pixels of blue, green, red and alpha.
  func color(_ row: UnsafeMutableRawPointer, width: Int) {
    let (red, green, blue, alpha) = (
      Tint.byte(red), Tint.byte(green), Tint.byte(blue), Tint.byte(alpha)
    )
    for x in 0..<width {
      let pixel = row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
      let opacity = Tint.product(pixel >> 24, alpha)
      let tinted =
        opacity << 24 | Tint.product(red, opacity) << 16 | Tint.product(green, opacity) << 8
        | Tint.product(blue, opacity)
      row.storeBytes(of: tinted, toByteOffset: x &* 4, as: UInt32.self)
    }
  }

  /// Returns a component as a byte; 0 if it is not a number.
  private static func byte(_ value: Double) -> UInt32 {
    value > 0 ? UInt32(min(value, 1) * 255 + 0.5) : 0
  }

  /// Returns the product of two fractions of 255, rounded to the nearest.
  private static func product(_ a: UInt32, _ b: UInt32) -> UInt32 { (a &* b &+ 127) / 255 }
}
