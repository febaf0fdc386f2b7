// Decodes or draws the picture of a rendition, or gives the reason why there is no picture.
// Extraction and the page of previews use this code.

import Archive
import Bytes
import Codecs
import Host
import Imaging
import Vectors

extension Rendition {
  /// Decodes the stored pixels. `Bitmap.cut` returns a picture in an atlas.
  func picture() throws(SkipReason) -> Bitmap {
    let bitmap: BitmapPayload
    do throws(CodecError) { bitmap = try BitmapPayload(payload.buffer) } catch {
      throw SkipReason(error)
    }
    if header.pixelFormat == .rgb5 { return try fiveBits(bitmap) }
    let layout = try Extraction.reading { () throws(FormatError) in
      try BitmapLayout(stored: self, bitmap.compression)
    }
    guard let layout else { throw .unsupported("pixels of the format \(header.pixelFormat)") }
    let decoded = try Extraction.reading { () throws(FormatError) in try Bitmap(self) }
    if let decoded { return decoded }
    // Decodes the rows again, only to find the reason of the failure.
    _ = try rows(of: bitmap, layout.coded)
    throw .damaged("its pixels cannot be decoded")
  }

  /// Why the stored pixels cannot be decoded; nil if they can, or if their form is not read.
  var damage: String? {
    do throws(SkipReason) {
      _ = try picture()
      return nil
    } catch {
      return error.isDamage ? error.reason : nil
    }
  }

  /// Returns the decoded rows without padding.
  private func rows(
    of bitmap: BitmapPayload, _ format: PixelFormat
  ) throws(SkipReason) -> [UInt8] {
    let (width, height) = (Int(header.width), Int(header.height))
    guard
      Bitmap.isJustified(
        width: width, height: height, bytesPerPixel: format.bytesPerPixel,
        payload: payload.count)
    else {
      throw .damaged("\(payload.count) bytes are too few for \(width) × \(height) pixels")
    }
    let stride = width * format.bytesPerPixel
    let stated = try Extraction.reading { () throws(FormatError) in
      try bytesPerRow().map { Int($0) } ?? stride
    }
    var rows = [UInt8](repeating: 0, count: stride * height)
    let failure = rows.withUnsafeMutableBytes { target -> CodecError? in
      do throws(CodecError) {
        try bitmap.decode(
          format: format, width: width, height: height, bytesPerRow: stated, into: target,
          rowStride: stride)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw SkipReason(failure) }
    return rows
  }

  /// Decodes pixels of 16 bits: an unused bit, then five bits each for red, green and blue.
  private func fiveBits(_ bitmap: BitmapPayload) throws(SkipReason) -> Bitmap {
    let rows = try rows(of: bitmap, .rgb5)
    return Bitmap(self, layout: .bgra8, isOpaque: true) { index, pixels in
      let word = Int(rows[2 * index]) | Int(rows[2 * index + 1]) << 8
      for shift in [0, 5, 10] { pixels.append(UInt8((word >> shift & 31) * 255 / 31)) }
      pixels.append(255)
    }
  }

  /// Returns the PNG file of a vector that is drawn at a number of pixels per unit.
  func drawnFile(
    _ scale: Int, _ rasterizer: inout Rasterizer, _ gate: MemoryGate, _ allowance: PictureAllowance
  ) throws(SkipReason) -> [UInt8] {
    let vector = try gate.share(16 * fileMemory) { () throws(SkipReason) in
      try StoredVector(self, allowance)
    }
    // The page of the vector determines the size of the drawing.
    return try gate.share(vector.memory(scale: scale)) { () throws(SkipReason) in
      try vector.bitmap(scale: scale, &rasterizer).pngFile(.fast)
    }
  }
}

/// A vector of an archive that was read, to be drawn at several scales.
package struct StoredVector {
  private let picture: VectorPicture
  private let byteCount: Int
  private let allowance: PictureAllowance
  /// The features that a drawing does not show, as the end of a sentence; nil if it shows all.
  package let remark: String?

  init(_ rendition: Rendition, _ allowance: PictureAllowance) throws(SkipReason) {
    self.allowance = allowance
    try Extraction.reading { () throws(FormatError) in
      try allowance.pay(rendition.fileMemory)
      try allowance.checkWork()
    }
    let bytes = try rendition.fileContents()
    byteCount = bytes.count
    let isSymbol = rendition.header.layout == .symbol
    do throws(VectorError) {
      picture = try isSymbol ? VectorPicture(symbol: bytes) : VectorPicture(bytes)
    } catch {
      // A file that cannot be read within its budget has spent it.
      if case .overBudget = error { allowance.count(work: Budget.workFloor) }
      throw StoredVector.reason(error)
    }
    // The style sheet of a symbol contains rules for layers, which a drawing may leave out.
    remark = isSymbol ? nil : picture.unsupported.remark
  }

  /// The limit for the pixels of a drawing. The compiler has the same one unless an option changes
  /// it.
  private static let mostPixels = 1 << 26

  /// Returns the memory in bytes for drawing; 0 if the vector cannot be drawn.
  package func memory(scale: Int) -> Int {
    guard let placement = try? picture.placement(scale: Double(scale)) else { return 0 }
    let (width, height) = (placement.width, placement.height)
    return 16 * byteCount + picture.drawingMemory(width: width, height: height)
      + 8 * width * height
  }

  /// Draws the vector at a number of pixels per unit.
  package func bitmap(
    scale: Int, _ rasterizer: inout Rasterizer
  ) throws(SkipReason) -> Bitmap {
    let allowance = allowance
    try Extraction.reading { () throws(FormatError) in try allowance.checkWork() }
    // The work of a drawing contains that of reading its file.
    defer { allowance.count(work: rasterizer.statement.work) }
    do throws(VectorError) {
      try picture.checkSize(scale: Double(scale), mostPixels: StoredVector.mostPixels)
      return try picture.bitmap(scale: Double(scale), &rasterizer).bitmap
    } catch {
      throw StoredVector.reason(error)
    }
  }

  private static func reason(_ error: VectorError) -> SkipReason {
    .unsupported("a vector that cannot be drawn: \(error.words)")
  }
}

extension [UnsupportedFeature] {
  /// The features of a vector that a drawing does not show, as the end of a sentence; nil for none.
  var remark: String? {
    if isEmpty { return nil }
    let names = map { "\($0.name)" }.joined(separator: ", ")
    return "has features that are not drawn, or not drawn exactly: \(names)"
  }
}

extension Bitmap {
  /// Creates a bitmap of the size of a rendition. `append` appends its pixels one by one.
  fileprivate init(
    _ rendition: Rendition, layout: BitmapLayout, isOpaque: Bool,
    _ append: (Int, inout [UInt8]) -> Void
  ) {
    let (width, height) = (Int(rendition.header.width), Int(rendition.header.height))
    let gap = layout.bytesPerRow(width: width) - width * layout.bytesPerPixel
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { append(y * width + x, &pixels) }
      pixels += repeatElement(0, count: gap)
    }
    self.init(
      width: width, height: height, layout: layout, isOpaque: isOpaque, isGray: false,
      pixels: pixels)
  }
}

