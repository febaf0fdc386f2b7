// The buffers and the functions with which one thread turns planned renditions into blocks. An
// encoder is used again for many renditions; the encoders of a run are in a pool (EncoderPool).

import Archive
import Bytes
import CatalogModel
import Codecs
import Host
import Imaging
import Traits
import Vectors

/// The buffers of one thread. Only the thread that holds the lock uses them, for one rendition at a
/// time.
final class RenditionEncoder: @unchecked Sendable {
  var decoder = PictureDecoder()
  private var encoder: BitmapEncoder
  var rasterizer = Rasterizer()
  private lazy var textEncoder = LZFSEEncoder(effort: settings.optimization.textEffort)
  lazy var pixelPacker = LZFSEEncoder(effort: .fast)
  var scratch = DecodingScratch()
  /// The vector that was read last, or the error of reading it.
  private var vector: (path: ByteString, result: Result<VectorPicture, VectorError>)?
  /// The layered icon that was drawn last, or the reason why it cannot be drawn.
  var glass: (files: [SourceFile], result: Result<GlassRenderer, EncodingFailure>)?
  private var template: (path: ByteString, contents: SymbolTemplate)?
  /// The head of the key that was made last. Most pictures have equal settings.
  private var keyHead: (settings: CacheKeyInputs, head: BLAKE2b)?
  let settings: EncodingSettings
  let turn = LendableLock()

  init(_ settings: EncodingSettings) {
    self.settings = settings
    encoder = BitmapEncoder(
      optimization: settings.optimization, oldestReader: settings.target.oldestReader)
  }

  /// Encodes renditions that share a source, and returns the result of each.
  func encode(sharing renditions: [PlannedRendition]) -> [EncodingResult] {
    defer { (vector, template, glass) = (nil, nil, nil) }
    // The bitmaps of a look of a layered icon have one share of the memory together, because the
    // pictures of its layers stay decoded from the first bitmap to the last.
    guard let memory = renditions.compactMap({ $0.glass.map(memory) }).max() else {
      return results(of: renditions)
    }
    return settings.room.gate.share(memory) {
      defer { if memory > settings.room.mostKept { freeBuffers() } }
      return results(of: renditions)
    }
  }

  private func results(of renditions: [PlannedRendition]) -> [EncodingResult] {
    renditions.map { planned in
      Result { () throws(EncodingFailure) in
        if let blocks = settings.purpose.finishedBlocks?.blocks(of: planned, settings) {
          return blocks
        }
        guard let tree = settings.purpose.recordingTree else { return try encode(planned) }
        return try makeForObject(planned, recording: tree)
      }
    }
  }

  /// Returns the blocks of a rendition: two blocks if its picture has colours outside sRGB.
  func encode(_ planned: PlannedRendition) throws(EncodingFailure) -> [EncodedRendition] {
    switch planned.content {
    case .color(let value): return [.block(planned.key.gamut, planned.colorBlock(value))]
    case .iconSizes(let sizes): return [.block(planned.key.gamut, planned.iconSizesBlock(sizes))]
    case .data(let file, let type):
      return [
        .block(planned.key.gamut, planned.dataBlock(try readContent(file), typeIdentifier: type))
      ]
    case .vector(let file):
      return [.block(planned.key.gamut, vectorBlock(try storedVector(file), planned))]
    case .symbol(let file, let glyph):
      return [.block(planned.key.gamut, try makeGlyph(planned, glyph, of: file))]
    case .picture(let file, _):
      return try makePicture(planned, of: file)
    case .paint(let color): return [.block(planned.key.gamut, planned.paintBlock(color))]
    case .gradient(let gradient):
      return [.block(planned.key.gamut, planned.gradientBlock(gradient))]
    case .glass(let drawing): return [try makeGlass(planned, drawing)]
    case .physicalPicture(let picture):
      return [.block(planned.key.gamut, try makePhysicalPicture(planned, picture))]
    case .trackedObject(let file):
      let payload = filePayload(of: try readContent(file), compressed: true)
      return [.block(planned.key.gamut, planned.trackedObjectBlock(payload))]
    case .flattened(let composition):
      return [.block(planned.key.gamut, try makeFlattened(planned, composition))]
    case .radiosity(let composition):
      return [.block(planned.key.gamut, try makeRadiosity(planned, composition))]
    case .stack(let stack):
      let sized = try sized(stack)
      return [.block(planned.key.gamut, planned.stackBlock(sized, numbers: settings.numbers))]
    case .nothing: return [.block(planned.key.gamut, planned.nothingBlock)]
    case .names(let names): return [.block(planned.key.gamut, planned.namesBlock(names))]
    }
  }

