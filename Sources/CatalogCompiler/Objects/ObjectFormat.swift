// The layout of an object (.caro). All numbers are little-endian.
//
//   0    header: magic, format, size, checksum of everything after the header, the places
//        where head, answers and index begin, checksum of the header before it     8 × 8 bytes
//   64   blocks: the results for renditions that are made from files               ObjectBlock
//        head: JSON with the version of Carve, the settings, the catalogue and the part of it
//        answers: the answers of the disk                                          TreeNotes
//        index: for each rendition its key, and the place and length of its block  32 bytes each
//
// An object contains no absolute path, no time, and no number that depends on the machine.

import Bytes
import CDeflate
import CatalogModel
import Codecs
import Documents
import Imaging
import Traits

package enum ObjectFormat {
  /// The text "CARVEOBJ", read as a little-endian number.
  static let magic: UInt64 = 0x4a42_4f45_5652_4143
  static let version: UInt64 = 1
  static let headerSize = 64
  static let rowSize = 32

  /// Returns whether a file with these first bytes is an object, complete or not.
  package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 8 && UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) == magic
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer, after start: UInt32 = 0) -> UInt32 {
    carve_crc32(start, bytes.baseAddress, bytes.count)
  }
}

/// The description of a block, which is stored in 96 bytes before the bytes of the block.
struct ObjectBlock {
  static let headSize = 96

  var isSmall: Bool
  var gamut: Gamut
  var facts: PictureFacts?
  var key: CacheKey?

  var head: [UInt8] {
    var bytes: [UInt8] = [
      isSmall ? 1 : 0, gamut.rawValue, facts == nil ? 0 : 1, key == nil ? 0 : 1,
    ]
    bytes += [0, 0, 0, 0]
    bytes += facts.map(CacheEntry.head) ?? [UInt8](repeating: 0, count: CacheEntry.factsSize)
    let digest = key?.digest ?? Digest128(first: 0, second: 0)
    bytes.append(little: digest.first)
    bytes.append(little: digest.second)
    return bytes
  }
}

extension ObjectBlock {
  /// Reads the description at the beginning of the bytes.
  init(_ bytes: UnsafeRawBufferPointer) throws(ObjectDamage) {
    var cursor = ObjectCursor(bytes)
    isSmall = try cursor.byte() == 1
    guard let gamut = Gamut(rawValue: try cursor.byte()) else { throw ObjectDamage() }
    self.gamut = gamut
    let hasFacts = try cursor.byte() == 1
    let hasKey = try cursor.byte() == 1
    _ = try cursor.take(4)
    let stored = Array(try cursor.take(CacheEntry.factsSize))
    facts = hasFacts ? CacheEntry.facts(stored) : nil
    let digest = Digest128(first: try cursor.word(), second: try cursor.word())
    key = hasKey ? CacheKey(digest) : nil
    guard hasFacts == (facts != nil), facts != nil || !isSmall else { throw ObjectDamage() }
    if isSmall, let facts {
      // Decoders make rows of this length, and atlases are drawn from such rows.
      guard facts.bytesPerRow == facts.layout.bytesPerRow(width: facts.width) else {
        throw ObjectDamage()
      }
    }
  }
}

extension ObjectBlock {
  /// Refuses a small picture with more pixels than its bytes can decompress to. Memory for the
  /// pixels is allocated before they are decompressed.
  func check(byteCount: Int) throws(ObjectDamage) {
    guard isSmall, let facts else { return }
    guard
      Bitmap.isJustified(
        width: facts.width, height: facts.height, bytesPerPixel: facts.layout.bytesPerPixel,
        payload: byteCount - ObjectBlock.headSize)
    else { throw ObjectDamage() }
  }
}

/// The key by which the link finds the block of a rendition. The answers in the object determine
/// the contents of the files, and its settings everything else, so the key only needs to state
/// which entry is meant, and for which name, part and variant.
struct ObjectKey: Hashable, Sendable {
  let digest: Digest128

  init(_ digest: Digest128) { self.digest = digest }

  /// Creates the key of a rendition; nil if it is made from no file, because such a block is made
  /// again at the link. `known` turns a path into one that begins with the name of the object's
  /// catalogue.
  init?(_ planned: PlannedRendition, known: (ByteString) -> ByteString) {
    guard let files = planned.content.files else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    bytes.add(known(planned.file))
    bytes.add(planned.pointer)
    bytes.add(planned.facet)
    let (high, low) = planned.key.packed
    let details = planned.details
    for number in [
      planned.kind.map { UInt64($0.rawValue) } ?? 255, UInt64(planned.element),
      UInt64(planned.part), UInt64(details.dimension1), UInt64(details.dimension2),
      UInt64(details.glyphWeight), UInt64(details.glyphSize), high, low, UInt64(files.count),
    ] { bytes.append(little: number) }
    for file in files { bytes.add(known(file.path)) }
    digest = bytes.withUnsafeBytes { Digest128($0) }
  }
}

extension PlannedContent {
  /// The files that the block is made from; nil if it is made without a file, or if it depends on
  /// other renditions.
  var files: [SourceFile]? {
    switch self {
    case .picture(let file, _), .vector(let file), .data(let file, _), .symbol(let file, _),
      .trackedObject(let file):
      [file]
    case .physicalPicture(let picture): [picture.file]
    case .composition(let layers), .flattened(let layers), .radiosity(let layers):
      layers.layers.map(\.file)
    case .color, .iconSizes, .paint, .gradient, .nothing, .stack, .names: nil
    }
  }
}
