// Reads PNG files: finds the chunks and checks them, reads the header, and decompresses the pixels
// into rows. Chunks that Carve does not use are skipped.
//
// Pixels are decompressed on two paths that give the same bits: one pass over the inflated picture
// if it has plain rows with at most eight bits for each channel, and libpng for all other files and
// for every unusual one.

import CDeflate
import CPNG
import CRows
import Codecs
import Colors

package struct PNGFile {
  package private(set) var width = 0
  package private(set) var height = 0
  private(set) var depth: UInt8 = 8
  package private(set) var color = PNGColorType.rgba
  var isInterlaced = false
  /// Whether the file is of Apple's kind (CgBI): a raw deflate stream of premultiplied BGRA.
  package private(set) var isApple = false
  /// The ranges of the chunks that Carve uses.
  var palette: Range<Int>?
  var transparency: Range<Int>?
  var profile: Range<Int>?
  var codePoints: Range<Int>?
  var pixels: [Range<Int>] = []
  /// Whether all chunks are in order. If a chunk is repeated, misplaced or of wrong length, libpng
  /// decides what it means.
  var isOrderly = true

  static func begins(_ file: UnsafeRawBufferPointer) -> Bool {
    file.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  }

  package init(_ file: UnsafeRawBufferPointer, maximumPixels: Int) throws(PictureError) {
    var walk = ChunkWalk(file: file)
    var isFirst = true
    while true {
      let chunk = try walk.next()
      if isFirst && chunk.kind == .applePNG && !isApple {
        isApple = true
        continue
      }
      if isFirst {
        guard chunk.kind == .header else {
          throw PictureError(chunk: "IHDR", offset: chunk.start, reason: .missing)
        }
        try walk.verify(chunk)
        try readHeader(of: file, chunk: chunk, maximumPixels: maximumPixels)
        isFirst = false
        continue
      }
      if chunk.kind == .end {
        try walk.verify(chunk)
        if !chunk.body.isEmpty { isOrderly = false }
        break
      }
      try place(chunk, walk)
    }
    if pixels.isEmpty { throw PictureError(chunk: "IDAT", offset: walk.offset, reason: .missing) }
    try check(file, walk.offset)
  }

  private mutating func readHeader(
    of file: UnsafeRawBufferPointer, chunk: PNGChunk, maximumPixels: Int
  ) throws(PictureError) {
    func invalid(_ what: String) -> PictureError {
      PictureError(chunk: "IHDR", offset: chunk.start, reason: .invalid(what))
    }
    guard chunk.body.count == 13 else { throw invalid("length") }
    let at = chunk.body.lowerBound
    width = Int(file.bigEndian32(at: at))
    height = Int(file.bigEndian32(at: at + 4))
    let sizes = 1..<1 << 31
    guard sizes.contains(width), sizes.contains(height) else { throw invalid("size") }
    depth = file[at + 8]
    guard let color = PNGColorType(rawValue: file[at + 9]) else { throw invalid("colour type") }
    self.color = color
    let depths: [UInt8] =
      switch color {
      case .gray: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      case .rgb, .grayAlpha, .rgba: [8, 16]
      }
    guard depths.contains(depth) else { throw invalid("bit depth") }
    guard file[at + 10] == 0 else { throw invalid("compression method") }
    guard file[at + 11] == 0 else { throw invalid("filter method") }
    guard file[at + 12] <= 1 else { throw invalid("interlace method") }
    isInterlaced = file[at + 12] == 1
    // Both sides are below 2³¹, so the product fits. For fewer than 2³² pixels, all numbers that
    // are computed from it fit, too. Rows are padded, so a picture that is one pixel wide takes as
    // much memory as one of eight.
    func check(_ pixels: Int) throws(PictureError) {
      let (most, justified) = (min(maximumPixels, 1 << 32), Self.mostPixels(ofBytes: file.count))
      if pixels <= min(most, justified) { return }
      throw PictureError(
        chunk: "IHDR", offset: chunk.start,
        reason: pixels > most
          ? .tooLarge(width: width, height: height, maximumPixels: most)
          : .unjustified(width: width, height: height, most: justified))
    }
    try check(width * height)
    let padded = BitmapLayout.bgra8.bytesPerRow(width: width) * height
    if padded > 1 << 20 { try check(padded / 4) }
  }

  /// Returns the largest number of pixels that a file of this length may have. Files of any length
  /// may have 2²⁴ pixels. Each byte of the file allows 258 more, as many as an empty drawing with
  /// four channels has in a byte, so that the memory grows with the file.
  private static func mostPixels(ofBytes count: Int) -> Int { (1 << 24) + 258 * count }

  private mutating func place(_ chunk: PNGChunk, _ walk: ChunkWalk) throws(PictureError) {
    switch chunk.kind {
    case .pixels:
      if let last = pixels.last, last.upperBound + 12 != chunk.body.lowerBound { isOrderly = false }
      if color == .palette && palette == nil {
        throw PictureError(chunk: "PLTE", offset: chunk.start, reason: .missing)
      }
      pixels.append(chunk.body)
    case .palette: keep(chunk, \.palette)
    case .transparency:
      if color == .palette && palette == nil { isOrderly = false }
      keep(chunk, \.transparency)
    case .profile: keep(chunk, \.profile)
    case .codePoints: keep(chunk, \.codePoints)
    default:
      // A capital first letter marks a chunk that is needed to understand the picture.
      if chunk.kind.isCritical { isOrderly = false }
      return
    }
    try walk.verify(chunk)
  }

  /// Keeps the first chunk of a kind, if it comes before the pixels.
  private mutating func keep(_ chunk: PNGChunk, _ path: WritableKeyPath<PNGFile, Range<Int>?>) {
    if self[keyPath: path] == nil && pixels.isEmpty {
      self[keyPath: path] = chunk.body
    } else {
      isOrderly = false
    }
  }

  private mutating func check(_ file: UnsafeRawBufferPointer, _ end: Int) throws(PictureError) {
    if color == .palette, let palette {
      if palette.isEmpty || palette.count > 768 || palette.count % 3 != 0 {
        throw PictureError(
          chunk: "PLTE", offset: palette.lowerBound - 8, reason: .invalid("number of entries"))
      }
    }
    guard let transparency else { return }
    switch color {
    case .gray: if transparency.count != 2 { isOrderly = false }
    case .rgb: if transparency.count != 6 { isOrderly = false }
    case .palette:
      // Entries of the palette that no index can reach do not count, and have no transparency
      // either.
      let entries = min((palette?.count ?? 0) / 3, 1 << Int(depth))
      if transparency.isEmpty || transparency.count > entries { isOrderly = false }
    case .grayAlpha, .rgba: isOrderly = false
    }
  }

  /// Whether pixels can have less than full alpha, as far as the header says.
  package var mayBeTransparent: Bool {
    isApple || color == .rgba || color == .grayAlpha || transparency != nil
  }

  /// The total number of bytes in the pixel chunks.
  var compressedCount: Int { pixels.reduce(0) { $0 + $1.count } }
}