  /// Returns the bytes of a file that is stored without being decoded. A pointer is no content.
  private func readContent(_ file: SourceFile) throws(EncodingFailure) -> [UInt8] {
    let bytes = try read(file)
    if isGitLFSPointer(bytes) { throw .header(.pointer) }
    return bytes
  }

  /// Returns the block of a vector with these bytes, which decide about its format.
  func vectorBlock(_ bytes: [UInt8], _ planned: PlannedRendition) -> [UInt8] {
    let isSVG = !VectorFile.isPDF(bytes)
    return planned.vectorBlock(filePayload(of: bytes, compressed: isSVG), isSVG: isSVG)
  }

  /// Returns the bytes of a vector as the archive stores it. A file that cannot be read stays as it
  /// is; the passes that draw it report it.
  private func storedVector(_ file: SourceFile) throws(EncodingFailure) -> [UInt8] {
    let bytes = try read(file)
    if settings.keepsVectors { return bytes }
    let key = settings.cache.map { _ in
      CacheKey("\(settings.optimization) vector") { $0.add(bytes) }
    }
    let facts = RenditionEncoder.vectorFacts
    // An entry without bytes says that the file stays as it is.
    let stored = try encodedOnce(key) { cached in
      cached.facts == facts
        && (cached.payload.isEmpty
          || (try? readVector(bytes, of: file.path))?.accepts(cached.payload, for: bytes) ?? false)
    } isUsable: { cached in
      cached.facts == facts
    } memory: {
      // Its data are decompressed and compressed again, one stream after another.
      48 * bytes.count
    } make: {
      settings.work.measure(.compress, size: \.payload.count) {
        let rewritten = (try? readVector(bytes, of: file.path))?
          .rewritten(bytes, for: settings.optimization)
        return EncodedPicture(facts: facts, payload: rewritten ?? [])
      }
    }
    return stored.payload.isEmpty ? bytes : stored.payload
  }

  /// The facts with which the cache stores a rewritten vector. Every entry of the cache states the
  /// facts of a bitmap; a vector has none, so these are the same for all vectors.
  private static let vectorFacts = PictureFacts(
    width: 1, height: 2, layout: .bgra8, isOpaque: false)

  /// Returns the block of a symbol's drawing. The template is kept for the next drawing.
  private func makeGlyph(
    _ planned: PlannedRendition, _ glyph: Glyph, of file: SourceFile
  ) throws(EncodingFailure) -> [UInt8] {
    let read: SymbolTemplate
    if let template, template.path == file.path {
      read = template.contents
    } else {
      let bytes = try self.read(file)
      do throws(VectorError) { read = try SymbolTemplate.read(bytes) } catch {
        throw .undrawable(error)
      }
      template = (file.path, read)
    }
    let drawing = read.drawings.first {
      $0.weight == glyph.weight.rawValue && $0.size == glyph.size.rawValue
    }
    guard let drawing else { throw .changed }
    let contents = GlyphContents(drawing, of: read, for: settings.target)
    return planned.glyphBlock(contents, payload: filePayload(of: contents.svg, compressed: true))
  }

