// The layout of the CARVEINDEX block: every field, defined once for the writer and the reader. All
// numbers are little-endian and lie in memory as these structures do; tests compare the offsets.
// IndexWriter.swift fills the tables, and IndexReader.swift reads them in place. The reader trusts
// no field and checks each one at its use.
//
// The sections follow the header in this order: keys, signatures, pilots, slots, order, names,
// renditions, blocks. A lookup goes through them in this way:
//
//     name and kind → hash → pilots[bucket of the hash]
//                               │ hash and pilot
//                               ▼
//                            slots[…]: tag, name, rank, signature
//                               │       │           └── signatures[signature] → keys
//                               │       └── names: the stored name, to be compared
//                               ▼
//                            renditions[first rendition + key number · assets + rank]
//                            blocks[the same number]: place in the file, for decoding
//
// The key number is the number of the winning key in the signature. A view stores "first rendition
// + key number · assets" for each signature, so a lookup in a view adds only the rank. An example:
// the assets A, B and C have ranks 0, 1 and 2 and share a signature of the keys 1x and 2x. If the
// first rendition has the number 10, then:
//
//     number        10      11      12      13      14      15
//     rendition     A 1x    B 1x    C 1x    A 2x    B 2x    C 2x
//
// The renditions that one window shows (here the last three) therefore lie side by side.

#if _endian(big)
  #error("archives are little-endian and the index is used in place")
#endif

/// A table of records of one size inside the index.
package struct IndexSection: BitwiseCopyable, Sendable {
  /// The offset from the start of the index, in bytes.
  package var offset: UInt32 = 0
  /// The number of records, not of bytes.
  package var count: UInt32 = 0

  @inlinable init() {}
}

/// The first 104 bytes of the index.
package struct IndexHeader: BitwiseCopyable, Sendable {
  package var magic = IndexHeader.expectedMagic
  package var version = IndexHeader.currentVersion
  /// The length of the whole index in bytes.
  package var length: UInt32 = 0
  /// The identity of the trees that this index describes (IndexIdentity).
  package var identity: UInt64 = 0
  /// The IndexDigest of the index while `identity` and this field are zero.
  package var checksum: UInt64 = 0
  /// Packed variant keys (IndexKey), signature after signature. The keys of each signature are
  /// sorted.
  package var keys = IndexSection()
  package var signatures = IndexSection()
  /// Assets and free slots, by the hashes of the names (AssetSlot).
  package var slots = IndexSection()
  /// The numbers of the assets' slots, sorted by name, then by kind (32 bits each). The drawings of
  /// symbols have slots but are not listed here.
  package var order = IndexSection()
  /// The renditions (RenditionRecord), signature after signature. For each key of a signature, the
  /// renditions of its assets follow one another in the order of the ranks, so that the renditions
  /// of one view lie side by side. The atlases follow at the end.
  package var renditions = IndexSection()
  /// The places of the blocks of the same renditions in the file (BlockRecord).
  package var blocks = IndexSection()
  /// A NameRecord and the bytes of the name, asset after asset. A name that fits into a cache line
  /// lies within one.
  package var names = IndexSection()
  /// The pilots: for each bucket, a number that scatters its hashes over the slots (one byte each).
  package var pilots = IndexSection()
  /// The number of slots at the end whose assets found no slot through their hash. It is 0 unless
  /// the names were chosen to collide.
  package var overflow: UInt32 = 0
  package var reserved: UInt32 = 0

  package init() {}

  /// "CARVEIDX"
  @inlinable package static var expectedMagic: UInt64 { 0x5844_4945_5652_4143 }
  @inlinable package static var currentVersion: UInt32 { 3 }
  /// The index starts at a multiple of this number in its file, and so does each section in the
  /// index. Therefore no record lies in two cache lines of a processor. The reader does not depend
  /// on it.
  @inlinable package static var alignment: Int { 64 }
  /// The offset of `identity`, which is written last.
  @inlinable package static var identityOffset: Int { 16 }
}

