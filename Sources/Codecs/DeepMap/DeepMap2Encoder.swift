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
// Apple's tool packs the chunk with each method and keeps the smallest result.
// `chooseLikelyMethod` makes the same choice with less work.

/// The aims of an encoder of deepmaps, within the freedom that the format leaves.
struct DeepMapAims: Sendable {
  /// Whether methods that are unlikely to be the smallest are left out.
  var skipsUnlikely = false
  /// Whether the chosen method is packed once more, as small as possible.
  var packsSmallest = false
  /// Whether decoding must give back every bit.
  var isExact = false
  /// The only method that is tried; nil if the encoder chooses.
  var method: DeepMapChoice?
}

/// A method of a chunk, as the encoder distinguishes them.
enum DeepMapChoice: Sendable, Hashable {
  case residuals, pixels
  /// A palette with entries of 3 or 4 bytes.
  case palette(entry: Int)

  /// Reads the method of a blob. Nil if it is not packed, or if the bytes are not a blob.
  init?(blob: some RandomAccessCollection<UInt8>) {
    func byte(_ offset: Int) -> UInt8? { blob.dropFirst(offset).first }
    switch byte(4).flatMap(DeepMapBlob.Method.init) {
    case .residuals: self = .residuals
    case .packedPixels: self = .pixels
    case .palette: self = .palette(entry: byte(DeepMap2Encoder.headSize + 2) == 4 ? 4 : 3)
    default: return nil
    }
  }
}

/// The bytes of a tile before it is packed, in memory that serves one tile after another.
struct TileBytes: Sendable {
  /// At least `count` bytes. Those after them are left from larger tiles.
  private var memory: [UInt8] = []
  private var count = 0

  /// Sets the number of bytes, and lets `body` write all of them.
  mutating func write<Result>(
    _ count: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Result
  ) -> Result {
    memory.provide(count)
    self.count = count
    return memory.withUnsafeMutableBufferPointer {
      body(UnsafeMutableBufferPointer(rebasing: $0[..<count]))
    }
  }

  func read<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    memory.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}

struct DeepMap2Encoder: Sendable {
  /// The largest number of bytes of a tile before it is packed.
  private static let mostTileBytes = 2 << 20
  /// The largest number of bytes of a chunk, counting four for each pixel in every format.
  static let mostChunkBytes = 4 << 20
  /// Chunks with fewer pixels get predictors by the rule of Apple's tool, which saves a few bytes.
  private static let leastForLikelyPredictors = 10_000
  private static let quality: UInt8 = 1
  /// The number of bytes of a blob before palette and tiles.
  fileprivate static let headSize = 12
  private static let precision: UInt8 = 10

  var aims: DeepMapAims
  var best: [UInt8] = []
  var attempt: [UInt8] = []
  /// The last tile of the last attempt, and of the best one.
  var tile = TileBytes()
  private var bestTile = TileBytes()
  var values: [Int16] = []
  private var indices: [UInt8] = []
  /// Whether the current chunk is known to have too many colours for a palette without alpha.
  private var excludesPalette3 = false

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
    excludesPalette3 = false
    if rows.width == 1, rows.height == 1 {
      startBlob(.raw, of: rows, tileHeight: 1, in: &best)
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
    if let method = aims.method {
      if write(method, rows, &streams) { keep() }
      return
    }
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
    // A palette is mostly the smallest if the picture has one, and then the other methods are given
    // up early.
    if rows.format.kind == .argb {
      if writePalette(rows, entry: 4, &streams) { keep() }
      if writePalette(rows, entry: 3, most: mostToKeep, &streams) { keep() }
    }
    if writeResiduals(rows, most: mostToKeep, &streams) != nil { keep(evenIfEqual: true) }
    if !losesByFarAsPixels(rows, with: &streams), writePixels(rows, most: mostToKeep, &streams) {
      keep()
    }
  }

  /// Returns whether the plain pixels are so much larger than `best` that packing them in full
  /// would tell nothing new, as those of photographs are. The fast search needs up to 1.52 times
  /// the bytes of the search of Apple's tool (on 733 real and synthetic pictures), so pixels for
  /// which it needs twice the bytes of `best` cannot win.
  private mutating func losesByFarAsPixels(
    _ rows: SourceRows, with streams: inout LZFSEEncoder
  ) -> Bool {
    let size = rows.height * rows.rowBytes
    // The fast search is worth its time if the other one has to look at many literals. It also
    // fails if it does not make the pixels smaller, which says nothing if `best` is as large.
    guard best.count * Self.wellPackedShare > size, best.count * 2 < size else { return false }
    return streams.measuring { streams in
      !writePixels(Self.sample(of: rows), most: best.count / 4, &streams)
        && !writePixels(rows, most: 2 * best.count, &streams)
    }
  }

