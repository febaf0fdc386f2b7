// Writing bitmap payloads: which codec serves a bitmap, and how its rows are cut into chunks.

/// What a writer of bitmaps strives for.
public enum Optimization: Sendable, CaseIterable {
  /// What Apple's tool chooses.
  case standard
  /// The fewest bytes.
  case space
  /// The fastest decoding.
  case time
}

/// Which systems must be able to read what is written, by what the oldest of them understands.
public enum OldestReader: Int, Sendable, Comparable, CaseIterable {
  /// iOS 7, macOS 10.9: neither LZVN nor LZFSE.
  case plain
  /// iOS 8, macOS 10.10.
  case lzvn
  /// iOS 9 to 11, macOS 10.11 to 10.13.
  case lzfse
  /// iOS 12, macOS 10.14 and later.
  case palette

  public static func < (a: OldestReader, b: OldestReader) -> Bool { a.rawValue < b.rawValue }

  /// The reader in an iOS, tvOS or Catalyst of this version.
  public static func iOS(_ major: Int) -> OldestReader {
    major >= 12 ? .palette : major >= 9 ? .lzfse : major == 8 ? .lzvn : .plain
  }

  /// The reader in a macOS of this version.
  public static func macOS(_ major: Int, _ minor: Int) -> OldestReader {
    if major > 10 || minor >= 14 { return .palette }
    return minor >= 11 ? .lzfse : minor == 10 ? .lzvn : .plain
  }

  /// The bytes of a row of pixels with their padding: none in the oldest systems, to 32 later.
  public func bytesPerRow(width: Int, bytesPerPixel: Int) -> Int {
    let pixels = width * bytesPerPixel
    return self < .lzfse ? pixels : (pixels + 31) & ~31
  }
}

/// The rows of one bitmap, as its payload holds them: `bytesPerRow` apart, the padding zero.
public struct BitmapRows {
  public let pixels: UnsafeRawBufferPointer
  public let format: PixelFormat
  public let width: Int
  public let height: Int
  public let bytesPerRow: Int
  /// Whether every pixel has full alpha.
  public let isOpaque: Bool

  /// `pixels` has at least `height` times `bytesPerRow` bytes.
  public init(
    _ pixels: UnsafeRawBufferPointer, format: PixelFormat, width: Int, height: Int,
    bytesPerRow: Int, isOpaque: Bool
  ) {
    precondition(bytesPerRow >= width * format.bytesPerPixel && width >= 0 && height >= 0)
    precondition(pixels.count >= bytesPerRow * height)
    self.pixels = UnsafeRawBufferPointer(rebasing: pixels[..<(bytesPerRow * height)])
    self.format = format
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    self.isOpaque = isOpaque
  }
}

/// Writes bitmap payloads; its memory serves one bitmap after the other.
public struct BitmapEncoder: Sendable {
  public let optimization: Optimization
  public let oldestReader: OldestReader
  private var lzfse: LZFSEEncoder
  private var gzip = GzipEncoder()
  private var candidate: [UInt8] = []

  /// Bitmaps below this many bytes are run-length coded.
  private static let leastForLZFSE = 4096
  /// LZFSE streams of bitmaps with fewer pixels are not cut into chunks.
  private static let leastPixelsForChunks = 4096
  /// Bitmaps below this many bytes are cut in halves, others in thirds.
  private static let leastForThirds = 20_480

  public init(
    optimization: Optimization = .standard, oldestReader: OldestReader = .lzfse,
    effort: LZFSEEncoder.Effort? = nil
  ) {
    self.optimization = optimization
    self.oldestReader = oldestReader
    lzfse = LZFSEEncoder(effort: effort ?? (optimization == .space ? .smallest : .standard))
  }

  /// Appends the payload of a bitmap and returns how it is compressed.
  @discardableResult
  public mutating func encode(
    _ rows: BitmapRows, appendingTo output: inout [UInt8]
  ) -> Compression {
    switch optimization {
    case .standard: encodeStandard(rows, appendingTo: &output)
    case .space: encodeSmallest(rows, appendingTo: &output)
    case .time: encodeForTime(rows, appendingTo: &output)
    }
  }

  private mutating func encodeStandard(
    _ rows: BitmapRows, appendingTo output: inout [UInt8]
  ) -> Compression {
    switch oldestReader {
    case .plain: return appendUnlessLarger(.zip, rows, to: &output)
    case _ where rows.pixels.count < Self.leastForLZFSE:
      return appendUnlessLarger(.runLength, rows, to: &output)
    case .lzvn: return append(.lzvn, rows, to: &output)
    case .lzfse, .palette:
      if rows.width * rows.height < Self.leastPixelsForChunks {
        return append(.lzfse, rows, to: &output)
      }
      appendChunks(rows, to: &output)
      return .lzfse
    }
  }