/// A packed VariantKey.
package struct IndexKey: BitwiseCopyable, Sendable {
  package var high: UInt64
  package var low: UInt64

  @inlinable package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// A signature: its keys, and the place of its assets' renditions.
package struct SignatureRecord: BitwiseCopyable, Sendable {
  package var firstKey: UInt32
  package var count: UInt32
  /// The number of the rendition that the first asset has for the first key.
  package var firstRendition: UInt32
  /// The number of assets that have these keys.
  package var assets: UInt32

  @inlinable package init(firstKey: UInt32, count: UInt32, firstRendition: UInt32, assets: UInt32) {
    self.firstKey = firstKey
    self.count = count
    self.firstRendition = firstRendition
    self.assets = assets
  }
}

/// A slot of the name table: all numbers of an asset that a lookup needs. Four slots fill a cache
/// line.
package struct AssetSlot: BitwiseCopyable, Sendable {
  /// The lower half of the asset's hash.
  package var tag: UInt32
  /// The offset of the NameRecord in the pool of names.
  package var name: UInt32
  /// The position among the assets of the same signature.
  package var rank: UInt32
  package var signature: UInt32

  @inlinable package init(tag: UInt32, name: UInt32, rank: UInt32, signature: UInt32) {
    self.tag = tag
    self.name = name
    self.rank = rank
    self.signature = signature
  }

  /// The offset in `name` of an empty slot.
  @inlinable package static var noName: UInt32 { .max }
  @inlinable package static var empty: AssetSlot {
    AssetSlot(tag: 0, name: noName, rank: 0, signature: 0)
  }

  /// Returns whether the slot can belong to a hash. True for the hash whose asset lies in this
  /// slot; almost never true for another hash, because the lower halves are compared.
  @inlinable @inline(__always) func has(_ hash: AssetNameHash) -> Bool {
    tag == hash.tag && name != AssetSlot.noName
  }
}

/// The record in front of the bytes of a name in the pool.
package struct NameRecord: BitwiseCopyable, Sendable {
  package var length: UInt16
  /// The number of the name in Apple's trees.
  package var identifier: UInt16
  /// The raw value of a LookupKind.
  package var kind: UInt8
  package var reserved: UInt8 = 0
  package var reserved2: UInt16 = 0

  @inlinable package init(length: UInt16, identifier: UInt16, kind: UInt8) {
    self.length = length
    self.identifier = identifier
    self.kind = kind
  }
}

/// The record of a rendition that a lookup returns, in one cache line. It has the layout of
/// `carve_rendition` in carve.h, so that a lookup only copies it. Lengths are in points, except for
/// those named pixels.
package struct RenditionRecord: BitwiseCopyable, Sendable {
  /// The flags of the block's header. In C, the size of the structure is in this place.
  package var flags: UInt32 = 0
  /// The raw value of a RenditionLayout. In C, the number of the rendition begins in this place.
  package var layout: UInt16 = 0
  package var reserved: UInt16 = 0
  /// The size of the picture, even if the header of the block does not state it.
  package var pixelWidth: UInt32 = 0
  package var pixelHeight: UInt32 = 0
  package var kinds = RenditionKinds()
  /// The alignment insets.
  package var insets = IndexedInsets()
  package var caps = IndexedInsets()
  package var centerWidth: Float = 0
  package var centerHeight: Float = 0

  @inlinable package init() {}

  /// Returns whether each of the `kinds` of the record at this address has a meaning. A lookup
  /// returns only such records, so that programs can rely on the numbers.
  ///
  /// All eight bytes are compared at once. For each byte, the table shows the largest value that
  /// has a meaning, and the room that is left up to 0x7F:
  ///
  ///     byte    0     1       2              3          4               5       6      7
  ///     field   scale content templateIntent isMirrored preservesVector slicing across down
  ///     largest 3     9       2              0          1               4       2      2
  ///     room    0x7C  0x76    0x7D           0x7F       0x7E            0x7B    0x7D   0x7D
  ///
  /// The largest values are those of the last cases: `RenditionContent.nothing` is 9,
  /// `SlicingMode.edgesOnly` is 4, `SlicingFill.uniform` is 2. (A new case makes the room of its
  /// byte smaller by 1.) A value and its room add up to 0x80 or more exactly if the value is too
  /// large, which sets the highest bit of the byte. The sum is at most 0xFE, so it never carries
  /// into the next byte. A value of 0x80 or more has the highest bit itself: the bit is left out of
  /// the sum and is looked at separately.
  @inlinable @inline(__always) package static func isSound(_ record: UnsafeRawPointer) -> Bool {
    // The room of each byte, from byte 7 to byte 0.
    let room: UInt64 = 0x7D7D_7B7E_7F7D_767C
    let kinds = record.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    let sums = (kinds & 0x7F7F_7F7F_7F7F_7F7F) &+ room
    return (kinds | sums) & 0x8080_8080_8080_8080 == 0
  }
}

/// The small numbers of a rendition. `RenditionRecord.isSound` knows the largest value of each.
package struct RenditionKinds: BitwiseCopyable, Sendable {
  /// The scale: 1, 2 or 3; 0 for a vector.
  package var scale: UInt8 = 0
  /// The raw value of a RenditionContent.
  package var content: UInt8 = 0
  /// How the picture is drawn: 0 if the toolkit decides, 1 with its colours, 2 as a mask.
  package var templateIntent: UInt8 = 0
  /// 0 in the index. A lookup in a view sets it.
  package var isMirrored: UInt8 = 0
  package var preservesVector: UInt8 = 0
  /// The raw value of a SlicingMode; 0 if the picture does not stretch by parts.
  package var slicing: UInt8 = 0
  /// The raw value of the SlicingFill with which the middle fills its width; `down` is the one for
  /// its height.
  package var across: UInt8 = 0
  package var down: UInt8 = 0

  @inlinable package init() {}
}

/// Distances from the edges of a picture.
package struct IndexedInsets: BitwiseCopyable, Sendable {
  package var top: Float = 0
  package var left: Float = 0
  package var bottom: Float = 0
  package var right: Float = 0

  @inlinable package init() {}
}

/// The place of a rendition's block in the file.
package struct BlockRecord: BitwiseCopyable, Sendable {
  package var offset: UInt64 = 0
  package var length: UInt32 = 0
  /// The number of the atlas's rendition, for a link into an atlas.
  package var atlas: UInt32 = BlockRecord.noAtlas

  @inlinable package init() {}

  @inlinable package static var noAtlas: UInt32 { .max }
}

/// The kind of contents of a rendition's payload.
public enum RenditionContent: UInt8, Sendable, CaseIterable {
  /// Contents that are neither shown nor returned by name: a table of icon sizes, a texture …
  case other = 0
  case bitmap, atlasLink, color, data, jpeg, heif, pdf, svg
  /// The catalogue says that nothing is shown here.
  case nothing
}

public enum SlicingMode: UInt8, Sendable, CaseIterable {
  case threePartHorizontal = 1
  case threePartVertical, ninePart
  /// Nine parts, of which the middle one is not drawn.
  case edgesOnly
}

public enum SlicingFill: UInt8, Sendable, CaseIterable {
  case stretch = 0
  case tile
  /// The caps grow with the middle.
  case uniform
}

extension IndexError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAnIndex: "not an index"
    case .otherVersion(let version):
      "it has version \(version), but this Carve reads only version "
        + "\(IndexHeader.currentVersion); programs of this Carve build an index each time they "
        + "open the archive"
    case .section(let number): "section \(number) does not fit"
    case .tooLarge(let quantity, let count, let limit):
      "\(quantity.words) is \(count), but an index holds at most \(limit)"
    case .checksum: "the checksum does not match"
    }
  }
}