// MARK: - Sources of pictures

// Returns the pictures of an archive by the ranges of their blocks, for code that finds renditions
// through the lookup index. The pixels are the same as those of extraction.

/// The pictures and files of one archive.
package struct PictureSource: Sendable {
  private let bytes: FileBytes
  private let allowance: PictureAllowance

  /// Opens an archive. The caller keeps the bytes alive and unchanged.
  package init(_ file: UnsafeRawBufferPointer) {
    bytes = FileBytes(file)
    allowance = PictureAllowance(fileSize: file.count)
  }

  /// Returns the memory in bytes for making a picture.
  package func memory(at block: Range<Int>) -> Int {
    (try? rendition(at: block)).map(Bitmap.memory) ?? 0
  }

  /// Returns the memory in bytes for a stored file.
  package func fileMemory(at block: Range<Int>) -> Int {
    (try? rendition(at: block))?.fileMemory ?? 0
  }

  /// Returns a picture that does not lie in an atlas.
  package func picture(at block: Range<Int>) throws(SkipReason) -> Bitmap {
    let rendition = try rendition(at: block)
    try allowance.payOrSkip(for: rendition)
    return try rendition.picture()
  }

  /// Returns what `use` makes of each of the pictures that lie in one atlas. The atlas is decoded
  /// once, and one picture after the other is in memory.
  package func pictures<Made>(
    at links: [Range<Int>], inAtlas atlas: Range<Int>, _ use: (Bitmap) -> Made
  ) -> [Result<Made, SkipReason>] {
    let whole = Result { () throws(SkipReason) in try picture(at: atlas) }
    return links.map { block in
      Result { () throws(SkipReason) in
        let rendition = try rendition(at: block)
        let link = try Extraction.reading { () throws(FormatError) in try rendition.link() }
        guard let link else { throw .damaged("it does not state its place in the atlas") }
        return use(try picture(of: link, inAtlas: try whole.get()))
      }
    }
  }

  /// Returns the picture to which a link into an atlas leads.
  package func picture(
    of link: InternalLink, inAtlas atlas: Bitmap
  ) throws(SkipReason) -> Bitmap {
    try atlas.cut(link, allowance)
  }

  /// Reads a vector.
  package func vector(at block: Range<Int>) throws(SkipReason) -> StoredVector {
    try StoredVector(try rendition(at: block), allowance)
  }

  /// Returns the file in a rendition.
  package func file(at block: Range<Int>) throws(SkipReason) -> [UInt8] {
    let rendition = try rendition(at: block)
    try allowance.payOrSkip(rendition.fileMemory)
    return try rendition.fileContents()
  }

  /// Decodes a JPEG file in a rendition, and turns it upright.
  package func jpeg(at block: Range<Int>) throws(SkipReason) -> Bitmap {
    let rendition = try rendition(at: block)
    let file = try file(at: block)
    let size = JPEGDecoder.size(of: file)
    // The samples and the bitmap.
    try allowance.payOrSkip(8 * size.width * size.height)
    let orientation = try Extraction.reading { () throws(FormatError) in
      try rendition.orientation()
    }
    do throws(JPEGError) {
      return Bitmap(try JPEGDecoder.decode(file: file), orientation: Int(orientation ?? 1))
    } catch {
      switch error {
      case .codec(let error): throw SkipReason(error)
      case .overBudget: throw .unsupported("a JPEG file that takes too much memory")
      }
    }
  }

  private func rendition(at block: Range<Int>) throws(SkipReason) -> Rendition {
    try Extraction.reading { () throws(FormatError) in
      try Rendition(try bytes.slice(at: block.lowerBound, count: block.count, "a rendition"))
    }
  }
}

extension Bitmap {
  /// Returns the picture to which a link into this atlas leads. Only a frame inside of the atlas is
  /// paid for.
  func cut(_ link: InternalLink, _ allowance: PictureAllowance) throws(SkipReason) -> Bitmap {
    guard holds(link) else { throw .damaged("its frame extends beyond the atlas") }
    try allowance.payOrSkip(forFrameOf: link)
    guard let part = cut(link) else { throw .damaged("its frame is empty") }
    return part
  }
}
