// The fast path for a run in which only pictures changed: their pixels are made again, and the last
// archive is copied around them. An example, in which Icon.png changed since the last run:
//
//   last archive   │ tables │ block 1 │ block 2  │ block 3 │ …       Icon.png is in block 2
//                      │         │                    │
//                    copied    copied     made      copied
//                      ▼         ▼          ▼         ▼
//   new archive    │ tables │ block 1 │ block 2' │ block 3 │ …
//
// If anything else differs (the size of a picture, its kind of pixels, the archive), a full run is
// made instead. The bytes are those of a full run in both cases.

import Archive
import Bytes
import Codecs
import Host
import Imaging
import Synchronization

/// Files whose bytes changed since the run that a record describes.
package struct ChangedPictures: Sendable {
  let record: RunRecord
  /// The rows of the files in the record.
  let rows: [Int]
  package let answer: RunAnswer
  let store: RunRecordStore

  package var changes: PathChanges? { PathChanges(rows, in: record) }

  /// The limit for the number of files. For more files a full run is hardly slower.
  private static let most = 256
  /// The limit for the bytes of all changed files, which are in memory at the same time.
  fileprivate static let mostBytes = 64 << 20

  /// Replaces the last archive by one with the new pixels, and records the run. Returns nil if this
  /// is not possible; then nothing was changed. `touches` states whether the caller gives the
  /// archive another time afterwards. The record then needs a digest of the archive, because the
  /// time no longer identifies it.
  package func update(
    _ options: CompileOptions, in archive: ByteString, touches: Bool, _ clock: inout PassClock
  ) throws(OutputError) -> RunAnswer? {
    guard rows.count <= ChangedPictures.most, let places = record.places,
      (0..<record.count).contains(places.archive), !rows.contains(places.archive),
      record.path(of: record.row(places.archive)) == archive,
      let changed = places.places(of: Set(rows)),
      let files = ChangedFiles(record, rows), files.haveSizes(of: changed),
      !files.haveTwins(in: record),
      let last = LastArchive(archive),
      last.file.identity == record.row(places.archive).identity
    else { return nil }
    clock.end("record", items: record.count)
    let settings = EncodingSettings(updating: options)
    guard let payloads = pixels(changed, places, files, settings, jobs: options.jobs) else {
      return nil
    }
    clock.end("encode", items: payloads.count, parts: options.work?.parts ?? [])
    guard let blocks = last.blocks(with: payloads),
      !last.haveTwins(blocks, ignoringNames: options.optimization == .space)
    else { return nil }
    var fresh = record
    fresh.replace(files.rows)
    var answer = answer
    answer.cacheTrouble = settings.cache?.trouble
    answer.changedFiles = rows.map { record.path(of: record.row($0)) }
    if !blocks.isEmpty {
      let written = try last.write(
        blocks, to: archive, isDigested: touches, survivesPowerCut: options.survivesPowerCut)
      guard let written, let observation = written.observation
      else { return nil }
      fresh.replace([(places.archive, RecordRow(observation, path: fresh.row(places.archive).path))]
      )
      answer.byteCount = Int(clamping: fresh.row(places.archive).identity.size)
      fresh.answer = answer.stored
    }
    store.keep(fresh)
    clock.end("write", items: blocks.count, bytes: answer.byteCount)
    return answer
  }

  /// Returns the new pixels of each block; nil if a picture differs in size or kind.
  private func pixels(
    _ changed: [PixelPlace], _ places: StoredPlaces, _ files: ChangedFiles,
    _ settings: EncodingSettings, jobs: Int
  ) -> [BlockID: NewPixels]? {
    var tasks = changed.filter { $0.frame == nil }.map(PixelTask.picture)
    for block in Set(changed.lazy.filter { $0.frame != nil }.map(\.block)).sorted() {
      guard let atlas = places.atlas(block) else { return nil }
      tasks.append(.atlas(atlas, places.places(in: block)))
    }
    let pool = EncoderPool(settings, jobs: min(jobs, tasks.count))
    let made = Mutex([BlockID: NewPixels]())
    let all = tasks
    pool.forEach(count: all.count) { index, encoder in
      encoder.encode(all[index]) { files.contents(of: $0) }
    } then: { index, pixels in
      if let pixels { made.withLock { $0[all[index].block] = pixels } }
    }
    settings.cache?.settle()
    return made.withLock { $0.count == all.count ? $0 : nil }
  }
}