  private func makePicture(
    _ planned: PlannedRendition, of file: SourceFile
  ) throws(EncodingFailure) -> [EncodedRendition] {
    if let unread = unreadPicture(planned, of: file) { return unread }
    let bytes = try read(file)
    if planned.drawnFile == nil, let stored = try FilePicture(bytes) {
      return [.block(planned.key.gamut, planned.storedPictureBlock(bytes, stored))]
    }
    return try renditions(of: planned) { gamut throws(EncodingFailure) in
      try picture(in: bytes, of: file, gamut, for: planned)
    }
  }

  /// Returns what `picture` makes in the gamut of the key, and in a wide gamut if one is derived.
  private func renditions(
    of planned: PlannedRendition,
    _ picture: (Gamut) throws(EncodingFailure) -> EncodedRendition
  ) throws(EncodingFailure) -> [EncodedRendition] {
    let narrow = try picture(planned.key.gamut)
    guard narrow.facts?.hasWiderSource == true, settings.derivesWideGamut(of: planned) else {
      return [narrow]
    }
    return [narrow, try picture(.p3)]
  }

  /// Returns a picture without reading its file, which did not change since an earlier run; nil if
  /// the file must be read.
  private func unreadPicture(
    _ planned: PlannedRendition, of file: SourceFile
  ) -> [EncodedRendition]? {
    guard case .archive = settings.purpose, let cache = settings.cache,
      let digest = settings.tree.digest(file.path)
    else { return nil }
    let demands = settings.demands(of: planned)
    return try? renditions(of: planned) { gamut throws(EncodingFailure) in
      let key = contentsKey(of: digest, gamut, demands, planned.processing)
      if planned.isPlainPicture,
        let facts = cache.facts(
          of: digest, gamut, ifEnough: { settings.putsIntoAtlas($0, of: planned) })
      {
        return rendition(EncodedPicture(facts: facts, payload: []), gamut, key, planned)
      }
      guard let cached = cache.picture(key, ifUsable: { isUsable($0, planned) }) else {
        throw .changed
      }
      return rendition(EncodedPicture(cached), gamut, key, planned)
    }
  }

  /// Returns a picture in one gamut, from the cache or from its file.
  private func picture(
    in bytes: [UInt8], of file: SourceFile, _ gamut: Gamut, for planned: PlannedRendition
  ) throws(EncodingFailure) -> EncodedRendition {
    let demands = settings.demands(of: planned)
    func digest() -> Digest128 {
      settings.tree.digest(file.path) ?? Digest128(ofBytes: bytes)
    }
    let key = settings.work.measure(.digest, size: { _ in bytes.count }) {
      cacheKey(of: digest(), gamut, demands, planned.processing)
    }
    let picture = try encodedOnce(key) { cached in
      agreesWithFile(cached, of: bytes, gamut, planned)
    } isUsable: { cached in
      isUsable(cached, planned)
    } memory: { () throws(EncodingFailure) in
      try memory(of: bytes, gamut, for: planned)
    } make: { () throws(EncodingFailure) in
      let (bitmap, facts) = try decode(bytes, gamut: gamut, for: planned)
      if settings.putsIntoAtlas(facts, of: planned) {
        return EncodedPicture(facts: facts, payload: [], small: kept(bitmap))
      }
      defer { decoder.recycle(bitmap) }
      return EncodedPicture(facts: facts, payload: payload(of: bitmap, demands))
    }
    return rendition(
      picture, gamut, key ?? contentsKey(of: digest(), gamut, demands, planned.processing), planned)
  }

  /// Returns whether an entry has all that the rendition needs. The cache does not have the pixels
  /// of small pictures.
  private func isUsable(_ cached: CachedPicture, _ planned: PlannedRendition) -> Bool {
    settings.putsIntoAtlas(cached.facts, of: planned) || !cached.payload.isEmpty
  }

