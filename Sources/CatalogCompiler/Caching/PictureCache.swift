// The cache of decoded and compressed pictures of earlier runs. Its keys are digests of the
// contents of files; names, places and times of files do not matter. A truncated or changed entry
// counts as absent.

import Bytes
import Archive
import CatalogModel
import Codecs
import Host
import Imaging
import Synchronization
import Traits

/// The revision of the encoders. It must change with every change that gives a picture other facts
/// or other compressed bytes, so that older entries are not found. A test compares the contents of
/// a cache with the expected ones.
let encoderRevision = 27

/// The digest of everything that an entry depends on.
struct CacheKey: Sendable, Hashable {
  let digest: Digest128

  init(_ digest: Digest128) { self.digest = digest }

  /// Creates a key from the settings of the compiler, its version, the revision of the encoders,
  /// and the contents that `addContents` adds.
  init(_ settings: String, addContents: (inout BLAKE2b) -> Void) {
    self.init(CacheKey.head(settings), addContents: addContents)
  }

  init(_ head: BLAKE2b, addContents: (inout BLAKE2b) -> Void) {
    var digest = head
    addContents(&digest)
    self.digest = digest.digest()
  }

  /// Returns the unfinished digest that all keys with these settings have in common.
  static func head(_ settings: String) -> BLAKE2b {
    var digest = BLAKE2b()
    let head = Array("carve \(carveVersion) revision \(encoderRevision) \(settings)".utf8)
    digest.add(UInt64(head.count))
    digest.add(head)
    return digest
  }

  /// Adds this key to the digest of another one. The picture of this key is a part of the other
  /// picture.
  func add(to other: inout BLAKE2b) {
    other.add(digest.first)
    other.add(digest.second)
  }

  fileprivate var text: String { digest.hexadecimal }

  /// The path of the entry in the cache folder. It has two levels, so that no folder has too many
  /// files.
  fileprivate var path: String { "\(text.prefix(2))/\(text.dropFirst(2))" }
}

/// The cached result for a key. The payload is empty if the picture was not compressed alone.
struct CachedPicture: Sendable {
  var facts: PictureFacts
  var payload: [UInt8]
}

/// The facts about pictures of the last run, by the contents of their files. A small picture needs
/// nothing else, because its atlas has the pixels.
struct KnownPictures: Sendable {
  /// The values that decide about the facts of a picture that is neither drawn nor scaled down.
  private struct Source: Hashable {
    var file: Digest128
    var gamut: Gamut
  }

  private var facts: [Source: PictureFacts] = [:]

  mutating func add(_ facts: PictureFacts, of file: Digest128, _ gamut: Gamut) {
    self.facts[Source(file: file, gamut: gamut)] = facts
  }

  func facts(of file: Digest128, _ gamut: Gamut) -> PictureFacts? {
    facts[Source(file: file, gamut: gamut)]
  }
}

/// A folder of entries, a server with entries, or both. Several runs may use them at the same time,
/// and entries may be deleted at any time. Entries in the folder were written by the user's own
/// runs, or were verified when they were fetched. The caller verifies an entry that the server
/// sends.
struct PictureCache: Sendable {
  let counters = CacheCounters()
  private let waiting = EntriesWithoutPixels()
  private let known: KnownPictures
  private let folder: CacheFolder?
  private let remote: RemoteCache?
  private let jobs: Int
  /// The number of threads that may wait for the server, in addition to those that compute.
  let waitingThreads: Int
  private let work: WorkTimes?

  /// Creates the cache of the options; nil if they have none, or if it cannot be used.
  init?(_ options: CompileOptions, known: KnownPictures = KnownPictures()) {
    self.known = known
    folder = options.cache.flatMap { CacheFolder($0, limit: options.cacheLimit) }
    remote = options.remoteCache.map { RemoteCache($0, secret: options.remoteSecret) }
    jobs = options.jobs
    waitingThreads = options.waitingThreads
    work = options.work
    if folder == nil, remote == nil { return nil }
  }

  /// A description of the trouble with the server; nil if nothing went wrong.
  var trouble: String? { remote?.trouble }

  /// Ends the use by a run: stores and sends the entries that wait, and removes old entries if the
  /// folder has grown too large.
  func settle() {
    let entries = waiting.takeAll()
    parallelForEach(count: entries.count, jobs: jobs) { index, _ in
      let (key, facts) = entries[index]
      let bytes = CacheEntry.bytes(CachedPicture(facts: facts, payload: []), of: key)
      write(bytes, key)
      remote?.keep(bytes, as: key.text)
    }
    remote?.settle()
    folder?.grow(by: counters.counts.added)
  }