private struct FileContents: Sendable {
  var bytes: [UInt8]
  var digest: Digest128
}

/// The current bytes of files that did not change while they were read.
private struct ChangedFiles: Sendable {
  /// The rows of the changed files, with new times and digests.
  private(set) var rows: [(index: Int, row: RecordRow)] = []
  private var contents: [Int: FileContents] = [:]
  private let record: RunRecord

  init?(_ record: RunRecord, _ changed: [Int]) {
    self.record = record
    var room = ChangedPictures.mostBytes
    for index in changed {
      var row = record.row(index)
      let path = record.path(of: row)
      let start = FileIdentity.now()
      guard let identity = FileIdentity(path), let bytes = try? FileTree.disk.read(path, room),
        FileIdentity(path) == identity
      else { return nil }
      room -= bytes.count
      row.identity = identity
      let digest = Digest128(ofBytes: bytes)
      row.digest = digest
      row.isSettled = identity.isSettled(at: start)
      rows.append((index, row))
      contents[index] = FileContents(bytes: bytes, digest: digest)
    }
  }

  /// Returns whether the changed pictures have the sizes of these places. Only their headers are
  /// read, before any picture is decoded.
  func haveSizes(of places: [PixelPlace]) -> Bool {
    places.allSatisfy { place in
      guard place.drawingScale == nil, let file = contents[place.path] else { return true }
      return file.bytes.withUnsafeBytes { bytes in
        let png = try? PNGFile(bytes, maximumPixels: PictureFacts.mostPixels)
        return png?.width == place.facts.width && png?.height == place.facts.height
      }
    }
  }

  /// Returns whether a changed file may have the same bytes as another file of the record. A full
  /// run then stores their pixels once.
  func haveTwins(in record: RunRecord) -> Bool {
    let changed = Dictionary(rows.map { ($0.index, $0.row) }) { first, _ in first }
    var digests: Set<Digest128> = []
    var sizes: Set<UInt64> = []
    for row in changed.values {
      if let digest = row.digest, !digests.insert(digest).inserted { return true }
      sizes.insert(row.identity.size)
    }
    return (0..<record.count).contains { index in
      guard changed[index] == nil else { return false }
      let row = record.row(index)
      guard row.kind == .file, sizes.contains(row.identity.size) else { return false }
      return row.digest.map { digests.contains($0) } ?? true
    }
  }

  /// Returns the contents of a changed file, or of another file if they are still those of the
  /// record.
  func contents(of index: Int) -> FileContents? {
    if let known = contents[index] { return known }
    guard index < record.count else { return nil }
    let row = record.row(index)
    guard row.kind == .file,
      let bytes = try? FileTree.disk.read(record.path(of: row), FileLimit.source)
    else { return nil }
    let digest = Digest128(ofBytes: bytes)
    return digest == row.digest ? FileContents(bytes: bytes, digest: digest) : nil
  }
}

/// The new pixels of the block of a picture or an atlas.
struct NewPixels: Sendable {
  var payload: [UInt8]
  var bytesPerRow: UInt32
}

private enum PixelTask: Sendable {
  case picture(PixelPlace)
  case atlas(PixelAtlas, [PixelPlace])

  var block: BlockID {
    switch self {
    case .picture(let place): place.block
    case .atlas(let atlas, _): atlas.block
    }
  }
}