  /// Returns the rendition of a picture. Small pictures of equal files are found by their keys.
  private func rendition(
    _ picture: EncodedPicture, _ gamut: Gamut, _ key: @autoclosure () -> CacheKey,
    _ planned: PlannedRendition
  ) -> EncodedRendition {
    if settings.putsIntoAtlas(picture.facts, of: planned) {
      return .small(
        gamut, DecodedPicture(facts: picture.facts, pixels: picture.small, key: key()))
    }
    let block = planned.bitmapBlock(picture.facts, payload: picture.payload)
    return .block(gamut, block, picture.facts)
  }

  /// Returns the compressed pixels of the bitmap that `draw` makes, from the cache if it has them.
  /// `memory` is the memory that drawing takes in addition to the pixels.
  func payload(
    _ facts: PictureFacts, _ key: CacheKey?, _ demands: BitmapDemands, memory: Int,
    drawing draw: () throws(EncodingFailure) -> Bitmap
  ) throws(EncodingFailure) -> [UInt8] {
    try encodedOnce(key) { cached in
      // An opaque atlas has gaps without alpha, so the opacity of its pixels is not compared.
      cached.facts == facts && (cached.payload.isEmpty || unpacks(cached, to: { $0 != nil }))
    } isUsable: { cached in
      !cached.payload.isEmpty && cached.facts == facts
    } memory: { () throws(EncodingFailure) in
      memory + PictureMemory.encoding(facts)
    } make: { () throws(EncodingFailure) in
      EncodedPicture(facts: facts, payload: payload(of: try draw(), demands))
    }.payload
  }

  /// The facts and the compressed pixels of a picture. A small picture has its pixels instead, or
  /// nothing if it is decoded again for its atlas.
  private struct EncodedPicture {
    var facts: PictureFacts
    var payload: [UInt8]
    var small: CompactPixels?

    init(facts: PictureFacts, payload: [UInt8], small: CompactPixels? = nil) {
      (self.facts, self.payload, self.small) = (facts, payload, small)
    }

    init(_ cached: CachedPicture) { self.init(facts: cached.facts, payload: cached.payload) }
  }

  /// Returns a picture from the cache, or makes it and puts it into the cache. A picture from a
  /// server is used if `isAccepted` holds.
  private func encodedOnce(
    _ key: CacheKey?, isAccepted: (CachedPicture) -> Bool, isUsable: (CachedPicture) -> Bool,
    memory: () throws(EncodingFailure) -> Int,
    make: () throws(EncodingFailure) -> EncodedPicture
  ) throws(EncodingFailure) -> EncodedPicture {
    if let key,
      let cached = settings.cache?.picture(key, turn, ifAccepted: isAccepted, ifUsable: isUsable)
    {
      return EncodedPicture(cached)
    }
    let made = try share(memory()) { () throws(EncodingFailure) in try make() }
    // The cache may wait for a server. A thread that waits must not hold a share of the memory.
    if let key { settings.cache?.keep(made.facts, payload: made.payload, as: key, turn) }
    return made
  }

  /// Calls `body`, which takes this many bytes of memory. If all encoders together could not keep
  /// buffers of this size, frees the buffers afterwards.
  func share<Made>(
    _ bytes: Int, _ body: () throws(EncodingFailure) -> Made
  ) throws(EncodingFailure) -> Made {
    try settings.room.gate.share(bytes) { () throws(EncodingFailure) in
      defer { if bytes > settings.room.mostKept { freeBuffers() } }
      return try body()
    }
  }

  private func freeBuffers() {
    decoder = PictureDecoder()
    encoder = BitmapEncoder(
      optimization: settings.optimization, oldestReader: settings.target.oldestReader)
    rasterizer.release()
    scratch = DecodingScratch()
  }

  /// Returns the pixels of a picture that waits for its atlas. Returns nil for a large sprite,
  /// which is decoded again when its atlas is drawn.
  private func kept(_ bitmap: consuming Bitmap) -> CompactPixels? {
    let pixels =
      bitmap.pixels.count > settings.room.mostWaiting
      ? nil : bitmap.pixels.withUnsafeBytes { CompactPixels($0) }
    decoder.recycle(bitmap)
    return pixels
  }

