// Pictures that were decoded and compressed in an earlier run, by what is in their files: the name,
// the place and the age of a file do not matter. An entry that was cut or changed counts as absent.

import Archive
import ArchiveTools
import CPosix
import CatalogModel
import Host

/// What becomes of a picture whatever it is called: all that its block says about its pixels.
struct PictureFacts: Sendable, Hashable {
  var width: Int
  var height: Int
  var layout: BitmapLayout
  var bytesPerRow: Int
  var isOpaque: Bool
  var hasWiderSource: Bool

  init(
    width: Int, height: Int, layout: BitmapLayout, bytesPerRow: Int? = nil, isOpaque: Bool,
    hasWiderSource: Bool = false
  ) {
    self.width = width
    self.height = height
    self.layout = layout
    self.bytesPerRow = bytesPerRow ?? layout.bytesPerRow(width: width)
    self.isOpaque = isOpaque
    self.hasWiderSource = hasWiderSource
  }

  init(_ bitmap: Bitmap) {
    width = bitmap.width
    height = bitmap.height
    layout = bitmap.layout
    bytesPerRow = bitmap.bytesPerRow
    isOpaque = bitmap.isOpaque
    hasWiderSource = bitmap.hasWiderSource
  }
}

/// 128 bits of everything that an entry depends on.
struct CacheKey: Sendable, Hashable {
  private var low = IndexDigest(seed: 1)
  private var high = IndexDigest(seed: 2)

  /// The settings of the compiler are part of every key, and its version.
  init(_ settings: String) {
    add(Array("carve \(carveVersion) \(settings)".utf8))
  }

  mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      low.add(bytes)
      high.add(bytes)
    }
  }

  mutating func add(_ number: Int) {
    low.add(UInt64(truncatingIfNeeded: number))
    high.add(UInt64(truncatingIfNeeded: number))
  }

  mutating func add(_ key: CacheKey) {
    low.add(key.low.value)
    high.add(key.high.value)
  }

  static func == (a: CacheKey, b: CacheKey) -> Bool {
    a.low.value == b.low.value && a.high.value == b.high.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(low.value) }

  /// Two levels, so that no folder holds too many files.
  fileprivate var path: String {
    let text = [high.value, low.value].map { value in
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    return "\(text.prefix(2))/\(text.dropFirst(2))"
  }
}

/// A folder of entries. Several runs may use it at once; it may be deleted at any time.
struct PictureCache: Sendable {
  let folder: String

  /// The picture under a key; the payload is empty where it was not compressed alone.
  func picture(_ key: CacheKey) -> (facts: PictureFacts, payload: [UInt8])? {
    guard let bytes = try? FileTree.disk.read("\(folder)/\(key.path)", 1 << 30),
      bytes.count >= Entry.headSize + 8
    else { return nil }
    let end = bytes.count - 8
    guard Entry.digest(bytes[..<end]) == Entry.number(bytes, end), let facts = Entry.facts(bytes)
    else { return nil }
    return (facts, Array(bytes[Entry.headSize..<end]))
  }

  /// Keeps a picture. A cache that cannot be written to is slow and no more.
  func keep(_ facts: PictureFacts, payload: [UInt8], as key: CacheKey) {
    let path = "\(folder)/\(key.path)"
    guard mkdir(folder, 0o777) == 0 || carve_errno() == EEXIST,
      mkdir(OutputFile.folder(of: path), 0o777) == 0 || carve_errno() == EEXIST
    else { return }
    var bytes = Entry.head(facts)
    bytes += payload
    Entry.append(Entry.digest(bytes[...]), to: &bytes)
    do throws(OutputError) {
      var file = try OutputFile(path: path, survivesPowerCut: false)
      try file.append(bytes)
      try file.commit()
    } catch {
      return
    }
  }
}

/// The layout of an entry: six numbers, the payload, a checksum of both.
private enum Entry {
  static let headSize = 48

  static func head(_ facts: PictureFacts) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in [
      facts.width, facts.height, facts.bytesPerRow, Int(facts.layout.rawValue),
      facts.isOpaque ? 1 : 0, facts.hasWiderSource ? 1 : 0,
    ] { append(UInt64(number), to: &bytes) }
    return bytes
  }

  static func facts(_ bytes: [UInt8]) -> PictureFacts? {
    let numbers = (0..<6).map { Int(truncatingIfNeeded: number(bytes, 8 * $0)) }
    guard let layout = UInt8(exactly: numbers[3]).flatMap(BitmapLayout.init),
      (1...1 << 20).contains(numbers[0]), (1...1 << 20).contains(numbers[1]),
      numbers[2] >= numbers[0] * layout.bytesPerPixel, numbers[2] <= 1 << 24
    else { return nil }
    return PictureFacts(
      width: numbers[0], height: numbers[1], layout: layout, bytesPerRow: numbers[2],
      isOpaque: numbers[4] != 0, hasWiderSource: numbers[5] != 0)
  }

  static func digest(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var digest = IndexDigest(seed: 3)
    bytes.withUnsafeBytes { digest.add($0) }
    return digest.value
  }

  static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Eight bytes at an offset that is known to be in range.
  static func number(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}
