// Writes bitmap payloads: chooses the codec of a bitmap and divides its rows into chunks. The
// requirements on the encoder are at the end.

/// An encoder of bitmap payloads. Its memory is used again for the next bitmap.
package struct BitmapEncoder: Sendable {
  package let optimization: Optimization
  package let oldestReader: OldestReader
  private var lzfse: LZFSEEncoder
  private var deepMaps: DeepMap2Encoder
  private var gzip = GzipEncoder()
  private var candidate: [UInt8] = []

  /// Bitmaps with fewer bytes are run-length coded.
  private static let leastForLZFSE = 4096
  /// LZFSE streams of bitmaps with fewer pixels are not divided into chunks.
  private static let leastPixelsForChunks = 4096
  /// Bitmaps with fewer bytes are divided into halves, others into thirds.
  private static let leastForThirds = 20_480
  /// The limit of Apple's tool is unknown: it numbers 1,022 colours and does not number 1,127.
  private static let mostColors = 1024

  package init(
    optimization: Optimization = .standard, oldestReader: OldestReader = .lzfse,
    effort: LZFSEEncoder.Effort? = nil
  ) {
    self.optimization = optimization
    self.oldestReader = oldestReader
    lzfse = LZFSEEncoder(effort: effort ?? optimization.effort)
    deepMaps = DeepMap2Encoder(
      DeepMapAims(
        skipsUnlikely: optimization == .standard, packsSmallest: optimization == .space))
  }

  /// Appends the payload of an image and returns its compression.
  @discardableResult
  package mutating func encode(
    _ rows: BitmapRows, appendingTo output: inout [UInt8]
  ) -> Compression {
    encode(rows, demands: BitmapDemands(), appendingTo: &output)
  }

  @discardableResult
  package mutating func encode(
    _ rows: BitmapRows, demands: BitmapDemands, appendingTo output: inout [UInt8]
  ) -> Compression {
    deepMaps.aims.isExact = demands.isExact
    let reader = demands.isIcon ? min(oldestReader, .lzfse) : oldestReader
    switch optimization {
    case .standard, .identical: return encodeAsApple(rows, reader, appendingTo: &output)
    case .space: return encodeSmallest(rows, reader, appendingTo: &output)
    case .time: return encodeForTime(rows, reader, appendingTo: &output)
    }
  }

  /// Appends the payload of an image in the compression of another payload, by the same method if
  /// that has only one. Nothing else is tried. Returns nil and appends nothing if the pixels cannot
  /// be packed so.
  package mutating func encode(
    _ rows: BitmapRows, as model: BitmapPayload, appendingTo output: inout [UInt8]
  ) -> Compression? {
    deepMaps.aims.isExact = true
    switch model.compression {
    case .deepMap2:
      deepMaps.aims.method = model.method
      defer { deepMaps.aims.method = nil }
      return appendDeepMap(rows, to: &output) ? .deepMap2 : nil
    case .lzfse where model.isChunked:
      appendChunks(rows, to: &output)
      return .lzfse
    case .uncompressed, .runLength, .zip, .lzvn, .lzfse, .palette:
      return append(model.compression, rows, to: &output, orNothing: true)
    case .jpegLZFSE, .blurred, .astc, .hevc, .deepMap, .dxtc: return nil
    }
  }

  private mutating func encodeAsApple(
    _ rows: BitmapRows, _ reader: OldestReader, appendingTo output: inout [UInt8]
  ) -> Compression {
    if reader >= .deepMap2, appendDeepMap(rows, to: &output) { return .deepMap2 }
    if reader == .palette, append(.palette, rows, to: &output, orNothing: true) != nil {
      return .palette
    }
    return encodePlain(rows, reader, appendingTo: &output)
  }

  /// Encodes for every system that reads LZFSE, or with the codecs before it for older systems.
  private mutating func encodePlain(
    _ rows: BitmapRows, _ reader: OldestReader, appendingTo output: inout [UInt8]
  ) -> Compression {
    switch reader {
    case .plain: return appendUnlessLarger(.zip, rows, to: &output)
    case _ where rows.pixels.count < Self.leastForLZFSE:
      return appendUnlessLarger(.runLength, rows, to: &output)
    case .lzvn: return append(.lzvn, rows, to: &output)
    case .lzfse, .palette, .deepMap2:
      if rows.width * rows.height < Self.leastPixelsForChunks {
        return append(.lzfse, rows, to: &output)
      }
      appendChunks(rows, to: &output)
      return .lzfse
    }
  }

  /// Encodes with the smallest of all codecs that the oldest reader understands.
  private mutating func encodeSmallest(
    _ rows: BitmapRows, _ reader: OldestReader, appendingTo output: inout [UInt8]
  ) -> Compression {
    // In every other compression, grey half floats would mean other pixels.
    if rows.isHalfGray, reader >= .deepMap2, appendDeepMap(rows, to: &output) { return .deepMap2 }
    var kinds: [Compression] = [.uncompressed]
    if reader >= .lzvn { kinds += [.runLength] }
    if reader == .lzvn { kinds += [.lzvn] }
    if reader < .lzfse { kinds += [.zip] }
    if reader >= .lzfse { kinds += [.lzfse] }
    if reader >= .palette { kinds += [.palette] }
    if reader >= .deepMap2 {
      // A deepmap can do all that palettes and whole streams can; it only adds some bytes around
      // them.
      kinds = [.deepMap2, .uncompressed, .runLength]
      if rows.pixels.count < 4 * Self.leastForLZFSE { kinds += [.lzfse] }
    }
    return appendBest(of: kinds, rows, to: &output)
  }

  /// Encodes with the fastest codec.
  private mutating func encodeForTime(
    _ rows: BitmapRows, _ reader: OldestReader, appendingTo output: inout [UInt8]
  ) -> Compression {
    if reader == .plain { return append(.uncompressed, rows, to: &output) }
    return encodePlain(rows, reader, appendingTo: &output)
  }

  /// Appends the bitmap; without compression if compressing does not make it smaller.
  private mutating func appendUnlessLarger(
    _ kind: Compression, _ rows: BitmapRows, to output: inout [UInt8]
  ) -> Compression {
    let start = output.count
    append(kind, rows, to: &output)
    if output.count - start - BitmapPayload.headerSize < rows.pixels.count { return kind }
    output.removeSubrange(start...)
    return append(.uncompressed, rows, to: &output)
  }

  private mutating func appendBest(
    of kinds: [Compression], _ rows: BitmapRows, to output: inout [UInt8]
  ) -> Compression {
    let start = output.count
    var best = Compression.uncompressed
    var attempt: [UInt8] = []
    swap(&attempt, &candidate)
    for kind in kinds {
      attempt.removeAll(keepingCapacity: true)
      guard append(kind, rows, to: &attempt, orNothing: true) != nil else { continue }
      if output.count == start || attempt.count < output.count - start {
        output.removeSubrange(start...)
        output.append(contentsOf: attempt)
        best = kind
      }
    }
    swap(&attempt, &candidate)
    return best
  }

  /// Appends the whole bitmap; without compression if this compression cannot store it.
  @discardableResult
  private mutating func append(
    _ kind: Compression, _ rows: BitmapRows, to output: inout [UInt8]
  ) -> Compression {
    if let kind = append(kind, rows, to: &output, orNothing: true) { return kind }
    return append(.uncompressed, rows, to: &output)
  }

  /// Appends the whole bitmap. Returns nil and appends nothing if this compression cannot store it.
  private mutating func append(
    _ kind: Compression, _ rows: BitmapRows, to output: inout [UInt8], orNothing: Bool
  ) -> Compression? {
    if kind == .deepMap2 { return appendDeepMap(rows, to: &output) ? kind : nil }
    let start = output.count
    // Palette images have no flags: readers refused palettes with the opaque flag.
    let flags = rows.isOpaque && kind != .palette ? BitmapPayload.opaqueFlag : 0
    appendHeader(flags, kind: kind, field: 0, to: &output)
    switch kind {
    case .runLength:
      RunLength.encode(
        rows.pixels, bytesPerPixel: rows.format.bytesPerPixel, width: rows.width,
        height: rows.height, rowStride: rows.bytesPerRow, appendingTo: &output)
    case .zip: gzip.encode(rows.pixels, appendingTo: &output)
    case .lzvn: lzfse.encodeBareLZVN(rows.pixels, appendingTo: &output)
    case .lzfse: lzfse.encode(rows.pixels, windows: .stream, appendingTo: &output)
    case .palette:
      let fits = Palette.encode(
        rows.pixels, format: rows.format, width: rows.width, height: rows.height,
        rowStride: rows.bytesPerRow, mostColors: Self.mostColors, with: &lzfse,
        appendingTo: &output)
      if !fits {
        output.removeSubrange(start...)
        return nil
      }
    default: output.append(contentsOf: rows.pixels)
    }
    output.store(UInt32(output.count - start - BitmapPayload.headerSize), at: start + 12)
    return kind
  }

  private mutating func appendChunks(_ rows: BitmapRows, to output: inout [UInt8]) {
    let isSmall = rows.pixels.count < Self.leastForThirds
    let most = max(1, rows.height / (isSmall ? 2 : 3))
    let count = (rows.height + most - 1) / most
    let flags = BitmapPayload.chunkedFlag | (rows.isOpaque ? BitmapPayload.opaqueFlag : 0)
    appendHeader(flags, kind: .lzfse, field: UInt32(count), to: &output)
    for y in stride(from: 0, to: rows.height, by: most) {
      let height = min(most, rows.height - y)
      let length = appendChunkHeader(rows: height, to: &output)
      let first = y * rows.bytesPerRow
      let part = rows.pixels[first..<first + height * rows.bytesPerRow]
      lzfse.encode(
        UnsafeRawBufferPointer(rebasing: part), windows: .stream, appendingTo: &output)
      output.store(UInt32(output.count - length - 4), at: length)
    }
  }

  /// Appends a deepmap. Returns false and appends nothing if a deepmap cannot store the pixels or
  /// if no method packs a chunk.
  private mutating func appendDeepMap(_ rows: BitmapRows, to output: inout [UInt8]) -> Bool {
    let start = output.count
    guard let base = rows.pixels.baseAddress,
      DeepMap2Encoder.fits(rows.format, width: rows.width, height: rows.height),
      rows.format.kind != .ga16 || rows.isHalfGray
    else { return false }
    let source = SourceRows(
      base: base, stride: rows.bytesPerRow, width: rows.width, height: rows.height,
      format: rows.format)
    let most = DeepMap2Encoder.chunkRows(width: rows.width, height: rows.height)
    let count = (rows.height + most - 1) / most
    let flags = rows.isOpaque ? BitmapPayload.opaqueFlag : 0
    let isChunked = count > 1
    appendHeader(
      isChunked ? flags | BitmapPayload.chunkedFlag : flags, kind: .deepMap2, field: UInt32(count),
      to: &output)
    for y in stride(from: 0, to: rows.height, by: most) {
      let height = min(most, rows.height - y)
      let length = isChunked ? appendChunkHeader(rows: height, to: &output) : start + 12
      let band = source.band(y..<y + height)
      let body = output.count
      guard deepMaps.encode(band, with: &lzfse, appendingTo: &output) else {
        output.removeSubrange(start...)
        return false
      }
      output.store(UInt32(output.count - body), at: length)
    }
    return true
  }

  /// Appends the header of a chunk and returns the place of the length, which is not known yet.
  private func appendChunkHeader(rows: Int, to output: inout [UInt8]) -> Int {
    output.append(littleEndian: BitmapPayload.chunkMark)
    output.append(littleEndian: UInt64(0))
    output.append(littleEndian: UInt32(rows))
    output.append(littleEndian: UInt32(0))
    return output.count - 4
  }

  private func appendHeader(
    _ flags: UInt32, kind: Compression, field: UInt32, to output: inout [UInt8]
  ) {
    output.append(littleEndian: BitmapPayload.mark)
    output.append(littleEndian: flags)
    output.append(littleEndian: kind.rawValue)
    output.append(littleEndian: field)
  }
}