  /// Returns the key of the pixels that are made of a file with this digest; nil if nothing needs
  /// the key.
  func cacheKey(
    of digest: @autoclosure () -> Digest128, _ gamut: Gamut, _ demands: BitmapDemands,
    _ processing: PictureProcessing? = nil
  ) -> CacheKey? {
    guard settings.cache != nil || settings.purpose.recordingTree != nil else { return nil }
    return contentsKey(of: digest(), gamut, demands, processing)
  }

  /// Returns the key of the pixels that are made of a file with this digest.
  private func contentsKey(
    of digest: Digest128, _ gamut: Gamut, _ demands: BitmapDemands, _ processing: PictureProcessing?
  ) -> CacheKey {
    let wanted = CacheKeyInputs(
      gamut: gamut, demands: demands, drawingScale: processing?.drawingScale,
      reduction: processing?.reduction)
    if keyHead?.settings != wanted { keyHead = (wanted, wanted.head(settings)) }
    return CacheKey(keyHead?.head ?? wanted.head(settings)) {
      $0.add(digest.first)
      $0.add(digest.second)
    }
  }

  /// The settings in the key of a picture that are not the same for all pictures of a run.
  private struct CacheKeyInputs: Equatable {
    var gamut: Gamut
    var demands: BitmapDemands
    var drawingScale: DrawingScale?
    var reduction: Reduction?

    func head(_ settings: EncodingSettings) -> BLAKE2b {
      let scale = drawingScale.map { "\($0.bitmap)/\($0.slot)" } ?? "-"
      return CacheKey.head(
        "\(settings.optimization) \(settings.target.oldestReader) \(gamut) \(scale)"
          + " \(demands.isIcon) \(demands.isExact)" + (reduction.map { " \($0)" } ?? ""))
    }
  }

  /// Returns the compressed pixels of a picture or an atlas.
  func payload(of bitmap: Bitmap, _ demands: BitmapDemands) -> [UInt8] {
    var payload: [UInt8] = []
    bitmap.pixels.withUnsafeBytes { pixels in
      let rows = BitmapRows(
        pixels, format: bitmap.layout.coded, width: bitmap.width, height: bitmap.height,
        bytesPerRow: bitmap.bytesPerRow, isOpaque: bitmap.isOpaque)
      settings.work.measure(.compress, size: { _ in pixels.count }) {
        encoder.encode(rows, demands: demands, appendingTo: &payload)
      }
    }
    return payload
  }

  /// Returns the payload of a file. It is compressed if the caller asks for it, if it becomes
  /// smaller, and if the oldest reader supports LZFSE.
  func filePayload(of contents: [UInt8], compressed: Bool) -> [UInt8] {
    if compressed, !settings.target.predatesLZFSE {
      var stream: [UInt8] = []
      contents.withUnsafeBytes { textEncoder.encode($0, appendingTo: &stream) }
      if stream.count < contents.count {
        return FilePayload.head(length: stream.count, isCompressed: true) + stream
      }
    }
    return FilePayload.head(length: contents.count) + contents
  }

  /// Returns the pixels of a sprite that are not in memory. The caller must hold a share of the
  /// memory for them.
  func bitmap(of planned: PlannedRendition) throws(EncodingFailure) -> Bitmap {
    if case .glass(let drawing) = planned.content { return asStored(try bitmap(of: drawing)) }
    guard let file = planned.source else { throw .unsupported }
    return try decode(try read(file), gamut: planned.key.gamut, for: planned).bitmap
  }

  func recycle(_ bitmap: consuming Bitmap) { decoder.recycle(bitmap) }

  func read(_ file: SourceFile) throws(EncodingFailure) -> [UInt8] {
    do throws(FileError) {
      return try settings.work.measure(.read, size: \.count) { () throws(FileError) in
        try settings.tree.read(file.path, settings.largestFile)
      }
    } catch {
      throw .unreadable(error)
    }
  }