/// The form of the rows that the caller wants.
enum RowForm {
  case ga
  case bgra
  /// RGBA that is not premultiplied.
  case straight
}

/// The buffers of decoding, which are kept from picture to picture.
struct PNGScratch: Sendable {
  var joined: [UInt8] = []
  var inflated: [UInt8] = []
  var zeros: [UInt8] = []
  var table: [UInt32] = []
}

extension PNGFile {
  /// The form in which the fast path reads the rows; nil if only libpng can read this file.
  var plainSource: carve_source? {
    guard !isInterlaced, isOrderly, depth <= 8 else { return nil }
    switch (color, depth) {
    case (.gray, 1), (.palette, 1): return carve_source_index1
    case (.gray, 2), (.palette, 2): return carve_source_index2
    case (.gray, 4), (.palette, 4): return carve_source_index4
    case (.palette, _): return carve_source_index8
    case (.gray, _): return transparency == nil ? carve_source_gray : carve_source_index8
    case (.grayAlpha, _): return carve_source_gray_alpha
    case (.rgb, _): return isApple ? carve_source_bgr : carve_source_rgb
    case (.rgba, _): return isApple ? carve_source_bgra_premultiplied : carve_source_rgba
    }
  }

  /// The bytes of all rows without their filter bytes. The pixel chunks must inflate to more.
  var inflatedCount: Int {
    let channels =
      switch color {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    return (width * channels * Int(depth) + 7) / 8 * height
  }

  /// Whether the compressed bytes can contain all pixels that the header announces. Deflate makes
  /// at most 1,032 bytes from one, so no memory is allocated for a larger picture.
  var isJustified: Bool { inflatedCount / 1032 <= compressedCount }

  func requireJustified() throws(PictureError) {
    if isJustified { return }
    throw PictureError(
      chunk: "IDAT", offset: (pixels.first?.lowerBound ?? 8) - 8, reason: .corruptPixels)
  }

  /// Whether the fast path can directly make grey and alpha.
  var isPlainGray: Bool {
    plainSource == carve_source_gray || plainSource == carve_source_gray_alpha
  }

  /// Writes the rows into `target`, which holds `stride` × height bytes. Returns false if libpng
  /// must decide: the file is damaged, or its pixel chunks contain more or fewer bytes than they
  /// should.
  func readPlainly(
    _ file: UnsafeRawBufferPointer, as form: RowForm, into target: UnsafeMutablePointer<UInt8>?,
    stride: Int, scratch: inout PNGScratch, survey: inout carve_survey
  ) -> Bool {
    guard var source = plainSource else { return false }
    if source == carve_source_gray && form != .ga { source = carve_source_index8 }
    let rowBytes = carve_row_bytes(source, width)
    let size = (rowBytes + 1) * height
    scratch.inflated.provide(size + 16)
    scratch.zeros.provide(rowBytes + 16, zeroed: true)
    if color == .palette || color == .gray { fillTable(&scratch.table, file: file, form: form) }
    guard inflate(file, size: size, scratch: &scratch) else { return false }
    return scratch.inflated.withUnsafeMutableBufferPointer { rows in
      scratch.zeros.withUnsafeBufferPointer { zeros in
        scratch.table.withUnsafeBufferPointer { table in
          var job = carve_rows()
          job.rows = rows.baseAddress
          job.zeros = zeros.baseAddress
          job.table = table.baseAddress
          (job.width, job.height) = (width, height)
          job.source = source
          switch form {
          case .ga: job.target = carve_target_ga
          case .bgra: job.target = carve_target_bgra
          case .straight: job.target = carve_target_rgba
          }
          (job.has_key, job.key) = colorKey(file)
          job.out = target
          job.out_stride = stride
          return carve_convert_rows(&job, &survey)
        }
      }
    }
  }

  private func inflate(
    _ file: UnsafeRawBufferPointer, size: Int, scratch: inout PNGScratch
  ) -> Bool {
    let isRaw = isApple
    if pixels.count == 1 {
      let part = UnsafeRawBufferPointer(rebasing: file[pixels[0]])
      return scratch.inflated.withUnsafeMutableBytes {
        carve_inflate(part.baseAddress, part.count, isRaw, $0.baseAddress, size)
      }
    }
    scratch.joined.removeAll(keepingCapacity: true)
    scratch.joined.reserveCapacity(compressedCount)
    for range in pixels {
      scratch.joined.append(contentsOf: UnsafeRawBufferPointer(rebasing: file[range]))
    }
    return scratch.joined.withUnsafeBytes { whole in
      scratch.inflated.withUnsafeMutableBytes {
        carve_inflate(whole.baseAddress, whole.count, isRaw, $0.baseAddress, size)
      }
    }
  }

  /// Returns the colour that the chunk tRNS makes transparent in an RGB picture of eight bits.
  private func colorKey(_ file: UnsafeRawBufferPointer) -> (Bool, UInt32) {
    guard color == .rgb, let transparency else { return (false, 0) }
    let at = transparency.lowerBound
    return (
      true, UInt32(file[at + 1]) | UInt32(file[at + 3]) << 8 | UInt32(file[at + 5]) << 16
    )
  }

  /// Fills the table with the colour of each index of a palette, or of each step of grey. Unused
  /// indices are opaque black, which is the colour that libpng shows if a pixel's index is outside
  /// of the palette.
  private func fillTable(
    _ table: inout [UInt32], file: UnsafeRawBufferPointer, form: RowForm
  ) {
    if table.isEmpty { table = [UInt32](repeating: 0, count: 256) }
    for index in 0..<256 { table[index] = 0xff00_0000 }
    if color == .gray {
      let steps = 1 << Int(min(depth, 8))
      for index in 0..<steps { table[index] |= UInt32(index * 255 / (steps - 1)) * 0x010101 }
      if let transparency {
        table[Int(file[transparency.lowerBound + 1]) & (steps - 1)] &= 0xffffff
      }
    } else if let palette {
      for index in 0..<min(palette.count / 3, 1 << Int(depth)) {
        let at = palette.lowerBound + 3 * index
        table[index] |=
          UInt32(file[at]) | UInt32(file[at + 1]) << 8 | UInt32(file[at + 2]) << 16
      }
      for index in 0..<min(transparency?.count ?? 0, 256) {
        let alpha = UInt32(file[(transparency?.lowerBound ?? 0) + index])
        table[index] = table[index] & 0xffffff | alpha << 24
      }
    }
    guard form == .bgra else { return }
    var ignored = carve_survey()
    table.withUnsafeMutableBytes {
      guard let bytes = $0.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      carve_premultiply(bytes, bytes, 256, &ignored)
    }
  }

  /// Writes RGBA rows without padding into `target`, through libpng. Returns nil if there was no
  /// error.
  func readThroughLibrary(
    _ file: UnsafeRawBufferPointer, wide: Bool, into target: UnsafeMutableRawPointer?
  ) -> PictureError? {
    let chunk = pixels.first.map { $0.lowerBound - 8 } ?? 0
    if isApple { return PictureError(chunk: "IDAT", offset: chunk, reason: .corruptPixels) }
    var failure = carve_png_failure()
    let done = carve_png_read(
      file.baseAddress, file.count, UInt32(width), UInt32(height), wide, target, &failure)
    if done { return nil }
    let words = withUnsafeBytes(of: failure.words) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return PictureError(offset: failure.offset, reason: .refused(words))
  }
}

/// The parts of a PNG file's header that decide about the memory. It checks no checksums, because
/// decoding computes them again, and that would take the time of a second pass over the file.
package struct PNGOutline {
  package private(set) var width = 0
  package private(set) var height = 0
  package private(set) var depth = 8
  package private(set) var isInterlaced = false
  /// Whether the colours must be converted.
  package private(set) var hasColors = false
  private var channels = 4

  /// Reads the header; nil if the decoder refuses the file before it allocates memory.
  package init?(_ file: UnsafeRawBufferPointer) {
    guard PNGFile.begins(file) else { return nil }
    var offset = 8
    var hasHeader = false
    while file.count - offset >= 12 {
      let length = Int(file.bigEndian32(at: offset))
      let kind = ChunkKind(code: file.bigEndian32(at: offset + 4))
      guard length <= file.count - offset - 12 else { break }
      if kind == .header, length == 13, !hasHeader {
        readHeader(file, at: offset + 8)
        hasHeader = true
      } else if kind == .profile || kind == .codePoints {
        hasColors = true
      } else if kind == .pixels || kind == .end {
        break
      }
      offset += length + 12
    }
    // The decoder refuses larger sides. The products of these sides cannot overflow.
    guard hasHeader, width > 0, height > 0, width <= 1 << 28, height <= 1 << 28,
      width <= (1 << 33) / height
    else { return nil }
  }

  private mutating func readHeader(_ file: UnsafeRawBufferPointer, at offset: Int) {
    width = Int(file.bigEndian32(at: offset))
    height = Int(file.bigEndian32(at: offset + 4))
    depth = Int(file[offset + 8])
    isInterlaced = file[offset + 12] != 0
    channels = [0: 1, 2: 3, 3: 1, 4: 2][file[offset + 9]] ?? 4
  }

  /// The bytes of all rows with their filter bytes.
  package var rawCount: Int { ((width * channels * depth + 7) / 8 + 1) * height }

  /// Returns whether a file of this size can hold the rows. Deflate makes at most 1,032 bytes from
  /// one.
  package func isJustified(_ fileSize: Int) -> Bool { (rawCount - height) / 1032 <= fileSize }
}

/// The four letters of a chunk.
struct ChunkKind: Equatable {
  var code: UInt32