  /// Returns the picture of a key if `isUsable` holds. While the thread waits for the server, the
  /// lock is lent. A picture from the server is accepted only if `isAccepted` holds, which is
  /// called after the thread has the lock again.
  func picture(
    _ key: CacheKey, _ turn: LendableLock, ifAccepted isAccepted: (CachedPicture) -> Bool,
    ifUsable isUsable: (CachedPicture) -> Bool
  ) -> CachedPicture? {
    let found = work.measure(.lookUp, size: { $0?.payload.count ?? 0 }) {
      stored(key) ?? fetched(key, turn, isAccepted)
    }
    let usable = found.flatMap { isUsable($0) ? $0 : nil }
    counters.count(isHit: usable != nil)
    return usable
  }

  /// Returns the picture of a key from the folder or from this run if `isUsable` holds. All these
  /// entries are trusted.
  func picture(_ key: CacheKey, ifUsable isUsable: (CachedPicture) -> Bool) -> CachedPicture? {
    let found = work.measure(.lookUp, size: { $0?.payload.count ?? 0 }) { stored(key) }
    guard let found, isUsable(found) else { return nil }
    counters.count(isHit: true)
    return found
  }

  /// Returns the facts about a picture of the last run that is neither drawn nor scaled down; nil
  /// if the facts are not known or not enough.
  func facts(
    of file: Digest128, _ gamut: Gamut, ifEnough areEnough: (PictureFacts) -> Bool
  ) -> PictureFacts? {
    guard let found = known.facts(of: file, gamut), areEnough(found) else { return nil }
    counters.count(isHit: true)
    return found
  }

  private func stored(_ key: CacheKey) -> CachedPicture? {
    guard let folder, let bytes = CacheFile.read("\(folder.path)/\(key.path)"),
      let found = CacheEntry.picture(consume bytes, of: key)
    else { return waiting.picture(key) }
    return found
  }

  /// Fetches the picture from the server. A picture that agrees with its file is also stored in the
  /// folder.
  private func fetched(
    _ key: CacheKey, _ turn: LendableLock, _ isAccepted: (CachedPicture) -> Bool
  ) -> CachedPicture? {
    guard let remote, let bytes = turn.lend({ remote.entry(key.text) }) else { return nil }
    guard let found = CacheEntry.picture(bytes, of: key), isAccepted(found) else {
      remote.countWrong()
      return nil
    }
    counters.countFetched()
    write(bytes, key)
    return found
  }

  /// Returns whether the bytes are a valid entry whose key has these hexadecimal digits.
  static func isIntact(_ bytes: [UInt8], of digits: String) -> Bool {
    guard let key = CacheEntry.key(bytes), key.digest.hexadecimal == digits else { return false }
    return CacheEntry.picture(bytes, of: key) != nil
  }

  /// Stores a picture. If the cache cannot be written, the next run is slower; nothing else
  /// changes.
  func keep(_ facts: PictureFacts, payload: [UInt8], as key: CacheKey, _ turn: LendableLock) {
    if payload.isEmpty { return waiting.add(facts, as: key) }
    waiting.drop(key)
    let bytes = CacheEntry.bytes(CachedPicture(facts: facts, payload: payload), of: key)
    work.measure(.keep) {
      write(bytes, key)
      if let remote { turn.lend { remote.keep(bytes, as: key.text) } }
    }
  }

  private func write(_ bytes: [UInt8], _ key: CacheKey) {
    guard let folder else { return }
    if CacheFile.write(bytes, to: "\(folder.path)/\(key.path)") {
      counters.count(added: bytes.count)
    }
  }
}

/// The entries without compressed pixels that a run has made. They are stored when the run ends,
/// and only if the run has made no pixels with the same key: one rendition of a file can be small
/// enough for an atlas and another one too large, and the entry with pixels serves both.
private final class EntriesWithoutPixels: Sendable {
  private struct Entries {
    var facts: [CacheKey: PictureFacts] = [:]
    /// The keys of the entries with pixels that the run has made.
    var withPixels: Set<CacheKey> = []
  }

  private let entries = Mutex(Entries())

  func add(_ facts: PictureFacts, as key: CacheKey) {
    entries.withLock { if !$0.withPixels.contains(key) { $0.facts[key] = facts } }
  }

  /// Drops the entry of a key, now and later, because there is an entry with pixels.
  func drop(_ key: CacheKey) {
    entries.withLock {
      $0.withPixels.insert(key)
      $0.facts[key] = nil
    }
  }

  func picture(_ key: CacheKey) -> CachedPicture? {
    entries.withLock { $0.facts[key] }.map { CachedPicture(facts: $0, payload: []) }
  }