extension BitmapPayload {
  /// The method of a deepmap of one chunk; nil if there are several chunks, or if it is not packed.
  var method: DeepMapChoice? {
    guard compression == .deepMap2, !isChunked else { return nil }
    // The blob follows a header of its body, which has as many bytes as the one of the payload.
    return DeepMapChoice(blob: bytes.dropFirst(2 * Self.headerSize))
  }
}

extension Optimization {
  fileprivate var effort: LZFSEEncoder.Effort {
    switch self {
    case .standard, .identical: .reference
    case .space: .smallest
    case .time: .fast
    }
  }

  /// The effort for texts, such as the SVGs that archives keep: they are small.
  package var textEffort: LZFSEEncoder.Effort {
    switch self {
    case .standard, .space: .smallest
    case .identical: .reference
    case .time: .standard
    }
  }
}

// MARK: - Requirements

// The requirements on a writer of bitmaps, the systems that must read them, and its input.

/// The aim of a writer of bitmaps.
package enum Optimization: Sendable, CaseIterable {
  /// The choice of Apple's tool, without the methods that are unlikely to be chosen.
  case standard
  /// Exactly the bytes of Apple's tool.
  case identical
  /// The fewest bytes.
  case space
  /// The fastest encoding.
  case time
}

/// The oldest system that must be able to read the result.
package enum OldestReader: Int, Sendable, Comparable, CaseIterable {
  /// iOS 7, macOS 10.9: neither LZVN nor LZFSE.
  case plain
  /// iOS 8, macOS 10.10.
  case lzvn
  /// iOS 9 to 11, macOS 10.11 to 10.13.
  case lzfse
  /// iOS 12, macOS 10.14.
  case palette
  /// iOS 13, macOS 10.15 and later.
  case deepMap2

  package static func < (a: OldestReader, b: OldestReader) -> Bool { a.rawValue < b.rawValue }

  /// Returns the reader of an iOS, tvOS or Catalyst of this version.
  package static func iOS(_ major: Int) -> OldestReader {
    major >= 13
      ? .deepMap2 : major == 12 ? .palette : major >= 9 ? .lzfse : major == 8 ? .lzvn : .plain
  }

  /// Returns the reader of a macOS of this version.
  package static func macOS(_ major: Int, _ minor: Int) -> OldestReader {
    if major > 10 || minor >= 15 { return .deepMap2 }
    if minor == 14 { return .palette }
    return minor >= 11 ? .lzfse : minor == 10 ? .lzvn : .plain
  }

  /// Returns the bytes of a row of pixels with its padding: none for the oldest systems, then to a
  /// multiple of 32.
  package func bytesPerRow(width: Int, bytesPerPixel: Int) -> Int {
    self < .lzfse
      ? width * bytesPerPixel : paddedRowBytes(width: width, bytesPerPixel: bytesPerPixel)
  }
}

