// Writes the second generation of deepmap: each chunk of a picture with the method that takes the
// fewest bytes. BitmapEncoder.swift divides a picture into chunks and writes the bytes around them.
//
// The methods, and the bytes of a tile before it is packed:
//
//     method       picture                     bytes of a tile
//     residuals    any                         alpha, a predictor for each row, high bytes and low
//                                              bytes of the differences from the neighbours
//     palette 4    at most 256 colours         an index for each pixel; the colours contain alpha
//     palette 3    256 colours without alpha   alpha, then an index for each pixel
//     pixels       any                         the pixels as they are
//     raw          one pixel                   the pixel, which is not packed
//
// Apple's tool packs the chunk with each method and keeps the smallest result. LikelyMethods.swift
// makes the same choice with less work.

/// The aims of an encoder of deepmaps, within the freedom that the format leaves.
struct DeepMapAims: Sendable {
  /// Whether methods that are unlikely to be the smallest are left out.
  var skipsUnlikely = false
  /// Whether the chosen method is packed once more, as small as possible.
  var packsSmallest = false
  /// Whether decoding must give back every bit.
  var isExact = false
}

struct DeepMap2Encoder: Sendable {
  /// The largest number of bytes of a tile before it is packed.
  private static let mostTileBytes = 2 << 20
  /// The largest number of bytes of a chunk, counting four for each pixel in every format.
  static let mostChunkBytes = 4 << 20
  private static let quality: UInt8 = 1
  /// The number of bytes of a blob before palette and tiles.
  private static let headSize = 12
  private static let precision: UInt8 = 10

  var aims: DeepMapAims
  var best: [UInt8] = []
  var attempt: [UInt8] = []
  var tile: [UInt8] = []
  var values: [Int16] = []
  private var indices: [UInt8] = []

  init(_ aims: DeepMapAims) { self.aims = aims }

  /// Returns whether pictures of this size and format can be written.
  static func fits(_ format: PixelFormat, width: Int, height: Int) -> Bool {
    guard width > 0, height > 0, width <= Int(UInt16.max) else { return false }
    let chunk = chunkRows(width: width, height: height)
    guard chunk <= Int(UInt16.max) else { return false }
    return switch format.kind {
    case .argb, .ga8, .rgbw, .ga16: true
    case .rgb5, .gray: false
    }
  }

  /// Returns the number of rows of each chunk but the last.
  static func chunkRows(width: Int, height: Int) -> Int {
    let rowBytes = 4 * width
    return rowBytes * height <= mostChunkBytes ? height : max(1, mostChunkBytes / rowBytes)
  }

  /// Appends the body of a chunk. Returns false and appends nothing if no method packs the pixels.
  mutating func encode(
    _ rows: SourceRows, with streams: inout LZFSEEncoder, appendingTo output: inout [UInt8]
  ) -> Bool {
    best.removeAll(keepingCapacity: true)
    if rows.width == 1, rows.height == 1 {
      startBlob(.raw, rows, tileHeight: 1, &best)
      best.append(contentsOf: UnsafeRawBufferPointer(start: rows.base, count: rows.rowBytes))
    } else {
      chooseMethod(rows, with: &streams)
    }
    if best.isEmpty { return false }
    output.append(littleEndian: UInt32(1))
    output.append(littleEndian: UInt32(Self.code(rows.format)))
    output.append(littleEndian: UInt64(best.count))
    output.append(contentsOf: best)
    return true
  }

  /// Leaves the method that Apple's tool would choose in `best`.
  private mutating func chooseMethod(_ rows: SourceRows, with streams: inout LZFSEEncoder) {
    if aims.skipsUnlikely, chooseLikelyMethod(rows, with: &streams) { return }
    let effort = streams.effort
    // The same choice requires the same sizes, so the chunk is packed as Apple's tool packs it.
    streams.effort = .reference
    tryMethods(rows, with: &streams)
    streams.effort = effort
    if aims.packsSmallest { packOnceMore(rows, with: &streams) }
  }

  /// Leaves the smallest blob in `best`. Of equal sizes residuals win, then a palette.
  private mutating func tryMethods(_ rows: SourceRows, with streams: inout LZFSEEncoder) {
    best.removeAll(keepingCapacity: true)
    if writeResiduals(rows, &streams) != nil { keep() }
    if rows.format.kind == .argb {
      if writePalette(rows, entry: 4, &streams) { keep() }
      if writePalette(rows, entry: 3, &streams) { keep() }
    }
    if writePixels(rows, &streams) { keep() }
  }

  /// Packs the method in `best` with the effort of `streams`. The method and the pixels stay the
  /// same.
  mutating func packOnceMore(_ rows: SourceRows, with streams: inout LZFSEEncoder) {
    guard best.count > Self.headSize + 4 else { return }
    let isPacked =
      switch DeepMapBlob.Method(rawValue: best[4]) {
      case .residuals: writeResiduals(rows, &streams) != nil
      case .packedPixels: writePixels(rows, &streams)
      case .palette:
        writePalette(rows, entry: best[Self.headSize + 2] == 4 ? 4 : 3, &streams)
      default: false
      }
    if isPacked { keep() }
  }