extension RenditionEncoder {
  fileprivate func encode(
    _ task: PixelTask, reading contents: (Int) -> FileContents?
  ) -> NewPixels? {
    switch task {
    case .picture(let place):
      guard let (bitmap, key) = picture(place, contents) else { return nil }
      defer { recycle(bitmap) }
      return pixels(place.facts, key, place.demands) { bitmap }
    case .atlas(let atlas, let places):
      guard places.allSatisfy({ $0.isInside(atlas.facts) }) else { return nil }
      var canvas = AtlasCanvas(atlas.facts)
      var parts: [(key: CacheKey, x: Int, y: Int)] = []
      for place in places {
        guard let frame = place.frame, let (bitmap, key) = picture(place, contents) else {
          return nil
        }
        canvas.draw(bitmap, x: frame.x, y: frame.y)
        recycle(bitmap)
        if let key { parts.append((key, frame.x, frame.y)) }
      }
      let key = parts.count == places.count ? CacheKey(atlas: atlas.facts, of: parts) : nil
      return pixels(atlas.facts, key, atlas.demands) { canvas.bitmap }
    }
  }

  /// Decodes a picture; returns nil if it differs from the old one in more than its colours.
  private func picture(
    _ place: PixelPlace, _ contents: (Int) -> FileContents?
  ) -> (bitmap: Bitmap, key: CacheKey?)? {
    guard let file = contents(place.path), isAffordable(file.bytes, place) else { return nil }
    let bytes = file.bytes
    let bitmap: Bitmap?
    var facts = place.facts
    if let scale = place.drawingScale {
      let drawn = try? draw(bytes, of: "\(place.path)", scale)
      bitmap = drawn?.bitmap
      facts.hasWiderSource = drawn?.facts.hasWiderSource ?? false
    } else {
      // Files that are stored unchanged have no pixels in the record.
      bitmap = try? decode(bytes, gamut: place.gamut)
    }
    guard let bitmap, PictureFacts(bitmap) == facts else { return nil }
    let processing = PictureProcessing(drawingScale: place.drawingScale)
    return (bitmap, cacheKey(of: file.digest, place.gamut, place.demands, processing))
  }

  /// Returns whether all threads can make such a picture at the same time. A larger picture is left
  /// to a full run, in which a `MemoryGate` limits the memory.
  private func isAffordable(_ bytes: [UInt8], _ place: PixelPlace) -> Bool {
    guard PictureMemory.decoding(place.facts) <= settings.room.mostAlone else { return false }
    if place.drawingScale != nil { return true }
    return bytes.withUnsafeBytes {
      PictureMemory.decoding(png: $0, isWide: place.gamut == .p3) <= settings.room.mostAlone
    }
  }

  private func pixels(
    _ facts: PictureFacts, _ key: CacheKey?, _ demands: BitmapDemands, _ draw: () -> Bitmap
  ) -> NewPixels? {
    guard let payload = try? payload(facts, key, demands, memory: 0, drawing: draw) else {
      return nil
    }
    return NewPixels(payload: payload, bytesPerRow: facts.statedBytesPerRow(in: payload))
  }
}

extension PixelPlace {
  /// Returns whether the picture and its repeated edges are inside of the atlas.
  fileprivate func isInside(_ atlas: PictureFacts) -> Bool {
    guard let frame, facts.layout == atlas.layout else { return false }
    return atlas.width <= 1 << 14 && atlas.height <= 1 << 14
      && atlas.bytesPerRow == atlas.layout.bytesPerRow(width: atlas.width)
      && frame.x > 0 && frame.y > 0 && frame.x + facts.width < atlas.width
      && frame.y + facts.height < atlas.height
  }
}

extension EncodingSettings {
  /// Creates the settings for pictures whose places are known. Names have no numbers here.
  fileprivate init(updating options: CompileOptions) {
    self.init(
      tree: .disk, target: options.target, numbers: NameNumbers(),
      optimization: options.optimization.codec, keepsExactPixels: options.keepsExactPixels,
      packsSprites: options.packsSprites, wideKeys: [],
      cache: PictureCache(options), work: options.work, room: PictureRoom(options))
    keepsVectors = options.keepsVectors
    mostVectorPixels = options.mostVectorPixels
  }
}