  /// The size from which on an attempt is not kept, minus one or zero.
  private var mostToKeep: Int { best.isEmpty ? .max : best.count }

  /// Packs the method in `best` with the effort of `streams`. The method and the pixels stay the
  /// same.
  mutating func packOnceMore(_ rows: SourceRows, with streams: inout LZFSEEncoder) {
    guard let method = DeepMapChoice(blob: best) else { return }
    guard Self.hasOneTile(best, rows), let head = Self.bytesBeforeTiles(of: best, method) else {
      if write(method, rows, most: mostToKeep, &streams) { keep() }
      return
    }
    attempt.removeAll(keepingCapacity: true)
    attempt += best[..<head]
    let isPacked = bestTile.read { streams.appendTile($0, to: &attempt, most: mostToKeep) }
    if isPacked, attempt.count < best.count { swap(&best, &attempt) }
  }

  /// Returns the number of bytes of a packed blob before its tiles: the head, and a palette with
  /// its two sizes.
  private static func bytesBeforeTiles(of blob: [UInt8], _ method: DeepMapChoice) -> Int? {
    guard case .palette = method else { return headSize }
    guard blob.count >= headSize + 4 else { return nil }
    return headSize + 4 + 4 * (Int(blob[headSize]) | Int(blob[headSize + 1]) << 8)
  }

  private static func hasOneTile(_ blob: [UInt8], _ rows: SourceRows) -> Bool {
    Int(blob[10]) | Int(blob[11]) << 8 >= rows.height
  }

  /// Writes a blob by one method into `attempt`. Returns false if it does not become smaller, or
  /// if it has more than `most` bytes.
  private mutating func write(
    _ method: DeepMapChoice, _ rows: SourceRows, most: Int = .max, _ streams: inout LZFSEEncoder
  ) -> Bool {
    switch method {
    case .residuals: writeResiduals(rows, most: most, &streams) != nil
    case .pixels: writePixels(rows, most: most, &streams)
    case .palette(let entry): writePalette(rows, entry: entry, most: most, &streams)
    }
  }

  /// Keeps the last attempt if it is smaller than `best`, or equal if that is requested.
  mutating func keep(evenIfEqual: Bool = false) {
    if best.isEmpty || attempt.count < best.count + (evenIfEqual ? 1 : 0) {
      swap(&best, &attempt)
      swap(&bestTile, &tile)
    }
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
    _ method: DeepMapBlob.Method, of rows: SourceRows, tileHeight: Int, in blob: inout [UInt8]
  ) {
    blob.append(littleEndian: DeepMap2.mark)
    blob += [method.rawValue, Self.quality, Self.precision, Self.code(rows.format)]
    blob.append(littleEndian: UInt16(rows.width))
    blob.append(littleEndian: UInt16(tileHeight))
  }

  private static func tileHeight(_ rows: SourceRows, rowBytes: Int) -> Int {
    max(1, min(rows.height, mostTileBytes / rowBytes))
  }

  /// Writes a blob into `attempt`, tile by tile. Returns false if a tile does not become smaller,
  /// or if the blob has more than `most` bytes.
  private mutating func writeTiles(
    _ method: DeepMapBlob.Method, of rows: SourceRows, rowBytes: Int, head: [UInt8] = [],
    most: Int, with streams: inout LZFSEEncoder,
    fill: (SourceRows, _ first: Int, inout TileBytes, inout [Int16]) -> Bool
  ) -> Bool {
    let tileHeight = Self.tileHeight(rows, rowBytes: rowBytes)
    attempt.removeAll(keepingCapacity: true)
    startBlob(method, of: rows, tileHeight: tileHeight, in: &attempt)
    attempt += head
    for y in stride(from: 0, to: rows.height, by: tileHeight) {
      let band = rows.band(y..<min(rows.height, y + tileHeight))
      guard fill(band, y, &tile, &values) else { return false }
      let isPacked = tile.read { streams.appendTile($0, to: &attempt, most: most) }
      guard isPacked else { return false }
    }
    return true
  }