  static let header = ChunkKind(code: 0x4948_4452)
  static let palette = ChunkKind(code: 0x504c_5445)
  static let pixels = ChunkKind(code: 0x4944_4154)
  static let end = ChunkKind(code: 0x4945_4e44)
  static let transparency = ChunkKind(code: 0x7452_4e53)
  static let profile = ChunkKind(code: 0x6943_4350)
  static let codePoints = ChunkKind(code: 0x6349_4350)
  static let applePNG = ChunkKind(code: 0x4367_4249)

  var isCritical: Bool { code & 0x2000_0000 == 0 }

  /// Whether all four bytes are ASCII letters, as the format requires.
  var isName: Bool {
    [24, 16, 8, 0].allSatisfy { shift in
      let byte = UInt8(truncatingIfNeeded: code >> shift)
      return (0x41...0x5a).contains(byte & 0xdf)
    }
  }

  /// The letters, with a question mark for each byte that is not a letter.
  var letters: String {
    var text = ""
    for shift in [24, 16, 8, 0] as [UInt32] {
      let byte = UInt8(truncatingIfNeeded: code >> shift)
      text.unicodeScalars.append((0x41...0x5a).contains(byte & 0xdf) ? Unicode.Scalar(byte) : "?")
    }
    return text
  }
}

/// One chunk of a file; `start` is the offset of its length field.
struct PNGChunk {
  var kind: ChunkKind
  var start: Int
  var body: Range<Int>
}

/// A walk from chunk to chunk. Each chunk that it returns is completely in the file, with its
/// checksum.
struct ChunkWalk {
  let file: UnsafeRawBufferPointer
  private(set) var offset = 8