// MARK: - The last archive

// The archive of the last run. Only its tables and the blocks that change are read.

struct LastArchive {
  let file: PartialFile
  private let store: BlockStore
  private let layout: ReplaceableArchive

  /// Opens the archive; nil if the file is not an archive of this tool.
  init?(_ path: ByteString) {
    guard let file = PartialFile(path), let store = LastArchive.store(in: file),
      let layout = ReplaceableArchive(store)
    else { return nil }
    for name in ReplaceableArchive.describedNames {
      guard let block = store.block(named: name) else { continue }
      guard let range = try? store.range(of: block), file.load(range) else { return nil }
    }
    (self.file, self.store, self.layout) = (file, store, layout)
  }

  private static func store(in file: PartialFile) -> BlockStore? {
    guard file.load(0..<min(BlockStore.headLength, file.bytes.count)) else { return nil }
    for range in BlockStore.tables(ofHead: FileBytes(file.bytes)) where !file.load(range) {
      return nil
    }
    return try? BlockStore(FileBytes(file.bytes))
  }

  /// Returns the blocks with their new pixels, except those that stay equal. Nil if a block is not
  /// the rendition of a picture.
  func blocks(with pixels: [BlockID: NewPixels]) -> [BlockID: [UInt8]]? {
    var blocks: [BlockID: [UInt8]] = [:]
    for (block, pixels) in pixels {
      guard let range = try? store.range(of: block), file.load(range),
        let old = try? store.bytes(of: block), let rendition = try? Rendition(old),
        var properties = try? rendition.allProperties()
      else { return nil }
      for index in properties.indices {
        if case .bytesPerRow = properties[index] {
          properties[index] = .bytesPerRow(pixels.bytesPerRow)
        }
      }
      let new = RenditionHead(rendition.header, properties).block(payload: pixels.payload)
      if !new.elementsEqual(old.buffer) { blocks[block] = new }
    }
    return blocks
  }

  /// Returns whether a full run would store one of these blocks together with another block of the
  /// archive. Only blocks of the same length are read.
  func haveTwins(_ blocks: [BlockID: [UInt8]], ignoringNames: Bool) -> Bool {
    var seen: Set<BlockContents> = []
    var lengths: Set<Int> = []
    for block in blocks.values {
      let contents = block.withUnsafeBytes { BlockContents($0, ignoresNames: ignoringNames) }
      if !seen.insert(contents).inserted { return true }
      lengths.insert(block.count)
    }
    return (1..<UInt32(store.blockCount + 1)).contains { number in
      let block = BlockID(number)
      guard blocks[block] == nil, let range = try? store.range(of: block),
        lengths.contains(range.count)
      else { return false }
      guard file.load(range), let bytes = try? store.bytes(of: block) else { return true }
      return seen.contains(BlockContents(bytes.buffer, ignoresNames: ignoringNames))
    }
  }

  /// Writes the archive with these blocks in the place of the old one. Returns nil if the old
  /// archive changed while it was copied.
  func write(
    _ blocks: [BlockID: [UInt8]], to path: ByteString, isDigested: Bool, survivesPowerCut: Bool
  ) throws(OutputError) -> WrittenFile? {
    let outputs = OutputSet(survivesPowerCut: survivesPowerCut)
    let new = try FileSink(.part(of: outputs, path), isKnownToDiffer: true)
    do throws(ArchiveError) {
      try layout.write(blocks, into: new) { new.append($0, of: file.descriptor) }
    } catch {
      return nil
    }
    guard file.isUnchanged else { return nil }
    try new.commit()
    var written: WrittenFile?
    try outputs.commit { written = WrittenFile($0, isDigested: isDigested) }
    return written
  }
}