  /// Keeps the last attempt if it is smaller than `best`.
  mutating func keep() {
    if best.isEmpty || attempt.count < best.count { swap(&best, &attempt) }
  }

  private static func code(_ format: PixelFormat) -> UInt8 {
    switch format.kind {
    case .argb: 4
    case .rgbw: 20
    case .ga16: 18
    default: 2
    }
  }

  private func startBlob(
    _ method: DeepMapBlob.Method, _ rows: SourceRows, tileHeight: Int, _ blob: inout [UInt8]
  ) {
    blob.append(littleEndian: DeepMap2.mark)
    blob += [method.rawValue, Self.quality, Self.precision, Self.code(rows.format)]
    blob.append(littleEndian: UInt16(rows.width))
    blob.append(littleEndian: UInt16(tileHeight))
  }

  private static func tileHeight(_ rows: SourceRows, rowBytes: Int) -> Int {
    max(1, min(rows.height, mostTileBytes / rowBytes))
  }

  /// Writes a blob into `attempt`, tile by tile. Returns false if a tile does not become smaller.
  private mutating func writeTiles(
    _ method: DeepMapBlob.Method, _ rows: SourceRows, rowBytes: Int, head: [UInt8] = [],
    _ streams: inout LZFSEEncoder,
    _ fill: (SourceRows, _ first: Int, inout [UInt8], inout [Int16]) -> Bool
  ) -> Bool {
    let tileHeight = Self.tileHeight(rows, rowBytes: rowBytes)
    attempt.removeAll(keepingCapacity: true)
    startBlob(method, rows, tileHeight: tileHeight, &attempt)
    attempt += head
    for y in stride(from: 0, to: rows.height, by: tileHeight) {
      let band = rows.band(y..<min(rows.height, y + tileHeight))
      tile.removeAll(keepingCapacity: true)
      guard fill(band, y, &tile, &values) else { return false }
      let isPacked = tile.withUnsafeBytes { streams.appendTile($0, to: &attempt) }
      guard isPacked else { return false }
    }
    return true
  }

  /// Writes the residuals and returns what is lost; nil if they do not become smaller.
  mutating func writeResiduals(
    _ rows: SourceRows, _ streams: inout LZFSEEncoder
  ) -> DeepMapPlanes.Outcome? {
    let rowBytes = (2 * rows.channels + 1) * rows.width + 1
    let isExact = aims.isExact
    let isLikely = streams.effort != .reference && aims.skipsUnlikely
    var outcome = DeepMapPlanes.Outcome.exact
    let isPacked = writeTiles(.residuals, rows, rowBytes: (rowBytes + 15) & ~15, &streams) {
      band, _, tile, values in
      // It is unknown whether readers count the padding when they choose between the two packers.
      let size = DeepMapPlanes(band).size
      if size < LZFSEEncoder.leastForTables, size + 15 >= LZFSEEncoder.leastForTables {
        return false
      }
      switch DeepMapPlanes.make(band, likely: isLikely, into: &tile, values: &values) {
      case .exact: return true
      case .lossy:
        outcome = .lossy
        return !isExact
      case .impossible: return false
      }
    }
    return isPacked ? outcome : nil
  }

  mutating func writePixels(_ rows: SourceRows, _ streams: inout LZFSEEncoder) -> Bool {
    writeTiles(.packedPixels, rows, rowBytes: rows.rowBytes, &streams) { band, _, tile, _ in
      for y in 0..<band.height {
        tile.append(
          contentsOf: UnsafeRawBufferPointer(start: band.row(y), count: band.rowBytes))
      }
      return true
    }
  }

  /// Writes a palette. Entries of 4 bytes contain alpha; for entries of 3 bytes a plane before the
  /// indices contains it.
  mutating func writePalette(
    _ rows: SourceRows, entry: Int, _ streams: inout LZFSEEncoder
  ) -> Bool {
    var indices: [UInt8] = []
    swap(&indices, &self.indices)
    defer { swap(&indices, &self.indices) }
    let mask: UInt32 = entry == 4 ? .max : 0x00FF_FFFF
    guard let colors = DeepMapColors(rows, mask: mask, indices: &indices)?.colors else {
      return false
    }
    var head: [UInt8] = []
    head.append(littleEndian: UInt16(colors.count))
    head.append(littleEndian: UInt16(entry))
    for color in colors { head.append(littleEndian: color) }
    let rowBytes = entry == 4 ? rows.width : 2 * rows.width
    return writeTiles(.palette, rows, rowBytes: rowBytes, head: head, &streams) {
      band, first, tile, _ in
      if entry == 3 {
        for y in 0..<band.height {
          let row = band.row(y)
          for x in 0..<band.width {
            tile.append(row.load(fromByteOffset: 4 * x + 3, as: UInt8.self))
          }
        }
      }
      tile += indices[first * band.width..<(first + band.height) * band.width]
      return true
    }
  }
}