  init(file: UnsafeRawBufferPointer) { self.file = file }

  mutating func next() throws(PictureError) -> PNGChunk {
    guard file.count - offset >= 12 else {
      throw PictureError(offset: min(offset, file.count), reason: .truncated)
    }
    let length = Int(file.bigEndian32(at: offset))
    let kind = ChunkKind(code: file.bigEndian32(at: offset + 4))
    guard kind.isName else {
      throw PictureError(chunk: kind.letters, offset: offset, reason: .invalid("chunk name"))
    }
    guard length < 1 << 31 else {
      throw PictureError(chunk: kind.letters, offset: offset, reason: .invalid("length"))
    }
    guard file.count - offset - 12 >= length else {
      throw PictureError(chunk: kind.letters, offset: offset, reason: .truncated)
    }
    let chunk = PNGChunk(kind: kind, start: offset, body: offset + 8..<offset + 8 + length)
    offset += 12 + length
    return chunk
  }

  func verify(_ chunk: PNGChunk) throws(PictureError) {
    let covered = UnsafeRawBufferPointer(rebasing: file[chunk.start + 4..<chunk.body.upperBound])
    let sum = carve_crc32(0, covered.baseAddress, covered.count)
    if sum != file.bigEndian32(at: chunk.body.upperBound) {
      throw PictureError(chunk: chunk.kind.letters, offset: chunk.start, reason: .wrongChecksum)
    }
  }
}