  /// The smallest of everything that the oldest reader understands.
  private mutating func encodeSmallest(
    _ rows: BitmapRows, appendingTo output: inout [UInt8]
  ) -> Compression {
    var kinds: [Compression] = [.uncompressed]
    if oldestReader >= .lzvn { kinds += [.runLength] }
    if oldestReader == .lzvn { kinds += [.lzvn] }
    if oldestReader < .lzfse { kinds += [.zip] }
    if oldestReader >= .lzfse { kinds += [.lzfse] }
    if oldestReader >= .palette { kinds += [.palette] }
    return appendBest(of: kinds, rows, to: &output)
  }

  /// The smaller of what decodes at the speed of copying, unless that hardly shrinks the bitmap.
  private mutating func encodeForTime(
    _ rows: BitmapRows, appendingTo output: inout [UInt8]
  ) -> Compression {
    if oldestReader == .plain { return append(.uncompressed, rows, to: &output) }
    let start = output.count
    let kind = appendBest(of: [.runLength, .lzvn], rows, to: &output)
    let size = output.count - start
    if size <= rows.pixels.count / 8 * 7 { return kind }
    output.removeSubrange(start...)
    return append(.uncompressed, rows, to: &output)
  }

  /// Uncompressed where compressing does not shrink the bitmap.
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
      guard append(kind, rows, to: &attempt) == kind else { continue }
      if output.count == start || attempt.count < output.count - start {
        output.removeSubrange(start...)
        output.append(contentsOf: attempt)
        best = kind
      }
    }
    swap(&attempt, &candidate)
    return best
  }

  /// Appends the whole bitmap in one piece; uncompressed where a palette does not hold its colours.
  @discardableResult
  private mutating func append(
    _ kind: Compression, _ rows: BitmapRows, to output: inout [UInt8]
  ) -> Compression {
    let start = output.count
    // Palette images carry no flags; hand-made ones with the opaque flag were refused by readers.
    let flags = rows.isOpaque && kind != .palette ? BitmapPayload.opaqueFlag : 0
    appendHeader(flags, kind, 0, to: &output)
    var written = kind
    switch kind {
    case .runLength:
      RunLength.encode(
        rows.pixels, bytesPerPixel: rows.format.bytesPerPixel, width: rows.width,
        height: rows.height, rowStride: rows.bytesPerRow, appendingTo: &output)
    case .zip: gzip.encode(rows.pixels, appendingTo: &output)
    case .lzvn: lzfse.encodeBareLZVN(rows.pixels, appendingTo: &output)
    case .lzfse: lzfse.encode(rows.pixels, appendingTo: &output)
    case .palette:
      let fits = Palette.encode(
        rows.pixels, format: rows.format, width: rows.width, height: rows.height,
        rowStride: rows.bytesPerRow, with: &lzfse, appendingTo: &output)
      if !fits { written = .uncompressed }
    default: written = .uncompressed
    }
    if written == .uncompressed {
      output.removeSubrange(start...)
      appendHeader(rows.isOpaque ? BitmapPayload.opaqueFlag : 0, .uncompressed, 0, to: &output)
      output.append(contentsOf: rows.pixels)
    }
    output.store(UInt32(output.count - start - BitmapPayload.headerSize), at: start + 12)
    return written
  }

  private mutating func appendChunks(_ rows: BitmapRows, to output: inout [UInt8]) {
    let isSmall = rows.pixels.count < Self.leastForThirds
    let most = max(1, rows.height / (isSmall ? 2 : 3))
    let count = (rows.height + most - 1) / most
    let flags = BitmapPayload.chunkedFlag | (rows.isOpaque ? BitmapPayload.opaqueFlag : 0)
    appendHeader(flags, .lzfse, UInt32(count), to: &output)
    for y in stride(from: 0, to: rows.height, by: most) {
      let height = min(most, rows.height - y)
      output.append(littleEndian: BitmapPayload.chunkMark)
      output.append(littleEndian: UInt64(0))
      output.append(littleEndian: UInt32(height))
      let start = output.count
      output.append(littleEndian: UInt32(0))
      let first = y * rows.bytesPerRow
      let part = rows.pixels[first..<first + height * rows.bytesPerRow]
      lzfse.encode(UnsafeRawBufferPointer(rebasing: part), appendingTo: &output)
      output.store(UInt32(output.count - start - 4), at: start)
    }
  }

  private func appendHeader(
    _ flags: UInt32, _ kind: Compression, _ field: UInt32, to output: inout [UInt8]
  ) {
    output.append(littleEndian: BitmapPayload.mark)
    output.append(littleEndian: flags)
    output.append(littleEndian: kind.rawValue)
    output.append(littleEndian: field)
  }
}