/// Returns the bytes of a row of pixels with the padding that systems since iOS 9 expect: to a
/// multiple of 32.
package func paddedRowBytes(width: Int, bytesPerPixel: Int) -> Int {
  (width * bytesPerPixel + 31) & ~31
}

/// The rows of one bitmap, as its payload stores them: `bytesPerRow` apart, with zero padding.
package struct BitmapRows {
  package let pixels: UnsafeRawBufferPointer
  package let format: PixelFormat
  package let width: Int
  package let height: Int
  package let bytesPerRow: Int
  /// Whether every pixel has full alpha.
  package let isOpaque: Bool
  /// Whether pixels of grey and 16-bit alpha are half floats.
  package let isHalfGray: Bool

  /// Creates the rows. `pixels` has at least `height` times `bytesPerRow` bytes.
  package init(
    _ pixels: UnsafeRawBufferPointer, format: PixelFormat, width: Int, height: Int,
    bytesPerRow: Int, isOpaque: Bool, isHalfGray: Bool = false
  ) {
    precondition(bytesPerRow >= width * format.bytesPerPixel && width >= 0 && height >= 0)
    precondition(pixels.count >= bytesPerRow * height)
    self.pixels = UnsafeRawBufferPointer(rebasing: pixels[..<(bytesPerRow * height)])
    self.format = format
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    self.isOpaque = isOpaque
    self.isHalfGray = isHalfGray
  }
}

