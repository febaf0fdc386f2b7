// The layout of an object (.caro). All numbers are little-endian.
//
//   0    header, 64 bytes: magic, format, size, checksum of all that follows the header, where head, answers
//        and index begin, checksum of the header so far                                  8 × 8 bytes
//   64   blocks: of each rendition that is made of files, what came of it (ObjectBlock)
//        head: JSON: who made it, the settings, the catalogue and the part of it
//        answers: what was seen of the disk                                              TreeNotes
//        index: for each block the rendition that it is of, and where it lies            32 bytes each
//
// Nothing in it is a path from the root of a disk, a time or a number of a machine.

import ArchiveTools
import Bytes
import CDeflate
import CatalogModel
import Codecs
import Documents
import Traits

package enum ObjectFormat {
  /// "CARVEOBJ"
  static let magic: UInt64 = 0x4a42_4f45_5652_4143
  static let version: UInt64 = 1
  static let headerSize = 64
  static let rowSize = 32

  /// Whether a file that begins so is an object, whole or not.
  package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 8 && UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) == magic
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer, after start: UInt32 = 0) -> UInt32 {
    carve_crc32(start, bytes.baseAddress, bytes.count)
  }
}

/// What came of a rendition, beside its bytes: in 96 bytes before them.
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
  /// Of bytes that begin with such a head.
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
      // As decoders make them: atlases are drawn by rows of this length.
      guard facts.bytesPerRow == facts.layout.bytesPerRow(width: facts.width) else {
        throw ObjectDamage()
      }
    }
  }
}

extension ObjectBlock {
  /// Refuses a small picture of more pixels than its bytes can unfold to: room is made for them before they
  /// are unpacked.
  func check(byteCount: Int) throws(ObjectDamage) {
    guard isSmall, let facts else { return }
    guard
      Bitmap.isJustified(
        width: facts.width, height: facts.height, bytesPerPixel: facts.layout.bytesPerPixel,
        payload: byteCount - ObjectBlock.headSize)
    else { throw ObjectDamage() }
  }
}

/// Which rendition a block is of. The answers in an object say what its files are, and its settings the rest:
/// so this is who asks, and for what.
struct ObjectKey: Hashable, Sendable {
  let digest: Digest128

  init(_ digest: Digest128) { self.digest = digest }

  /// nil for what is made of no file: it is made again at the link. `known` gives paths the name of the object's
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
  /// The files that the block is made of; nil where there is none, or other renditions have a say in it.
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