  func takeAll() -> [(key: CacheKey, facts: PictureFacts)] {
    entries.withLock { entries in
      defer { entries.facts = [:] }
      return entries.facts.map { (key: $0.key, facts: $0.value) }
    }
  }
}

/// The layout of an entry: the key, nine numbers, the payload, and a checksum of all that. With the
/// key inside, an entry under the name of another key is not accepted.
enum CacheEntry {
  static let factsSize = 72
  private static let keySize = 16
  static let checksumSize = 8
  private static let headSize = keySize + factsSize

  static func bytes(_ picture: CachedPicture, of key: CacheKey) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headSize + picture.payload.count + checksumSize)
    bytes.append(digest: key.digest)
    bytes += head(picture.facts)
    bytes += picture.payload
    bytes.append(number: bytes.withUnsafeBytes { CacheFile.checksum($0) })
    return bytes
  }

  /// Returns the picture in an entry; nil if the bytes are not a complete entry of this key.
  static func picture(_ bytes: consuming [UInt8], of key: CacheKey) -> CachedPicture? {
    let end = bytes.count - checksumSize
    guard CacheEntry.key(bytes) == key,
      bytes.withUnsafeBytes({ CacheFile.checksum(UnsafeRawBufferPointer(rebasing: $0[..<end])) })
        == bytes.number(at: end),
      let facts = bytes.withUnsafeBytes({ entry in
        var reader = RecordReader(UnsafeRawBufferPointer(rebasing: entry[keySize..<headSize]))
        return CacheEntry.facts(&reader)
      })
    else { return nil }
    // The bytes move within their own memory.
    bytes.removeLast(checksumSize)
    bytes.removeFirst(headSize)
    return CachedPicture(facts: facts, payload: bytes)
  }

  /// Returns the key that an entry states; nil if there are too few bytes.
  static func key(_ bytes: [UInt8]) -> CacheKey? {
    guard bytes.count >= headSize + checksumSize else { return nil }
    return bytes.withUnsafeBytes { entry in
      var reader = RecordReader(entry)
      return (try? reader.digest()).map { CacheKey($0) }
    }
  }

  static func head(_ facts: PictureFacts) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in [
      facts.width, facts.height, facts.bytesPerRow, Int(facts.layout.rawValue),
      facts.isOpaque ? 1 : 0, facts.hasWiderSource ? 1 : 0, facts.drawn.excessWidth,
      facts.drawn.excessHeight, Int(truncatingIfNeeded: facts.drawn.undrawn.rawValue),
    ] { bytes.append(number: UInt64(number)) }
    return bytes
  }

  /// Reads the facts in an entry or in a block of an object; nil for sizes that no decoder gives.
  static func facts(_ reader: inout RecordReader) -> PictureFacts? {
    var numbers: [Int] = []
    for _ in 0..<9 {
      guard let number = try? reader.number() else { return nil }
      numbers.append(Int(truncatingIfNeeded: number))
    }
    guard
      var facts = PictureFacts(
        stored: numbers[0], numbers[1], layout: UInt8(exactly: numbers[3]),
        bytesPerRow: numbers[2], isOpaque: numbers[4] != 0, hasWiderSource: numbers[5] != 0),
      (0..<numbers[0]).contains(numbers[6]), (0..<numbers[1]).contains(numbers[7])
    else { return nil }
    facts.drawn = DrawnFacts(
      excessWidth: numbers[6], excessHeight: numbers[7],
      undrawn: FeatureSet(rawValue: UInt64(truncatingIfNeeded: numbers[8])))
    return facts
  }
}

// MARK: - Counters

// Counts the use of a cache by a run.

/// Counters that all threads use.
final class CacheCounters: Sendable {
  private let hits = Atomic<Int>(0)
  private let misses = Atomic<Int>(0)
  private let added = Atomic<Int>(0)
  private let fetched = Atomic<Int>(0)

  /// Counts a picture that came from the remote cache.
  func countFetched() { fetched.add(1, ordering: .relaxed) }

  func count(isHit: Bool) {
    if isHit {
      hits.add(1, ordering: .relaxed)
    } else {
      misses.add(1, ordering: .relaxed)
    }
  }

  func count(added bytes: Int) { added.add(bytes, ordering: .relaxed) }

  var counts: CacheCounts {
    CacheCounts(
      hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed),
      added: added.load(ordering: .relaxed), fetched: fetched.load(ordering: .relaxed))
  }
}

/// The hits and misses of a cache, and the bytes that were added.
package struct CacheCounts: Sendable, Hashable {
  package var hits = 0
  package var misses = 0
  package var added = 0
  /// The number of hits that came from a remote cache.
  package var fetched = 0
}
