// Reads the payload of a bitmap rendition: a header, and chunks of rows in some codec.
// BitmapEncoder.swift writes it.

/// The compression of the pixels of a bitmap.
package enum Compression: UInt32, Sendable, Hashable, CaseIterable {
  case uncompressed, runLength, zip, lzvn, lzfse, jpegLZFSE, blurred, astc, palette, hevc
  case deepMap, deepMap2, dxtc

  /// The name that asset catalogue tools print.
  package var name: StaticString {
    switch self {
    case .uncompressed: "uncompressed"
    case .runLength: "rle"
    case .zip: "zip"
    case .lzvn: "lzvn"
    case .lzfse: "lzfse"
    case .jpegLZFSE: "jpeg-lzfse"
    case .blurred: "blurred"
    case .astc: "astc"
    case .palette: "palette-img"
    case .hevc: "hevc"
    case .deepMap: "deepmap-lzfse"
    case .deepMap2: "deepmap2"
    case .dxtc: "dxtc"
    }
  }
}

extension Compression {
  /// Whether 16-bit grey consists of half floats in this compression; otherwise it consists of
  /// integers. Both generations of deepmap use one transform, which works on half floats only.
  package var holdsHalfGray: Bool { self == .deepMap || self == .deepMap2 }
}

/// A bitmap payload whose header and chunks were checked against its bytes.
package struct BitmapPayload {
  static let mark: UInt32 = 0x4345_4C4D  // MLEC
  static let chunkMark: UInt32 = 0x4342_434B  // KCBC
  static let chunkedFlag: UInt32 = 1
  static let opaqueFlag: UInt32 = 2
  static let headerSize = 16
  static let chunkHeaderSize = 20
  /// The limit of the bytes between two rows beyond three times the pixels of a row. It is four
  /// times the largest alignment of any known tool. Textures store wide pixels under a narrow
  /// format name, so their rows are two or four times as long as the name implies.
  private static let mostPadding = 256

  package let compression: Compression
  /// Whether every pixel has full alpha.
  package let isOpaque: Bool
  package let isChunked: Bool
  package let chunkCount: Int
  let bytes: UnsafeRawBufferPointer

  /// Reads the header. `bytes` must stay valid as long as the value is used.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    var reader = ByteReader(bytes)
    guard try reader.u32() == Self.mark else { throw .corrupt(at: 0) }
    let flags = try reader.u32()
    guard flags & ~(Self.chunkedFlag | Self.opaqueFlag) == 0 else { throw .corrupt(at: 4) }
    guard let compression = Compression(rawValue: try reader.u32()) else {
      throw .unsupported("a bitmap of unknown compression")
    }
    let field = Int(try reader.u32())
    self.compression = compression
    isOpaque = flags & Self.opaqueFlag != 0
    isChunked = flags & Self.chunkedFlag != 0
    self.bytes = bytes
    if isChunked {
      guard field <= reader.remaining / Self.chunkHeaderSize else {
        throw .truncated(at: bytes.count)
      }
      chunkCount = field
    } else {
      guard field <= reader.remaining else { throw .truncated(at: bytes.count) }
      guard field == reader.remaining else { throw .corrupt(at: 12) }
      chunkCount = 1
    }
  }

  /// Decodes a payload in one step; see the method below.
  package static func decode(
    _ payload: UnsafeRawBufferPointer, format: PixelFormat, width: Int, height: Int,
    bytesPerRow: Int, into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CodecError) {
    try BitmapPayload(payload).decode(
      format: format, width: width, height: height, bytesPerRow: bytesPerRow, into: destination,
      rowStride: rowStride)
  }

  /// Decodes all rows; row `y` starts at `y * rowStride` in `destination`. `bytesPerRow` is the
  /// value that the rendition states, or the bytes of its pixels if it states none. The bytes of
  /// `destination` between the rows may have been used as scratch memory.
  package func decode(
    format: PixelFormat, width: Int, height: Int, bytesPerRow: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CodecError) {
    var scratch = DecodingScratch()
    try decode(
      format: format, width: width, height: height, rows: 0..<height, bytesPerRow: bytesPerRow,
      into: destination, rowStride: rowStride, &scratch)
  }

  /// Returns the rows that must be decoded to get some of the `height` rows: whole chunks or whole
  /// tiles of chunks.
  package func span(of rows: Range<Int>, height: Int) throws(CodecError) -> Range<Int> {
    var first: Int?
    var last = height
    try forEachChunk(height: height) { (chunk) throws(CodecError) in
      let step = try rowsTogether(in: chunk)
      func tile(_ row: Int) -> Range<Int> {
        let start = chunk.rows.lowerBound + (row - chunk.rows.lowerBound) / step * step
        return start..<min(chunk.rows.upperBound, start + step)
      }
      if chunk.rows.contains(rows.lowerBound) { first = first ?? tile(rows.lowerBound).lowerBound }
      if chunk.rows.contains(rows.upperBound - 1) { last = tile(rows.upperBound - 1).upperBound }
    }
    return (first ?? 0)..<last
  }

  private func rowsTogether(in chunk: Chunk) throws(CodecError) -> Int {
    switch compression {
    case .deepMap: DeepMap.rowsTogether
    case .deepMap2: try DeepMap2.rowsTogether(chunk.body)
    default: chunk.rows.count
    }
  }

  /// Decodes a span of rows to the start of `destination`. Skips chunks and tiles outside the span
  /// without reading them.
  package func decode(
    format: PixelFormat, width: Int, height: Int, rows span: Range<Int>, bytesPerRow: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    _ scratch: inout DecodingScratch
  ) throws(CodecError) {
    guard width > 0, height > 0 else { throw .unsupported("a bitmap without pixels") }
    let rows = try PixelRows(
      destination, bytesPerPixel: format.bytesPerPixel, width: width, height: span.count,
      stride: rowStride)
    try forEachChunk(height: height) { (chunk) throws(CodecError) in
      let wanted = chunk.rows.clamped(to: span)
      guard !wanted.isEmpty else { return }
      let y = wanted.lowerBound - span.lowerBound
      let part = rows.tile(x: 0, y: y, width: width, height: wanted.count)
      let rest = UnsafeMutableRawBufferPointer(
        rebasing: destination[min(y * rowStride, destination.count)...])
      let first = chunk.rows.lowerBound
      let request = DeepMapRequest(
        format: format, width: width, height: chunk.rows.count,
        rows: wanted.lowerBound - first..<wanted.upperBound - first)
      do throws(CodecError) {
        try decode(
          chunk.body, request: request, bytesPerRow: bytesPerRow, into: part, room: rest,
          scratch: &scratch)
      } catch {
        throw error.moved(by: chunk.offset)
      }
    }
  }

  /// Returns the most memory for rows that `decode` takes from its scratch for this span and
  /// destination.
  package func scratchSize(
    rows span: Range<Int>, height: Int, bytesPerRow: Int,
    for destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CodecError) -> Int {
    switch compression {
    case .zip, .lzvn, .lzfse: break
    default: return 0
    }
    let (whole, isImmense) = bytesPerRow.multipliedReportingOverflow(by: span.count)
    if bytesPerRow == rowStride, !isImmense, whole <= destination.count { return 0 }
    var rows = 0
    try forEachChunk(height: height) { rows = max(rows, $0.rows.count) }
    let (size, overflow) = bytesPerRow.multipliedReportingOverflow(by: rows)
    return overflow || size > .max - wideCopySlack ? .max : size + wideCopySlack
  }

  /// Rows that are compressed together. `body` starts at `offset` in the payload.
  private struct Chunk {
    var rows: Range<Int>
    var body: UnsafeRawBufferPointer
    var offset: Int
  }

  /// Calls `body` with each chunk. All chunks together have `height` rows.
  private func forEachChunk(
    height: Int, _ body: (Chunk) throws(CodecError) -> Void
  ) throws(CodecError) {
    var reader = ByteReader(bytes)
    reader.offset = Self.headerSize
    if !isChunked {
      let rest = try reader.take(reader.remaining)
      return try body(Chunk(rows: 0..<height, body: rest, offset: Self.headerSize))
    }
    var y = 0
    for _ in 0..<chunkCount {
      let start = reader.offset
      let mark = try reader.u32()
      let isChunk = try reader.u64() == 0 && mark == Self.chunkMark
      let count = Int(try reader.u32())
      // Each chunk may cost the memory of a palette, so a chunk without rows is refused.
      guard isChunk, count > 0, count <= height - y else { throw .corrupt(at: start) }
      let bytes = try reader.take(Int(try reader.u32()))
      try body(Chunk(rows: y..<y + count, body: bytes, offset: start + Self.chunkHeaderSize))
      y += count
    }
    guard y == height, reader.remaining == 0 else { throw .corrupt(at: reader.offset) }
  }

  /// Decodes the rows of one chunk. `room` is the caller's memory from the first of `rows` to its
  /// end. Only deepmaps can be decoded in part.
  private func decode(
    _ body: UnsafeRawBufferPointer, request: DeepMapRequest, bytesPerRow: Int,
    into rows: PixelRows, room: UnsafeMutableRawBufferPointer, scratch: inout DecodingScratch
  ) throws(CodecError) {
    switch compression {
    case .uncompressed: try copy(body, bytesPerRow, to: rows)
    case .zip, .lzvn, .lzfse:
      try decompress(body, bytesPerRow: bytesPerRow, into: rows, room: room, scratch: &scratch)
    case .runLength:
      try RunLength.decode(
        body, bytesPerPixel: request.format.bytesPerPixel, width: rows.width, height: rows.height,
        into: rows.memory, rowStride: rows.stride)
    case .palette:
      try Palette.decode(
        body, format: request.format, width: rows.width, height: rows.height,
        into: rows.memory, rowStride: rows.stride)
    case .deepMap:
      try DeepMap.decode(body, request, into: rows.memory, rowStride: rows.stride)
    case .deepMap2:
      try DeepMap2.decode(body, request, into: rows.memory, rowStride: rows.stride)
    case .jpegLZFSE: throw .unsupported("jpeg-lzfse compression")
    case .blurred: throw .unsupported("blurred compression")
    case .astc: throw .unsupported("astc compression")
    case .hevc: throw .unsupported("hevc compression")
    case .dxtc: throw .unsupported("dxtc compression")
    }
  }

  private func rawSize(_ bytesPerRow: Int, _ rows: PixelRows) throws(CodecError) -> Int {
    guard bytesPerRow >= rows.rowBytes,
      bytesPerRow - rows.rowBytes <= 3 * rows.rowBytes + Self.mostPadding
    else {
      throw .corrupt(at: 0)
    }
    return bytesPerRow * rows.height
  }

  private func copy(
    _ body: UnsafeRawBufferPointer, _ bytesPerRow: Int, to rows: PixelRows
  ) throws(CodecError) {
    let size = try rawSize(bytesPerRow, rows)
    guard body.count >= size else { throw .truncated(at: body.count) }
    guard body.count == size, let source = body.baseAddress else { throw .corrupt(at: size) }
    for y in 0..<rows.height {
      (rows.base + y * rows.stride).copyMemory(
        from: source + y * bytesPerRow, byteCount: rows.rowBytes)
    }
  }

  /// Decodes in place if the layout of the rows equals the payload's, and otherwise through a
  /// buffer.
  private func decompress(
    _ body: UnsafeRawBufferPointer, bytesPerRow: Int, into rows: PixelRows,
    room: UnsafeMutableRawBufferPointer, scratch: inout DecodingScratch
  ) throws(CodecError) {
    let size = try rawSize(bytesPerRow, rows)
    if bytesPerRow == rows.stride, room.count >= size {
      let exact = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
      return try decompress(body, into: exact, &scratch)
    }
    let exact = UnsafeMutableRawBufferPointer(rebasing: scratch.rows(size)[..<size])
    try decompress(body, into: exact, &scratch)
    try copy(UnsafeRawBufferPointer(exact), bytesPerRow, to: rows)
  }

  private func decompress(
    _ body: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
    _ scratch: inout DecodingScratch
  ) throws(CodecError) {
    let written =
      if compression == .zip {
        try Inflate.decode(body, wrapper: .init(detectedIn: body), into: target)
      } else if compression == .lzfse || LZFSE.begins(body) {
        try LZFSE.decode(body, into: target, &scratch)
      } else {
        try LZVN.decode(body, into: target)
      }
    guard written == target.count else { throw .truncated(at: body.count) }
  }
}