  func decode(
    _ bytes: [UInt8], gamut: Gamut, for planned: PlannedRendition
  ) throws(EncodingFailure) -> (bitmap: Bitmap, facts: PictureFacts) {
    if let scale = planned.processing?.drawingScale {
      return try draw(bytes, of: planned.drawnFile?.path ?? "", scale)
    }
    var bitmap = try decode(bytes, gamut: gamut)
    if let reduction = planned.processing?.reduction { bitmap = bitmap.reduced(reduction) }
    return (bitmap, PictureFacts(bitmap))
  }

  /// Draws the bitmap of a vector.
  func draw(
    _ bytes: [UInt8], of path: ByteString, _ scale: DrawingScale
  ) throws(EncodingFailure) -> (bitmap: Bitmap, facts: PictureFacts) {
    do throws(VectorError) {
      let picture = try readVector(bytes, of: path, at: scale)
      var (bitmap, drawing) = try settings.work.measure(.draw, size: { $0.0.pixels.count }) {
        () throws(VectorError) in try picture.bitmap(scale: scale.factor, &rasterizer)
      }
      bitmap = asStored(bitmap)
      var facts = PictureFacts(bitmap)
      facts.drawn = drawing
      return (bitmap, facts)
    } catch {
      throw EncodingFailure(error, in: bytes)
    }
  }

  func readVector(
    _ bytes: [UInt8], of path: ByteString, at scale: DrawingScale
  ) throws(VectorError) -> VectorPicture {
    let picture = try readVector(bytes, of: path)
    let largest = max(settings.largestScales[path] ?? 0, scale.factor)
    try picture.checkSize(scale: largest, mostPixels: settings.mostVectorPixels)
    return picture
  }

  /// Returns the vector in a file. Neither reading nor failing is repeated for the next rendition.
  private func readVector(
    _ bytes: [UInt8], of path: ByteString
  ) throws(VectorError) -> VectorPicture {
    if let vector, vector.path == path { return try vector.result.get() }
    let result = Result { () throws(VectorError) in try VectorPicture(bytes) }
    vector = (path, result)
    return try result.get()
  }

  /// Decodes a PNG or JPEG file into sRGB with premultiplied alpha. The caller must hold a share of
  /// the memory for it.
  func colors(of file: SourceFile) throws(EncodingFailure) -> Bitmap {
    let bytes = try read(file)
    if let picture = try Bitmap.ofJPEG(bytes) { return picture }
    return try decode(bytes, gamut: .sRGB, allowsGray: false)
  }

  func decode(
    _ bytes: [UInt8], gamut: Gamut, allowsGray: Bool = true
  ) throws(EncodingFailure) -> Bitmap {
    var options = PictureOptions()
    options.gamut = gamut == .p3 ? .displayP3 : .sRGB
    options.allowsGray = allowsGray && !settings.target.predatesLZFSE
    do throws(PictureError) {
      let bitmap = try decodeBorrowed(bytes, options)
      return settings.target.predatesLZFSE ? bitmap.withoutPadding() : bitmap
    } catch {
      throw EncodingFailure(error, in: bytes)
    }
  }

  private func decodeBorrowed(
    _ bytes: [UInt8], _ options: PictureOptions
  ) throws(PictureError) -> Bitmap {
    try settings.work.measure(.decode, size: { $0.pixels.count }) { () throws(PictureError) in
      try bytes.withUnsafeBufferPointer { (file) throws(PictureError) in
        try decoder.decode(UnsafeRawBufferPointer(file), options: options)
      }
    }
  }
}

extension Bitmap {
  /// Decodes a JPEG file into sRGB, upright; returns nil for every other file.
  package static func ofJPEG(_ file: [UInt8]) throws(EncodingFailure) -> Bitmap? {
    // The decoder takes pixels that are missing as black, so the file is checked before.
    guard let stored = try FilePicture(file), stored.format == .jpeg else { return nil }
    guard let picture = try? JPEGDecoder.decode(file: file) else { throw .kind(.jpeg) }
    return Bitmap(picture, orientation: Int(stored.orientation))
  }
}