  /// Writes the residuals and returns what is lost; nil if they do not become smaller, or if they
  /// take more than `most` bytes.
  mutating func writeResiduals(
    _ rows: SourceRows, isSample: Bool = false, most: Int = .max, _ streams: inout LZFSEEncoder
  ) -> DeepMapPlanes.Loss? {
    let rowBytes = (2 * rows.channels + 1) * rows.width + 1
    let isExact = aims.isExact
    let isLikely =
      streams.effort != .reference && aims.skipsUnlikely
      && (isSample || rows.width * rows.height >= Self.leastForLikelyPredictors)
    var outcome = DeepMapPlanes.Loss.exact
    streams.fastMatches = .long
    defer { streams.fastMatches = .all }
    let isPacked = writeTiles(
      .residuals, of: rows, rowBytes: (rowBytes + 15) & ~15, most: most, with: &streams
    ) { band, _, tile, values in
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

  mutating func writePixels(
    _ rows: SourceRows, most: Int = .max, _ streams: inout LZFSEEncoder
  ) -> Bool {
    writeTiles(.packedPixels, of: rows, rowBytes: rows.rowBytes, most: most, with: &streams) {
      band, _, tile, _ in
      tile.write(band.height * band.rowBytes) { bytes in
        let bytes = UnsafeMutableRawBufferPointer(bytes)
        for y in 0..<band.height {
          UnsafeMutableRawBufferPointer(rebasing: bytes[(y * band.rowBytes)...]).copyMemory(
            from: UnsafeRawBufferPointer(start: band.row(y), count: band.rowBytes))
        }
      }
      return true
    }
  }

  /// Writes a palette. Entries of 4 bytes contain alpha; for entries of 3 bytes a plane before the
  /// indices contains it.
  mutating func writePalette(
    _ rows: SourceRows, entry: Int, most: Int = .max, _ streams: inout LZFSEEncoder
  ) -> Bool {
    var indices: [UInt8] = []
    swap(&indices, &self.indices)
    defer { swap(&indices, &self.indices) }
    let mask = entry == 4 ? .max : DeepMapColors.withoutAlpha
    if entry == 3, excludesPalette3 { return false }
    guard
      let colors = DeepMapColors(
        rows, mask: mask, indices: &indices, exceedsWithoutAlpha: &excludesPalette3)?.colors
    else { return false }
    var head: [UInt8] = []
    head.append(littleEndian: UInt16(colors.count))
    head.append(littleEndian: UInt16(entry))
    for color in colors { head.append(littleEndian: color) }
    let rowBytes = entry == 4 ? rows.width : 2 * rows.width
    return writeTiles(
      .palette, of: rows, rowBytes: rowBytes, head: head, most: most, with: &streams
    ) { band, first, tile, _ in
      let area = band.width * band.height
      tile.write(band.height * rowBytes) { bytes in
        if entry == 3 {
          for y in 0..<band.height {
            let row = band.row(y)
            for x in 0..<band.width {
              bytes[y * band.width + x] = row.load(fromByteOffset: 4 * x + 3, as: UInt8.self)
            }
          }
        }
        indices.withUnsafeBufferPointer { indices in
          let part = indices[first * band.width..<first * band.width + area]
          _ = bytes[(bytes.count - area)...].update(fromContentsOf: part)
        }
      }
      return true
    }
  }
}

// MARK: - The choice of a method

// Chooses the method of a chunk as Apple's tool does, with less work: it packs palettes, and pixels
// that are probably the smallest, at once as they will be written, and the others with our own
// faster search; and it skips methods that cannot win.
//
//     at most 256 colours? (palette 4)
//     ├─ yes:  do sampled residuals need at least 4 times the bytes of the palette?
//     │        ├─ yes: palette 4
//     │        └─ no:  the smaller of palette 4 and residuals
//     └─ no:   is a sample of the pixels packed to an eighth, and as well as its residuals?
//              ├─ yes: the smallest of pixels, palette 3 and residuals; residuals are left out if
//              │       the sample or the fast search suggests that they need 9/8 of the bytes
//              └─ no:  the smallest of residuals, palette 3 and pixels; pixels are left out if
//                      the sample suggests that they need 3/2 of the bytes of the others, or if
//                      they need 1.15 of the bytes of the residuals in four bands
//
//     If residuals that were packed with the fast search lose bits, and the sizes of residuals and
//     the best other method differ by less than 1/8 (1/20 from 100 KB on), the choice is doubtful:
//     the encoder measures as Apple's tool does.
//
// The methods without loss give the same pixels, so a different choice among them costs only bytes.

extension DeepMap2Encoder {
  /// Returns the divisor of the smallest size that gives the doubtful difference. On 730 real and
  /// synthetic pictures the ratio of two methods' sizes differed from that of Apple's tool by up to
  /// a seventh in the cases that matter, and by up to a twentieth if both methods take 100 KB,
  /// because errors even out.
  private static func doubtfulShare(of size: Int) -> Int { size < 100_000 ? 8 : 20 }
  /// Pictures with fewer rows are packed as a whole instead of sampled.
  private static let leastSampledRows = 64
  /// A chunk that is packed to less than this part has long matches: a better search is cheap there
  /// and saves more.
  private static let wellPackedShare = 8
  /// Of a sample that is packed to fewer bytes, the header and the first literals are too large a
  /// part for a comparison.
  private static let leastTellingBytes = 500
  /// If `best` takes fewer bytes, bands of the picture tell too little.
  private static let leastForBands = 50_000
  /// Pixels that are packed to less than this part are so regular that the fast search can need
  /// fewer bytes than that of Apple's tool, on synthetic pictures as little as a third.
  private static let regularShare = 64

  /// Leaves the chosen blob in `best`. Returns false if another method would give other pixels and
  /// has nearly the same size, so that Apple's tool could choose it.
  mutating func chooseLikelyMethod(
    _ rows: SourceRows, with streams: inout LZFSEEncoder
  ) -> Bool {
    best.removeAll(keepingCapacity: true)
    if rows.format.kind == .argb, writePalette(rows, entry: 4, &streams) {
      keep()
      // The other methods could save little here, provided that they lose no bits.
      if !mayWinAsResiduals(rows) { return true }
    }
    if best.isEmpty {
      let favourite = favourite(of: rows, with: &streams)
      if favourite != .residuals {
        choosePixelsFirst(rows, with: &streams, triesResiduals: favourite == nil)
        return true
      }
    }
    let effort = streams.effort
    streams.effort = .fast
    let isSure = tryOtherMethods(rows, with: &streams)
    streams.effort = effort
    if isSure, DeepMapChoice(blob: best) != .palette(entry: 4),
      best.count * Self.wellPackedShare < rows.height * rows.rowBytes
    {
      packOnceMore(rows, with: &streams)
    }
    return isSure
  }

  /// Leaves the smallest of pixels, palette 3 and residuals in `best`.
  private mutating func choosePixelsFirst(
    _ rows: SourceRows, with streams: inout LZFSEEncoder, triesResiduals: Bool
  ) {
    if writePixels(rows, &streams) { keep() }
    if best.count * Self.regularShare < rows.height * rows.rowBytes {
      let effort = streams.effort
      streams.effort = .fast
      packOnceMore(rows, with: &streams)
      streams.effort = effort
    }
    if rows.format.kind == .argb, writePalette(rows, entry: 3, most: mostToKeep, &streams) {
      keep()
    }
    // Pixels cannot be written if one of their tiles does not become smaller.
    guard triesResiduals || best.isEmpty else { return }
    let mayWin = streams.measuring { writeResiduals(rows, most: mostThatMatters, &$0) != nil }
    if mayWin, writeResiduals(rows, most: mostToKeep, &streams) != nil { keep(evenIfEqual: true) }
  }

  /// Returns the smaller one of pixels and residuals as a sample suggests: residuals unless the
  /// pixels are packed well, and nil if the sizes are too close. Of 565 real and synthetic pictures
  /// with well packed pixels, the sample favoured pixels in 370, and wrongly in 9, which made the
  /// sum of the 370 larger by a thousandth; some were packed to fewer than `leastTellingBytes`.
  private mutating func favourite(
    of rows: SourceRows, with streams: inout LZFSEEncoder
  ) -> DeepMapChoice? {
    let sample = Self.sample(of: rows)
    let size = sample.height * sample.rowBytes
    guard rows.height >= Self.leastSampledRows, size >= LZFSEEncoder.leastForTables else {
      return .residuals
    }
    return streams.measuring { streams in
      guard writePixels(sample, most: size / Self.wellPackedShare, &streams) else {
        return .residuals
      }
      let pixels = attempt.count
      let most = pixels + pixels / 8
      guard writeResiduals(sample, isSample: true, most: most, &streams) != nil else {
        return pixels < Self.leastTellingBytes ? nil : .pixels
      }
      return attempt.count < pixels - pixels / 16 ? .residuals : nil
    }
  }

  /// Returns an eighth of the rows, from the middle.
  private static func sample(of rows: SourceRows) -> SourceRows {
    let count = rows.height / 8
    let first = (rows.height - count) / 2
    return rows.band(first..<first + count)
  }

  /// Tries the methods other than palette 4, which `best` contains if the picture has one. Returns
  /// whether the choice is not doubtful.
  private mutating func tryOtherMethods(
    _ rows: SourceRows, with streams: inout LZFSEEncoder
  ) -> Bool {
    let hasPalette = !best.isEmpty
    var others = best.isEmpty ? Int.max : best.count
    let outcome = writeResiduals(rows, most: mostThatMatters, &streams)
    let residuals = outcome == nil ? Int.max : attempt.count
    if outcome != nil { keep() }
    if !hasPalette {
      if rows.format.kind == .argb, writePalette(rows, entry: 3, most: mostThatMatters, &streams) {
        others = min(others, attempt.count)
        keep()
      }
      if mayWinAsPixels(rows, with: &streams), writePixels(rows, most: mostThatMatters, &streams) {
        others = min(others, attempt.count)
        keep()
      }
    }
    guard outcome == .lossy, others != .max else { return true }
    let least = min(others, residuals)
    return abs(others - residuals) > least / Self.doubtfulShare(of: least)
  }

  /// The largest size of an attempt that can be kept or make the choice doubtful.
  private var mostThatMatters: Int {
    if best.isEmpty { return .max }
    return best.count + best.count / Self.doubtfulShare(of: best.count)
  }

  /// Returns whether residuals may be smaller than the palette in `best`. On 1,600 real and
  /// synthetic pictures they never were if the entropy of their bytes in some sampled rows was at
  /// least four times the palette's size.
  private mutating func mayWinAsResiduals(_ rows: SourceRows) -> Bool {
    let bands = max(1, rows.height / 64)
    var bits = 0.0
    var sampled = 0
    for band in 0..<bands {
      let first = rows.height * band / bands
      let part = rows.band(first..<min(rows.height, first + 16))
      let outcome = DeepMapPlanes.make(part, likely: true, into: &tile, values: &values)
      if outcome == .impossible { return true }
      let planes = DeepMapPlanes(part)
      bits += tile.read {
        informationInBits(UnsafeRawBufferPointer(rebasing: $0[..<planes.predictors]))
          + informationInBits(UnsafeRawBufferPointer(rebasing: $0[planes.low..<planes.size]))
      }
      sampled += part.height
    }
    let bytes = bits / 8 * Double(rows.height) / Double(sampled)
    return bytes < 4 * Double(best.count)
  }

  /// Returns whether the plain pixels may be smaller than the residuals or the palette in `best`.
  /// They may not if an eighth of them, from the middle, suggests a size of more than 1.5 times
  /// `best`, or if the residuals are clearly smaller in bands of the picture.
  private mutating func mayWinAsPixels(
    _ rows: SourceRows, with streams: inout LZFSEEncoder
  ) -> Bool {
    guard rows.height >= Self.leastSampledRows, !best.isEmpty else { return true }
    let most = best.count * 3 / 16
    return streams.measuring { streams in
      guard writePixels(Self.sample(of: rows), most: most, &streams) else { return false }
      return best.count < Self.leastForBands || mayWinInBands(rows, with: &streams)
    }
  }

  /// Returns whether pixels take less than 1.15 of the bytes of residuals in four bands of the
  /// picture, each a 32nd of the rows. On 160 real and synthetic pictures whose `best` took at
  /// least `leastForBands`, pixels that took more than 1.15 there took at least 1.10 of the bytes
  /// of the residuals as a whole.
  private mutating func mayWinInBands(
    _ rows: SourceRows, with streams: inout LZFSEEncoder
  ) -> Bool {
    let bands = 4
    var (pixels, residuals) = (0, 0)
    for band in 0..<bands {
      let middle = rows.height * (2 * band + 1) / (2 * bands)
      let count = rows.height / (8 * bands)
      let part = rows.band(middle - count / 2..<middle - count / 2 + count)
      guard writeResiduals(part, isSample: true, &streams) != nil else { return true }
      residuals += attempt.count
      guard writePixels(part, &streams) else { return false }
      pixels += attempt.count
    }
    return pixels * 20 < residuals * 23
  }
}

/// Returns the bits that the bytes take if each is coded by itself, by its frequency.
private func informationInBits(_ bytes: UnsafeRawBufferPointer) -> Double {
  withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { counts in
    counts.initialize(repeating: 0)
    if let counts = counts.baseAddress { countBytes(bytes, into: counts) }
    var bits = 0.0
    for count in counts where count > 0 {
      bits += Double(count) * NaturalLogarithms.ofQuotient(bytes.count, Int(count))
    }
    return bits * 1.442_695_040_888_963_4
  }
}