/// The requirements of one bitmap.
package struct BitmapDemands: Sendable, Hashable {
  /// Whether the bitmap is an icon. Systems read icons in fewer kinds of compression than images.
  package var isIcon: Bool
  /// Whether every pixel must be kept exactly, although Apple's tool would round colours.
  package var isExact: Bool

  package init(isIcon: Bool = false, isExact: Bool = false) {
    self.isIcon = isIcon
    self.isExact = isExact
  }
}

extension Compression {
  /// Reads the compression from a payload; nil if the bytes are not a payload.
  package init?(of payload: [UInt8]) {
    let parsed = payload.withUnsafeBytes { try? BitmapPayload($0).compression }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Returns the bytes of a row that a rendition states for a bitmap in this compression. For
  /// deepmaps, whose rows have no padding, Apple's tool states the size of the decoded rows.
  package func statedBytesPerRow(
    _ format: PixelFormat, width: Int, isOpaque: Bool, padded: Int
  ) -> Int {
    guard self == .deepMap2 else { return padded }
    let bytesPerPixel =
      switch format.kind {
      case .ga8: isOpaque ? 1 : 4
      case .ga16: 8
      default: format.bytesPerPixel
      }
    return paddedRowBytes(width: width, bytesPerPixel: bytesPerPixel)
  }
}
