// Pictures that were decoded and compressed in an earlier run, by what is in their files: the name,
// the place and the age of a file do not matter. An entry that was cut or changed counts as absent.

import Archive
import ArchiveTools
import CatalogModel
import Codecs
import Host

/// What becomes of a picture whatever it is called: all that its block says about its pixels.
struct PictureFacts: Sendable, Hashable {
  private var sizes: Sizes
  var layout: BitmapLayout
  var isOpaque: Bool
  var hasWiderSource: Bool
  @Seldom private var drawn: DrawnFacts? = nil

  /// In few bytes, for tens of thousands of pictures wait for their atlas.
  private struct Sizes: Hashable {
    var width: UInt32
    var height: UInt32
    var bytesPerRow: UInt32
  }

  var width: Int { Int(sizes.width) }
  var height: Int { Int(sizes.height) }
  var bytesPerRow: Int { Int(sizes.bytesPerRow) }

  /// Of a vector: what rounding its size up has added, and what of it is not drawn.
  var drawing: DrawnFacts {
    get { drawn ?? DrawnFacts() }
    set { drawn = newValue == DrawnFacts() ? nil : newValue }
  }

  static let mostPixels = 1 << 28

  init(
    width: Int, height: Int, layout: BitmapLayout, bytesPerRow: Int? = nil, isOpaque: Bool,
    hasWiderSource: Bool = false
  ) {
    // No decoder gives more pixels.
    sizes = Sizes(
      width: UInt32(clamping: width), height: UInt32(clamping: height),
      bytesPerRow: UInt32(clamping: bytesPerRow ?? layout.bytesPerRow(width: width)))
    self.layout = layout
    self.isOpaque = isOpaque
    self.hasWiderSource = hasWiderSource
  }

  init(_ bitmap: Bitmap) {
    self.init(
      width: bitmap.width, height: bitmap.height, layout: bitmap.layout,
      bytesPerRow: bitmap.bytesPerRow, isOpaque: bitmap.isOpaque,
      hasWiderSource: bitmap.hasWiderSource)
  }
}

/// Changes with every change that gives some picture other facts or other compressed bytes: an entry
/// of other revisions is never found. A test compares what a cache then holds with what it held.
let encoderRevision = 7

/// What everything that an entry depends on comes to.
struct CacheKey: Sendable, Hashable {
  let digest: Digest128

  init(_ digest: Digest128) { self.digest = digest }

  /// The settings of the compiler are part of every key, and so are its version and revision.
  /// `addContents` adds what is compressed.
  init(_ settings: String, addContents: (inout BLAKE2b) -> Void) {
    var digest = BLAKE2b()
    let head = Array("carve \(carveVersion) revision \(encoderRevision) \(settings)".utf8)
    digest.add(UInt64(head.count))
    digest.add(head)
    addContents(&digest)
    self.digest = digest.digest()
  }

  /// Adds the key of a picture that is part of another.
  func add(to other: inout BLAKE2b) {
    other.add(digest.first)
    other.add(digest.second)
  }

  fileprivate var text: String { digest.hexadecimal }

  /// Two levels, so that no folder holds too many files.
  fileprivate var path: String { "\(text.prefix(2))/\(text.dropFirst(2))" }
}

/// What a cache has for a key. The payload is empty if the picture was not compressed alone.
struct CachedPicture: Sendable {
  var facts: PictureFacts
  var payload: [UInt8]
}

/// A folder of entries, a server that has them, or both. Several runs may use them at once; they may be
/// deleted at any time. Entries in the folder are the user's own, or were checked before they came there; what
/// a server sends is checked by the caller.
struct PictureCache: Sendable {
  let use = CacheUse()
  private let folder: CacheFolder?
  private let remote: RemoteCache?
  /// How many threads may wait for the server, beside those that compute.
  let waitingThreads: Int
  private let work: WorkTimes?

  /// nil where nothing is to be kept, or can be.
  init?(_ options: CompileOptions) {
    folder = options.cache.flatMap { CacheFolder($0, limit: options.cacheLimit) }
    remote = options.remoteCache.map { RemoteCache($0, secret: options.remoteSecret) }
    waitingThreads = options.waitingThreads
    work = options.work
    if folder == nil, remote == nil { return nil }
  }

  /// What went wrong with the server, in words.
  var trouble: String? { remote?.trouble }

  /// At the end of a run: sends what waits, and makes room where it has added too much.
  func settle() {
    remote?.settle()
    folder?.grow(by: use.counts.added)
  }

  /// Returns the picture under a key. The turn is lent while the server is asked; a picture that it sends is
  /// taken only if `isTrue`, which is asked within the turn.
  func picture(
    _ key: CacheKey, _ turn: Turn, ifTrue isTrue: (CachedPicture) -> Bool
  ) -> CachedPicture? {
    let found = work.measure(.lookUp, size: { $0?.payload.count ?? 0 }) {
      folder.flatMap { CacheFile.read("\($0.path)/\(key.path)") }
        .flatMap { CacheEntry.picture($0, of: key) } ?? fetched(key, turn, isTrue)
    }
    use.count(isHit: found != nil)
    return found
  }

