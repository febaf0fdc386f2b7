// Finds the chunks of a PNG file, checks them, and reads the header. Pixels are not decompressed.
// Chunks that Carve does not use are skipped.

import ArchiveTools
import CDeflate

package struct PNGFile {
  var width = 0
  var height = 0
  var depth: UInt8 = 8
  var color = PNGColorType.rgba
  var isInterlaced = false
  /// Whether the file is of Apple's kind (CgBI): a raw deflate stream of premultiplied BGRA.
  var isApple = false
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

  init(_ file: UnsafeRawBufferPointer, maximumPixels: Int) throws(PictureError) {
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
        try readHeader(file, chunk, maximumPixels)
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
    _ file: UnsafeRawBufferPointer, _ chunk: Chunk, _ maximumPixels: Int
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
    let most = min(maximumPixels, 1 << 32)
    guard width * height <= most,
      BitmapLayout.bgra8.bytesPerRow(width: width) * height <= max(4 * most, 1 << 20)
    else {
      throw PictureError(
        chunk: "IHDR", offset: chunk.start,
        reason: .tooLarge(width: width, height: height, maximumPixels: maximumPixels))
    }
  }

  private mutating func place(_ chunk: Chunk, _ walk: ChunkWalk) throws(PictureError) {
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
  private mutating func keep(_ chunk: Chunk, _ path: WritableKeyPath<PNGFile, Range<Int>?>) {
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
  var mayBeTransparent: Bool {
    isApple || color == .rgba || color == .grayAlpha || transparency != nil
  }

  /// The total number of bytes in the pixel chunks.
  var compressedCount: Int { pixels.reduce(0) { $0 + $1.count } }
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
struct Chunk {
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

  mutating func next() throws(PictureError) -> Chunk {
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
    let chunk = Chunk(kind: kind, start: offset, body: offset + 8..<offset + 8 + length)
    offset += 12 + length
    return chunk
  }

  func verify(_ chunk: Chunk) throws(PictureError) {
    let covered = UnsafeRawBufferPointer(rebasing: file[chunk.start + 4..<chunk.body.upperBound])
    let sum = carve_crc32(0, covered.baseAddress, covered.count)
    if sum != file.bigEndian32(at: chunk.body.upperBound) {
      throw PictureError(chunk: chunk.kind.letters, offset: chunk.start, reason: .wrongChecksum)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Reads four bytes. The callers have checked that they exist.
  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  func bigEndian16(at offset: Int) -> UInt16 {
    UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}