  /// The picture that the server has. What is true of its file is kept here, too.
  private func fetched(
    _ key: CacheKey, _ turn: Turn, _ isTrue: (CachedPicture) -> Bool
  ) -> CachedPicture? {
    guard let remote, let bytes = turn.lend({ remote.entry(key.text) }) else { return nil }
    guard let found = CacheEntry.picture(bytes, of: key), isTrue(found) else {
      remote.countWrong()
      return nil
    }
    use.countFetched()
    write(bytes, key)
    return found
  }

  /// Whether these are the bytes of an entry whose key has these digits.
  static func isWhole(_ bytes: [UInt8], of digits: String) -> Bool {
    guard let key = CacheEntry.key(bytes), key.digest.hexadecimal == digits else { return false }
    return CacheEntry.picture(bytes, of: key) != nil
  }

  /// Keeps a picture. A cache that cannot be written to is slow and no more.
  func keep(_ facts: PictureFacts, payload: [UInt8], as key: CacheKey, _ turn: Turn) {
    let bytes = CacheEntry.bytes(CachedPicture(facts: facts, payload: payload), of: key)
    work.measure(.keep) {
      write(bytes, key)
      if let remote { turn.lend { remote.keep(bytes, as: key.text) } }
    }
  }

  private func write(_ bytes: [UInt8], _ key: CacheKey) {
    guard let folder else { return }
    if CacheFile.write(bytes, to: "\(folder.path)/\(key.path)") { use.count(added: bytes.count) }
  }
}

/// The layout of an entry: the key, so that an entry under another name is none; nine numbers; the payload; a
/// digest of all of it.
enum CacheEntry {
  static let factsSize = 72
  private static let keySize = 16
  private static let digestSize = 16
  private static let headSize = keySize + factsSize

  static func bytes(_ picture: CachedPicture, of key: CacheKey) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headSize + picture.payload.count + digestSize)
    bytes.append(little: key.digest.first)
    bytes.append(little: key.digest.second)
    bytes += head(picture.facts)
    bytes += picture.payload
    let digest = digest(bytes[...])
    bytes.append(little: digest.first)
    bytes.append(little: digest.second)
    return bytes
  }

  /// Nil for anything that is no whole entry of this key.
  static func picture(_ bytes: [UInt8], of key: CacheKey) -> CachedPicture? {
    guard CacheEntry.key(bytes) == key else { return nil }
    let end = bytes.count - digestSize
    let stored = Digest128(first: bytes.little(at: end), second: bytes.little(at: end + 8))
    guard digest(bytes[..<end]) == stored, let facts = facts(Array(bytes[keySize..<headSize]))
    else { return nil }
    return CachedPicture(facts: facts, payload: Array(bytes[headSize..<end]))
  }

  /// The key that bytes say they are the entry of; nil if they are too few.
  static func key(_ bytes: [UInt8]) -> CacheKey? {
    guard bytes.count >= headSize + digestSize else { return nil }
    return CacheKey(Digest128(first: bytes.little(at: 0), second: bytes.little(at: 8)))
  }

  static func head(_ facts: PictureFacts) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in [
      facts.width, facts.height, facts.bytesPerRow, Int(facts.layout.rawValue),
      facts.isOpaque ? 1 : 0, facts.hasWiderSource ? 1 : 0, facts.drawing.excessWidth,
      facts.drawing.excessHeight, Int(facts.drawing.undrawn.rawValue),
    ] { bytes.append(little: UInt64(number)) }
    return bytes
  }

  /// Nil for sizes that no decoder gives: whoever reads an entry makes room for what it says.
  static func facts(_ bytes: [UInt8]) -> PictureFacts? {
    let numbers = (0..<9).map { Int(truncatingIfNeeded: bytes.little(at: 8 * $0)) }
    let sides = 1...1 << 20
    guard let layout = UInt8(exactly: numbers[3]).flatMap(BitmapLayout.init),
      sides.contains(numbers[0]), sides.contains(numbers[1]),
      numbers[0] * numbers[1] <= PictureFacts.mostPixels,
      [layout.bytesPerRow(width: numbers[0]), numbers[0] * layout.bytesPerPixel]
        .contains(numbers[2]),
      (0..<numbers[0]).contains(numbers[6]), (0..<numbers[1]).contains(numbers[7])
    else { return nil }
    var facts = PictureFacts(
      width: numbers[0], height: numbers[1], layout: layout, bytesPerRow: numbers[2],
      isOpaque: numbers[4] != 0, hasWiderSource: numbers[5] != 0)
    facts.drawing = DrawnFacts(
      excessWidth: numbers[6], excessHeight: numbers[7],
      undrawn: FeatureSet(rawValue: UInt32(truncatingIfNeeded: numbers[8])))
    return facts
  }

  static func digest(_ bytes: ArraySlice<UInt8>) -> Digest128 {
    bytes.withUnsafeBytes { Digest128($0) }
  }
}
